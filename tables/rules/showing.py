"""Finishing, declaring and counting a deal (rules 3 and 4, 5.10)."""

from __future__ import annotations

from collections import Counter

from tables.rules import commands as cm
from tables.rules import events as ev
from tables.rules import flow
from tables.rules.cards import HAND_SIZE, parse_cards
from tables.rules.counting import fewest_points, judge_hand, wrong_declaration_points
from tables.rules.errors import Code, RuleViolation
from tables.rules.profiles import Absence, LateDeclaration
from tables.rules.results import Outcome
from tables.rules.state import DealState, Phase, SeatState
from tables.rules.steps import Steps

MAX_GROUPS = HAND_SIZE


def finish(steps: Steps, command: cm.Finish) -> None:
    """Put a card into the finish slot; time to declare runs."""
    me = steps.state.seat_state(command.seat)
    me.check_holds(command.card)
    until = steps.now + 1000 * steps.state.terms.clock.declare_seconds + _extra_after_turn(steps)
    steps.emit(ev.CardFinished(at=steps.now, seat=command.seat, card=command.card, until=until))


def _extra_after_turn(steps: Steps) -> int:
    state = steps.state
    if state.turn is None:
        return 0
    over = steps.now - state.turn_at - 1000 * state.terms.clock.turn_seconds
    return max(0, state.seat_state(state.turn).extra_ms - max(0, over))


def arrange(steps: Steps, command: cm.Arrange) -> None:
    """Save a grouping of the hand; it stands for the declaration of a player cut off."""
    me = steps.state.seat_state(command.seat)
    if not me.is_in:
        raise RuleViolation(Code.OUT_OF_DEAL, "You are out of this deal.")
    if me.declared_by is not None:
        raise RuleViolation(Code.ALREADY_DECLARED, "Your hand is declared already.")
    _check_groups(me, command.groups)
    steps.emit(ev.HandArranged(at=steps.now, seat=command.seat, groups=command.groups))


def _check_groups(me: SeatState, groups: cm.Groups) -> None:
    """Each card of the groups is held, none is used twice, no group is empty."""
    if len(groups) > MAX_GROUPS or any(not group for group in groups):
        raise RuleViolation(
            Code.WRONG_CARD_COUNT,
            f"A hand has at most {MAX_GROUPS} groups, each of at least one card.",
            field="groups",
        )
    shown = parse_cards((card for group in groups for card in group), field="groups")
    missing = Counter(shown) - Counter(me.hand)
    if missing:
        raise RuleViolation(
            Code.NOT_YOUR_CARDS,
            f"The groups use {min(missing)}, which is not left in your hand.",
            field="groups",
        )


def declare_finish(steps: Steps, command: cm.Declare) -> None:
    """The finisher shows his hand: complete, or a wrong declaration (rule 3.4)."""
    me = steps.state.seat_state(command.seat)
    if me.seat != steps.state.finisher:
        if not me.is_in:
            raise RuleViolation(Code.OUT_OF_DEAL, "You are out of this deal.")
        raise RuleViolation(
            Code.WAIT_FOR_FINISHER, "Arrange your hand and wait for the finisher's declaration."
        )
    _check_groups(me, command.groups)
    _finisher_declares(steps, me, command.groups, ev.Cause.PLAYER)


def _finisher_declares(
    steps: Steps, me: SeatState, groups: cm.Groups | None, cause: ev.Cause
) -> None:
    steps.emit(ev.HandDeclared(at=steps.now, seat=me.seat, groups=groups, cause=cause))
    if groups is not None and judge_hand(steps.state, me.hand, groups).complete:
        flow.open_show(steps)
        return
    steps.emit(
        ev.PlayerWentOut(
            at=steps.now,
            seat=me.seat,
            outcome=Outcome.WRONG_DECLARATION,
            points=wrong_declaration_points(steps.state, me),
            cause=ev.Cause.DECLARATION,
        )
    )
    left = steps.state.still_in
    if len(left) == 1:
        flow.end_deal(steps, left[0].seat, ev.EndReason.LAST_PLAYER)
    else:
        flow.start_turn(steps, flow.next_seat(steps.state, me.seat))


