"""The best grouping: as good as the slow reference, and the same for every order of the cards.

`ORACLE_HANDS` sets how many hands of each kind are compared with the reference (some tenths of a
second each), for every family of profiles.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules.cards import PACK, PRINTED_JOKER, RANKS
from tables.rules.errors import Code, RuleViolation
from tables.rules.hands import (
    Grouping,
    best_grouping,
    best_melds,
    best_points,
    full_count,
    is_complete,
    judge,
)
from tables.rules.melds import Kind, kind_of
from tables.rules.profiles import PROFILES, RuleProfile, profile_named
from tests.rules.hand_makers import MAKERS, Dealt
from tests.rules.oracle import Answer, least_outside, references

ORACLE_HANDS = int(os.environ.get("ORACLE_HANDS", "4"))
ALL = tuple(PROFILES.values())
RC = PROFILES["rummycircle"]

# Profiles that group alike and differ only in what is then counted.
FAMILIES = {
    "large sets": [RC],
    "pure spared": [PROFILES[name] for name in ("g24_points", "g24_pool", "g24_knockout")],
    "small sets": [PROFILES[name] for name in ("classic_rummy", "rummycentral")],
    "octro": [PROFILES["octro"]],
}
HOUSE_RULES = [
    profile_named("octro", run_joker_limit=2, loose_jokers=False, set_size_limit=None),
    profile_named("octro", run_joker_limit=0, loose_jokers=False, ace_points=15),
    profile_named("g24_points", run_joker_limit=1, long_run=5, set_size_limit=3, cap=60),
    profile_named("rummycircle", run_joker_limit=3, set_size_limit=5, loose_jokers=True),
]


def dealt(kind: str, number: int, seed: int = 1) -> list[Dealt]:
    """So many hands of a kind, the same in every run."""
    rng = Random(f"{kind} {seed}")
    return [MAKERS[kind](rng) for _ in range(number)]


def answer_of(best: Grouping) -> Answer:
    return Answer(best.points, not best.complete, len(best.ungrouped))


# --- against the reference -----------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", MAKERS)
def test_no_grouping_is_better_than_the_best(kind: str, family: str) -> None:
    for hand, wild in dealt(kind, ORACLE_HANDS):
        expected = references(hand, wild, FAMILIES[family])
        found = [answer_of(best_grouping(hand, wild, profile)) for profile in FAMILIES[family]]
        assert found == expected, (hand, wild)


@pytest.mark.parametrize("profile", HOUSE_RULES, ids=lambda p: f"{p.name}-{p.run_joker_limit}")
def test_no_grouping_is_better_under_house_rules_either(profile: RuleProfile) -> None:
    for kind in MAKERS:
        for hand, wild in dealt(kind, max(1, ORACLE_HANDS // 4), seed=2):
            best = best_grouping(hand, wild, profile)
            assert [answer_of(best)] == references(hand, wild, [profile]), (hand, wild)


SMALL = st.lists(st.sampled_from([*PACK, *["JK"] * 6, *["5S", "5H"] * 3]), max_size=8)


@given(SMALL, st.sampled_from("5A9"), st.sampled_from([RC, PROFILES["octro"], *HOUSE_RULES]))
def test_bare_melds_leave_the_least_outside(
    hand: list[str], wild: str, profile: RuleProfile
) -> None:
    melds = best_melds(hand, wild, profile)
    assert (melds.points, len(melds.ungrouped)) == least_outside(hand, wild, profile)
    assert melds.complete == (not melds.ungrouped)
    check_cards_and_groups(melds, hand, wild, profile)


@pytest.mark.parametrize("kind", MAKERS)
def test_no_limit_of_jokers_is_a_limit_nobody_reaches(kind: str) -> None:
    # Two ways through the search that have little in common.
    for name in ("rummycircle", "classic_rummy", "g24_points"):
        limited = profile_named(name, run_joker_limit=12)
        for hand, wild in dealt(kind, 8, seed=3):
            best = best_grouping(hand, wild, PROFILES[name])
            assert answer_of(best) == answer_of(best_grouping(hand, wild, limited)), (hand, wild)


# --- what every answer holds to ------------------------------------------------------------------


def check_cards_and_groups(
    best: Grouping, hand: list[str], wild: str, profile: RuleProfile
) -> None:
    """Every card lies in one place, and every group is valid."""
    places = [*(group.cards for group in best.groups), best.ungrouped]
    assert Counter(card for cards in places for card in cards) == Counter(hand)
    assert all(kind_of(group.cards, wild, profile) is not None for group in best.groups)


@pytest.mark.parametrize("kind", MAKERS)
def test_an_answer_is_a_grouping_of_the_hand_and_judged_to_be_what_it_says(kind: str) -> None:
    for hand, wild in dealt(kind, 16, seed=4):
        for profile in (*ALL, *HOUSE_RULES):
            best = best_grouping(hand, wild, profile)
            check_cards_and_groups(best, hand, wild, profile)
            judged = judge([group.cards for group in best.groups], best.ungrouped, wild, profile)
            assert (judged.points, judged.complete) == (best.points, best.complete)
            assert judged.kinds == tuple(group.kind for group in best.groups)
            assert best_points(hand, wild, profile) == best.points
            assert is_complete(hand, wild, profile) == best.complete
            assert best.points <= full_count(hand, wild, profile)


@pytest.mark.parametrize("kind", MAKERS)
def test_more_generous_rules_never_count_more(kind: str) -> None:
    for hand, wild in dealt(kind, 40, seed=5):
        points = {name: best_points(hand, wild, profile) for name, profile in PROFILES.items()}
        assert points["rummycircle"] <= points["rummycentral"] == points["classic_rummy"]
        assert points["g24_points"] == points["g24_pool"] <= points["rummycircle"]
        assert min(80, points["g24_knockout"]) == points["g24_points"]


@given(st.randoms(use_true_random=False), st.sampled_from(sorted(MAKERS)), st.sampled_from(ALL))
def test_the_order_of_the_cards_never_matters(rng: Random, kind: str, profile: RuleProfile) -> None:
    hand, wild = MAKERS[kind](rng)
    shuffled = rng.sample(hand, len(hand))
    assert best_grouping(shuffled, wild, profile) == best_grouping(hand, wild, profile)
    assert best_points(sorted(hand), wild, profile) == best_points(hand, wild, profile)
    assert best_melds(shuffled, wild, profile) == best_melds(hand, wild, profile)


def test_what_was_asked_before_never_matters() -> None:
    hands = dealt("joker-rich", 20, seed=6) + dealt("crowded", 20, seed=6)
    first = [best_grouping(hand, wild, PROFILES["octro"]) for hand, wild in hands]
    again = [best_grouping(hand, wild, PROFILES["octro"]) for hand, wild in reversed(hands)]
    assert first == again[::-1]


# --- single cases --------------------------------------------------------------------------------


def test_greedy_sets_leave_four_times_as_much_as_the_best_melds() -> None:
    hand = ["5H", "6H", "7H", "7S", "7D", "8D", "9D"]
    for profile in ALL:
        melds = best_melds(hand, "K", profile)
        assert (melds.points, melds.ungrouped) == (7, ("7S",))
        assert [group.kind for group in melds.groups] == [Kind.PURE_SEQUENCE] * 2


@pytest.mark.parametrize("profile", ALL, ids=lambda profile: profile.name)
def test_twelve_fives_and_a_joker_have_no_points_left_and_are_not_complete(
    profile: RuleProfile,
) -> None:
    fives = [rank + suit for rank in "555" for suit in "SHDC"] + [PRINTED_JOKER]
    best = best_grouping(fives, "5", profile)
    assert best.points == (80 if profile.name == "octro" else 0)
    assert not best.complete
    assert best.ungrouped == ()


def test_thirteen_printed_jokers_are_no_group_at_all() -> None:
    best = best_grouping([PRINTED_JOKER] * 13, "5", RC)
    assert (best.points, best.complete, best.groups) == (0, False, ())


def test_three_cards_of_a_suit_and_ten_jokers_are_complete_if_one_of_them_is_wild() -> None:
    pure = ["6H", "7H", "8H"]
    assert not is_complete([*pure, *[PRINTED_JOKER] * 10], "5", RC)
    assert is_complete([*pure, *[PRINTED_JOKER] * 9, "5S"], "5", RC)
    # The only wild card is needed in the pure sequence.
    assert not is_complete(["6H", "7H", "5H", *[PRINTED_JOKER] * 10], "5", RC)
    assert is_complete(["6H", "7H", "5H", *[PRINTED_JOKER] * 9, "5H"], "5", RC)


def test_eight_cards_of_a_rank_leave_room_for_a_joker_if_laid_as_three_sets() -> None:
    eight = [rank + suit for rank in "77" for suit in "SHDC"] + [PRINTED_JOKER]
    assert best_melds(eight, "K", PROFILES["rummycentral"]).ungrouped == ()


def test_a_whole_suit_is_complete() -> None:
    for profile in ALL:
        best = best_grouping([rank + "H" for rank in RANKS], "A", profile)
        assert (best.points, best.complete) == (0, True)


def test_one_pure_sequence_is_spared_by_one_kind_of_profile_only() -> None:
    hand = ["QH", "KH", "AH", "JH", "TH", "2S", "2D", "4S", "4D", "6C", "6D", "8S", "9D"]
    assert best_points(hand, "3", PROFILES["g24_points"]) == 41
    assert best_points(hand, "3", RC) == 80
    best = best_grouping(hand, "3", PROFILES["g24_points"])
    assert [group.cards for group in best.groups] == [("TH", "JH", "QH", "KH", "AH")]


def test_of_equal_points_fewer_cards_stay_ungrouped() -> None:
    # No sequence at all, so all cards count; the set is shown all the same.
    hand = ["7S", "7H", "7D", "2S", "4H", "9C", "JD", "KS", "QH", "TC", "5D", "AD", "3C"]
    best = best_grouping(hand, "6", RC)
    assert (best.points, len(best.ungrouped)) == (80, 10)
    assert [group.kind for group in best.groups] == [Kind.SET]


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 12, 14])
def test_a_hand_to_group_has_thirteen_cards(number: int) -> None:
    for ask in (best_grouping, best_points, is_complete):
        with pytest.raises(RuleViolation) as refused:
            ask(["5H"] * number, "5", RC)
        assert (refused.value.code, refused.value.field) == (Code.WRONG_CARD_COUNT, "hand")


def test_melds_are_found_in_up_to_fourteen_cards() -> None:
    assert best_melds([], "5", RC).complete
    assert best_melds(["6H"] * 14, "5", RC).points == 84
    with pytest.raises(RuleViolation) as refused:
        best_melds(["6H"] * 15, "5", RC)
    assert (refused.value.code, refused.value.field) == (Code.WRONG_CARD_COUNT, "hand")


@pytest.mark.parametrize("card", ["??", "1H", "", "h5"])
def test_hidden_or_unknown_cards_are_not_grouped(card: str) -> None:
    for ask in (best_grouping, best_points, is_complete, best_melds):
        with pytest.raises(RuleViolation) as refused:
            ask([*["5H"] * 12, card], "5", RC)
        assert refused.value.code is Code.BAD_CARD


def test_a_printed_joker_turned_up_may_be_named_as_wild() -> None:
    hand, _ = dealt("near complete", 1)[0]
    assert best_grouping(hand, PRINTED_JOKER, RC) == best_grouping(hand, "A", RC)


@pytest.mark.parametrize("wild", ["", "10", "QH", "A2", "?"])
def test_what_is_no_rank_is_not_wild(wild: str) -> None:
    for ask in (best_grouping, best_points, is_complete, best_melds):
        with pytest.raises(RuleViolation) as refused:
            ask(["5H"] * 13, wild, RC)
        assert refused.value.code is Code.BAD_RANK
