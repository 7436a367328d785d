"""Hands as files to keep: JSON for programs, text for people; docs/players.md describes both.

A file holds what its reader may know when he asks for it (see `tables.reading`): his own cards of a
deal that is played, everything of a match that is over. Times are milliseconds since 1970, UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from django.utils.translation import gettext as _

from tables.explaining import Explained, points_text
from tables.reading import Reading, deals_of_matches, readings
from tables.replay import results_of
from tables.retelling import Telling, is_step, told
from tables.rules import events as ev
from tables.rules.cards import HIDDEN, Card, in_order, wild_rank_of
from tables.rules.errors import RuleViolation
from tables.rules.evolve import replay
from tables.store import to_ms

FORMAT: Final = "rummy-hand-history"
VERSION: Final = 1
_encoder: Final = msgspec.json.Encoder()


def matches_history(match_ids: Sequence[int], user_id: int) -> list[Reading]:
    """Every deal of these matches as one of their players may read it. Three queries."""
    deals = deals_of_matches(match_ids)
    return [r for r in readings(deals, user_id) if r.may_read] if deals else []


def as_json(found: Iterable[Reading]) -> bytes:
    """Deals in the order given, each with its redacted log."""
    deals = [_deal(reading) for reading in found]
    written = _encoder.encode({"format": FORMAT, "version": VERSION, "deals": deals})
    return msgspec.json.format(written, indent=1)


def _deal(reading: Reading) -> dict[str, Any]:
    deal = reading.deal
    return {
        "deal": deal.public_id,
        "table": deal.match.table.public_id,
        "owner": deal.match.table.owner,
        "match": deal.match.number,
        "format": deal.match.format_name,
        "number": deal.number,
        "tie_break": deal.tie_break,
        "label": deal.label,
        "commitment": deal.commitment,
        "opened_ms": to_ms(deal.opened_at),
        "over_ms": None if deal.over_at is None else to_ms(deal.over_at),
        "seat": reading.seat,
        "shows_all": reading.may_see_all,
        "players": [{"seat": seat, "name": name} for seat, name in reading.names.items()],
        "result": msgspec.json.decode(deal.result) if deal.result else None,
        "events": reading.redacted,
    }


def as_text(found: Iterable[Reading]) -> str:
    """Deals as a reader reads them, an empty line between two."""
    return "\n".join("\n".join([*_lines(reading), ""]) for reading in found)


def _lines(reading: Reading) -> Iterator[str]:
    deal = reading.deal
    yield _("Deal %(deal)d of match %(match)d, table %(table)d (%(id)s)") % {
        "deal": deal.number,
        "match": deal.match.number,
        "table": deal.match.table.number,
        "id": deal.public_id,
    }
    yield _("Dealt at %(time)s UTC") % {"time": f"{deal.opened_at:%Y-%m-%d %H:%M:%S}"}
    yield _("Shuffle committed to: %(commitment)s") % {"commitment": deal.commitment}
    telling = Telling(reading.names)
    for event in reading.redacted:
        if isinstance(event, ev.CardsDealt):
            telling = telling._replace(wild_rank=wild_rank_of(event.wild_card))
        if is_step(event):
            seconds = (event.at - reading.events[0].at) / 1000
            yield f"{seconds:8.1f} s  {told(event, telling)}"
        if isinstance(event, ev.CardsDealt):
            yield from _hands(event, telling)
    yield from _ending(reading, telling)


def _hands(event: ev.CardsDealt, telling: Telling) -> Iterator[str]:
    for seat, hand in event.hands:
        if HIDDEN not in hand:
            yield f"{'':12}{telling.who(seat)}: {_cards(in_order(hand), telling)}"


def _cards(cards: Iterable[Card], telling: Telling) -> str:
    return " ".join(map(telling.card, cards)).replace("\ufe0e", "")


def _ending(reading: Reading, telling: Telling) -> Iterator[str]:
    ended = reading.events[-1]
    if not isinstance(ended, ev.DealEnded | ev.DealVoided):
        yield _("The deal is still being played.")
        return
    try:
        state = replay(reading.events)
    except RuleViolation:
        yield _("The log of this deal cannot be replayed.")
        return
    for hand in results_of(state, ended, reading.names):
        yield from _explained(hand)
    yield _("Secret of the shuffle: %(secret)s") % {"secret": ended.secret}


def _explained(hand: Explained) -> Iterator[str]:
    yield f"{'':4}{hand.name}: {hand.outcome}, {points_text(hand.points)}"
    for group in hand.groups:
        cards = " ".join(
            f"{card.faces[0].rank}{card.faces[0].suit}"
            + (f"({card.points})" if card.counts else "")
            for card in group.cards
        )
        yield f"{'':8}{cards}  [{group.kind}]"
    yield f"{'':8}{' '.join(hand.reasons)}"
