"""What a viewer may know. The only way in which card data leaves the server.

A viewer sees a deal through his seat, or through none (`None`: spectators, the public). Until the
deal is over, other players' cards and groupings, the closed deck and the secret are hidden; then
everything is open. `view_of` gives the same type as the state, so a viewer's copy kept up to date
with redacted events equals a fresh view: `evolve(view, redact(event)) == view_of(evolve(state))`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tables.rules import events as ev
from tables.rules.cards import HIDDEN
from tables.rules.state import DealState, SeatState

Viewer = int | None
"""A seat, or None for somebody who plays no seat."""


def view_of(state: DealState, viewer: Viewer) -> DealState:
    """The deal as this viewer may know it."""
    if state.is_over:
        return state
    hides_drawn = state.drawn is not None and state.taken is None and state.turn != viewer
    return replace(
        state,
        secret="",
        closed=(HIDDEN,) * len(state.closed),
        seats=tuple(s if s.seat == viewer else _masked(s) for s in state.seats),
        drawn=HIDDEN if hides_drawn else state.drawn,
    )


def _masked(seat: SeatState) -> SeatState:
    return replace(
        seat,
        hand=(HIDDEN,) * len(seat.hand),
        arranged=(),
        declared=None if seat.declared_by is None else (),
    )


def redact(event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event as this viewer may know it."""
    hide = _HIDE.get(type(event))
    return event if hide is None else hide(event, viewer)


def _dealt(event: ev.CardsDealt, viewer: Viewer) -> ev.CardsDealt:
    hands = tuple(
        (seat, hand if seat == viewer else (HIDDEN,) * len(hand)) for seat, hand in event.hands
    )
    return replace(event, hands=hands, closed=(HIDDEN,) * len(event.closed))


def _opened(event: ev.DealOpened, viewer: Viewer) -> ev.DealOpened:
    return replace(event, secret="")


def _reshuffled(event: ev.DeckReshuffled, viewer: Viewer) -> ev.DeckReshuffled:
    return replace(event, closed=(HIDDEN,) * len(event.closed))


def _drawn(event: ev.CardDrawn, viewer: Viewer) -> ev.CardDrawn:
    if event.seat == viewer or event.deck is ev.Deck.OPEN:
        return event
    return replace(event, card=HIDDEN)


def _arranged(event: ev.HandArranged, viewer: Viewer) -> ev.HandArranged:
    return event if event.seat == viewer else replace(event, groups=())


def _declared(event: ev.HandDeclared, viewer: Viewer) -> ev.HandDeclared:
    return event if event.seat == viewer else replace(event, groups=())


_HIDE: dict[type, Callable[[Any, Viewer], ev.Event]] = {
    ev.DealOpened: _opened,
    ev.CardsDealt: _dealt,
    ev.DeckReshuffled: _reshuffled,
    ev.CardDrawn: _drawn,
    ev.HandArranged: _arranged,
    ev.HandDeclared: _declared,
}