def declare_show(steps: Steps, command: cm.Declare) -> None:
    """A player declares after a valid finish, or at a limit."""
    me = _awaited(steps.state, command.seat)
    _check_groups(me, command.groups)
    _declares(steps, me, command.groups, ev.Cause.PLAYER)
    _end_if_all_declared(steps)


def _awaited(state: DealState, seat: int) -> SeatState:
    me = state.seat_state(seat)
    if not me.is_in:
        raise RuleViolation(Code.OUT_OF_DEAL, "You are out of this deal.")
    if me.declared_by is not None:
        raise RuleViolation(Code.ALREADY_DECLARED, "Your hand is declared already.")
    return me


def _declares(steps: Steps, me: SeatState, groups: cm.Groups | None, cause: ev.Cause) -> None:
    steps.emit(ev.HandDeclared(at=steps.now, seat=me.seat, groups=groups, cause=cause))


def leave(steps: Steps, command: cm.Leave) -> None:
    """Leave while hands are declared: the last arrangement counts (rule 3.6)."""
    me = _awaited(steps.state, command.seat)
    if steps.state.phase is Phase.FINISH and me.seat == steps.state.finisher:
        _finisher_declares(steps, me, _kept(me), ev.Cause.LEFT)
    elif steps.state.phase is Phase.FINISH:
        # The finish may yet prove wrong, so he goes out as from a running turn.
        flow.go_out(steps, me, ev.Cause.LEFT)
    else:
        _declares(steps, me, _kept(me), ev.Cause.LEFT)
        _end_if_all_declared(steps)


def _kept(me: SeatState) -> cm.Groups:
    """The last arrangement as far as its cards are still in the hand."""
    left = Counter(me.hand)
    groups = []
    for group in me.arranged:
        kept = []
        for card in group:
            if left[card]:
                left[card] -= 1
                kept.append(card)
        if kept:
            groups.append(tuple(kept))
    return tuple(groups)


def expire(steps: Steps, command: cm.Expire) -> None:
    """The alarm while hands are declared: decide for those whose time is up (rules 3.5, 3.6)."""
    late = [s for s in steps.state.to_declare if s.until is not None and s.until <= steps.now]
    if not late:
        raise RuleViolation(Code.NOT_DUE, "No time is up yet.")
    if steps.state.phase is Phase.FINISH:
        _finisher_declares(steps, late[0], _finisher_late(steps.state, late[0]), ev.Cause.TIME)
        return
    for me in late:
        _declares(steps, me, _player_late(steps.state, me), ev.Cause.TIME)
    _end_if_all_declared(steps)


def _finisher_late(state: DealState, me: SeatState) -> cm.Groups | None:
    """A connected finisher made a wrong declaration; one cut off has his last arrangement."""
    protected = not me.online and state.terms.profile.absence is Absence.MISS_TURNS
    return _kept(me) if protected else None


def _player_late(state: DealState, me: SeatState) -> cm.Groups | None:
    profile = state.terms.profile
    if not me.online:
        return None if profile.absence is Absence.AUTO_PLAY else _kept(me)
    return None if profile.late_declaration is LateDeclaration.ALL_CARDS else _kept(me)


def _end_if_all_declared(steps: Steps) -> None:
    state = steps.state
    if state.to_declare:
        return
    if state.finisher is not None:
        flow.end_deal(steps, state.finisher, ev.EndReason.DECLARED)
        return
    flow.end_deal(steps, fewest_points(state), ev.EndReason.LIMIT)


def legal(state: DealState, me: SeatState) -> list[cm.SeatCommand]:
    """What a player still in may declare or arrange now."""
    if me.declared_by is not None:
        return []
    moves: list[cm.SeatCommand] = [cm.Arrange(me.seat, ())]
    if state.phase in (Phase.FINISH, Phase.SHOW):
        moves.append(cm.Leave(me.seat))
        if me in state.to_declare:
            moves.append(cm.Declare(me.seat, ()))
    return moves
