"""Applying events: `evolve(state, event) → state`, `replay(events) → state`.

No rule is decided here. It works alike on the full log and on a viewer's redacted one: a hidden
card `??` moves like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from tables.rules import events as ev
from tables.rules.cards import HIDDEN, Card, wild_rank_of
from tables.rules.errors import Code, RuleViolation
from tables.rules.state import DealState, Phase, SeatState


def replay(log: Iterable[ev.Event]) -> DealState:
    """The state after a whole log. Raises `RuleViolation(BAD_RECORD)` unless it begins a deal."""
    state: DealState | None = None
    for event in log:
        state = opened(event) if state is None else evolve(state, event)
    if state is None:
        raise RuleViolation(Code.BAD_RECORD, "The log of the deal is empty.", field="events")
    return state


def opened(event: ev.Event) -> DealState:
    """The state after the first event of a log."""
    if not isinstance(event, ev.DealOpened):
        raise RuleViolation(
            Code.BAD_RECORD, "The log of a deal begins with its opening.", field="events"
        )
    seats = tuple(
        SeatState(
            seat=seat,
            extra_ms=1000 * event.terms.clock.extra_seconds,
            no_drop=seat in event.no_drop,
            auto_drop=seat in event.auto_drop,
            drops_at_once=seat in event.auto_drop,
            online=seat not in event.offline,
        )
        for seat in event.order
    )
    return DealState(
        deal_id=event.deal_id,
        terms=event.terms,
        commitment=event.commitment,
        secret=event.secret,
        nonces=event.nonces,
        opened_at=event.at,
        seats=seats,
        version=1,
    )


def evolve(state: DealState, event: ev.Event) -> DealState:
    """The state after one more event.

    Raises `RuleViolation(BAD_RECORD)` for an event that cannot have followed: such a log was
    changed after it was written.
    """
    applied = _APPLY.get(type(event))
    if applied is None:
        raise RuleViolation(Code.BAD_RECORD, "A deal is opened only once.", field="events")
    try:
        return applied(state, event)
    except (KeyError, ValueError) as fault:
        raise RuleViolation(
            Code.BAD_RECORD,
            f"Event {state.version + 1} does not fit the deal before it.",
            field="events",
        ) from fault


def _with_seat(state: DealState, seat: int, **changes: Any) -> tuple[SeatState, ...]:
    return tuple(replace(s, **changes) if s.seat == seat else s for s in state.seats)


def _step(state: DealState, **changes: Any) -> DealState:
    return replace(state, version=state.version + 1, **changes)


def _extra_left(state: DealState, seat: SeatState, at: int, seconds: int) -> int:
    """Extra time after a turn or declaration that took until `at` (rule 5.11).

    An alarm that rings late takes nothing: the time was up at the seat's `until`.
    """
    over = min(at, seat.until or at) - state.turn_at - 1000 * seconds
    return seat.extra_ms if over <= 0 else max(0, seat.extra_ms - over)


def _less(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The hand less a card; a viewer's hidden hand loses one of its unknown cards."""
    left = list(hand)
    left.remove(card if card in hand else HIDDEN)
    return tuple(left)


