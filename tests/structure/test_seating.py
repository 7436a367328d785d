"""Tables of a round: sizes and who sits where."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.structure.refusals import refusal
from tournaments.structure.seating import (
    seat_by_seed,
    seat_entrants,
    seeded_order,
    table_sizes,
)


@pytest.mark.parametrize(
    ("entrants", "sizes"),
    [
        (2, (2,)),
        (6, (6,)),
        (7, (4, 3)),
        (13, (5, 4, 4)),
        (36, (6,) * 6),
        (40, (6, 6, 6, 6, 6, 5, 5)),
    ],
)
def test_known_table_sizes(entrants: int, sizes: tuple[int, ...]) -> None:
    """13 → 5, 4, 4; 7 → 4, 3; 40 → five of 6 and two of 5 (rule 7)."""
    assert table_sizes(entrants) == sizes


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_all_entries_from_2_to_1024_are_seated_evenly_and_nobody_alone(seats: int) -> None:
    """The fewest tables, sizes at most one apart, everybody seated, never a table of one."""
    for entrants in range(2, 1025):
        sizes = table_sizes(entrants, seats)
        assert sum(sizes) == entrants
        assert len(sizes) == (entrants + seats - 1) // seats
        assert seats >= sizes[0] >= sizes[-1] >= max(2, sizes[0] - 1)
        assert list(sizes) == sorted(sizes, reverse=True)


def test_an_odd_number_cannot_sit_in_pairs() -> None:
    """Tables of two take even numbers only."""
    assert table_sizes(8, 2) == (2, 2, 2, 2)
    assert refusal(lambda: table_sizes(9, 2)) == ("table_of_one", "seats")


@pytest.mark.parametrize(
    ("entrants", "seats", "field"),
    [(1, 6, "entrants"), (100_001, 6, "entrants"), (4, 1, "seats"), (4, 7, "seats")],
)
def test_sizes_out_of_range_are_refused(entrants: int, seats: int, field: str) -> None:
    """At least two entrants, two to six seats."""
    assert refusal(lambda: table_sizes(entrants, seats)) == ("out_of_range", field)


def test_the_drawn_order_is_cut_into_tables() -> None:
    """The first so many sit at table 1."""
    assert seat_entrants([9, 4, 7, 1, 3, 8, 2], (4, 3)) == ((9, 4, 7, 1), (3, 8, 2))


def test_seeds_are_dealt_to_and_fro() -> None:
    """So that the best two sit apart and the sums stay close; larger tables take the last."""
    assert seat_by_seed(range(1, 7), (3, 3)) == ((1, 4, 5), (2, 3, 6))
    assert seat_by_seed(range(1, 8), (4, 3)) == ((1, 4, 5, 7), (2, 3, 6))


def test_the_better_rated_are_seeded_first_and_equal_ones_as_they_were_drawn() -> None:
    """Who has no rating comes last, whatever the others' are."""
    assert seeded_order([5, 3, 8, 1, 9], {3: -4.0, 1: 12.5, 9: -4.0}) == (1, 3, 9, 5, 8)
    assert seeded_order([5, 3, 8], {}) == (5, 3, 8)
    assert refusal(lambda: seeded_order([5, 5], {})) == ("duplicate_entrant", "order")


@given(st.integers(2, 200), st.sampled_from([3, 4, 5, 6]))
def test_everybody_sits_once(entrants: int, seats: int) -> None:
    """Both ways fill the tables exactly, and the top seeds sit at different tables."""
    sizes = table_sizes(entrants, seats)
    order = list(range(entrants))
    for tables in (seat_entrants(order, sizes), seat_by_seed(order, sizes)):
        assert [len(table) for table in tables] == list(sizes)
        assert sorted(chain.from_iterable(tables)) == order
    assert [table[0] for table in seat_by_seed(order, sizes)] == order[: len(sizes)]


@pytest.mark.parametrize("seat", [seat_entrants, seat_by_seed])
def test_entrants_that_do_not_fill_the_seats_are_refused(
    seat: Callable[[list[int], tuple[int, ...]], object],
) -> None:
    """Too few, twice the same, no tables, a table of one."""
    assert refusal(lambda: seat([1, 2, 3], (2, 2))) == ("seats_do_not_match", "sizes")
    assert refusal(lambda: seat([1, 2, 1, 3], (2, 2))) == ("duplicate_entrant", "order")
    assert refusal(lambda: seat([], ())) == ("seats_do_not_match", "sizes")
    assert refusal(lambda: seat([1, 2, 3], (2, 1))) == ("out_of_range", "sizes")
