"""Brackets and knock-outs of many sizes, from registration to paid prizes.

Results come from score sheets, so that no card is played. A sample is played each time; with
`HYPOTHESIS_PROFILE=thorough` every heads-up bracket from 2 to 130 and every knock-out to 500.
"""

from __future__ import annotations

import os
from typing import Final

import pytest

from tests.tournaments.test_simulation import simulate
from tournaments.models import Placing, TableKind, Tournament

pytestmark = pytest.mark.django_db

IS_THOROUGH: Final = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
BRACKETS: Final = range(2, 131) if IS_THOROUGH else [*range(2, 18), 31, 33, 64, 65]
KNOCKOUTS: Final = range(2, 501) if IS_THOROUGH else [*range(2, 14), 31, 36, 37, 97]


@pytest.mark.parametrize("entrants", BRACKETS)
def test_a_bracket_of_any_size_has_a_pairing_for_everybody_but_the_winner(entrants: int) -> None:
    report = simulate(shape="heads_up", format="heads_up", entrants=entrants, seed="n", fast=True)
    assert "faults" not in report
    assert report["entries"] == entrants
    assert report["tables"] == entrants - 1
    assert report["rounds"] == (entrants - 1).bit_length()
    first = Placing.objects.filter(table__round__number=1).count()
    assert first == 2 * entrants - 2 ** report["rounds"]
    assert [line["rank"] for line in report["standings"]][:1] == [1]


@pytest.mark.parametrize("entrants", KNOCKOUTS)
def test_a_knockout_of_any_size_comes_down_to_one_table(entrants: int) -> None:
    format_name = ("deals", "points", "pool101")[entrants % 3]
    report = simulate(shape="knockout", format=format_name, entrants=entrants, seed="n", fast=True)
    assert "faults" not in report
    assert report["entries"] == entrants
    for round_row in Tournament.objects.get().rounds.all():
        tables = round_row.tables.filter(kind=TableKind.PLAY)
        sizes = [table.placings.count() for table in tables]
        assert max(sizes) - min(sizes) <= 1
        assert min(sizes) > 1
    assert len(sizes) == 1
