"""Rule 6.1: points rummy."""

from __future__ import annotations

import pytest

from tables.rules.errors import Code
from tables.rules.formats import PointsFormat, winnings_of
from tables.rules.profiles import profile_named
from tables.rules.results import Outcome
from tests.rules.formats.helpers import (
    Loss,
    next_deal,
    opened,
    over,
    refused,
    result,
    scored,
    totals_of,
)


def test_the_winner_is_paid_all_points_times_the_value() -> None:
    losses: dict[int, Loss] = {
        2: 45,
        3: 78,
        4: 23,
        5: (20, Outcome.FIRST_DROP),
        6: (40, Outcome.MIDDLE_DROP),
    }
    match = scored(opened("points", 6, value=4), 1, losses)
    assert over(match).scores == ((1, 824), (2, -180), (3, -312), (4, -92), (5, -80), (6, -160))


def test_a_fee_of_ten_percent_leaves_351_of_390() -> None:
    won = winnings_of(result(1, {2: 50, 3: 30, 4: 20, 5: 20, 6: 10}), value=3)
    assert won == 390
    assert won - won * 10 // 100 == 351


def test_one_deal_is_one_game() -> None:
    match = scored(opened("points", 3), 2, {1: 30, 3: 30})
    assert over(match).places == ((2,), (1, 3))
    assert over(match).split_weights is None
    with refused(Code.MATCH_OVER):
        match.record(result(2, {1: 30, 3: 30}))


@pytest.mark.parametrize(("name", "drops"), [("points", (20, 40)), ("points_low", (10, 30))])
def test_drops_cost_20_and_40_or_as_an_option_10_and_30(name: str, drops: tuple[int, int]) -> None:
    terms = next_deal(opened(name, 4)).terms
    assert (terms.first_drop, terms.middle_drop) == drops
    assert terms.wrong_declaration == 80


def test_a_player_brings_80_points_worth() -> None:
    assert PointsFormat(value=25).must_bring(profile_named("rummycircle")) == 2000


def test_without_a_cap_a_player_brings_what_a_whole_hand_can_cost() -> None:
    assert PointsFormat(value=1).must_bring(profile_named("g24_knockout")) == 130


def test_a_new_player_sits_down_between_deals_and_calls_for_a_new_toss() -> None:
    match = scored(opened("points", 2, deals=3), 1, {2: 10})
    assert next_deal(match).dealer is not None
    match = match.join(5)
    assert next_deal(match).dealer is None
    assert next_deal(match).seats == (1, 2, 5)
    match = scored(match, 5, {1: 10, 2: 20})
    assert totals_of(match) == {1: 0, 2: -30, 5: 30}
    assert match.buy_ins == 3


def test_who_leaves_keeps_what_he_won_and_is_not_dealt_in() -> None:
    match = scored(opened("points", 3, deals=3), 1, {2: 10, 3: 20}).leave(1)
    assert next_deal(match).seats == (2, 3)
    match = scored(match, 2, {3: 10})
    match = scored(match, 2, {3: 10})
    assert over(match).places == ((1,), (2,), (3,))
    assert totals_of(match) == {1: 30, 2: 10, 3: -40}


def test_the_match_ends_when_one_player_is_left() -> None:
    match = opened("points", 2, deals=9).leave(1)
    assert over(match).places == ((2,), (1,))


def test_a_used_seat_and_a_full_table_cannot_be_joined() -> None:
    match = scored(opened("points", 6, deals=3), 1).leave(2)
    with refused(Code.NO_JOIN, "seat"):
        match.join(2)
    with refused(Code.BAD_SEATS):
        match.join(7).join(8)
    with refused(Code.NOT_SEATED, "seat"):
        match.leave(2)
    with refused(Code.NO_JOIN, "seat"):
        opened("pool101", 3).join(4)
