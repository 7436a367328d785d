"""Rule 6.5: highest out."""

from __future__ import annotations

from tables.rules.errors import Code
from tables.rules.formats import DrawLot
from tests.rules.formats.helpers import next_deal, opened, over, refused, scored, totals_of


def test_the_highest_total_goes_after_each_deal() -> None:
    match = scored(opened("highest_out", 4), 1, {2: 10, 3: 30, 4: 20})
    assert next_deal(match).seats == (1, 2, 4)
    match = scored(match, 4, {1: 15, 2: 10})
    assert next_deal(match).seats == (1, 4), "of two totals of 20 the one of 10 + 10 goes"
    match = scored(match, 1, {4: 2})
    assert over(match).places == ((1,), (4,), (2,), (3,))
    assert totals_of(match) == {1: 15, 4: 22, 2: 20, 3: 30}


def test_the_winner_of_a_deal_can_be_the_one_who_goes() -> None:
    match = scored(opened("highest_out", 3), 1, {2: 60, 3: 80})
    match = scored(match, 2, {1: 5})
    assert over(match).places == ((1,), (2,), (3,))


def test_of_equal_totals_the_one_with_more_points_in_the_last_deal_goes() -> None:
    match = scored(opened("highest_out", 4), 1, {2: 30, 3: 20, 4: 80})
    match = scored(match, 1, {2: 10, 3: 20})
    assert totals_of(match) == {1: 0, 2: 40, 3: 40, 4: 80}
    assert next_deal(match).seats == (1, 2)


def test_equal_in_the_last_deal_too_is_drawn_by_lot() -> None:
    match = scored(opened("highest_out", 4), 1, {2: 30, 3: 40, 4: 40})
    assert match.next_step() == DrawLot((3, 4), drawn_goes_on=False)
    with refused(Code.NOT_SEATED, "seat"):
        match.draw_lot(2)
    assert next_deal(match.draw_lot(3)).seats == (1, 2, 4)


def test_who_leaves_while_tied_goes_instead_of_the_lot() -> None:
    match = scored(opened("highest_out", 4), 1, {2: 30, 3: 40, 4: 40})
    assert next_deal(match.leave(4)).seats == (1, 2, 3)
    assert match.leave(2).next_step() == DrawLot((3, 4), drawn_goes_on=False)


def test_who_leaves_between_deals_is_out() -> None:
    match = opened("highest_out", 3).leave(2)
    with refused(Code.NOT_SEATED, "seat"):
        match.leave(2)
    assert over(scored(match, 1, {3: 5})).places == ((1,), (3,), (2,))


def test_a_lot_is_refused_when_nobody_is_tied() -> None:
    with refused(Code.NO_LOT):
        opened("highest_out", 3).draw_lot(1)
