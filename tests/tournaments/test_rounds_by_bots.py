"""Whole tournaments of real deals: every format at a knock-out whose rounds send several on."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal
from tables.selectors import check_deal
from tests.tournaments.helpers import NOW, open_tables, secret_for, started, terms
from tests.tournaments.round_helpers import check_open_rounds
from tournaments import money, services
from tournaments.draws import check_draws
from tournaments.models import EntryState, Shape, TableKind, Tournament
from tournaments.play import bots
from tournaments.structure.rounds import BestOfTable, BestOverall

pytestmark = pytest.mark.django_db


def played(tournament: Tournament) -> Tournament:
    """The tournament, played by bots to its paid prizes."""
    tournament.entries.update(bot="steady")
    moments = bots.ticking(NOW)
    while services.open_due(
        tournament_id=tournament.pk, secret_for=secret_for, now=next(moments)
    ) or open_tables(tournament):
        check_open_rounds(tournament)
        table = open_tables(tournament)[0]
        bots.play_table(
            match_id=table.match_id,
            secret_for=secret_for,
            chance=bots.Chance(secret_for(f"bots-{table.round.number}-{table.number}")),
            may_rejoin=lambda _: False,
            moments=moments,
        )
    return services.complete(tournament_id=tournament.pk, now=next(moments))


def check_everything(tournament: Tournament, entrants: int) -> None:
    """Ranks, draws, deals, chips and money of a tournament that is over."""
    assert tournament.entries.filter(state=EntryState.RANKED).count() == entrants
    rounds = list(tournament.rounds.order_by("number"))
    assert all(check.is_good for check in check_draws(tournament, rounds))
    assert not tournament.rounds.filter(closed_at=None).exists()
    deals = list(Deal.objects.filter(match__table__owner=f"tournament:{tournament.pk}"))
    assert deals
    assert [check_deal(deal).faults for deal in deals] == [()] * len(deals)
    assert money.faults(now=NOW) == ()
    assert money.pool_of(tournament) == 0


@pytest.mark.parametrize("format_name", ["points", "pool51", "deals", "highest_out"])
@pytest.mark.parametrize(
    ("entrants", "advance"), [(7, BestOfTable(2)), (8, BestOverall(50))], ids=["two", "half"]
)
def test_every_format_is_played_at_a_knock_out_to_a_final_table(
    format_name: str, entrants: int, advance: Any
) -> None:
    wanted = terms(format_name, advance=advance, seats=4)
    tournament = played(started(Shape.KNOCKOUT, entrants, terms=wanted))
    check_everything(tournament, entrants)
    final = tournament.rounds.order_by("number").last()
    assert final is not None
    assert final.tables.filter(kind=TableKind.PLAY).count() == 1
    assert final.places == 0


@pytest.mark.parametrize("format_name", ["heads_up", "points", "deals", "pool51", "highest_out"])
def test_every_format_is_played_at_a_bracket_with_a_match_for_third_place(
    format_name: str,
) -> None:
    wanted = terms(format_name, third_place=True)
    tournament = played(started(Shape.HEADS_UP, 5, terms=wanted))
    check_everything(tournament, 5)
    assert tournament.entries.filter(rank=3).count() == 1
    assert tournament.entries.filter(rank=4).count() == 1
