"""Rule 6.3: pool rummy, elimination and places."""

from __future__ import annotations

import pytest

from tables.rules.errors import Code
from tables.rules.formats import MatchOver, drops_left
from tables.rules.results import Outcome
from tests.rules.formats.helpers import (
    brought_to,
    next_deal,
    opened,
    over,
    refused,
    result,
    scored,
    totals_of,
)

TABLE = [
    # name, limit, first drop, middle drop, wrong declaration
    ("pool51", 51, 10, 20, 80),
    ("pool61", 61, 15, 30, 60),
    ("pool101", 101, 20, 40, 80),
    ("pool201", 201, 25, 50, 80),
]


@pytest.mark.parametrize(("name", "limit", "first", "middle", "wrong"), TABLE)
def test_each_pool_has_its_own_penalties(
    name: str, limit: int, first: int, middle: int, wrong: int
) -> None:
    terms = next_deal(opened(name, 3)).terms
    assert (terms.first_drop, terms.middle_drop, terms.wrong_declaration) == (first, middle, wrong)


@pytest.mark.parametrize(("name", "limit", "first", "middle", "wrong"), TABLE)
def test_a_player_is_out_on_reaching_the_limit(
    name: str, limit: int, first: int, middle: int, wrong: int
) -> None:
    match = brought_to(opened(name, 3, rejoin=False, auto_split=False), {2: limit - 1, 3: limit})
    inside = {line.seat: line.still_in for line in match.standings()}
    assert inside == {1: True, 2: True, 3: False}


@pytest.mark.parametrize(
    ("limit", "first_drop", "total", "drops"),
    [
        (101, 20, 60, 2),
        (101, 20, 80, 1),
        (101, 20, 81, 0),
        (101, 20, 95, 0),
        (201, 25, 150, 2),
        (201, 25, 175, 1),
        (201, 25, 176, 0),
        (201, 25, 180, 0),
        (61, 15, 45, 1),
        (61, 15, 46, 0),
        (51, 10, 40, 1),
        (51, 10, 41, 0),
        (101, 20, 140, 0),
    ],
)
def test_drops_left_at_the_published_check_points(
    limit: int, first_drop: int, total: int, drops: int
) -> None:
    assert drops_left(total, limit=limit, first_drop=first_drop) == drops


@pytest.mark.parametrize(
    ("name", "total"), [("pool51", 41), ("pool61", 46), ("pool101", 81), ("pool201", 176)]
)
def test_nobody_can_drop_from_the_total_at_which_a_drop_would_put_him_out(
    name: str, total: int
) -> None:
    match = brought_to(opened(name, 3), {2: total, 3: total - 1})
    assert next_deal(match).no_drop == (2,)


def test_the_last_one_standing_wins_five_buy_ins() -> None:
    match = brought_to(opened("pool101", 5), {2: 80, 3: 80, 4: 80, 5: 80})
    match = scored(match, 1, {2: 80, 3: 80, 4: 80, 5: 80})
    end = over(match.time_passed())
    assert end.places[0] == (1,)
    assert 50 * end.buy_ins == 250


def test_later_out_ranks_before_earlier_out() -> None:
    match = brought_to(opened("pool101", 4, rejoin=False), {4: 101})
    match = brought_to(match, {2: 50, 3: 101})
    match = brought_to(match, {2: 120})
    assert over(match).places == ((1,), (2,), (3,), (4,))


def test_of_two_out_in_the_same_deal_the_better_before_it_ranks_higher() -> None:
    match = brought_to(opened("pool101", 3, rejoin=False), {2: 90, 3: 80})
    end = over(scored(match, 1, {2: 11, 3: 80}))
    assert end.places == ((1,), (3,), (2,))
    assert end.scores == ((1, 0), (2, 101), (3, 160))


def test_two_out_in_the_same_deal_from_equal_totals_share_the_place() -> None:
    match = brought_to(opened("pool101", 3, rejoin=False), {2: 80, 3: 80})
    match = scored(match, 1, {2: 30, 3: 40})
    assert over(match).places == ((1,), (2, 3))
    assert [line.place for line in match.standings()] == [1, 2, 2]


def test_who_leaves_is_out_at_that_moment_with_the_points_he_has() -> None:
    match = brought_to(opened("pool101", 4, rejoin=False), {4: 101, 1: 20}).leave(1)
    assert totals_of(match)[1] == 20
    assert next_deal(match).seats == (2, 3)
    match = brought_to(match, {2: 110})
    assert over(match).places == ((3,), (2,), (1,), (4,))
    with refused(Code.MATCH_OVER):
        match.leave(3)


def test_of_two_who_leave_between_the_same_deals_the_later_ranks_higher() -> None:
    """The one who left first had fewer points."""
    match = brought_to(opened("pool101", 4, rejoin=False), {2: 30, 3: 60}).leave(2).leave(3)
    match = brought_to(match, {4: 101})
    assert over(match).places == ((1,), (4,), (3,), (2,))


def test_who_goes_out_in_the_next_deal_ranks_before_who_left_before_it() -> None:
    match = brought_to(opened("pool101", 3, rejoin=False, auto_split=False), {2: 10, 3: 90})
    assert over(scored(match.leave(2), 1, {3: 80})).places == ((1,), (3,), (2,))


def test_who_is_out_cannot_leave_again() -> None:
    match = opened("pool101", 3).leave(1)
    with refused(Code.NOT_SEATED, "seat"):
        match.leave(1)
    with refused(Code.NOT_SEATED, "seat"):
        match.leave(9)


def test_the_last_player_there_wins() -> None:
    assert over(opened("pool201", 2).leave(2)).places == ((1,), (2,))


def test_after_the_most_deals_the_fewest_points_win() -> None:
    """So that a pool ends even when losers count nothing."""
    match = opened("pool101", 3, max_deals=2)
    match = scored(scored(match, 1, {2: 30}), 1, {3: 80})
    end = over(match)
    assert isinstance(end, MatchOver)
    assert end.places == ((1,), (2,), (3,))


def test_a_drop_of_another_pool_is_no_result_here() -> None:
    match = opened("pool101", 2)
    with refused(Code.BAD_RESULT, "scores[1]"):
        match.record(result(1, {2: (25, Outcome.FIRST_DROP)}))
    with refused(Code.BAD_RESULT, "scores[1]"):
        opened("pool201", 2).record(result(1, {2: (40, Outcome.MIDDLE_DROP)}))
    with refused(Code.BAD_RESULT, "scores[1]"):
        opened("pool61", 2).record(result(1, {2: (80, Outcome.WRONG_DECLARATION)}))
