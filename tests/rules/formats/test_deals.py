"""Rule 6.2: deals rummy, best of N."""

from __future__ import annotations

import pytest

from tables.rules.errors import Code
from tables.rules.formats import Match
from tables.rules.results import Outcome
from tests.rules.formats.helpers import next_deal, opened, over, refused, result, scored, totals_of


@pytest.mark.parametrize(("deals", "chips"), [(2, 160), (3, 240), (6, 480)])
def test_everybody_starts_with_80_chips_a_deal(deals: int, chips: int) -> None:
    assert set(totals_of(opened("deals", 6, deals=deals)).values()) == {chips}


def test_the_winner_gets_each_opponents_points_in_chips() -> None:
    match = scored(opened("deals", 6), 1, {2: 10, 3: 20, 4: 30, 5: 35, 6: 40})
    assert totals_of(match)[1] == 160 + 135


def test_six_players_and_six_deals_after_the_first_deal() -> None:
    match = scored(opened("deals", 6, deals=6), 1, {2: 80, 3: 60, 4: 40, 5: 20, 6: 10})
    assert totals_of(match) == {1: 690, 2: 400, 3: 420, 4: 440, 5: 460, 6: 470}
    assert sum(totals_of(match).values()) == 2880


def _one_each(second_loss: int) -> Match:
    match = scored(opened("deals", 2), 1, {2: 45})
    assert totals_of(match) == {1: 205, 2: 115}
    return scored(match, 2, {1: second_loss})


def test_one_deal_each_by_44_is_161_to_159() -> None:
    match = _one_each(44)
    assert totals_of(match) == {1: 161, 2: 159}
    assert over(match).places == ((1,), (2,))


def test_equal_chips_lead_to_a_tie_break_deal_without_chips() -> None:
    match = _one_each(45)
    assert totals_of(match) == {1: 160, 2: 160}
    assert next_deal(match).tie_break
    match = scored(match, 2, {1: 70})
    assert totals_of(match) == {1: 160, 2: 160}
    assert over(match).places == ((2,), (1,))


def test_only_the_tied_play_the_tie_break() -> None:
    match = scored(opened("deals", 3), 1, {2: 30, 3: 50})
    match = scored(match, 2, {1: 45, 3: 20})
    assert totals_of(match) == {1: 195, 2: 195, 3: 90}
    assert next_deal(match).tie_break
    assert next_deal(match).seats == (1, 2)
    assert next_deal(match).dealer is None


def test_three_tied_for_first_are_ranked_by_one_tie_break_deal() -> None:
    match = opened("deals", 3)
    match = scored(match, 1)
    match = scored(match, 1)
    assert next_deal(match).tie_break
    assert next_deal(match).seats == (3, 1, 2), "nobody came or went: the deal passes on"
    match = scored(match, 3, {1: 12, 2: 7})
    assert over(match).places == ((3,), (2,), (1,))


def test_a_tie_below_the_deciding_place_stands() -> None:
    match = scored(opened("deals", 3), 1, {2: 20, 3: 20})
    match = scored(match, 1)
    assert over(match).places == ((1,), (2, 3))


def test_a_tie_across_the_deciding_place_is_played_off() -> None:
    """Two of the table go on, and two are tied for the second place."""
    match = scored(opened("deals", 3, deciding_place=2), 1, {2: 20, 3: 20})
    match = scored(match, 1)
    assert next_deal(match).seats == (2, 3)
    assert over(scored(match, 3, {2: 5})).places == ((1,), (3,), (2,))


def test_a_tie_inside_the_deciding_places_stands() -> None:
    match = scored(opened("deals", 3, deciding_place=2), 1, {2: 30, 3: 60})
    match = scored(match, 2, {1: 45, 3: 30})
    assert totals_of(match) == {1: 205, 2: 205, 3: 70}
    assert over(match).places == ((1, 2), (3,))


def test_a_tie_break_is_repeated_for_who_is_still_tied_on_the_deciding_place() -> None:
    match = scored(scored(opened("deals", 3, deciding_place=2), 1), 1)
    match = scored(match, 1, {2: 9, 3: 9})
    assert next_deal(match).seats == (2, 3)
    assert over(scored(match, 3, {2: 1})).places == ((1,), (3,), (2,))


