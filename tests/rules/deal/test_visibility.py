"""Nobody learns of a card he may not know, and redacted events keep his view complete.

A viewer must not be able to tell two deals apart that differ only in what he may not know: so each
test changes the hidden cards and looks whether anything he gets has changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tables.rules import commands as cm
from tables.rules import events as ev
from tables.rules.cards import HIDDEN, PACK, PRINTED_JOKER, Card
from tables.rules.codec import encode_event, encode_state
from tables.rules.deal import evolve, replay
from tables.rules.state import DealState, SeatState
from tables.rules.visibility import Viewer, redact, view_of
from tests.rules.deal.streams import play, random_table
from tests.rules.deal.table import JUNK, LOW, PARTLY, WIN, Table, cards, dealt, groups

SEEDS = st.integers(0, 2**32 - 1)
REAL = frozenset({*PACK, PRINTED_JOKER})


def viewers(state: DealState) -> tuple[Viewer, ...]:
    """Every seat, nobody's seat, and a seat that is not in the deal."""
    return (*(seat.seat for seat in state.seats), None, 99)


@settings(max_examples=30)
@given(SEEDS)
def test_view_kept_up_to_date_with_redacted_events_equals_a_fresh_view(seed: int) -> None:
    chance = Random(seed)
    table = random_table(chance)
    first = table.log[0]
    for _ in play(table, chance):
        pass
    state = replay([first])
    views = {viewer: replay([redact(first, viewer)]) for viewer in viewers(state)}
    for event in table.log[1:]:
        state = evolve(state, event)
        for viewer, view in views.items():
            views[viewer] = evolve(view, redact(event, viewer))
            assert views[viewer] == view_of(state, viewer), (viewer, event)


# --- states ----------------------------------------------------------------------------------


def other_deal(state: DealState, viewer: Viewer, chance: Random) -> DealState:
    """The same deal to this viewer: unknown cards in other places, other groups, another secret."""
    others = [seat for seat in state.seats if seat.seat != viewer]
    pool = [*state.closed, *(card for seat in others for card in seat.hand)]
    chance.shuffle(pool)
    seats = tuple(s if s.seat == viewer else _redealt(s, pool, chance) for s in state.seats)
    drawn = state.drawn
    if state.taken is None and drawn is not None and state.turn != viewer:
        drawn = chance.choice(PACK)
    return replace(state, seats=seats, closed=tuple(pool), drawn=drawn, secret="00" * 32)


def _redealt(seat: SeatState, pool: list[Card], chance: Random) -> SeatState:
    hand = tuple(pool.pop() for _ in seat.hand)
    declared = seat.declared if seat.declared_by is None else chance.choice([None, (), (hand[:3],)])
    return replace(seat, hand=hand, arranged=chance.choice([(), (hand[:4],)]), declared=declared)


@settings(max_examples=30)
@given(SEEDS)
def test_view_is_the_same_whatever_the_hidden_cards_are(seed: int) -> None:
    chance = Random(seed)
    table = random_table(chance)
    for _ in play(table, chance):
        state = table.state
        if state.is_over or chance.random() < 0.7:
            continue
        for viewer in viewers(state):
            seen = encode_state(view_of(state, viewer))
            assert seen == encode_state(view_of(other_deal(state, viewer, chance), viewer))
            assert state.secret not in seen


def real_cards(value: Any) -> Counter[Card]:
    """Every card that can be read anywhere in something encoded."""
    return Counter(text for text in _texts(value) if text in REAL)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for child in value.values() if isinstance(value, dict) else value:
            yield from _texts(child)


@settings(max_examples=20)
@given(SEEDS)
def test_no_card_can_be_read_more_often_than_the_viewer_may_know_it(seed: int) -> None:
    """Counted with copies: a twin in the own hand does not excuse one in somebody else's."""
    chance = Random(seed)
    table = random_table(chance)
    for _ in play(table, chance):
        state = table.state
        if state.is_over or chance.random() < 0.7:
            continue
        for viewer in viewers(state):
            seen = msgspec.json.decode(encode_state(view_of(state, viewer)))
            for twice in ("discards", "drawn", "taken"):
                del seen[twice]
            for seat in seen["seats"]:
                assert seat["seat"] == viewer or not seat["arranged"] + (seat["declared"] or [])
                del seat["arranged"], seat["declared"]
            own = [card for seat in state.seats if seat.seat == viewer for card in seat.hand]
            table_cards = [*state.open, state.wild_card, state.finish_slot]
            assert real_cards(seen) == Counter(c for c in (*own, *table_cards) if c in REAL)


