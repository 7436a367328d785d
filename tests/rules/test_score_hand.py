"""Scoring lines: what a line may say, what it is answered, and how a bad one is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules.profiles import PROFILES
from tables.rules.scoring_lines import MAX_LINE, Answer, answer_line, as_json, as_text

HAND = ["5H", "6H", "7H", "8S", "JK", "TS", "JS", "2D", "2S", "2H", "9S", "9D", "9H"]
GROUPS = [["5H", "6H", "7H"], ["8S", "JK", "TS", "JS"], ["2D", "2S", "2H"], ["9S", "9D", "9H"]]


def ask(**fields: Any) -> dict[str, Any]:
    """The answer to a line with these fields, `rummycircle` and kings wild unless stated."""
    line = {"id": 7, "profile": "rummycircle", "wild": "K"} | fields
    answer: dict[str, Any] = json.loads(as_json(answer_line(json.dumps(line))))
    return answer


def wrong_fields(**fields: Any) -> list[str]:
    """The fields an answer finds wrong; there are no points then."""
    answer = ask(**fields)
    assert answer["errors"]
    assert (answer["points"], answer["complete"]) == (None, False)
    assert (answer["groups"], answer["ungrouped"]) == ([], [])
    return [error["field"] for error in answer["errors"]]


# --- answers -------------------------------------------------------------------------------------


def test_a_hand_is_answered_with_its_best_grouping() -> None:
    assert ask(hand=HAND) == {
        "id": 7,
        "points": 0,
        "complete": True,
        "groups": [
            {"cards": ["5H", "6H", "7H"], "kind": "pure_sequence"},
            {"cards": ["8S", "JK", "TS", "JS"], "kind": "impure_sequence"},
            {"cards": ["2S", "2H", "2D"], "kind": "set"},
            {"cards": ["9S", "9H", "9D"], "kind": "set"},
        ],
        "ungrouped": [],
        "errors": [],
    }


def test_declared_groups_are_judged_as_they_lie() -> None:
    answer = ask(groups=[*GROUPS[:3], ["9S", "9D"]], loose=["9H"])
    assert (answer["points"], answer["complete"]) == (27, False)
    assert answer["groups"][0] == {"cards": ["5H", "6H", "7H"], "kind": "pure_sequence"}
    assert answer["groups"][3] == {"cards": ["9S", "9D"], "kind": None}
    assert answer["ungrouped"] == ["9H"]
    assert ask(groups=GROUPS)["complete"]


def test_declared_groups_may_hold_fewer_than_thirteen_cards_and_are_then_not_complete() -> None:
    assert ask(groups=GROUPS[:3]) | {"groups": []} == {
        "id": 7,
        "points": 0,
        "complete": False,
        "groups": [],
        "ungrouped": [],
        "errors": [],
    }


def test_the_worked_example_with_its_erratum_is_scored() -> None:
    groups = ["2H 3H 4H", "5C 6C QD", "8D 8S 5C", "2D 2C", "KS QS"]
    assert ask(wild="Q", groups=[group.split() for group in groups])["points"] == 35


def test_a_printed_joker_turned_up_makes_aces_wild() -> None:
    loose = ["AS", "AH", "KS", "3C"]
    assert ask(wild="JK", groups=[], loose=loose)["points"] == 13
    assert ask(wild="A", groups=[], loose=loose)["points"] == 13
    assert ask(wild="Q", groups=[], loose=loose)["points"] == 33


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_scores(name: str) -> None:
    answer = ask(profile=name, hand=HAND)
    assert (answer["points"], answer["complete"]) == (0, True)


@pytest.mark.parametrize("line_id", [None, 3, 2.5, "table 4, seat 2"])
def test_the_id_is_given_back_as_it_was(line_id: object) -> None:
    assert ask(id=line_id, hand=HAND)["id"] == line_id
    assert ask(id=line_id, hand=HAND[:12])["id"] == line_id


def test_fields_nobody_asked_for_are_left_alone() -> None:
    assert ask(hand=HAND, remark="from the club evening")["complete"]


# --- refusals ------------------------------------------------------------------------------------


def test_a_hand_to_group_has_thirteen_cards() -> None:
    assert wrong_fields(hand=HAND[:12]) == ["hand"]
    assert wrong_fields(hand=[*HAND, "3C"]) == ["hand"]
    assert wrong_fields(hand=[]) == ["hand"]
    assert wrong_fields(hand=["2H"] * 1000) == ["hand"]
    assert wrong_fields() == ["hand"]


def test_groups_hold_one_to_thirteen_cards_and_none_is_empty() -> None:
    assert wrong_fields(groups=GROUPS, loose=["3C"]) == ["groups"]
    assert wrong_fields(groups=[]) == ["groups"]
    assert wrong_fields(groups=[["5H", "6H", "7H"], []]) == ["groups[1]"]
    assert wrong_fields(groups=[["5H"]] * 14) == ["groups"]
    assert wrong_fields(loose=["5H"]) == ["groups"]


def test_a_hand_and_groups_exclude_each_other() -> None:
    assert wrong_fields(hand=HAND, groups=GROUPS) == ["groups"]


@pytest.mark.parametrize("card", ["1H", "10H", "5h", "", "??", None, 5, ["5H"], {"card": "5H"}])
def test_every_card_that_is_none_is_named_by_its_place(card: object) -> None:
    assert wrong_fields(hand=[card, *HAND[1:12], card]) == ["hand[0]", "hand[12]"]
    assert wrong_fields(groups=[GROUPS[0], ["5C", card, "7C"]]) == ["groups[1][1]"]
    assert wrong_fields(groups=GROUPS[:2], loose=[card]) == ["loose[0]"]


@pytest.mark.parametrize("cards", ["5H", 5, None, {"0": "5H"}])
def test_cards_come_as_lists(cards: object) -> None:
    assert wrong_fields(hand=cards) == ["hand"]
    assert wrong_fields(groups=cards) == ["groups"]
    assert wrong_fields(groups=[GROUPS[0], cards]) == ["groups[1]"]
    assert wrong_fields(groups=GROUPS[:2], loose=cards) == ["loose"]


@pytest.mark.parametrize("profile", ["rummy", "", None, 3, ["octro"]])
def test_an_unknown_profile_is_refused(profile: object) -> None:
    assert wrong_fields(profile=profile, hand=HAND) == ["profile"]


@pytest.mark.parametrize("wild", ["10", "QH", "q", "", None, 5])
def test_what_is_no_rank_cannot_be_wild(wild: object) -> None:
    assert wrong_fields(wild=wild, hand=HAND) == ["wild"]


def test_every_fault_of_a_line_is_named_at_once() -> None:
    assert wrong_fields(profile="?", wild="?", hand=["?"]) == ["profile", "wild", "hand[0]"]


@pytest.mark.parametrize("line_id", [["x"], {"x": 1}, True, "x" * 201])
def test_an_id_is_a_number_or_a_short_text(line_id: object) -> None:
    assert wrong_fields(id=line_id, hand=HAND) == ["id"]


@pytest.mark.parametrize(
    "line",
    ["", "{", "[]", "3", "null", "{'id': 1}", "[" * 9000, '{"a":' * 1500, "\ud800", '{"id": NaN}'],
)
def test_what_is_no_object_is_refused_as_a_line(line: str) -> None:
    answer = answer_line(line)
    assert [error.field for error in answer.errors] == ["line"]


def test_a_line_that_is_too_long_is_refused() -> None:
    answer = answer_line(json.dumps({"id": "x" * MAX_LINE}))
    assert [error.field for error in answer.errors] == ["line"]


# --- could it have been dealt? -------------------------------------------------------------------


def test_nothing_is_asked_of_the_shoe_unless_stated() -> None:
    assert ask(hand=["5H"] * 12 + ["JK"], wild="5")["errors"] == []


def test_a_third_copy_from_two_packs_is_refused() -> None:
    thrice = ["5H", "5H", "5H", *HAND[3:]]
    assert wrong_fields(hand=thrice, packs=2, printed_jokers=2) == ["hand"]
    assert wrong_fields(groups=[thrice[:3]], packs=2) == ["groups"]
    assert ask(hand=thrice, packs=3, printed_jokers=2)["errors"] == []
    assert ask(hand=thrice)["errors"] == []


def test_more_printed_jokers_than_stated_are_refused() -> None:
    assert wrong_fields(hand=HAND, printed_jokers=0) == ["hand"]
    assert ask(hand=HAND, packs=1, printed_jokers=1)["errors"] == []


def test_the_card_turned_up_is_out_of_play() -> None:
    queens = ["QS", "QH", "QD", "QC"]
    assert wrong_fields(groups=[queens], wild="Q", packs=1) == ["groups"]
    assert ask(groups=[queens], wild="Q", packs=2)["errors"] == []
    assert ask(groups=[queens], wild="K", packs=1)["errors"] == []
    assert wrong_fields(hand=HAND, wild="JK", printed_jokers=1) == ["hand"]
    assert ask(hand=HAND, wild="JK", printed_jokers=2)["errors"] == []
    assert wrong_fields(groups=[queens], wild="JK", printed_jokers=0) == ["wild"]


@pytest.mark.parametrize("number", [-1, 25, 2.0, "2", True, [2]])
def test_packs_and_printed_jokers_are_small_whole_numbers(number: object) -> None:
    assert wrong_fields(hand=HAND, packs=number) == ["packs"]
    assert wrong_fields(hand=HAND, printed_jokers=number) == ["printed_jokers"]


# --- text ----------------------------------------------------------------------------------------


def test_text_says_the_points_first_and_then_each_group() -> None:
    line: dict[str, Any] = {"id": "seat 2", "profile": "rummycircle", "wild": "K"}
    line |= {"groups": [*GROUPS[:3], ["9S", "9D"]], "loose": ["9H"]}
    assert as_text(answer_line(json.dumps(line)), 1).splitlines() == [
        "seat 2: 27 points, not complete",
        "  pure sequence    5H 6H 7H",
        "  impure sequence  8S JK TS JS",
        "  set              2D 2S 2H",
        "  no valid group   9S 9D",
        "  not grouped      9H",
    ]


def test_text_names_a_line_without_an_id_by_its_number() -> None:
    assert as_text(Answer(points=1), 4) == "line 4: 1 point, not complete"
    assert as_text(answer_line("?"), 4) == "line 4: line: A line is one JSON object."


# --- anything at all -----------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
FIELDS = ("id", "profile", "wild", "hand", "groups", "loose", "packs", "printed_jokers")


@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_no_fields_bring_a_line_down(fields: dict[str, Any]) -> None:
    answer = ask(**fields)
    assert set(answer) == {"id", "points", "complete", "groups", "ungrouped", "errors"}
    assert (answer["points"] is None) == bool(answer["errors"])


@given(st.text())
def test_no_text_brings_a_line_down(line: str) -> None:
    assert answer_line(line).errors
