"""Who may enter, and until when after the start."""

from __future__ import annotations

from typing import Any

import pytest

from tests.structure.refusals import refusal
from tournaments.structure.conditions import (
    Conditions,
    EntryRules,
    Facts,
    Running,
    check_late,
    check_reentry,
    unmet,
)
from tournaments.structure.errors import StructureError


def test_without_conditions_everybody_may_enter() -> None:
    assert unmet(Conditions(), Facts()) == ()


@pytest.mark.parametrize(
    ("conditions", "meets", "fails", "says"),
    [
        ({"code": "spade"}, {"code_is_right": True}, {}, "code"),
        ({"invited_only": True}, {"is_invited": True}, {}, "invit"),
        ({"groups": ("club", "staff")}, {"groups": frozenset({"staff"})}, {}, "club or staff"),
        ({"rating_from": 20}, {"rating": 20.0}, {"rating": 19.9}, "20 or more"),
        ({"rating_from": 20}, {"rating": 25.5}, {"rating": None}, "none yet"),
        ({"rating_to": 20}, {"rating": 20.0}, {"rating": 20.1}, "20 or less"),
        ({"rating_to": 20}, {"rating": None}, {"rating": 30.0}, "yours is 30"),
        ({"min_age": 18}, {"age": 18}, {"age": 17}, "18 or older"),
        ({"min_age": 18}, {"age": 40}, {"age": None}, "confirmed"),
        ({"winners_of": ("spring",)}, {"won": frozenset({"spring", "x"})}, {}, "winners"),
    ],
)
def test_each_condition_lets_in_who_meets_it_and_tells_the_others_why(
    conditions: dict[str, Any], meets: dict[str, Any], fails: dict[str, Any], says: str
) -> None:
    asked = Conditions(**conditions)
    assert unmet(asked, Facts(**meets)) == ()
    [sentence] = unmet(asked, Facts(**fails))
    assert says in sentence
    assert sentence.endswith(".")


def test_every_condition_that_is_not_met_is_named_at_once() -> None:
    asked = Conditions(
        code="a", invited_only=True, groups=("g",), rating_from=1, min_age=18, winners_of=("w",)
    )
    assert len(unmet(asked, Facts())) == 6
    assert len(unmet(asked, Facts(code_is_right=True, age=30))) == 4


@pytest.mark.parametrize(
    ("made", "field"),
    [
        (lambda: Conditions(code="x" * 65), "code"),
        (lambda: Conditions(groups=("g",) * 51), "groups"),
        (lambda: Conditions(rating_from=-1), "rating_from"),
        (lambda: Conditions(rating_from=30, rating_to=20), "rating_to"),
        (lambda: Conditions(min_age=0), "min_age"),
        (lambda: EntryRules(late_until_round=-1), "late_until_round"),
        (lambda: EntryRules(reentries=1), "late_until_round"),
    ],
)
def test_conditions_that_make_no_sense_are_refused_by_field(made: Any, field: str) -> None:
    assert refusal(made) == ("out_of_range", field)


def late(until: int, number: int, *, is_open: bool, final: bool = False, shape: bool = True) -> Any:
    """The refusal of a late entry, None where it is allowed."""
    running = Running(
        takes_newcomers=shape, round_number=number, round_is_open=is_open, round_is_final=final
    )
    try:
        check_late(EntryRules(late_until_round=until), running)
    except StructureError as refused:
        return str(refused.code)
    return None


def test_somebody_may_enter_late_until_the_stated_round_has_closed() -> None:
    assert late(2, 0, is_open=False) is None
    assert late(2, 1, is_open=True) is None
    assert late(2, 1, is_open=False) is None
    assert late(2, 2, is_open=True) is None
    assert late(2, 2, is_open=False) == "too_late"
    assert late(2, 3, is_open=True) == "too_late"


def test_nobody_enters_late_during_the_final_in_a_bracket_or_where_it_is_not_offered() -> None:
    assert late(9, 2, is_open=True, final=True) == "too_late"
    assert late(9, 1, is_open=True, shape=False) == "never_late"
    assert late(0, 0, is_open=False) == "too_late"
    assert late(0, 1, is_open=True) == "too_late"


def test_a_player_may_come_back_as_often_as_the_rules_say() -> None:
    rules = EntryRules(late_until_round=1, reentries=2)
    check_reentry(rules, 1)
    assert refusal(lambda: check_reentry(rules, 2)) == ("no_reentry", None)
    assert refusal(lambda: check_reentry(EntryRules(), 0)) == ("no_reentry", None)
