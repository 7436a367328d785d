"""Who reads a deal, and which of its events he may read.

A player of a deal reads it from his seat, also while it is played. Everybody else reads a deal when
it is over and not before. While the match goes on every step shows what could be seen at that step;
hidden cards of past steps are open to all readers once the match is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import msgspec
from django.db.models import QuerySet

from tables.errors import TableCode, TableRefusal
from tables.models import Deal, DealEvent, Match, MatchStatus, Seat
from tables.rules import codec
from tables.rules import events as ev
from tables.rules.results import DealResult, Outcome
from tables.rules.visibility import redact
from tables.seats import shown_name


class Reading(NamedTuple):
    """A deal as one reader has it; no event where he may not read it yet."""

    deal: Deal
    names: Mapping[int, str]
    seat: int | None
    """The reader's seat in this deal; None for everybody else."""
    events: tuple[ev.Event, ...]
    is_over: bool
    may_see_all: bool
    """Hidden cards of past steps, too."""

    @property
    def may_read(self) -> bool:
        """Whether the deal can be read at all by now."""
        return bool(self.events)

    @property
    def redacted(self) -> tuple[ev.Event, ...]:
        """The events as the reader may know them."""
        if self.may_see_all:
            return self.events
        return tuple(redact(event, self.seat) for event in self.events)


def reading_of(public_id: str, user_id: int | None) -> Reading:
    """A deal for a reader. Three queries. Raises `TableRefusal(UNKNOWN_DEAL)`."""
    deal = Deal.objects.select_related("match__table").filter(public_id=public_id).first()
    if deal is None:
        raise TableRefusal(TableCode.UNKNOWN_DEAL, "There is no such deal.", field="deal")
    [reading] = readings([deal], user_id)
    return reading


def readings(deals: Sequence[Deal], user_id: int | None) -> list[Reading]:
    """Deals (with their matches and tables) for one reader. Two queries for any number."""
    logs = _logs(deals, user_id)
    matches = {deal.match_id for deal in deals}
    seats: dict[int, dict[int, Seat]] = {match_id: {} for match_id in matches}
    for seat in _seats(matches):
        seats[seat.match_id][seat.number] = seat
    return [_reading(deal, seats[deal.match_id], logs.get(deal.pk, ()), user_id) for deal in deals]


def _seats(match_ids: Iterable[int]) -> QuerySet[Seat]:
    found = Seat.objects.filter(match__in=match_ids)
    return found.select_related("player").order_by("match", "number")


def _logs(deals: Sequence[Deal], user_id: int | None) -> dict[int, tuple[ev.Event, ...]]:
    """The logs of the deals that are over or that the user may play in, up to their versions."""
    versions = {deal.pk: deal.version for deal in deals if deal.over_at or user_id is not None}
    if not versions:
        return {}
    rows = DealEvent.objects.filter(deal__in=versions).order_by("deal", "seq")
    logs = rows.values_list("deal_id", "seq", "payload", "schema")
    return {
        deal_id: tuple(
            codec.decode_event(payload, schema)
            for _, seq, payload, schema in log
            if seq <= versions[deal_id]
        )
        for deal_id, log in groupby(logs, key=itemgetter(0))
    }


def _reading(
    deal: Deal, seats: Mapping[int, Seat], log: tuple[ev.Event, ...], user_id: int | None
) -> Reading:
    mine = [s.number for s in seats.values() if s.player_id == user_id and not s.bot]
    first = log[0] if log else None
    dealt_in = first.order if isinstance(first, ev.DealOpened) else ()
    seat = mine[0] if user_id is not None and mine and mine[0] in dealt_in else None
    is_over = deal.over_at is not None
    return Reading(
        deal=deal,
        names={number: shown_name(s.player) for number, s in seats.items()},
        seat=seat,
        events=log if is_over or seat is not None else (),
        is_over=is_over,
        may_see_all=is_over and deal.match.status in (MatchStatus.OVER, MatchStatus.VOID),
    )


def deals_of_matches(match_ids: Sequence[int]) -> list[Deal]:
    """All deals of these matches, in the order of play. One query."""
    deals = Deal.objects.filter(match__in=match_ids).select_related("match__table")
    return list(deals.order_by("opened_at", "id"))


def matches_at(table: str, user_id: int | None) -> list[int]:
    """The matches of a table in which a user has, or had, a seat of his own. One query."""
    matches = Match.objects.filter(table__public_id=table, seats__player=user_id, seats__bot="")
    return list(matches.order_by("number").values_list("pk", flat=True))


class PlayedDeal(NamedTuple):
    """A deal that is over, for a list; no points where it was called off."""

    public_id: str
    number: int
    is_tie_break: bool
    points: Mapping[int, int]
    """By seat."""
    outcomes: Mapping[int, Outcome]


def played_deals(match_ids: Sequence[int]) -> dict[int, list[PlayedDeal]]:
    """The deals of matches that are over, by match, in their order. One query."""
    found: dict[int, list[PlayedDeal]] = {match_id: [] for match_id in match_ids}
    deals = Deal.objects.filter(match__in=match_ids, over_at__isnull=False)
    for deal in deals.order_by("match", "number"):
        result = msgspec.json.decode(deal.result, type=DealResult) if deal.result else None
        scores = () if result is None else result.scores
        found[deal.match_id].append(
            PlayedDeal(
                public_id=deal.public_id,
                number=deal.number,
                is_tie_break=deal.tie_break,
                points={score.seat: score.points for score in scores},
                outcomes={score.seat: score.outcome for score in scores},
            )
        )
    return found
