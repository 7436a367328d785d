"""What a ruling leads to, told before it is confirmed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.overrides import (
    Fate,
    Line,
    LostTable,
    Picture,
    SeatRuling,
    check_rulings,
    consequences,
)

ON, OUT, TIED, OPEN = Fate.GOES_ON, Fate.OUT, Fate.TIED, Fate.OPEN


def _picture(
    *lines: tuple[str, Fate, int, int], prizes: tuple[tuple[int, int], ...] = ()
) -> Picture:
    return Picture(
        tuple(
            Line(number, name, fate, place, score)
            for number, (name, fate, place, score) in enumerate(lines, 1)
        ),
        prizes,
    )


BEFORE = _picture(("Asha", ON, 1, 20), ("Ben", OUT, 2, 60))
AFTER = _picture(("Asha", OUT, 2, 60), ("Ben", ON, 1, 20))


def test_who_goes_on_instead_of_whom_is_said_with_both_results() -> None:
    assert consequences(BEFORE, AFTER).sentences == (
        "Asha: place 2 with 60 points instead of place 1 with 20 points.",
        "Ben: place 1 with 20 points instead of place 2 with 60 points.",
        "Ben goes on instead of Asha.",
    )


def test_a_ruling_that_changes_nothing_says_so() -> None:
    assert consequences(BEFORE, BEFORE).sentences == ("Nothing changes.",)


def test_a_tie_on_the_deciding_place_is_announced() -> None:
    tied = _picture(("Asha", TIED, 1, 20), ("Ben", TIED, 1, 20))
    said = consequences(BEFORE, tied).sentences
    assert "Asha does not go on any more." in said
    assert "Asha and Ben are level on the place that decides: a tie-break follows." in said


def test_a_table_played_again_has_no_result_yet() -> None:
    again = Picture(tuple(Line(n, name, OPEN) for n, name in ((1, "Asha"), (2, "Ben"))))
    assert consequences(BEFORE, again).sentences[0] == (
        "Asha: no result yet instead of place 1 with 20 points."
    )


def test_changed_prizes_are_named_with_their_amounts() -> None:
    before = Picture(BEFORE.lines, ((1, 500), (2, 300)))
    after = Picture(AFTER.lines, ((1, 300), (2, 500)))
    said = consequences(before, after, prize_words={500: "5.00 EUR", 300: "3.00 EUR"}).sentences
    assert "Asha would get 3.00 EUR instead of 5.00 EUR." in said
    assert "Ben would get 5.00 EUR instead of 3.00 EUR." in said
    undone = consequences(before, Picture(AFTER.lines)).sentences
    assert "Who gets which prize is open again." in undone


def test_discarded_tables_are_named_with_players_and_deals_and_need_force() -> None:
    lost = [
        LostTable("round 2, table 1", ("Asha", "Cem", "Dana"), 3),
        LostTable("round 2, table 2", ("Eva", "Finn"), 0),
    ]
    found = consequences(BEFORE, AFTER, lost)
    assert found.needs_force
    assert found.sentences[-2:] == (
        "Round 2, table 1 (Asha, Cem and Dana) is discarded; 3 deals were dealt there.",
        "Round 2, table 2 (Eva and Finn) is discarded; no deal was dealt there.",
    )
    assert not consequences(BEFORE, AFTER).needs_force


def test_the_token_names_the_ruling_both_pictures_and_what_is_discarded() -> None:
    lost = [LostTable("round 2, table 1", ("Asha",), 1)]
    more = [LostTable("round 2, table 1", ("Asha",), 2)]
    tokens = {
        consequences(BEFORE, AFTER).token,
        consequences(AFTER, BEFORE).token,
        consequences(BEFORE, AFTER, what="redo").token,
        consequences(BEFORE, AFTER, lost).token,
        consequences(BEFORE, AFTER, more).token,
    }
    assert len(tokens) == 5
    assert consequences(BEFORE, AFTER).token in tokens


@given(st.lists(st.integers(0, 3), min_size=2, max_size=6))
def test_places_of_any_scores_are_a_ruling_and_with_one_moved_up_none(scores: list[int]) -> None:
    places = [1 + sum(other < score for other in scores) for score in scores]
    rulings = [SeatRuling(seat, place, 0) for seat, place in enumerate(places)]
    check_rulings(rulings, range(len(scores)))
    worse = [SeatRuling(r.seat, r.place + 1, 0) for r in rulings]
    with pytest.raises(StructureError) as refusal:
        check_rulings(worse, range(len(scores)))
    assert refusal.value.code is StructureCode.BAD_RULING


@pytest.mark.parametrize("seats", [(0,), (0, 1, 2), (0, 0), (0, 2)])
def test_each_seat_of_the_table_needs_one_result(seats: tuple[int, ...]) -> None:
    rulings = [SeatRuling(seat, place, 0) for place, seat in enumerate(seats, 1)]
    with pytest.raises(StructureError) as refusal:
        check_rulings(rulings, (0, 1))
    assert (refusal.value.code, refusal.value.field) == (StructureCode.BAD_RULING, "rulings")


@pytest.mark.parametrize("bad", [(0, 0, 0), (0, 1, -1), (-1, 1, 0), (0, True, 0)])
def test_a_result_has_a_seat_a_place_from_1_and_a_score_from_0(bad: tuple[int, int, int]) -> None:
    with pytest.raises(StructureError):
        SeatRuling(*bad)
