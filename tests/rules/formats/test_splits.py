"""Rules 6.3.5 and 6.3.6: sharing the prize pool before the match is played out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tables.rules.errors import Code
from tables.rules.formats import AwaitRejoin, AwaitSplit, Match, split_weights
from tests.rules.formats.helpers import brought_to, next_deal, opened, over, refused, scored


def shares(pool: Fraction | int, weights: tuple[int, ...]) -> tuple[Fraction, ...]:
    """What each weight is of the pool, exactly."""
    return tuple(Fraction(pool) * weight / sum(weights) for weight in weights)


def less(percent: int, amount: int) -> Fraction:
    """The amount less a fee."""
    return Fraction(amount * (100 - percent), 100)


PUBLISHED = [
    # pool, buy-ins, drops left, weights, shares
    (150, 6, (3, 1, 0), (11, 5, 2), ("91 2/3", "41 2/3", "16 2/3")),
    (800, 8, (0, 0), (8, 8), ("400", "400")),
    (800, 8, (1, 0), (9, 7), ("450", "350")),
    (800, 8, (2, 0), (10, 6), ("500", "300")),
    (800, 8, (3, 0), (11, 5), ("550", "250")),
    (800, 8, (4, 0), (12, 4), ("600", "200")),
    (less(12, 6000), 6, (2, 1, 0), (9, 6, 3), ("2640", "1760", "880")),
    (less(10, 300), 6, (3, 1, 0), (11, 5, 2), ("165", "75", "30")),
    (less(10, 800), 4, (3, 0), (7, 1), ("630", "90")),
]


@pytest.mark.parametrize(("pool", "buy_ins", "drops", "weights", "amounts"), PUBLISHED)
def test_the_published_splits(
    pool: int, buy_ins: int, drops: tuple[int, ...], weights: tuple[int, ...], amounts: list[str]
) -> None:
    assert split_weights(drops, buy_ins) == weights
    wanted = tuple(sum(map(Fraction, amount.split())) for amount in amounts)
    assert shares(pool, weights) == wanted


@pytest.mark.parametrize("drops", [(4, 0), (7, 0)])
def test_a_split_that_leaves_less_than_one_buy_in_to_share_is_refused(
    drops: tuple[int, ...],
) -> None:
    with refused(Code.NO_SPLIT):
        split_weights(drops, 4)


def test_the_rest_is_exactly_one_buy_in_at_the_last_split_allowed() -> None:
    pool = less(10, 800)
    u = pool / 4
    rest = pool - u * 3
    assert rest == u
    assert shares(pool, split_weights((3, 0), 4)) == (u * 3 + rest / 2, rest / 2)


@pytest.mark.parametrize("drops", [(3, 1, 0), (5, 5, 4), (2, 0), (1, 1), (0, 2, 1)])
def test_weights_add_up_to_players_times_buy_ins(drops: tuple[int, ...]) -> None:
    assert sum(split_weights(drops, 7)) == 7 * len(drops)


def _left(name: str, totals: tuple[int, ...], seats: int, **options: Any) -> Match:
    """The first seats have these totals, everybody else has gone out before them."""
    match = opened(name, seats, rejoin=False, **options)
    out = dict.fromkeys(range(len(totals) + 1, seats + 1), 250)
    match = brought_to(match, out)
    return brought_to(match, dict(enumerate(totals, start=1)))


@pytest.mark.parametrize(
    ("name", "totals"), [("pool101", (60, 80, 95)), ("pool201", (150, 175, 180))]
)
def test_three_of_six_split_by_their_drops_left(name: str, totals: tuple[int, ...]) -> None:
    match = _left(name, totals, seats=6)
    assert match.split_weights_now == ((1, 9), (2, 6), (3, 3))
    match = match.offer_split(2)
    assert match.next_step() == AwaitSplit(2, (1, 3), ((1, 9), (2, 6), (3, 3)), 20)
    match = match.answer_split(3, True).answer_split(1, True)
    end = over(match)
    assert end.split_weights == ((1, 9), (2, 6), (3, 3))
    assert end.places[:3] == ((1,), (2,), (3,))
    assert [int(share) for share in shares(less(12, 6 * 1000), (9, 6, 3))] == [2640, 1760, 880]


def test_a_rejoin_counts_as_a_buy_in_of_the_split() -> None:
    match = opened("pool101", 5)
    match = brought_to(match, {5: 101}).answer_rejoin(5, True)
    match = scored(match, 1, {2: 61, 3: 80, 4: 80, 5: 80})
    match = scored(match, 2, {1: 38, 3: 5, 4: 80, 5: 80})
    assert match.buy_ins == 6
    assert match.split_weights_now == ((1, 11), (2, 5), (3, 2))


def test_any_refusal_cancels_the_offer() -> None:
    match = _left("pool101", (60, 80, 95), seats=6).offer_split(1)
    match = match.answer_split(2, True).answer_split(3, False)
    assert next_deal(match).seats


def test_silence_cancels_the_offer() -> None:
    match = _left("pool101", (60, 80, 95), seats=6).offer_split(1).answer_split(2, True)
    assert next_deal(match.time_passed()).seats


def test_a_player_may_offer_once_between_two_deals() -> None:
    match = _left("pool101", (40, 50), seats=3).offer_split(1).answer_split(2, False)
    assert match.split_weights_now
    with refused(Code.NO_SPLIT):
        match.offer_split(1)
    again = scored(match, 1, {2: 2}).offer_split(1)
    assert isinstance(again.next_step(), AwaitSplit)
    assert isinstance(match.offer_split(2).next_step(), AwaitSplit)


def test_nothing_else_happens_while_an_offer_is_open() -> None:
    match = _left("pool101", (60, 80, 95), seats=6).offer_split(1)
    assert match.split_weights_now is None
    with refused(Code.NO_SPLIT):
        match.offer_split(2)
    with refused(Code.NO_SPLIT, "seat"):
        match.answer_split(1, True)
    with refused(Code.DEAL_NOT_EXPECTED):
        match.record(match.results[-1])


def test_who_leaves_cancels_the_offer() -> None:
    match = _left("pool101", (60, 70, 80), seats=6).offer_split(1).leave(2)
    assert next_deal(match).seats == (1, 3)


def test_only_two_of_three_or_three_of_more_may_split() -> None:
    with refused(Code.NO_SPLIT):
        _left("pool101", (30, 40, 50), seats=3).offer_split(1)
    with refused(Code.NO_SPLIT):
        _left("pool101", (30, 40), seats=2).offer_split(1)
    with refused(Code.NO_SPLIT):
        _left("pool101", (30, 40, 50, 60), seats=5).offer_split(1)
    with refused(Code.NOT_SEATED, "seat"):
        _left("pool101", (30, 40), seats=3).offer_split(3)


def test_a_split_is_offered_between_two_deals_not_before_the_first() -> None:
    with refused(Code.NO_SPLIT):
        opened("pool101", 3).leave(1).offer_split(2)


def test_without_an_offer_there_is_nothing_to_answer() -> None:
    with refused(Code.NO_SPLIT):
        _left("pool101", (60, 80), seats=3).answer_split(1, True)
    with refused(Code.NO_SPLIT):
        opened("deals", 2).offer_split(1)


def test_a_table_may_allow_no_manual_split() -> None:
    match = _left("pool101", (60, 80), seats=3, manual_split=False)
    assert match.split_weights_now is None
    with refused(Code.NO_SPLIT):
        match.offer_split(1)


@pytest.mark.parametrize(
    ("name", "one_drop", "no_drop"),
    [("pool51", 40, 41), ("pool61", 45, 46), ("pool101", 80, 81), ("pool201", 175, 176)],
)
def test_two_of_three_share_at_once_when_nobody_has_a_drop_left(
    name: str, one_drop: int, no_drop: int
) -> None:
    assert not _left(name, (one_drop, no_drop), seats=3).is_over
    end = over(_left(name, (no_drop, no_drop + 3), seats=3))
    assert end.split_weights == ((1, 1), (2, 1))
    assert end.places == ((1, 2), (3,))


def test_three_of_four_share_at_once_and_three_of_three_do_not() -> None:
    end = over(_left("pool101", (81, 90, 100), seats=4))
    assert end.split_weights == ((1, 1), (2, 1), (3, 1))
    assert not _left("pool101", (81, 90, 100), seats=3).is_over


def test_a_table_of_two_never_splits() -> None:
    assert not _left("pool101", (90, 95), seats=2).is_over


def test_the_split_at_once_may_start_at_a_stated_total() -> None:
    """The wording of some tables: 80 and more, though a drop is left at 80."""
    options: dict[str, Any] = {"rejoin": False, "auto_split_from": 80}
    match = brought_to(opened("pool101", 3, **options), {3: 101})
    assert not brought_to(match, {1: 79, 2: 90}).is_over
    assert over(brought_to(match, {1: 80, 2: 80})).split_weights == ((1, 1), (2, 1))


def test_a_table_may_play_on_without_a_split_at_once() -> None:
    assert not _left("pool101", (81, 90), seats=3, auto_split=False).is_over


def test_the_split_at_once_waits_for_the_rejoin_answers() -> None:
    """Who could come back has a drop, so that nothing is shared while he is asked."""
    match = brought_to(opened("pool101", 3, auto_split_from=50), {1: 60, 2: 60, 3: 101})
    assert match.next_step() == AwaitRejoin((3,), 61, 20)
    assert over(match.time_passed()).split_weights == ((1, 1), (2, 1))
    assert sorted(next_deal(match.answer_rejoin(3, True)).seats) == [1, 2, 3]


def test_a_departure_can_leave_two_without_a_drop() -> None:
    match = brought_to(opened("pool101", 3), {1: 90, 2: 90, 3: 10}).leave(3)
    assert over(match).split_weights == ((1, 1), (2, 1))
