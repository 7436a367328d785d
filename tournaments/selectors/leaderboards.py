"""Who did best in a month: tournaments won, prizes, and what was won less what was put in.

Months are those of UTC, and a tournament belongs to the month in which it was over. Equal values
share a rank, ranks are 1 2 2 4, and the order ends in the player's key, so a list is always the
same. Bots are not listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple, assert_never

from django.contrib.auth import get_user_model
from django.core.paginator import Page, Paginator
from django.db.models import Count, F, QuerySet, Sum
from django.db.models.expressions import Window
from django.db.models.functions import Rank

from tournaments import money
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, Payment, PaymentKind, Tournament
from tournaments.structure.lifecycle import State

LINES_A_PAGE: Final = 50
_FIRST_YEAR: Final = 2000
_LAST_YEAR: Final = 9998


class Measure(StrEnum):
    """What counts."""

    WINS = "wins"
    """Tournaments won, shared first ranks too."""
    PRIZES = "prizes"
    """Prizes, tickets with their worth, in one asset."""
    NET = "net"
    """What came from tournaments less what was paid for them, in one asset."""


class Line(NamedTuple):
    """A line of a leaderboard."""

    rank: int
    player_id: int
    name: str
    value: int
    username: str


class Leaderboard(NamedTuple):
    """A page of a month's list."""

    year: int
    month: int
    measure: Measure
    asset: str
    lines: tuple[Line, ...]
    page: Page[Any]


def leaderboard(
    *,
    year: int,
    month: int,
    measure: Measure,
    asset: str = money.PLAY_POINTS,
    page: str | int = 1,
) -> Leaderboard:
    """A month's list, best first; the asset does not matter for wins.

    A fixed number of queries. Raises `TournamentRefusal(NO_SUCH_MONTH)`.
    """
    if not (_FIRST_YEAR <= year <= _LAST_YEAR and 1 <= month <= 12):
        raise TournamentRefusal(
            TournamentCode.NO_SUCH_MONTH,
            f"Choose a month from 1 to 12 of a year from {_FIRST_YEAR} to {_LAST_YEAR}.",
            field="month",
        )
    rows: Any
    match measure:
        case Measure.WINS:
            rows = _wins(year, month)
        case Measure.PRIZES:
            rows = _prizes(year, month, asset)
        case Measure.NET:
            rows = _net(year, month, asset)
        case _:
            assert_never(measure)
    shown = Paginator(rows, LINES_A_PAGE).get_page(page)
    return Leaderboard(year, month, measure, asset, _named(shown), shown)


def _period(year: int, month: int) -> tuple[datetime, datetime]:
    after = (year + 1, 1) if month == 12 else (year, month + 1)
    return datetime(year, month, 1, tzinfo=UTC), datetime(*after, 1, tzinfo=UTC)


def _wins(year: int, month: int) -> QuerySet[Entry, Any]:
    since, until = _period(year, month)
    won = Entry.objects.filter(
        rank=1,
        bot="",
        tournament__state=State.COMPLETED,
        tournament__over_at__gte=since,
        tournament__over_at__lt=until,
    )
    counted = won.order_by().values(who=F("player_id")).annotate(value=Count("pk"))
    return _ranked(counted)


def _prizes(year: int, month: int, asset: str) -> QuerySet[Payment, Any]:
    since, until = _period(year, month)
    got = Payment.objects.filter(
        kind__in=(PaymentKind.PRIZE, PaymentKind.TICKET),
        entry__bot="",
        tournament__asset=asset,
        tournament__over_at__gte=since,
        tournament__over_at__lt=until,
    )
    summed = got.order_by().values(who=F("entry__player_id")).annotate(value=Sum("amount"))
    return _ranked(summed)


def _ranked(rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    place = Window(Rank(), order_by=F("value").desc())
    placed: QuerySet[Any, Any] = rows.annotate(place=place).order_by("-value", "who")
    return placed.values_list("place", "who", "value")


def _net(year: int, month: int, asset: str) -> list[tuple[int, int, int]]:
    since, until = _period(year, month)
    over = Tournament.objects.filter(asset=asset, over_at__gte=since, over_at__lt=until)
    gains = money.gains(list(over.only("pk")), asset)
    bots = set(
        Entry.objects.filter(tournament__in=over)
        .exclude(bot="")
        .values_list("player_id", flat=True)
    )
    people = [(player, net) for player, net in gains.items() if player not in bots]
    people.sort(key=lambda line: (-line[1], line[0]))
    lines: list[tuple[int, int, int]] = []
    for number, (player, net) in enumerate(people, 1):
        is_level = bool(lines) and lines[-1][2] == net
        lines.append((lines[-1][0] if is_level else number, player, net))
    return lines


def _named(rows: Iterable[Sequence[int]]) -> tuple[Line, ...]:
    lines = [tuple(row) for row in rows]
    people = get_user_model().objects.in_bulk([player for _, player, _ in lines])
    return tuple(
        Line(
            rank=place,
            player_id=player,
            name=people[player].get_full_name() or people[player].get_username(),
            value=value,
            username=people[player].get_username(),
        )
        for place, player, value in lines
    )
