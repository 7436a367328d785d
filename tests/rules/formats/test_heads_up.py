"""Rule 6.4: heads-up knock-out."""

from __future__ import annotations

import pytest

from tables.rules.errors import Code
from tables.rules.formats import DrawLot
from tables.rules.results import Outcome
from tests.rules.formats.helpers import next_deal, opened, over, refused, result, scored


def test_the_fewest_total_points_of_two_games_go_on() -> None:
    match = scored(scored(opened("heads_up", 2), 1, {2: 40}), 2, {1: 39})
    end = over(match)
    assert end.places == ((1,), (2,))
    assert end.scores == ((1, 39), (2, 40))


def test_a_tie_in_a_round_is_drawn_by_lot() -> None:
    match = scored(scored(opened("heads_up", 2), 1, {2: 40}), 2, {1: 40})
    assert match.next_step() == DrawLot((1, 2), drawn_goes_on=True)
    with refused(Code.NOT_SEATED, "seat"):
        match.draw_lot(3)
    with refused(Code.DEAL_NOT_EXPECTED):
        match.record(result(1, {2: 3}))
    assert over(match.draw_lot(2)).places == ((2,), (1,))


def test_a_tie_in_a_final_is_shared() -> None:
    match = opened("heads_up", 2, on_tie="share")
    match = scored(scored(match, 1, {2: 40}), 2, {1: 40})
    assert over(match).places == ((1, 2),)


def test_a_whole_hand_counts_without_a_cap() -> None:
    match = scored(opened("heads_up", 2), 1, {2: (130, Outcome.WRONG_DECLARATION)})
    match = scored(match, 1, {2: (110, Outcome.FULL_COUNT)})
    assert over(match).scores == ((1, 0), (2, 240))


def test_who_leaves_loses_the_set() -> None:
    match = scored(opened("heads_up", 2), 1, {2: 100})
    assert over(match.leave(1)).places == ((2,), (1,))
    during = scored(match, 2, {1: (20, Outcome.LEFT)})
    assert over(during).places == ((2,), (1,))


def test_a_set_may_have_another_number_of_games() -> None:
    match = scored(opened("heads_up", 2, games=1), 2, {1: 5})
    assert over(match).places == ((2,), (1,))


def test_the_deal_passes_to_the_other_player() -> None:
    match = scored(opened("heads_up", [1, 2]), 2, {1: 5})
    assert next_deal(match).dealer == 2
    assert next_deal(match).seats == (1, 2)


@pytest.mark.parametrize("seats", [1, 3])
def test_a_set_is_for_two(seats: int) -> None:
    with refused(Code.BAD_SEATS):
        opened("heads_up", seats, profile="rummycircle")


def test_a_set_has_no_drop() -> None:
    with refused(Code.BAD_OPTION, "first_drop"):
        opened("heads_up", 2, first_drop=20, middle_drop=40)
    with refused(Code.BAD_RESULT, "scores[1]"):
        opened("heads_up", 2).record(result(1, {2: (20, Outcome.FIRST_DROP)}))


def test_a_lot_is_drawn_only_when_it_is_asked_for() -> None:
    with refused(Code.NO_LOT):
        opened("heads_up", 2).draw_lot(1)
    with refused(Code.NO_LOT):
        opened("deals", 2).draw_lot(1)
