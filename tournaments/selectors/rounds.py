"""Rounds with their tables and their draws."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Prefetch, Q, QuerySet

from tournaments.draws import DrawCheck, check_draws
from tournaments.models import Placing, Round, RoundTable, TableKind, Tournament
from tournaments.selectors.lists import tournament_named, unknown

TABLES_A_PAGE: Final = 50


class RoundSheet(NamedTuple):
    """A round and its draw."""

    round: Round
    table_count: int
    player_count: int
    draw: DrawCheck


class RoundPage(NamedTuple):
    """A round's own page."""

    tournament: Tournament
    sheet: RoundSheet
    tables: Page[RoundTable]


def _rounds(tournament: Tournament) -> QuerySet[Round]:
    return tournament.rounds.order_by("number").annotate(
        table_count=Count("tables", distinct=True),
        # Who plays a tie-break has been counted where he tied.
        player_count=Count("tables__placings", filter=~Q(tables__kind=TableKind.TIE_BREAK)),
    )


def _tables() -> QuerySet[RoundTable]:
    """Tables with all that is shown of them."""
    placings = Placing.objects.select_related("entry__player").order_by(
        F("place").asc(nulls_last=True), "seat"
    )
    return RoundTable.objects.select_related("match__table").prefetch_related(
        Prefetch("placings", queryset=placings)
    )


def round_list(tournament: Tournament) -> list[Round]:
    """Every round, the latest first, with `table_count` and `player_count`. One query."""
    return list(_rounds(tournament).order_by("-number"))


def _round_sheet(one: Any, draw: DrawCheck) -> RoundSheet:
    return RoundSheet(
        round=one,
        table_count=one.table_count,
        player_count=one.player_count,
        draw=draw,
    )


def round_page(public_id: str, number: int, page: str | int = 1) -> RoundPage:
    """A round with all its tables, in pages. Raises `UNKNOWN_TOURNAMENT` for no such round too."""
    tournament = tournament_named(public_id)
    rounds = list(_rounds(tournament).filter(number=number))
    if not rounds:
        raise unknown()
    [draw] = check_draws(tournament, rounds)
    tables = _tables().filter(round=rounds[0]).order_by("number")
    return RoundPage(
        tournament=tournament,
        sheet=_round_sheet(rounds[0], draw),
        tables=Paginator(tables, TABLES_A_PAGE).get_page(page),
    )
