"""Declarations and what declared groups count: worked examples, every column of rule 4.1."""

from __future__ import annotations

import pytest

from tables.rules.errors import Code, RuleViolation
from tables.rules.hands import Judgement, card_points, full_count, judge
from tables.rules.melds import Kind
from tables.rules.profiles import PROFILES, RuleProfile, profile_named

PURE, IMPURE, SET = Kind.PURE_SEQUENCE, Kind.IMPURE_SEQUENCE, Kind.SET
G24_FORMATS = ("g24_points", "g24_pool", "g24_knockout")


def declared(text: str, wild: str = "K", profile: str | RuleProfile = "rummycircle") -> Judgement:
    """Judge groups written as `5H 6H 7H | 8S 8D 8C`; what follows `/` lies loose."""
    grouped, _, loose = text.partition("/")
    groups = [group.split() for group in grouped.split("|")]
    rules = PROFILES[profile] if isinstance(profile, str) else profile
    return judge(groups, loose.split(), wild, rules)


# --- points of cards (rule 1.5) ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "points"), [("AS", 10), ("KS", 10), ("TS", 10), ("9S", 9), ("2S", 2), ("JK", 0)]
)
def test_cards_count_ten_or_their_number_and_jokers_nothing(card: str, points: int) -> None:
    assert card_points(card, "5", PROFILES["rummycircle"]) == points


def test_cards_of_the_wild_rank_count_nothing() -> None:
    assert card_points("KS", "K", PROFILES["rummycircle"]) == 0


def test_an_ace_counts_one_at_octro_and_fifteen_where_a_house_says_so() -> None:
    assert card_points("AS", "5", PROFILES["octro"]) == 1
    assert card_points("AS", "5", profile_named("rummycircle", ace_points=15)) == 15
    assert card_points("AS", "A", PROFILES["octro"]) == 0


