"""What staff look at after play: deals and matches found, what was said, what a player played.

Cards of a deal that is being played are shown to nobody: a deal is read here as by somebody who
does not sit at its table (see `tables.reading`).
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from tables.errors import TableRefusal
from tables.history import as_text
from tables.models import ChatLine, Deal, Match, MatchEntry, Seat
from tables.reading import Reading, reading_of
from tables.seats import seat_name, seat_names
from tables.selectors import DealCheck, check_deal

SHOWN: Final = 200
"""Lines of one list."""


def deals_found(text: str) -> QuerySet[Deal]:
    """Deals, the newest first: all, or those of this deal, table, owner or player."""
    found = Deal.objects.select_related("match__table").order_by("-pk")
    if not text:
        return found
    mine = Seat.objects.filter(player__username=text, bot="").values("match")
    wanted = Q(public_id=text) | Q(match__table__public_id=text) | Q(match__table__owner=text)
    return found.filter(wanted | Q(match__in=mine))


class Inspected(NamedTuple):
    """A deal as staff have it: its log in words and the check of it; neither while it is played."""

    reading: Reading
    text: str
    check: DealCheck | None


def inspected(public_id: str) -> Inspected | None:
    """A deal, None where there is none. A fixed number of queries."""
    try:
        reading = reading_of(public_id, None)
    except TableRefusal:
        return None
    if not reading.may_read:
        return Inspected(reading, "", None)
    return Inspected(reading, as_text([reading]), check_deal(reading.deal))


class Said(NamedTuple):
    """A line of chat."""

    at: datetime
    who: str
    text: str


class MatchFile(NamedTuple):
    """A match with its players, deals, chat and log; of long ones the newest lines."""

    match: Match
    names: dict[int, str]
    deals: tuple[Deal, ...]
    chat: tuple[Said, ...]
    log: tuple[MatchEntry, ...]


def match_file(pk: int) -> MatchFile | None:
    """A match, None where there is none. Five queries."""
    match = Match.objects.select_related("table").filter(pk=pk).first()
    if match is None:
        return None
    names = seat_names(match)
    chat = reversed(match.chat.order_by("-pk")[:SHOWN])
    return MatchFile(
        match=match,
        names=names,
        deals=tuple(match.deals.order_by("number")[:SHOWN]),
        chat=tuple(Said(one.at, seat_name(names, one.seat), one.text) for one in chat),
        log=tuple(match.entries.order_by("-pk")[:SHOWN]),
    )


def matches_of(player_id: int, *, limit: int) -> list[Match]:
    """The newest matches of a player with their tables; `dealt` says how many deals. One query."""
    mine = Seat.objects.filter(player=player_id, bot="").values("match")
    found: Any = Match.objects.filter(pk__in=mine).select_related("table")
    return list(found.annotate(dealt=Count("deals")).order_by("-pk")[:limit])


def said_by(player_id: int, *, limit: int) -> list[tuple[Match, Said]]:
    """The newest lines that a player wrote, with their matches. One query."""
    own = Seat.objects.filter(
        match=OuterRef("match"), number=OuterRef("seat"), player=player_id, bot=""
    )
    lines = ChatLine.objects.filter(Exists(own)).select_related("match__table")
    return [(one.match, Said(one.at, "", one.text)) for one in lines.order_by("-pk")[:limit]]
