"""Formats by name, and options that make no sense."""

from __future__ import annotations

from typing import Any

import pytest

from tables.rules.errors import Code
from tables.rules.formats import (
    FORMATS,
    DealsFormat,
    HeadsUpFormat,
    OnTie,
    RankBy,
    format_named,
    open_match,
)
from tables.rules.profiles import profile_named
from tables.rules.terms import ClockTerms
from tests.rules.formats.helpers import next_deal, opened, refused


def test_the_formats_have_the_names_of_the_field() -> None:
    assert list(FORMATS) == [
        "points",
        "points_low",
        "pool51",
        "pool61",
        "pool101",
        "pool201",
        "deals",
        "heads_up",
        "highest_out",
    ]
    assert all(format_named(name).name == name for name in FORMATS)


@pytest.mark.parametrize("name", ["pool102", "", "POINTS", None, 5, ["deals"]])
def test_an_unknown_format_is_refused(name: object) -> None:
    with refused(Code.UNKNOWN_FORMAT, "format"):
        format_named(name)


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("points", "value", 0),
        ("points", "value", True),
        ("points", "value", 1.5),
        ("points", "deals", 0),
        ("points", "first_drop", None),
        ("points", "limit", 101),
        ("points", "name", ""),
        ("pool101", "limit", 20),
        ("pool101", "limit", "101"),
        ("pool101", "first_drop", 0),
        ("pool101", "middle_drop", 10),
        ("pool101", "middle_drop", 101),
        ("pool101", "wrong_declaration", 201),
        ("pool101", "rejoin", "yes"),
        ("pool101", "rejoin", 1),
        ("pool101", "max_rejoins", 0),
        ("pool101", "auto_split_from", 101),
        ("pool101", "answer_seconds", 0),
        ("pool101", "max_deals", 201),
        ("deals", "deals", 0),
        ("deals", "deals", 201),
        ("deals", "rank_by", "luck"),
        ("deals", "deciding_place", 0),
        ("heads_up", "games", 0),
        ("heads_up", "on_tie", "fight"),
        ("highest_out", "middle_drop", None),
    ],
)
def test_an_option_out_of_its_bounds_is_refused_by_name(name: str, option: str, value: Any) -> None:
    with refused(Code.BAD_OPTION, option):
        format_named(name, **{option: value})


def test_a_format_built_without_its_name_is_checked_too() -> None:
    with refused(Code.BAD_OPTION, "rank_by"):
        DealsFormat(rank_by="luck")  # type: ignore[arg-type]
    with refused(Code.BAD_OPTION, "on_tie"):
        HeadsUpFormat(on_tie="fight")  # type: ignore[arg-type]


def test_a_choice_may_be_given_by_its_text() -> None:
    assert format_named("deals", rank_by="fewest_points") == DealsFormat(
        rank_by=RankBy.FEWEST_POINTS
    )
    assert format_named("heads_up", on_tie=OnTie.SHARE) == HeadsUpFormat(on_tie=OnTie.SHARE)


@pytest.mark.parametrize(
    "seats", [[], [1], [1, 1], [1, -1], [1, 100], [1, True], [1, 2, 3, 4, 5, 6, 7]]
)
def test_a_match_needs_different_seats_that_the_profile_can_deal_to(seats: list[int]) -> None:
    with refused(Code.BAD_SEATS):
        open_match(format_named("points"), profile_named("rummycircle"), seats, ClockTerms())


def test_the_profile_and_the_clock_come_with_every_deal() -> None:
    clock = ClockTerms(turn_seconds=20)
    profile = profile_named("octro")
    match = open_match(format_named("pool201"), profile, (1, 2), clock)
    terms = next_deal(match).terms
    assert terms.profile == profile
    assert terms.clock == clock


def test_any_numbers_can_be_seats() -> None:
    assert next_deal(opened("points", [9, 0, 4])).seats == (9, 0, 4)