@pytest.mark.parametrize("text", ["??", "1S", "", "SK", "jk"])
def test_what_is_no_card_counts_nothing_and_is_refused(text: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        card_points(text, "5", PROFILES["rummycircle"])
    assert refused.value.code is Code.BAD_CARD


COURT = ["AS", "KS", "QS", "JS", "TS", "AH", "KH", "QH", "JH", "TH", "9S", "9H", "8S"]


@pytest.mark.parametrize(
    ("name", "points"), [("rummycircle", 80), ("g24_points", 80), ("g24_knockout", 126)]
)
def test_a_whole_hand_counts_up_to_the_cap(name: str, points: int) -> None:
    assert full_count(COURT, "5", PROFILES[name]) == points
    assert full_count(COURT, "5", PROFILES[name], capped=False) == 126


def test_a_whole_hand_counts_the_flat_cap_where_unmatched_cards_do() -> None:
    assert full_count(["2S", "3D"], "5", PROFILES["octro"]) == 80
    assert full_count(["2S", "3D"], "5", PROFILES["octro"], capped=False) == 5
    assert full_count(["2S", "3D"], "5", PROFILES["rummycircle"]) == 5


# --- valid declarations (rules 3.1 to 3.3) -------------------------------------------------------


@pytest.mark.parametrize("name", PROFILES)
def test_two_sequences_one_pure_and_no_card_over_are_complete(name: str) -> None:
    judged = declared("5H 6H 7H | 8S JK TS JS | 2D 2S 2H | 9S 9D 9H", "K", name)
    assert judged == Judgement(
        points=0, complete=True, kinds=(PURE, IMPURE, SET, SET), ungrouped_points=0
    )


@pytest.mark.parametrize(
    "text",
    [
        "5H JK 7H | 8S JK TS JS | 2D 2S 2H | 9S 9D 9H",  # no pure sequence
        "5H 6H 7H | 8S 8D 8H 8C | 2D 2S 2H | 9S 9D 9H",  # no second sequence
        "5H 6H 7H | 8S JK TS JS | 2D 2S 2H | 9S 9D / 9H",  # cards over
        "5H 6H 7H | 8S JK TS JS | 2D 2S 2H | 9S 9S 9H",  # an invalid group
        "5H 6H 7H | 8S JK TS JS | 2D 2S 2H | 9S 9D",  # twelve cards
        "5H 6H 7H | 8S JK TS JS | 2D 2S 2H",
    ],
)
def test_what_lacks_anything_is_not_complete(text: str) -> None:
    for name in PROFILES:
        assert not declared(text, "K", name).complete, name


def test_fewer_than_thirteen_cards_are_counted_but_never_complete() -> None:
    judged = declared("5H 6H 7H | 8S 9S TS | 2D 2S 2H")
    assert (judged.points, judged.complete) == (0, False)


@pytest.mark.parametrize(
    "text",
    [
        "TH JH QH | 4S 5S 6S 7S | 2D 2H 2C | 3D 3H 3C",
        "AS 2S 3S 4S | 8H 9H TH JH | 6D 6C 6H / JK JK",
        "QH JK AH | 8S 9S TS JS | 2D 2H 2C | 3D 3H 3C",
        "8H 9H TH | JS QS KS JK | 2D 2H 2C | 3D 3H 3C",
    ],
)
def test_octro_takes_a_sequence_of_four_beside_one_of_three(text: str) -> None:
    assert declared(text, "5" if "5S" not in text else "K", "octro").complete


def test_octro_refuses_two_sequences_of_three() -> None:
    short = declared("TH JH QH | 8S 9S TS | 2D 2S 2H 2C | 3S 3D 3H", "5", "octro")
    assert (short.points, short.complete) == (80, False)
    assert declared("TH JH QH | 8S 9S TS | 2D 2S 2H 2C | 3S 3D 3H", "5").complete


LOOSE = "TH JH QH KH | AS 2S 3S 4S | TC TD JK JK / 6D"


def test_jokers_may_lie_loose_only_where_the_profile_allows_it() -> None:
    for name, profile in PROFILES.items():
        assert declared(LOOSE, "6", name).complete == profile.loose_jokers, name


def test_a_joker_alone_or_jokers_together_count_as_loose() -> None:
    for loose in ("TC TD JK | JK | 6D", "TC TD JK | JK 6D", "TC TD JK / JK 6D"):
        text = f"TH JH QH KH | AS 2S 3S 4S | {loose}"
        assert declared(text, "6", "classic_rummy").complete
        assert not declared(text, "6", "rummycentral").complete
    # Of three jokers one may stand as itself, unless all are printed.
    assert declared("TH JH QH | AS 2S 3S 4S | TC TD TS | 6S 6D JK", "6", "rummycentral").complete
    assert not declared("TH JH QH | AS 2S 3S 4S | TC TD TS | JK JK JK", "6").complete


def test_a_natural_card_never_lies_loose_in_a_declaration() -> None:
    judged = declared("TH JH QH KH | AS 2S 3S 4S | TC TD JK JK / 2D", "6", "classic_rummy")
    assert (judged.points, judged.complete) == (2, False)


def test_a_set_grown_with_jokers_completes_a_hand_at_rummycircle_only_there() -> None:
    text = "4H 5H 6H | 7S 8S 9S 2C | 5D 5C JK QH QS JK"
    assert declared(text, "Q", "rummycircle").kinds[-1] is SET
    assert declared(text, "Q", "rummycentral").kinds[-1] is None


# --- the reading that serves best (rule 2.6) -----------------------------------------------------


def test_a_group_that_can_be_both_is_the_sequence_that_is_lacking() -> None:
    assert declared("6H 7H 8H | 5S 5H 5D | 2D 2S 2H 2C | 9S 9D 9H", "5").complete
    spare = declared("6H 7H 8H | 9S TS JS | 5S 5H 5D | 2D 2S 2H 2C", "5")
    assert spare.kinds == (PURE, PURE, SET, SET)
    lacking = declared("6H 7H 8H | 5S 5H 5D | 2D 2S 2H 2C | 9S 9D 9H", "5")
    assert lacking.kinds == (PURE, IMPURE, SET, SET)


def test_seven_and_two_jokers_serve_as_the_second_sequence() -> None:
    assert declared("4H 5H 6H | 7S JK JK | 2D 2S 2H 2C | 9S 9D 9H").complete
    assert not declared("4H 5H 6H | 7S JK JK | 2D 2S 2H 2C | 9S 9D 9H", "Q", "octro").complete


# --- points of the losers (rule 4.1) -------------------------------------------------------------


def test_worked_example_of_three_losers_with_its_erratum() -> None:
    first = declared("2H 3H 4H | 5C 6C QD | 8D 8S 5C | 2D 2C | KS QS", "Q")
    second = declared("4S 4H 4C | 4D 5D QD | 3S 7S 8S | QD KD | TC 9C", "Q")
    third = declared("3H 4H 5H | 5C 6C 7C QD | 8D 5C | 2D 2C 2H | KS", "Q")
    # The published table says 45 for the first; the queen of spades is a joker and counts 0.
    assert [first.points, second.points, third.points] == [35, 68, 23]


NO_PURE = "5H JK 7H | 8S JK TS JS | 2D 2S 2H | 9S 9D / 3H"
ONE_PURE = "5H 6H 7H | 8S 8D 8H | 2D 2S 2H | 9S 9D / TD KC"
TWO = "5H 6H 7H | 8S JK TS JS | 2D 2S 2H | 9S 9D / TD"


@pytest.mark.parametrize("name", ["rummycircle", "rummycentral", "classic_rummy"])
def test_all_cards_count_without_two_sequences(name: str) -> None:
    assert declared(NO_PURE, "Q", name).points == 12 + 28 + 6 + 18 + 3
    assert declared(ONE_PURE, "Q", name).points == 80
    assert declared(ONE_PURE.replace("9S 9D", "3S 3D"), "Q", name).points == 18 + 24 + 6 + 6 + 20
    assert declared(TWO, "Q", name).points == 28


@pytest.mark.parametrize("name", G24_FORMATS)
def test_g24_does_not_count_a_pure_sequence_without_a_second(name: str) -> None:
    assert declared(NO_PURE, "Q", name).points == 67
    assert declared(ONE_PURE, "Q", name).points == 24 + 6 + 18 + 20
    assert declared(TWO, "Q", name).points == 28


def test_octro_counts_a_flat_eighty_unless_two_sequences_one_of_four_are_there() -> None:
    assert declared(NO_PURE, "Q", "octro").points == 80
    assert declared(ONE_PURE, "Q", "octro").points == 80
    assert declared(TWO, "Q", "octro").points == 28
    assert declared(TWO.replace("8S JK TS JS", "TS JS QS"), "K", "octro").points == 80


def test_points_are_capped_where_there_is_a_cap() -> None:
    high = "AH KH QH | JS TS 9S 8S / AD KD JD TC AC KC"
    assert declared(high, "5", "g24_points").points == 60
    none = "AH KH | QS JS / TS AD KD JD TC AC KC QC JC"
    assert declared(none, "5", "rummycircle").points == 80
    assert declared(none, "5", "g24_knockout").points == 130


def test_invalid_groups_count_as_ungrouped() -> None:
    judged = declared("5H 6H 7H | 8S 9S TS | 7S 7S 7H | 3D 3D JK / 4C")
    assert judged.kinds == (PURE, PURE, None, None)
    assert judged.points == judged.ungrouped_points == 21 + 6 + 4


def test_no_points_left_is_not_complete() -> None:
    fives = "5S 5S 5S 5H 5H 5H 5D 5D 5D 5C 5C 5C JK"
    judged = judge([fives.split()], [], "5", PROFILES["rummycircle"])
    assert (judged.points, judged.complete) == (0, False)


def test_more_than_thirteen_cards_are_no_hand() -> None:
    with pytest.raises(RuleViolation) as refused:
        declared("5H 6H 7H 8H | 8S 9S TS JS | 7S 7D 7H | 3D 3S 3C")
    assert (refused.value.code, refused.value.field) == (Code.WRONG_CARD_COUNT, "groups")


def test_hidden_cards_are_not_judged() -> None:
    with pytest.raises(RuleViolation) as refused:
        declared("5H 6H ??")
    assert refused.value.code is Code.BAD_CARD
