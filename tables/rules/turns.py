"""A turn: draw, discard, drop; going out of the deal; and what the clock does (rules 5.3-5.13)."""

from __future__ import annotations

from typing import Final

from tables.rules import commands as cm
from tables.rules import events as ev
from tables.rules import flow
from tables.rules.cards import Card
from tables.rules.errors import Code, RuleViolation
from tables.rules.shoe import shuffled
from tables.rules.state import DealState, Phase, SeatState
from tables.rules.steps import Steps

MAX_SHIFT_MS: Final = 366 * 24 * 3600 * 1000


def draw_closed(steps: Steps, command: cm.DrawClosed) -> None:
    """The top of the closed deck; the open deck is shuffled into it when it is empty."""
    _draw_closed(steps, command.seat)


def _draw_closed(steps: Steps, seat: int) -> None:
    state = steps.state
    if not state.closed:
        secret = bytes.fromhex(state.secret)
        context = ("reshuffle", state.deal_id, str(state.reshuffles), *state.nonces)
        order = shuffled(state.open[:-1], secret, *context)
        steps.emit(ev.DeckReshuffled(at=steps.now, closed=order))
    card = steps.state.closed[0]
    steps.emit(ev.CardDrawn(at=steps.now, seat=seat, deck=ev.Deck.CLOSED, card=card))


def draw_open(steps: Steps, command: cm.DrawOpen) -> None:
    """The top of the open deck, unless it is a joker that nobody may take (rule 5.4)."""
    state = steps.state
    card = state.open_top
    if card is None:
        raise RuleViolation(
            Code.OPEN_DECK_EMPTY, "The open deck is empty; draw from the closed deck."
        )
    if not state.may_take_open:
        raise RuleViolation(
            Code.JOKER_NOT_TAKEABLE,
            "A joker in the open deck may not be taken; draw from the closed deck.",
        )
    steps.emit(ev.CardDrawn(at=steps.now, seat=command.seat, deck=ev.Deck.OPEN, card=card))


def discard(steps: Steps, command: cm.Discard) -> None:
    """A card of the hand, but not the very card just taken from the open deck (rule 5.3)."""
    me = steps.state.seat_state(command.seat)
    me.check_holds(command.card)
    if command.card in _not_discardable(steps.state, me):
        raise RuleViolation(
            Code.JUST_TAKEN,
            f"You just took {command.card} from the open deck; discard another card.",
            field="card",
        )
    steps.emit(ev.CardDiscarded(at=steps.now, seat=command.seat, card=command.card))
    flow.start_turn(steps, flow.next_seat(steps.state, command.seat))


def _not_discardable(state: DealState, me: SeatState) -> frozenset[Card]:
    """The card just taken; its twin in the hand, if there is one, may be discarded."""
    taken = state.taken
    if taken is None or state.terms.profile.may_discard_taken_card or me.hand.count(taken) > 1:
        return frozenset()
    return frozenset({taken})


def drop(steps: Steps, command: cm.Drop) -> None:
    """Give up before drawing: first or middle drop (rule 5.6)."""
    me = steps.state.seat_state(command.seat)
    if not _may_drop(steps.state, me):
        raise RuleViolation(
            Code.NO_DROP,
            "There is no drop for you in this deal; play on."
            if steps.state.terms.has_drop
            else "This format knows no drop; play on.",
        )
    flow.go_out(steps, me, ev.Cause.PLAYER)
    flow.play_on(steps, command.seat)


def _may_drop(state: DealState, me: SeatState) -> bool:
    return state.terms.has_drop and not me.no_drop


def leave(steps: Steps, command: cm.Leave) -> None:
    """Leave for good while the cards are played (rule 5.8)."""
    if not steps.state.seat_state(command.seat).is_in:
        raise RuleViolation(Code.OUT_OF_DEAL, "You are out of this deal already.")
    flow.return_drawn_card(steps, command.seat)
    flow.go_out(steps, steps.state.seat_state(command.seat), ev.Cause.LEFT)
    flow.play_on(steps, command.seat)


def expire(steps: Steps, command: cm.Expire) -> None:
    """The alarm during a turn: the deal's time limit, auto play, or a missed turn."""
    state, turn = steps.state, steps.state.turn
    if turn is None:
        raise _not_due()
    me = state.seat_state(turn)
    if state.time_limit is not None and steps.now >= state.time_limit:
        flow.return_drawn_card(steps, turn)
        flow.open_show_at_limit(steps, ev.Limit.TIME)
    elif me.until is None or steps.now < me.until:
        raise _not_due()
    elif state.is_auto_played(me):
        _auto_play(steps, me)
    else:
        _miss(steps, turn)


def _not_due() -> RuleViolation:
    return RuleViolation(Code.NOT_DUE, "No time is up yet.")


