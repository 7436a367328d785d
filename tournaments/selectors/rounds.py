"""Rounds with their tables and their draws."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.db.models.expressions import Window
from django.db.models.functions import RowNumber

from tournaments.draws import DrawCheck, check_draws
from tournaments.models import Placing, Round, RoundTable, TableKind, Tournament
from tournaments.selectors.lists import tournament_named, unknown

TABLES_A_PAGE: Final = 50
TABLES_SHOWN: Final = 6
"""Tables of each round on the tournament's own page."""


class RoundSheet(NamedTuple):
    """A round with its first tables and its draw."""

    round: Round
    tables: tuple[RoundTable, ...]
    table_count: int
    player_count: int
    draw: DrawCheck

    @property
    def more(self) -> int:
        """How many tables are not among these."""
        return self.table_count - len(self.tables)


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


def round_sheets(tournament: Tournament) -> tuple[RoundSheet, ...]:
    """Every round, the latest first, with its first tables."""
    rounds = list(_rounds(tournament))
    place = Window(RowNumber(), partition_by="round_id", order_by="number")
    tables = list(
        _tables()
        .filter(round__tournament=tournament)
        .annotate(place_in_round=place)
        .filter(place_in_round__lte=TABLES_SHOWN)
        .order_by("round__number", "number")
    )
    draws = check_draws(tournament, rounds)
    sheets = [_round_sheet(one, draw, tables) for one, draw in zip(rounds, draws, strict=True)]
    return tuple(reversed(sheets))


def _round_sheet(one: Any, draw: DrawCheck, tables: Iterable[RoundTable]) -> RoundSheet:
    return RoundSheet(
        round=one,
        tables=tuple(table for table in tables if table.round_id == one.pk),
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
        sheet=_round_sheet(rounds[0], draw, ()),
        tables=Paginator(tables, TABLES_A_PAGE).get_page(page),
    )
