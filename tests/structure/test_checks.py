"""The checks on input, and how a refusal reads."""

from __future__ import annotations

from typing import Any

import pytest

from tests.structure.refusals import refusal
from tournaments.structure.checks import all_different, how_many, never_rising, whole
from tournaments.structure.errors import StructureCode, StructureError


@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_only_whole_numbers_are_numbers(value: Any) -> None:
    """A bool, a float or a text is refused by type, naming the field."""
    assert refusal(lambda: whole(value, "entrants", 0, 9)) == ("not_whole", "entrants")


@pytest.mark.parametrize("value", [-1, 10])
def test_a_number_out_of_bounds_is_refused(value: int) -> None:
    """Both ends belong to the range."""
    assert refusal(lambda: whole(value, "entrants", 0, 9)) == ("out_of_range", "entrants")
    assert (whole(0, "entrants", 0, 9), whole(9, "entrants", 0, 9)) == (0, 9)


def test_a_number_of_things_out_of_bounds_is_refused() -> None:
    """The same for how many of something there are."""
    assert refusal(lambda: how_many(0, "levels", 1, 9)) == ("out_of_range", "levels")
    assert how_many(1, "levels", 1, 9) == 1


def test_an_entrant_named_twice_is_refused() -> None:
    """The order is kept where all are different."""
    assert refusal(lambda: all_different([3, 1, 3], "order")) == ("duplicate_entrant", "order")
    assert all_different([3, 1, 2], "order") == (3, 1, 2)


def test_equal_neighbours_do_not_rise() -> None:
    """5 5 3 never rises, 5 3 5 does."""
    assert never_rising([5, 5, 3])
    assert not never_rising([5, 3, 5])


def test_a_refusal_names_its_field_where_it_has_one() -> None:
    """Without a field it reads as its sentence."""
    code = StructureCode.OUT_OF_RANGE
    assert str(StructureError(code, "Give less.", field="seats")) == "seats: Give less."
    assert str(StructureError(code, "Give less.")) == "Give less."
