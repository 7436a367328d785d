"""What a player made of a tournament, table by table, and what everybody may know of a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.core.paginator import Page, Paginator
from django.db.models import Count, Min, Q

from tournaments.models import Entry, Placing, RoundTable, Tournament
from tournaments.play.after import PlayedDeal, played_deals
from tournaments.selectors.lists import tournament_named, unknown
from tournaments.selectors.mine import Past, past_lines
from tournaments.selectors.ratings import rating_of
from tournaments.structure.lifecycle import State

RESULTS_A_PAGE: Final = 20
MATCHES_SHOWN: Final = 20


class MyDeal(NamedTuple):
    """A deal of a match, with the player's own points; None where he was not dealt in."""

    deal: PlayedDeal
    points: int | None


class MyTable(NamedTuple):
    """A table at which the player sat."""

    placing: Placing
    table: RoundTable
    address: str
    deals: tuple[MyDeal, ...]


class MyResult(NamedTuple):
    """A tournament from one player's side; `line` is None while it is not over."""

    tournament: Tournament
    entry: Entry
    line: Past | None
    tables: tuple[MyTable, ...]


def my_result(public_id: str, player_id: int) -> MyResult:
    """A player's own tournament. A fixed number of queries.

    Raises `TournamentRefusal(UNKNOWN_TOURNAMENT)`, also where he has not entered.
    """
    tournament = tournament_named(public_id)
    found = Entry.objects.filter(tournament=tournament, player=player_id)
    entry = found.select_related("tournament").first()
    if entry is None:
        raise unknown()
    placings = list(_placings(entry.pk))
    deals = played_deals([placing.table.match_id for placing in placings])
    lines = past_lines(player_id, [entry]) if tournament.over_at is not None else (None,)
    return MyResult(
        tournament=tournament,
        entry=entry,
        line=lines[0],
        tables=tuple(_my_table(placing, deals[placing.table.match_id]) for placing in placings),
    )


def _placings(entry_id: int) -> Any:
    found = Placing.objects.filter(entry=entry_id)
    return found.select_related("table__round", "table__match__table").order_by(
        "table__round__number", "table__number"
    )


def _my_table(placing: Placing, deals: Sequence[PlayedDeal]) -> MyTable:
    mine = tuple(MyDeal(deal, deal.points.get(placing.seat)) for deal in deals)
    return MyTable(placing, placing.table, placing.table.match.table.public_id, mine)


def matches_of(public_id: str, player_id: int) -> list[int]:
    """The matches that a player has played in a tournament. Two queries. Raises as `my_result`."""
    tournament = tournament_named(public_id)
    rows = Placing.objects.filter(entry__tournament=tournament, entry__player=player_id)
    found = rows.filter(entry__bot="").order_by("table__round__number", "table__number")
    matches = list(found.values_list("table__match_id", flat=True))
    if not matches:
        raise unknown()
    return matches


# What everybody may know


class Profile(NamedTuple):
    """A player's public page: results of what is over, rating, his last matches."""

    player_id: int
    username: str
    name: str
    rating: int | None
    played: int
    won: int
    best: int | None
    results: Page[Entry]
    matches: tuple[Placing, ...]


def profile_of(username: str, page: str | int = 1) -> Profile:
    """A player's public page. Raises `UNKNOWN_TOURNAMENT` where there is no such player.

    A fixed number of queries.
    """
    player = get_user_model().objects.filter(username=username, is_active=True).first()
    if player is None:
        raise unknown()
    ranked = Entry.objects.filter(
        player=player, bot="", rank__isnull=False, tournament__state=State.COMPLETED
    )
    totals = ranked.aggregate(
        played=Count("pk"), won=Count("pk", filter=Q(rank=1)), best=Min("rank")
    )
    rows = ranked.select_related("tournament").order_by("-tournament__over_at", "-pk")
    return Profile(
        player_id=player.pk,
        username=player.get_username(),
        name=player.get_full_name() or player.get_username(),
        rating=rating_of(player.pk),
        played=totals["played"],
        won=totals["won"],
        best=totals["best"],
        results=Paginator(rows, RESULTS_A_PAGE).get_page(page),
        matches=tuple(_last_matches(player.pk)),
    )


def _last_matches(player_id: int) -> Any:
    found = Placing.objects.filter(
        entry__player=player_id,
        entry__bot="",
        table__is_over=True,
        place__isnull=False,
        table__round__tournament__state__in=(State.RUNNING, State.PAUSED, State.COMPLETED),
    )
    return found.select_related("table__round__tournament", "table__match__table").order_by(
        "-table_id"
    )[:MATCHES_SHOWN]