def _auto_play(steps: Steps, me: SeatState) -> None:
    """Draw from the closed deck and discard the same card (rule 5.12)."""
    if flow.drops_at_first_turn(steps.state, me) is not None:
        flow.go_out(steps, me, ev.Cause.OFFLINE)
        flow.play_on(steps, me.seat)
        return
    if steps.state.phase is Phase.DRAW:
        _draw_closed(steps, me.seat)
    flow.return_drawn_card(steps, me.seat)
    flow.start_turn(steps, flow.next_seat(steps.state, me.seat))


def _miss(steps: Steps, seat: int) -> None:
    flow.return_drawn_card(steps, seat)
    steps.emit(ev.TurnMissed(at=steps.now, seat=seat))
    me = steps.state.seat_state(seat)
    if me.misses >= steps.state.terms.profile.misses_allowed:
        flow.go_out(steps, me, ev.Cause.MISSED_TURNS)
    flow.play_on(steps, seat)


def set_auto_drop(steps: Steps, command: cm.SetAutoDrop) -> None:
    """Switch the first drop of every following deal on or off (rule 5.13)."""
    if not steps.state.terms.has_drop:
        raise RuleViolation(Code.NO_DROP, "This format knows no drop, so no auto drop.")
    if steps.state.seat_state(command.seat).auto_drop == command.on:
        raise _already(f"Auto drop is {'on' if command.on else 'off'} already.")
    steps.emit(ev.AutoDropSet(at=steps.now, seat=command.seat, on=command.on))


def _already(sentence: str) -> RuleViolation:
    return RuleViolation(Code.ALREADY_SO, sentence)


def go_offline(steps: Steps, command: cm.GoOffline) -> None:
    """Note that a player is cut off; his running time goes on unchanged."""
    if not steps.state.seat_state(command.seat).online:
        raise _already("This player is offline already.")
    steps.emit(ev.PlayerWentOffline(at=steps.now, seat=command.seat))


def _can_come_back(me: SeatState) -> bool:
    return not me.online or me.auto_drop or me.drops_at_once


def _waits_for_auto_play(state: DealState, me: SeatState) -> bool:
    """The time that runs is the pause before auto play, shorter than any turn of his own."""
    if state.phase is not Phase.DRAW or state.turn != me.seat or me.until is None:
        return False
    return me.until < state.turn_at + 1000 * state.terms.clock.turn_seconds


def come_back(steps: Steps, command: cm.ComeBack) -> None:
    """End auto play and auto drop; a turn that auto play has not made yet starts anew."""
    state = steps.state
    me = state.seat_state(command.seat)
    if not _can_come_back(me):
        raise _already("You are at the table already.")
    until = None
    if _waits_for_auto_play(state, me):
        until = steps.now + 1000 * state.terms.clock.turn_seconds + me.extra_ms
    steps.emit(ev.PlayerCameBack(at=steps.now, seat=me.seat, until=until))


def shift_clock(steps: Steps, command: cm.ShiftClock) -> None:
    """Move every running time on, so that a standstill is charged to nobody (rule 5.11)."""
    if not 0 < command.by_ms <= MAX_SHIFT_MS:
        raise RuleViolation(
            Code.BAD_OPTION, f"A clock is shifted by 1 to {MAX_SHIFT_MS} ms.", field="by_ms"
        )
    steps.emit(ev.ClockShifted(at=steps.now, by_ms=command.by_ms))


def legal(state: DealState, me: SeatState) -> list[cm.SeatCommand]:
    """The moves of a player still in that belong to a turn, `Leave` included."""
    if state.phase not in (Phase.DRAW, Phase.DISCARD):
        return []
    moves: list[cm.SeatCommand] = [cm.Leave(me.seat)]
    if state.turn != me.seat:
        return moves
    if state.phase is Phase.DISCARD:
        return moves + _legal_discards(state, me)
    moves.append(cm.DrawClosed(me.seat))
    if state.may_take_open:
        moves.append(cm.DrawOpen(me.seat))
    if _may_drop(state, me):
        moves.append(cm.Drop(me.seat))
    return moves


def _legal_discards(state: DealState, me: SeatState) -> list[cm.SeatCommand]:
    cards = dict.fromkeys(me.hand)
    kept = _not_discardable(state, me)
    discards: list[cm.SeatCommand] = [cm.Discard(me.seat, c) for c in cards if c not in kept]
    return discards + [cm.Finish(me.seat, c) for c in cards]


def legal_presence(state: DealState, me: SeatState) -> list[cm.SeatCommand]:
    """Coming and going, allowed to every seat until the deal is over."""
    moves: list[cm.SeatCommand] = []
    if me.online:
        moves.append(cm.GoOffline(me.seat))
    if _can_come_back(me):
        moves.append(cm.ComeBack(me.seat))
    if state.terms.has_drop:
        moves.append(cm.SetAutoDrop(me.seat, not me.auto_drop))
    return moves