def _more(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The hand and a card; a viewer's hidden hand gains an unknown card, even a known one."""
    return (*hand, HIDDEN if HIDDEN in hand else card)


def _toss_made(state: DealState, event: ev.TossMade) -> DealState:
    by_seat = {seat.seat: seat for seat in state.seats}
    return _step(state, seats=tuple(by_seat[seat] for seat, _ in event.toss))


def _cards_dealt(state: DealState, event: ev.CardsDealt) -> DealState:
    dealt = dict(event.hands)
    return _step(
        state,
        seats=tuple(replace(seat, hand=dealt[seat.seat]) for seat in state.seats),
        wild_card=event.wild_card,
        wild_rank=wild_rank_of(event.wild_card),
        open=(event.open_card,),
        closed=event.closed,
        phase=Phase.DRAW,
    )


def _turn_started(state: DealState, event: ev.TurnStarted) -> DealState:
    first = state.turn is None and event.seat == state.seats[0].seat
    turns = state.seat_state(event.seat).turns + 1
    return _step(
        state,
        seats=_with_seat(state, event.seat, until=event.until, turns=turns),
        phase=Phase.DRAW,
        turn=event.seat,
        turn_at=event.at,
        first_turn=first,
        drawn=None,
        taken=None,
    )


def _deck_reshuffled(state: DealState, event: ev.DeckReshuffled) -> DealState:
    return _step(state, closed=event.closed, open=state.open[-1:], reshuffles=state.reshuffles + 1)


def _card_drawn(state: DealState, event: ev.CardDrawn) -> DealState:
    hand = _more(state.seat_state(event.seat).hand, event.card)
    seats = _with_seat(state, event.seat, hand=hand, drew=True)
    if event.deck is ev.Deck.OPEN:
        return _step(
            state,
            seats=seats,
            open=state.open[:-1],
            drawn=event.card,
            taken=event.card,
            phase=Phase.DISCARD,
        )
    return _step(state, seats=seats, closed=state.closed[1:], drawn=event.card, phase=Phase.DISCARD)


def _card_discarded(state: DealState, event: ev.CardDiscarded) -> DealState:
    seat = state.seat_state(event.seat)
    auto = state.is_auto_played(seat)
    return _step(
        state,
        seats=_with_seat(
            state,
            event.seat,
            hand=_less(seat.hand, event.card),
            until=None,
            misses=seat.misses if event.forced else 0,
            auto_turns=seat.auto_turns + (event.forced and auto),
            extra_ms=_extra_left(state, seat, event.at, state.terms.clock.turn_seconds),
        ),
        open=(*state.open, event.card),
        discards=(*state.discards, (event.seat, event.card)),
        first_turn=False,
    )


def _turn_missed(state: DealState, event: ev.TurnMissed) -> DealState:
    seat = state.seat_state(event.seat)
    extra = _extra_left(state, seat, event.at, state.terms.clock.turn_seconds)
    seats = _with_seat(state, event.seat, misses=seat.misses + 1, until=None, extra_ms=extra)
    return _step(state, seats=seats, first_turn=False)


def _player_went_out(state: DealState, event: ev.PlayerWentOut) -> DealState:
    seats = _with_seat(
        state,
        event.seat,
        outcome=event.outcome,
        points=event.points,
        left=event.cause is ev.Cause.LEFT,
        until=None,
    )
    if event.seat != state.finisher or state.finish_slot is None:
        return _step(state, seats=seats)
    # A wrong declaration: the finished card is that turn's discard.
    return _step(
        state,
        seats=seats,
        finisher=None,
        finish_slot=None,
        open=(*state.open, state.finish_slot),
        discards=(*state.discards, (event.seat, state.finish_slot)),
    )


def _card_finished(state: DealState, event: ev.CardFinished) -> DealState:
    seat = state.seat_state(event.seat)
    return _step(
        state,
        seats=_with_seat(
            state,
            event.seat,
            hand=_less(seat.hand, event.card),
            until=event.until,
            misses=0,
            extra_ms=_extra_left(state, seat, event.at, state.terms.clock.turn_seconds),
        ),
        phase=Phase.FINISH,
        finisher=event.seat,
        finish_slot=event.card,
        turn_at=event.at,
        first_turn=False,
    )


def _hand_arranged(state: DealState, event: ev.HandArranged) -> DealState:
    return _step(state, seats=_with_seat(state, event.seat, arranged=event.groups))


def _hand_declared(state: DealState, event: ev.HandDeclared) -> DealState:
    seat = state.seat_state(event.seat)
    return _step(
        state,
        seats=_with_seat(
            state,
            event.seat,
            declared=event.groups,
            declared_by=event.cause,
            left=event.cause is ev.Cause.LEFT,
            until=None,
            extra_ms=_extra_left(state, seat, event.at, state.terms.clock.declare_seconds),
        ),
    )


def _limit_reached(state: DealState, event: ev.LimitReached) -> DealState:
    seats = tuple(replace(seat, until=None) for seat in state.seats)
    return _step(state, seats=seats, turn=None, drawn=None, taken=None)


def _show_opened(state: DealState, event: ev.ShowOpened) -> DealState:
    until = dict(event.until)
    seats = tuple(replace(seat, until=until.get(seat.seat)) for seat in state.seats)
    return _step(state, seats=seats, phase=Phase.SHOW, turn_at=event.at)


def _auto_drop_set(state: DealState, event: ev.AutoDropSet) -> DealState:
    now_off = {} if event.on else {"drops_at_once": False}
    return _step(state, seats=_with_seat(state, event.seat, auto_drop=event.on, **now_off))


def _player_went_offline(state: DealState, event: ev.PlayerWentOffline) -> DealState:
    return _step(state, seats=_with_seat(state, event.seat, online=False))


def _player_came_back(state: DealState, event: ev.PlayerCameBack) -> DealState:
    back: dict[str, Any] = {"online": True, "auto_drop": False, "drops_at_once": False}
    if event.until is None:
        return _step(state, seats=_with_seat(state, event.seat, **back))
    seats = _with_seat(state, event.seat, until=event.until, **back)
    return _step(state, seats=seats, turn_at=event.at)


def _clock_shifted(state: DealState, event: ev.ClockShifted) -> DealState:
    by = event.by_ms
    seats = tuple(s if s.until is None else replace(s, until=s.until + by) for s in state.seats)
    return _step(state, seats=seats, turn_at=state.turn_at + by, opened_at=state.opened_at + by)


def _deal_ended(state: DealState, event: ev.DealEnded) -> DealState:
    shown = {card.seat: card for card in event.revealed}
    seats = tuple(
        replace(
            seat,
            hand=shown[seat.seat].hand,
            arranged=shown[seat.seat].arranged,
            declared=shown[seat.seat].declared,
            outcome=score.outcome,
            points=score.points,
            until=None,
        )
        for seat, score in zip(state.seats, event.result.scores, strict=True)
    )
    return _step(
        state,
        seats=seats,
        phase=Phase.OVER,
        turn=None,
        closed=event.closed,
        secret=event.secret,
        drawn=None,
        taken=None,
        result=event.result,
    )


def _deal_voided(state: DealState, event: ev.DealVoided) -> DealState:
    shown = {cards.seat: cards for cards in event.revealed}
    seats = tuple(
        replace(
            seat,
            hand=shown[seat.seat].hand,
            arranged=shown[seat.seat].arranged,
            declared=shown[seat.seat].declared,
            until=None,
        )
        for seat in state.seats
    )
    return _step(
        state,
        seats=seats,
        phase=Phase.OVER,
        turn=None,
        closed=event.closed,
        secret=event.secret,
        drawn=None,
        taken=None,
    )


_APPLY: dict[type, Callable[[DealState, Any], DealState]] = {
    ev.TossMade: _toss_made,
    ev.CardsDealt: _cards_dealt,
    ev.TurnStarted: _turn_started,
    ev.DeckReshuffled: _deck_reshuffled,
    ev.CardDrawn: _card_drawn,
    ev.CardDiscarded: _card_discarded,
    ev.TurnMissed: _turn_missed,
    ev.PlayerWentOut: _player_went_out,
    ev.CardFinished: _card_finished,
    ev.HandArranged: _hand_arranged,
    ev.HandDeclared: _hand_declared,
    ev.LimitReached: _limit_reached,
    ev.ShowOpened: _show_opened,
    ev.AutoDropSet: _auto_drop_set,
    ev.PlayerWentOffline: _player_went_offline,
    ev.PlayerCameBack: _player_came_back,
    ev.ClockShifted: _clock_shifted,
    ev.DealEnded: _deal_ended,
    ev.DealVoided: _deal_voided,
}
