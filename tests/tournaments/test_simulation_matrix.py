"""Every shape in every format with every kind of start, played to the paid prizes.

Each combination that there is goes through withdrawals, a waitlist that moves up and some who wait
in vain; through no-shows where it starts at a fixed time, and newcomers, players who come back and
ticket prizes where its shape has them. A third is played each time, with every pair of shape,
format and start in it; with `HYPOTHESIS_PROFILE=thorough` all of them, and each is cut off at
random besides and has to come to the same result.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any, Final

import pytest

from tests.tournaments.test_simulation import simulate
from tests.tournaments.test_simulation_chaos import without_time
from tests.tournaments.test_simulation_sizes import IS_THOROUGH
from tournaments import play
from tournaments.models import Shape
from tournaments.structure.due import StartKind

SHAPES: Final = [shape.value for shape in (Shape.HEADS_UP, Shape.KNOCKOUT, Shape.SINGLE)]
STARTS: Final = [kind.value for kind in StartKind]
FORMATS: Final = play.format_names()
ALL: Final = [
    (shape, format_name, start)
    for shape, format_name, start in product(SHAPES, FORMATS, STARTS)
    if format_name != "heads_up" or shape == Shape.HEADS_UP
]
SAMPLE: Final = [
    (shape, format_name, start)
    for shape, format_name, start in ALL
    if (SHAPES.index(shape) + FORMATS.index(format_name) + STARTS.index(start)) % 3 == 0
]


def wanted_of(shape: str, format_name: str, start: str) -> dict[str, Any]:
    """The options of one combination, with all that its shape and its start have."""
    entrants = 8 if shape == Shape.KNOCKOUT else 5
    wanted: dict[str, Any] = {"shape": shape, "format": format_name, "start": start}
    wanted |= {"entrants": entrants, "fee": 1003, "house_fee": 103, "tickets": 2}
    wanted |= {"seed": f"{shape} of {format_name}, {start}", "fast": True}
    if shape == Shape.KNOCKOUT:
        wanted |= {"reentries": 1, "newcomers": 0 if start == StartKind.FIXED_PLAYERS else 3}
    return wanted


def check(report: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Nothing is wrong, everybody played, everything came out that came in."""
    assert "faults" not in report
    assert report["books_balanced"] is True
    assert report["entries"] == wanted["entrants"] + report.get("late", 0)
    paid = report["paid_minor"] + report["fee_minor"]
    assert report["received_minor"] - report["refunded_minor"] == paid
    no_shows = wanted["start"] == StartKind.FIXED_TIME
    assert report["refunded_minor"] >= 1003 * (1 + no_shows)


def test_the_sample_has_every_pair_of_shape_format_and_start() -> None:
    def pairs(among: list[tuple[str, str, str]]) -> set[tuple[str, str]]:
        return {pair for one in among for pair in combinations(one, 2)}

    assert pairs(SAMPLE) == pairs(ALL)
    assert {one[0] for one in ALL} == {*Shape.values} - {Shape.LEVELS}


@pytest.mark.django_db
@pytest.mark.parametrize(("shape", "format_name", "start"), ALL if IS_THOROUGH else SAMPLE)
def test_every_combination_is_played_to_its_paid_prizes(
    shape: str, format_name: str, start: str
) -> None:
    wanted = wanted_of(shape, format_name, start)
    check(simulate(**wanted), wanted)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("shape", "format_name", "start"),
    ALL if IS_THOROUGH else SAMPLE[:: len(SAMPLE) // 3],
)
def test_crashes_change_nothing_in_any_combination(
    shape: str, format_name: str, start: str
) -> None:
    wanted = wanted_of(shape, format_name, start)
    undisturbed = simulate(**wanted)
    disturbed = simulate(chaos="crash", crash_every=120, **wanted)
    check(disturbed, wanted)
    assert disturbed["crashes"] > 3
    assert without_time(disturbed) == without_time(undisturbed)


@pytest.mark.django_db
@pytest.mark.parametrize("start", STARTS)
def test_timed_levels_are_started_in_every_way(start: str) -> None:
    """They are played as points, with cards, since they take their time."""
    wanted: dict[str, Any] = {"shape": "levels", "format": "points", "start": start}
    wanted |= {"entrants": 5, "fee": 1003, "house_fee": 103, "tickets": 2, "reentries": 1}
    wanted |= {"newcomers": 0 if start == StartKind.FIXED_PLAYERS else 3, "seed": start}
    report = simulate(**wanted)
    check(report, wanted)
    assert report["rounds"] > 1