# --- events ----------------------------------------------------------------------------------

PUBLIC = (
    ev.TossMade,
    ev.TurnStarted,
    ev.CardDiscarded,
    ev.TurnMissed,
    ev.PlayerWentOut,
    ev.CardFinished,
    ev.LimitReached,
    ev.ShowOpened,
    ev.AutoDropSet,
    ev.ClockShifted,
    ev.PlayerWentOffline,
    ev.PlayerCameBack,
    ev.DealEnded,
    ev.DealVoided,
)
"""What everybody may see in full: it holds no cards but those laid on the table."""


def other_event(event: ev.Event, viewer: Viewer) -> ev.Event:
    """The same event to this viewer, with everything changed that he may not know."""
    match event:
        case ev.DealOpened():
            return replace(event, secret="00" * 32)
        case ev.CardsDealt():
            hands = tuple((s, h if s == viewer else h[1:] + h[:1]) for s, h in event.hands)
            return replace(event, hands=hands, closed=event.closed[::-1])
        case ev.DeckReshuffled():
            return replace(event, closed=event.closed[::-1])
        case ev.CardDrawn(seat=seat, deck=ev.Deck.CLOSED) if seat != viewer:
            return replace(event, card="7H" if event.card == "8D" else "8D")
        case ev.HandArranged(seat=seat) | ev.HandDeclared(seat=seat) if seat != viewer:
            return replace(event, groups=(("7H", "8D"),))
        case _:
            return event


@settings(max_examples=30)
@given(SEEDS)
def test_redacted_event_is_the_same_whatever_the_hidden_cards_are(seed: int) -> None:
    chance = Random(seed)
    table = random_table(chance)
    for _ in play(table, chance):
        pass
    for event in table.log:
        for viewer in viewers(table.state):
            seen = redact(event, viewer)
            assert encode_event(seen) == encode_event(redact(other_event(event, viewer), viewer))
            assert isinstance(event, ev.DealEnded) or table.state.secret not in encode_event(seen)
            if isinstance(event, PUBLIC):
                assert seen == event


def test_declaration_that_counts_the_whole_hand_looks_like_any_other() -> None:
    """Whether a player showed groups or none is not told before the end."""
    shown, silent = (
        ev.HandDeclared(at=1, seat=2, groups=g, cause=ev.Cause.TIME) for g in (groups(PARTLY), None)
    )
    assert redact(shown, 1) == redact(silent, 1)
    assert redact(shown, 2) == shown


def test_drawn_card_is_seen_by_the_player_alone_and_a_taken_one_by_all() -> None:
    table = dealt(JUNK, LOW, closed="2C")
    table.do(cm.DrawClosed(1))
    drawn = table.log[-1]
    assert [
        real_cards(msgspec.json.decode(encode_event(redact(drawn, v)))) for v in (1, 2, None)
    ] == [
        Counter(["2C"]),
        Counter(),
        Counter(),
    ]
    assert view_of(table.state, 2).drawn == HIDDEN
    table.do(cm.Discard(1, "KC"), cm.DrawOpen(2))
    assert [redact(table.log[-1], v) for v in (1, None)] == [table.log[-1]] * 2


def test_unknown_hand_has_thirteen_hidden_cards_even_when_one_of_them_was_seen() -> None:
    """That he holds the card he took everybody knows; where it lies in his hand nobody is told."""
    table = dealt(JUNK, LOW)
    table.do(cm.DrawOpen(1), cm.Discard(1, "KC"))
    assert view_of(table.state, 2).seats[0].hand == (HIDDEN,) * 13


def test_everything_is_open_to_everybody_when_the_deal_is_over() -> None:
    table: Table = dealt(WIN, PARTLY).show(1)
    table.do(cm.Declare(2, groups(PARTLY)))
    assert view_of(table.state, None) == table.state
    assert view_of(table.state, 2).seats[0].hand == cards(WIN)
