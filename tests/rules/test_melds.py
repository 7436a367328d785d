"""Single groups: every example of the rules, and what must be refused."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules.cards import PACK, PRINTED_JOKER, RANKS, in_order, is_joker
from tables.rules.melds import Kind, as_laid, classify, kind_of, run_of, set_substitutes
from tables.rules.profiles import PROFILES, RuleProfile, profile_named

RC = PROFILES["rummycircle"]
CR = PROFILES["classic_rummy"]
OCT = PROFILES["octro"]
G24 = PROFILES["g24_points"]

PURE, IMPURE, SET = Kind.PURE_SEQUENCE, Kind.IMPURE_SEQUENCE, Kind.SET


def cards(text: str) -> list[str]:
    return text.split()


def kind(text: str, wild: str = "K", profile: str = "rummycircle") -> Kind | None:
    return kind_of(cards(text), wild, PROFILES[profile])


# --- pure sequences (rule 2.1) -------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["5H 6H 7H", "AS 2S 3S", "QD KD AD", "TC JC QC KC", "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH"]
)
def test_three_or_more_consecutive_cards_of_a_suit_are_a_pure_sequence(text: str) -> None:
    assert kind(text, wild="8" if "8" not in text else "K") is PURE


@pytest.mark.parametrize("wild", list("567"))
def test_a_wild_card_may_stand_as_itself_in_a_pure_sequence(wild: str) -> None:
    assert kind("5H 6H 7H", wild=wild) is PURE


def test_wild_card_of_another_suit_cannot_complete_a_pure_sequence() -> None:
    assert kind("5H 6S 7H", wild="6") is IMPURE
    assert kind("5H 6S 7H", wild="K") is None


def test_a_wild_ace_stands_as_itself_low_and_high() -> None:
    assert kind("AH 2H 3H", wild="A") is PURE
    assert kind("QH KH AH", wild="A") is PURE
    assert kind("JH AH KH", wild="A") is IMPURE  # the ace stands for the queen


@pytest.mark.parametrize("text", ["KH AH 2H", "QS KS AS 2S", "KS AS 2S", "2C KC AC"])
def test_a_sequence_never_goes_round_the_corner(text: str) -> None:
    assert kind(text, wild="7") is None


def test_a_sequence_of_fourteen_would_need_two_aces() -> None:
    whole_suit = [rank + "S" for rank in RANKS]
    assert kind_of(whole_suit, "JK", RC) is PURE
    assert kind_of([*whole_suit, "AS"], "JK", RC) is None
    assert kind_of([*whole_suit, "JK"], "7", RC) is None


@pytest.mark.parametrize("text", ["5H 6H", "5H", "", "JK 5H"])
def test_two_cards_are_no_group(text: str) -> None:
    assert kind(text) is None


@pytest.mark.parametrize("text", ["5H 5H 6H", "5H 5H 6H 7H", "5H 5H JK", "3D 3D JK"])
def test_twins_never_help_in_one_group(text: str) -> None:
    assert kind(text) is None


# --- impure sequences (rule 2.2) -----------------------------------------------------------------


@pytest.mark.parametrize("text", ["QS KS JK", "2C 4C JK", "5H JK JK 8H", "7S JK JK", "KS AS JK"])
def test_jokers_stand_in_for_missing_cards(text: str) -> None:
    assert kind(text, wild="6") is IMPURE


def test_jokers_may_stand_beyond_the_cards_held() -> None:
    assert run_of(cards("KS AS JK"), "6") == (1, 12, "S")
    assert run_of(cards("AS 2S JK"), "6") == (1, 1, "S")


def test_any_number_of_jokers_in_a_sequence_except_where_limited() -> None:
    assert kind("5S QH 7S 8S JK", wild="Q") is IMPURE
    assert kind("5H JK JK 8H", profile="octro") is None
    assert kind("7S JK JK", profile="octro") is SET
    assert kind("5H JK 7H", profile="octro") is IMPURE


def test_a_wild_card_as_itself_does_not_count_against_the_joker_limit() -> None:
    assert kind("5H 6H JK 8H", wild="6", profile="octro") is IMPURE
    assert kind("5H 6S JK 8H", wild="6", profile="octro") is None


@pytest.mark.parametrize("text", ["2H 3D 4H", "2H 3H 5H", "2H 3H JK 6D"])
def test_other_suits_and_gaps_without_a_joker_are_refused(text: str) -> None:
    assert kind(text) is None


# --- sets (rule 2.4) -----------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["7S 7H 7D", "7S 7H 7D 7C", "7S 7H JK", "7S KD KH", "7S 7C KH"])
def test_a_set_is_one_rank_of_different_suits_or_jokers(text: str) -> None:
    assert Kind.SET in classify(cards(text), "K", RC)


def test_two_kings_and_an_ace_are_a_set_only_when_aces_are_wild() -> None:
    assert kind("KC KD AD", wild="7") is None
    assert kind("KC KD AD", wild="A") is SET


@pytest.mark.parametrize("text", ["7S 7S 7H", "TS TS TD TC QH", "3D 3D JK", "7S 7H 8D"])
def test_two_cards_of_a_suit_never_lie_in_a_set(text: str) -> None:
    assert kind(text, wild="Q") is None


def test_a_set_grows_past_four_only_with_jokers_and_only_where_allowed() -> None:
    large = "5D 5C JK QH QS"
    assert kind(large, wild="Q") is SET
    assert kind(large, wild="Q", profile="g24_points") is SET
    for name in ("classic_rummy", "rummycentral", "octro"):
        assert kind(large, wild="Q", profile=name) is None
        assert kind("5D 5C JK QH", wild="Q", profile=name) is SET
    assert kind("5D 5C 5H 5S 5D") is None


def test_wild_cards_of_one_rank_are_a_set() -> None:
    assert kind("5S 5H 5D", wild="5") is SET


def test_a_second_wild_card_of_a_suit_substitutes_in_a_set() -> None:
    assert kind("5S 5S 5H", wild="5") is SET
    assert set_substitutes(cards("5S 5S 5H"), "5") == 1
    assert kind("5S 5S 5H", wild="4") is None


# --- one card stands as itself (rule 2.6) --------------------------------------------------------


@pytest.mark.parametrize("name", PROFILES)
def test_printed_jokers_alone_are_no_group(name: str) -> None:
    assert kind("JK JK JK", profile=name) is None


def test_seven_and_two_jokers_are_a_sequence_and_a_set() -> None:
    assert classify(cards("7S JK JK"), "K", RC) == {IMPURE: 2, SET: 2}
    assert kind("7S JK JK") is IMPURE


def test_a_wild_card_and_two_jokers_are_a_group() -> None:
    assert classify(cards("5S JK JK"), "5", RC) == {IMPURE: 2, SET: 2}
    assert classify(cards("5S JK JK"), "5", OCT) == {SET: 2}


def test_three_wild_cards_can_be_a_sequence_and_a_set() -> None:
    assert classify(cards("5S 5H 5D"), "5", RC) == {IMPURE: 2, SET: 0}


def test_limits_come_from_the_profile_and_not_from_its_name() -> None:
    strict = profile_named("rummycircle", run_joker_limit=0, set_size_limit=3)
    assert kind_of(cards("5H JK 7H"), "K", strict) is None
    assert kind_of(cards("7S 7H 7D 7C"), "K", strict) is None
    assert kind_of(cards("7S 7H 7D"), "K", strict) is SET


# --- in every order ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["QS KS JK", "7S JK JK", "5S 5S 5H", "KH AH 2H", "2C 4C JK", "5H 6H JK 8H", "3D 3D JK"]
)
def test_a_group_is_read_the_same_in_every_order(text: str) -> None:
    orders = list(permutations(cards(text)))
    for profile in (RC, OCT):
        assert len({kind_of(order, "5", profile) for order in orders}) == 1


GROUP = st.lists(st.sampled_from([*PACK, PRINTED_JOKER]), min_size=0, max_size=7)


@given(GROUP, st.sampled_from(RANKS), st.sampled_from(list(PROFILES.values())))
def test_a_group_laid_out_holds_the_same_cards_and_reads_the_same(
    group: list[str], wild: str, profile: RuleProfile
) -> None:
    for reading in classify(group, wild, profile):
        laid = as_laid(group, reading, wild)
        assert in_order(laid) == in_order(group)
        assert classify(laid, wild, profile) == classify(group, wild, profile)
        if reading is PURE:
            places = [(RANKS + "A").find(card[0]) for card in laid]
            assert places[1:-1] == list(range(places[1], places[1] + len(laid) - 2))


@given(GROUP, st.sampled_from(RANKS))
def test_a_group_without_jokers_is_never_a_sequence_and_a_set(group: list[str], wild: str) -> None:
    naturals = [card for card in group if not is_joker(card, wild)]
    assert len(classify(naturals, wild, RC)) <= 1


@pytest.mark.parametrize(
    ("text", "wild", "laid"),
    [
        ("JK 7H 5H", "K", "5H JK 7H"),
        ("AS JK KS", "6", "JK KS AS"),
        ("6S 8H 5H JK", "6", "5H 6S JK 8H"),
        ("JK 8H 6H 5H", "6", "5H 6H JK 8H"),
    ],
)
def test_a_sequence_is_laid_out_upwards_with_jokers_in_their_places(
    text: str, wild: str, laid: str
) -> None:
    assert list(as_laid(cards(text), IMPURE, wild)) == cards(laid)


def test_a_set_is_laid_out_by_suit_with_its_jokers_last() -> None:
    assert as_laid(cards("JK 7D 7S"), SET, "K") == ("7S", "7D", "JK")
