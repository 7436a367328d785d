"""What a browser needs to shuffle a finished deal again and compare it with what was dealt.

A *check* is one thing to be computed: that a secret is the one committed to, or that an order is
the one that the secret gives. The page computes; nothing here says right or wrong. Draws of
tournaments are checked in the same form (static/rummy_site/shoe.js mirrors `tables.rules.shoe`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tables.reading import Reading
from tables.rules import events as ev
from tables.rules.errors import RuleViolation
from tables.rules.evolve import evolve, opened
from tables.selectors import as_dealt

Check = dict[str, Any]
"""`kind` is `commitment`, `order` or `toss`; the other fields go with it. Plain JSON."""


def checks_of(reading: Reading) -> list[Check]:
    """The checks of a deal that is over; none while it is played. Asks the database nothing."""
    if not reading.is_over or not reading.events:
        return []
    first, last = reading.events[0], reading.events[-1]
    secret = last.secret if isinstance(last, ev.DealEnded | ev.DealVoided) else ""
    commitment = {
        "id": "commitment",
        "kind": "commitment",
        "secret": secret,
        "published": reading.deal.commitment,
    }
    if not isinstance(first, ev.DealOpened):
        return [commitment]
    named = [reading.deal.label, *first.nonces]
    checks = [*_dealing(first, reading.events, named), *_reshuffles(reading.events, named)]
    return [commitment, *({**check, "secret": secret} for check in checks)]


def _dealing(first: ev.DealOpened, events: Sequence[ev.Event], named: list[str]) -> Iterator[Check]:
    shoe = first.terms.profile.shoe_for(len(first.order))
    for event in events:
        if isinstance(event, ev.TossMade):
            yield {
                "id": "toss",
                "kind": "toss",
                "packs": shoe.packs,
                "seats": first.order,
                "context": ["toss", *named],
                "found": event.toss,
            }
        elif isinstance(event, ev.CardsDealt):
            yield {
                "id": "shoe",
                "kind": "order",
                "shoe": {"packs": shoe.packs, "printed_jokers": shoe.printed_jokers},
                "context": ["shoe", *named],
                "found": as_dealt(event),
            }


def _reshuffles(events: Sequence[ev.Event], named: list[str]) -> Iterator[Check]:
    """Every time the open cards were shuffled; none after an event that does not fit its log."""
    if not any(isinstance(event, ev.DeckReshuffled) for event in events):
        return
    try:
        state = opened(events[0])
        for event in events[1:]:
            if isinstance(event, ev.DeckReshuffled):
                yield {
                    "id": f"reshuffle-{state.reshuffles + 1}",
                    "kind": "order",
                    "items": state.open[:-1],
                    "context": ["reshuffle", named[0], str(state.reshuffles), *named[1:]],
                    "found": event.closed,
                }
            state = evolve(state, event)
    except RuleViolation:
        return
