"""Counting finished matches in the ratings: each once, in an order that can be gone through again.

A match counts when its tournament is over, as until then its result can be corrected. Bots are not
rated; a match with fewer than two people counts for nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef

from tournaments.models import Placing, RatedMatch, Rating, RoundTable, Tournament
from tournaments.models.rows import update_rows
from tournaments.services.lifecycle import lock
from tournaments.structure.ratings import NEWCOMER, Strength, after_match

SWEPT: Final = timedelta(days=2)
"""How far back a sweep looks for tournaments that were not counted when they ended."""
_CHUNK: Final = 500


class Result(NamedTuple):
    """A finished match: the places of its people by player."""

    match_id: int
    places: Mapping[int, int]


class _Known:
    """Strengths and numbers of matches by player, as they are worked out."""

    def __init__(self, rows: Iterable[Rating] = ()) -> None:
        self.rows = {row.player_id: row for row in rows}

    def count(self, result: Result) -> None:
        players = list(result.places)
        if len(players) < 2:
            return
        rows = [self.rows.setdefault(player, _fresh(player)) for player in players]
        strengths = [Strength(row.mu, row.sigma) for row in rows]
        places = list(result.places.values())
        for row, strength in zip(rows, after_match(strengths, places), strict=True):
            row.mu, row.sigma = strength
            row.matches += 1


def _fresh(player_id: int) -> Rating:
    return Rating(player_id=player_id, mu=NEWCOMER.mu, sigma=NEWCOMER.sigma)


def rate_tournament(*, tournament_id: int, now: datetime) -> int:
    """Count the matches of a tournament that is over; how many were, none the second time."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.over_at is None:
            return 0
        results = list(_results(_uncounted(tournament)))
        players = sorted({player for result in results for player in result.places})
        known = _Known(_locked(players))
        for result in results:
            known.count(result)
        update_rows(known.rows.values(), ["mu", "sigma", "matches"])
        RatedMatch.objects.bulk_create(
            (RatedMatch(match_id=result.match_id, at=now) for result in results),
            batch_size=_CHUNK,
        )
    return len(results)


def _uncounted(tournament: Tournament) -> list[int]:
    """The matches of its finished tables that were not counted, in the order of play."""
    counted = RatedMatch.objects.filter(match_id=OuterRef("match_id"))
    tables = RoundTable.objects.filter(~Exists(counted), round__tournament=tournament, is_over=True)
    ordered = tables.order_by("round__number", "number", "pk")
    return list(ordered.values_list("match_id", flat=True))


def _results(match_ids: Sequence[int]) -> Iterator[Result]:
    """What people made of these matches, in the given order; also of those without people."""
    for start in range(0, len(match_ids), _CHUNK):
        chunk = match_ids[start : start + _CHUNK]
        rows = (
            Placing.objects.filter(table__match_id__in=chunk, place__isnull=False, entry__bot="")
            .order_by("table__match_id", "seat")
            .values_list("table__match_id", "entry__player_id", "place")
        )
        places = {
            match_id: {player: place or 0 for _, player, place in group}
            for match_id, group in groupby(rows, key=lambda row: row[0])
        }
        for match_id in chunk:
            yield Result(match_id, places.get(match_id, {}))


def _locked(players: Sequence[int]) -> list[Rating]:
    """The ratings of these players, locked in the order of players; new ones are made."""
    found: list[Rating] = []
    for start in range(0, len(players), _CHUNK):
        chunk = players[start : start + _CHUNK]
        Rating.objects.bulk_create(map(_fresh, chunk), ignore_conflicts=True)
        rows = Rating.objects.select_for_update().filter(player__in=chunk)
        found += rows.order_by("player_id")
    return found


def rate_due(*, now: datetime, since: datetime | None = None) -> int:
    """Count what was not counted when its tournament ended; how many matches.

    It looks at those that ended since then, in the last two days where nothing is said.
    """
    counted = RatedMatch.objects.filter(match_id=OuterRef("match_id"))
    left = RoundTable.objects.filter(
        ~Exists(counted), round__tournament=OuterRef("pk"), is_over=True
    )
    over = Tournament.objects.filter(Exists(left), over_at__gte=since or now - SWEPT)
    waiting = list(over.order_by("over_at", "pk").values_list("pk", flat=True))
    return sum(rate_tournament(tournament_id=one, now=now) for one in waiting)


def rebuild() -> int:
    """Work out every rating anew from the matches counted, in their order; how many matches.

    The values are the same as before, to the last bit, unless a rating was changed by hand.
    """
    with transaction.atomic():
        known = _Known(Rating.objects.select_for_update().order_by("player_id"))
        before = list(known.rows.values())
        for row in before:
            row.mu, row.sigma, row.matches = *NEWCOMER, 0
        matches = list(RatedMatch.objects.order_by("pk").values_list("match_id", flat=True))
        for result in _results(matches):
            known.count(result)
        update_rows(before, ["mu", "sigma", "matches"])
        kept = {row.player_id for row in before}
        made = [row for player, row in known.rows.items() if player not in kept]
        Rating.objects.bulk_create(made, batch_size=_CHUNK)
    return len(matches)
