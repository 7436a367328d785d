"""Rounds of a knock-out: how many go on, and the cut through a ranking."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.structure.refusals import refusal
from tournaments.structure.rounds import (
    Advance,
    BestOfTable,
    BestOverall,
    cut,
    places_through,
    plan_rounds,
)

ADVANCES = st.one_of(
    st.builds(BestOfTable, st.integers(1, 2)), st.builds(BestOverall, st.integers(1, 90))
)


def test_36_play_at_6_tables_and_6_play_the_final() -> None:
    """The winner of each table goes on (rule 7)."""
    first, final = plan_rounds(36)
    assert (first.entrants, first.sizes, first.through) == (36, (6,) * 6, (1,) * 6)
    assert (final.entrants, final.sizes, final.through) == (6, (6,), ())
    assert (first.number, final.number) == (1, 2)
    assert (first.is_final, final.is_final) == (False, True)


@pytest.mark.parametrize(
    ("entrants", "advance", "course"),
    [
        (6, BestOfTable(1), [6]),
        (7, BestOfTable(1), [7, 2]),
        (216, BestOfTable(1), [216, 36, 6]),
        (1296, BestOfTable(1), [1296, 216, 36, 6]),
        (36, BestOfTable(3), [36, 18, 9, 6]),
        (7, BestOfTable(3), [7, 5]),
        (36, BestOverall(50), [36, 18, 9, 4]),
        (13, BestOverall(50), [13, 6]),
        (7, BestOverall(10), [7, 2]),
    ],
)
def test_known_courses(entrants: int, advance: Advance, course: list[int]) -> None:
    """Entrants of each round, the final last."""
    assert [plan.entrants for plan in plan_rounds(entrants, advance=advance)] == course


def test_at_least_one_of_every_table_goes_out() -> None:
    """Three of a table of four and two of a table of three, though three may go on."""
    assert places_through((4, 3), BestOfTable(3)) == (3, 2)


def test_the_best_share_is_rounded_down_but_two_must_go_on() -> None:
    """Half of 13 are 6; a tenth of 7 would leave nobody to play the final."""
    assert places_through((5, 4, 4), BestOverall(50)) == (6,)
    assert places_through((4, 3), BestOverall(10)) == (2,)


@given(st.integers(2, 1024), st.sampled_from([3, 4, 5, 6]), ADVANCES)
def test_every_course_shrinks_to_one_final(entrants: int, seats: int, advance: Advance) -> None:
    """Each round has fewer entrants, as many as went through, and only the last is a final."""
    plans = plan_rounds(entrants, seats, advance)
    for earlier, later in pairwise(plans):
        assert later.entrants == sum(earlier.through) < earlier.entrants
        assert later.number == earlier.number + 1
    assert [plan.is_final for plan in plans] == [False] * (len(plans) - 1) + [True]
    assert plans[0].entrants == entrants


def test_refused_plans() -> None:
    """As many through as seats, one entrant, tables of two, shares outside 1 to 90 %."""
    assert refusal(lambda: plan_rounds(36, 4, BestOfTable(4))) == ("bad_advance", "advance")
    assert refusal(lambda: plan_rounds(1)) == ("out_of_range", "entrants")
    assert refusal(lambda: plan_rounds(8, 2)) == ("out_of_range", "seats")
    for places in (0, 6):
        assert refusal(BestOfTable, places) == ("out_of_range", "places")
    for percent in (0, 91):
        assert refusal(BestOverall, percent) == ("out_of_range", "percent")


def test_a_ranking_that_decides_is_simply_cut() -> None:
    """Ties above and below the deciding place do no harm."""
    decided = cut([(4, 2), (7,), (1, 3)], 3)
    assert (decided.through, decided.tied, decided.out) == ((4, 2, 7), (), (1, 3))
    assert decided.is_decided
    assert cut([(4, 2)], 2).through == (4, 2)


def test_a_tie_on_the_deciding_place_is_played_off_among_the_tied() -> None:
    """Two of three tied entrants can still go on (rule 7)."""
    open_cut = cut([(4,), (7, 1, 3), (2,)], 3)
    assert (open_cut.through, open_cut.tied, open_cut.places_left) == ((4,), (7, 1, 3), 2)
    assert open_cut.out == (2,)
    assert not open_cut.is_decided


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.data())
def test_a_cut_keeps_everybody(sizes: list[int], data: st.DataObject) -> None:
    """Through, tied and out are the ranking in its order, with the right number of places."""
    keys = iter(range(sum(sizes)))
    groups = [[next(keys) for _ in range(size)] for size in sizes]
    places = data.draw(st.integers(1, sum(sizes)))
    result = cut(groups, places)
    assert [*result.through, *result.tied, *result.out] == list(range(sum(sizes)))
    assert len(result.through) + result.places_left == places
    assert result.is_decided or 0 < result.places_left < len(result.tied)


def test_refused_cuts() -> None:
    """More places than entrants, none, or an entrant twice."""
    assert refusal(lambda: cut([(1, 2)], 3)) == ("out_of_range", "places")
    assert refusal(lambda: cut([(1, 2)], 0)) == ("out_of_range", "places")
    assert refusal(lambda: cut([(1,), (1,)], 1)) == ("duplicate_entrant", "ranking")