def test_who_has_fewer_chips_than_points_pays_what_he_has() -> None:
    """Without a cap a hand can cost more than the 80 chips a deal."""
    match = opened("deals", 2, deals=1, profile="g24_knockout")
    match = scored(match, 1, {2: 130})
    assert totals_of(match) == {1: 160, 2: 0}


@pytest.mark.parametrize("deals", [2, 3])
def test_short_matches_know_no_drop(deals: int) -> None:
    assert not next_deal(opened("deals", 2, deals=deals)).terms.has_drop
    with refused(Code.BAD_OPTION, "first_drop"):
        opened("deals", 2, deals=deals, first_drop=20, middle_drop=40)
    with refused(Code.BAD_RESULT, "scores[1]"):
        opened("deals", 2).record(result(1, {2: (20, Outcome.FIRST_DROP)}))


def test_longer_matches_may_have_drops() -> None:
    match = opened("deals", 3, deals=6, first_drop=20, middle_drop=40)
    match = scored(match, 1, {2: (20, Outcome.FIRST_DROP), 3: (40, Outcome.MIDDLE_DROP)})
    assert totals_of(match) == {1: 540, 2: 460, 3: 440}
    with refused(Code.BAD_OPTION, "middle_drop"):
        opened("deals", 3, deals=6, first_drop=20)


def test_who_leaves_counts_his_hand_now_and_80_in_each_deal_that_remains() -> None:
    """Rule 5.8, with three players and three deals of 240 chips."""
    match = scored(opened("deals", 3, deals=3), 1, {2: (50, Outcome.LEFT), 3: 10})
    assert totals_of(match) == {1: 300, 2: 190, 3: 230}
    assert next_deal(match).seats == (1, 3)
    assert next_deal(match).dealer is None
    match = scored(match, 3, {1: 20})
    assert totals_of(match) == {1: 280, 2: 110, 3: 330}
    match = scored(match, 3, {1: 20})
    assert totals_of(match) == {1: 260, 2: 30, 3: 430}
    assert over(match).places == ((3,), (1,), (2,))


def test_the_last_player_there_wins_the_deals_that_remain() -> None:
    match = scored(opened("deals", 3, deals=3), 1, {2: 40, 3: 40}).leave(1).leave(3)
    assert totals_of(match) == {1: 160, 2: 520, 3: 40}
    assert over(match).places == ((2,), (1,), (3,))


def test_of_equal_chips_who_stayed_ranks_before_who_left() -> None:
    match = scored(opened("deals", 3, deals=1).leave(3), 1, {2: 80})
    assert totals_of(match) == {1: 240, 2: 0, 3: 0}
    assert over(match).places == ((1,), (2,), (3,))


def test_who_leaves_a_tie_break_loses_it() -> None:
    match = _one_each(45).leave(2)
    assert over(match).places == ((1,), (2,))
    match = _one_each(45)
    assert over(scored(match, 2, {1: (30, Outcome.LEFT)})).places == ((2,), (1,))


def test_fewest_points_ends_once_the_lead_cannot_be_caught() -> None:
    """Option: the lead must exceed 80 × deals left."""
    match = opened("deals", 2, deals=3, rank_by="fewest_points")
    match = scored(match, 1, {2: 80})
    assert next_deal(match).seats
    match = scored(match, 1, {2: 1})
    assert totals_of(match) == {1: 0, 2: 81}
    assert over(match).places == ((1,), (2,))


def test_fewest_points_goes_on_at_a_lead_of_exactly_80() -> None:
    match = opened("deals", 2, deals=3, rank_by="fewest_points")
    match = scored(scored(match, 1, {2: 80}), 1)
    assert not match.is_over
    assert next_deal(scored(match, 2, {1: 80})).tie_break


def test_fewest_points_plays_on_when_all_places_are_good_enough() -> None:
    match = opened("deals", 2, deals=3, rank_by="fewest_points", deciding_place=2)
    match = scored(scored(match, 1, {2: 80}), 1, {2: 80})
    assert not match.is_over
    assert over(scored(match, 1)).places == ((1,), (2,))


def test_who_leaves_a_match_of_fewest_points_counts_80_a_deal() -> None:
    match = scored(opened("deals", 3, deals=3, rank_by="fewest_points"), 1).leave(2)
    match = scored(match, 1, {3: 10})
    assert totals_of(match) == {1: 0, 2: 80, 3: 10}
    match = scored(match, 1, {3: 10})
    assert totals_of(match) == {1: 0, 2: 160, 3: 20}
