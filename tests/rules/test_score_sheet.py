"""Score sheets: what a scorer may write about a deal, and what no deal can have left."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules.errors import Code
from tables.rules.formats import FORMATS, Match, NextDeal
from tables.rules.profiles import PROFILES
from tables.rules.results import DealResult, Outcome, SeatScore
from tables.rules.score_sheet import (
    Kind,
    SheetRefused,
    SheetRow,
    cost_of,
    costs_in_words,
    impossible,
    read_sheet,
)
from tests.rules.formats.helpers import brought_to, next_deal, opened, scored


def row(seat: int, kind: str, points: int | None = None, cards: str = "", **more: Any) -> SheetRow:
    return SheetRow(seat=seat, kind=Kind(kind), points=points, cards=cards, **more)


def faults(step: NextDeal, *rows: SheetRow, wild: str = "") -> list[tuple[str | None, Code]]:
    """Field and code of everything that is wrong with a sheet."""
    with pytest.raises(SheetRefused) as refusal:
        read_sheet(step, rows, wild)
    first = refusal.value.errors[0]
    assert (refusal.value.code, refusal.value.field) == (first.code, first.field)
    assert all(error.sentence.endswith(".") for error in refusal.value.errors)
    return [(error.field, error.code) for error in refusal.value.errors]


def step_of(name: str = "pool101", seats: int = 4, **options: Any) -> NextDeal:
    return next_deal(opened(name, seats, **options))


# What is read


def test_every_kind_of_row_becomes_its_outcome() -> None:
    rows = [
        row(1, "won"),
        row(2, "drop"),
        row(3, "middle_drop"),
        row(4, "wrong_declaration"),
        row(5, "lost", 23),
        row(6, "full_count", 64),
    ]
    assert read_sheet(step_of(seats=6), rows).scores == (
        SeatScore(1, 0, Outcome.WON),
        SeatScore(2, 20, Outcome.FIRST_DROP),
        SeatScore(3, 40, Outcome.MIDDLE_DROP),
        SeatScore(4, 80, Outcome.WRONG_DECLARATION),
        SeatScore(5, 23, Outcome.LOST),
        SeatScore(6, 64, Outcome.FULL_COUNT),
    )


@pytest.mark.parametrize(
    ("name", "first", "middle", "wrong"),
    [
        ("pool51", 10, 20, 80),
        ("pool61", 15, 30, 60),
        ("pool101", 20, 40, 80),
        ("pool201", 25, 50, 80),
        ("points_low", 10, 30, 80),
    ],
)
def test_drops_and_wrong_declarations_cost_what_the_format_says_and_nothing_else(
    name: str, first: int, middle: int, wrong: int
) -> None:
    step = step_of(name)
    rows = [row(1, "won"), row(2, "drop"), row(3, "middle_drop"), row(4, "wrong_declaration")]
    assert [s.points for s in read_sheet(step, rows).scores] == [0, first, middle, wrong]
    stated = [row(1, "won", 0), row(2, "drop", first), row(3, "middle_drop", middle)]
    assert read_sheet(step, [*stated, row(4, "wrong_declaration", wrong)]).winner == 1
    other = [row(1, "won"), row(2, "drop", first + 5), row(3, "middle_drop", middle - 5)]
    assert faults(step, *other, row(4, "wrong_declaration", wrong - 1)) == [
        ("rows[1].points", Code.BAD_RESULT),
        ("rows[2].points", Code.BAD_RESULT),
        ("rows[3].points", Code.BAD_RESULT),
    ]


def test_after_wrong_declarations_the_others_play_on_or_the_last_one_wins() -> None:
    step = step_of()
    wrong = [row(3, "wrong_declaration"), row(4, "wrong_declaration")]
    assert read_sheet(step, [row(1, "won"), row(2, "lost", 12), *wrong]).points_of(2) == 12
    last = read_sheet(step, [row(1, "won"), row(2, "wrong_declaration"), *wrong])
    assert [s.points for s in last.scores] == [0, 80, 80, 80]


def test_a_loser_may_count_nothing_but_never_one() -> None:
    step = step_of(seats=2)
    assert read_sheet(step, [row(1, "won"), row(2, "lost", 0)]).points_of(2) == 0
    assert faults(step, row(1, "won"), row(2, "lost", 1)) == [("rows[1].points", Code.BAD_RESULT)]
    octro = next_deal(opened("pool101", 2, profile="octro"))
    assert read_sheet(octro, [row(1, "won"), row(2, "lost", 1)]).points_of(2) == 1


def test_in_octro_a_hand_counts_sixty_at_most_or_eighty_flat() -> None:
    octro = PROFILES["octro"]
    possible = [n for n in range(131) if not impossible(n, octro, whole_hand=False)]
    assert possible == [*range(61), 80]
    assert [n for n in range(131) if not impossible(n, octro, whole_hand=True)] == [80]


def test_where_there_is_no_cap_a_hand_counts_up_to_130() -> None:
    step = step_of("heads_up", 2)
    assert read_sheet(step, [row(1, "won"), row(2, "lost", 130)]).points_of(2) == 130
    assert faults(step, row(1, "won"), row(2, "lost", 131)) == [("rows[1].points", Code.BAD_RESULT)]
    wrong = read_sheet(step, [row(1, "won"), row(2, "wrong_declaration", 97)])
    assert wrong.points_of(2) == 97


def test_who_is_absent_gets_the_first_drop_or_the_deal_he_missed() -> None:
    def points(step: NextDeal, absent: SheetRow) -> SeatScore:
        return read_sheet(step, [row(1, "won"), absent]).scores[1]

    assert points(step_of(seats=2), row(2, "absent")) == SeatScore(2, 20, Outcome.FIRST_DROP)
    deals, heads_up = step_of("deals", 2), step_of("heads_up", 2)
    assert points(deals, row(2, "absent")) == SeatScore(2, 80, Outcome.FULL_COUNT)
    assert points(deals, row(2, "absent", 35)) == SeatScore(2, 35, Outcome.FULL_COUNT)
    assert points(heads_up, row(2, "absent")) == SeatScore(2, 80, Outcome.FULL_COUNT)
    gone = row(2, "absent", leaves=True)
    assert points(deals, gone) == SeatScore(2, 80, Outcome.LEFT)


def test_rows_stand_in_the_order_of_the_toss_and_later_in_any_order() -> None:
    match = opened("deals", 3, deals=4)
    rows = [row(3, "won"), row(1, "lost", 5), row(2, "lost", 6)]
    first = read_sheet(next_deal(match), rows)
    assert [s.seat for s in first.scores] == [3, 1, 2]
    step = next_deal(match.record(first))
    assert step.seats == (1, 2, 3)
    assert [s.seat for s in read_sheet(step, rows).scores] == [1, 2, 3]


# What is refused


def test_all_that_is_wrong_is_said_at_once_and_where() -> None:
    sheet = [row(1, "won", 3), row(2, "won"), row(3, "lost", 81), row(7, "drop"), row(3, "lost")]
    assert faults(step_of(), *sheet) == [
        ("rows[3].seat", Code.NOT_SEATED),
        ("rows[4].seat", Code.BAD_RESULT),
        ("rows", Code.BAD_RESULT),
        ("rows[1].kind", Code.BAD_RESULT),
        ("rows[0].points", Code.BAD_RESULT),
        ("rows[2].points", Code.BAD_RESULT),
        ("rows[4].points", Code.BAD_RESULT),
    ]


def test_a_deal_without_a_winner_is_refused() -> None:
    step = step_of(seats=2)
    assert faults(step, row(1, "lost", 5), row(2, "drop")) == [("rows", Code.BAD_RESULT)]
    assert faults(step) == [("rows", Code.BAD_RESULT)] * 3


@pytest.mark.parametrize("kind", ["drop", "middle_drop"])
def test_nobody_drops_where_there_is_no_drop(kind: str) -> None:
    for name in ("deals", "heads_up"):
        step = step_of(name, 2)
        assert cost_of(step, 2, Kind(kind)) is None
        assert faults(step, row(1, "won"), row(2, kind)) == [("rows[1].kind", Code.NO_DROP)]


@pytest.mark.parametrize("kind", ["drop", "middle_drop"])
def test_nobody_drops_from_a_total_that_leaves_no_drop_unless_he_goes_away(kind: str) -> None:
    step = next_deal(brought_to(opened("pool101", 3), {2: 81}))
    assert step.no_drop == (2,)
    others = [row(1, "won"), row(3, "drop")]
    assert faults(step, *others, row(2, kind)) == [("rows[2].kind", Code.NO_DROP)]
    assert read_sheet(step, [*others, row(2, kind, leaves=True)]).winner == 1
    assert read_sheet(step, [*others, row(2, "absent")]).points_of(2) == 20


def test_points_and_cards_of_a_drop_are_refused_where_they_say_something_else() -> None:
    step = step_of(seats=2)
    sheet = row(2, "drop", 20, "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH")
    assert faults(step, row(1, "won"), sheet, wild="2") == [("rows[1].cards", Code.BAD_RESULT)]


# Cards

COUNTS_35 = "2H 3H 4H | 5C 6C QD | 8D 8S 5C | 2D 2C | KS QS"
COMPLETE = "2H 3H 4H | 5C 6C 7C 8C | 9D 9S 9C | KS KD QH"


def test_cards_count_as_in_the_published_example() -> None:
    """The page says 45 for the last hand; its queen of spades is a wild joker (rule 4.5)."""
    step = next_deal(opened("points", 2, profile="rummycircle"))
    hands = {"3H 4H 5H|5C 6C 7C QD|8D 5C|2D 2C 2H|KS": 23, COUNTS_35: 35}
    for cards, points in hands.items():
        sheet = [row(1, "won"), row(2, "lost", cards=cards)]
        assert read_sheet(step, sheet, "Q").points_of(2) == points
    assert faults(step, row(1, "won"), row(2, "lost", 45, COUNTS_35), wild="Q") == [
        ("rows[1].points", Code.BAD_RESULT)
    ]


def test_the_hands_of_the_published_example_cannot_all_be_of_one_deal() -> None:
    """Two of them hold the five of clubs twice, and there are two packs."""
    step = next_deal(opened("points", 3, profile="rummycircle"))
    one = row(2, "lost", cards="3H 4H 5H|5C 6C 7C QD|8D 5C|2D 2C 2H|KS")
    sheet = [row(1, "won"), one, row(3, "lost", cards=COUNTS_35)]
    assert faults(step, *sheet, wild="Q") == [("rows[2].cards", Code.TOO_MANY_COPIES)]


def test_without_groups_the_best_grouping_counts() -> None:
    step = step_of(seats=2)
    cards = COUNTS_35.replace("|", " ")
    grouped = read_sheet(step, [row(1, "won"), row(2, "lost", cards=COUNTS_35)], "Q").points_of(2)
    best = read_sheet(step, [row(1, "won"), row(2, "lost", cards=cards)], "q").points_of(2)
    assert best <= grouped


def test_a_complete_hand_that_came_too_late_counts_two() -> None:
    step = step_of(seats=2)
    assert read_sheet(step, [row(1, "won"), row(2, "lost", cards=COMPLETE)], "Q").points_of(2) == 2


def test_a_whole_hand_counts_all_its_cards_up_to_the_cap() -> None:
    step = step_of(seats=2)
    whole = read_sheet(step, [row(1, "won"), row(2, "full_count", cards=COUNTS_35)], "Q")
    assert whole.points_of(2) == 2 + 3 + 4 + 5 + 6 + 8 + 8 + 5 + 2 + 2 + 10


def test_a_winner_shows_a_declaration_unless_nobody_else_was_left() -> None:
    step = step_of(seats=3)
    winner = row(1, "won", cards=COUNTS_35)
    assert faults(step, winner, row(2, "lost", 12), row(3, "drop"), wild="Q") == [
        ("rows[0].cards", Code.BAD_RESULT)
    ]
    assert read_sheet(step, [winner, row(2, "drop"), row(3, "drop")], "Q").winner == 1
    declared = row(1, "won", cards=COMPLETE)
    assert read_sheet(step, [declared, row(2, "lost", 12), row(3, "drop")], "Q").winner == 1


def test_a_winner_at_a_limit_has_the_fewest_points() -> None:
    step = step_of(seats=2)
    winner = row(1, "won", cards=COUNTS_35)
    assert read_sheet(step, [winner, row(2, "lost", 40)], "Q").winner == 1


def test_a_valid_declaration_is_no_wrong_one() -> None:
    for step in (step_of(seats=2), step_of("heads_up", 2)):
        fewer = COMPLETE.replace("9C", "9H")
        sheet = [row(1, "won"), row(2, "wrong_declaration", cards=fewer)]
        assert faults(step, *sheet, wild="Q") == [("rows[1].cards", Code.BAD_RESULT)]


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("2H 3H 4H", Code.WRONG_CARD_COUNT),
        ("2H 3H | 4H", Code.WRONG_CARD_COUNT),
        ("1H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", Code.BAD_CARD),
        ("?? 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", Code.BAD_CARD),
        ("2H 2H 2H 5H 6H 7H 8H 9H TH JH QH KH AH", Code.TOO_MANY_COPIES),
        ("JK JK JK 5H 6H 7H 8H 9H TH JH QH KH AH", Code.TOO_MANY_COPIES),
    ],
)
def test_what_is_no_hand_of_the_shoe_is_refused_at_its_row(cards: str, code: Code) -> None:
    step = step_of(seats=2)
    found = faults(step, row(1, "won"), row(2, "lost", cards=cards), wild="Q")
    assert found == [("rows[1].cards", code)]


def test_cards_need_the_wild_joker() -> None:
    step = step_of(seats=2)
    sheet = [row(1, "won"), row(2, "lost", cards=COUNTS_35)]
    assert faults(step, *sheet) == [("wild", Code.BAD_RANK)]
    assert faults(step, *sheet, wild="1") == [("wild", Code.BAD_RANK)]


def test_what_is_no_rank_or_too_long_is_refused_even_where_no_cards_need_it() -> None:
    step = step_of(seats=2)
    assert faults(step, row(1, "won"), row(2, "lost", 5), wild="Q" * 999) == [
        ("wild", Code.BAD_RANK)
    ]
    long = row(2, "lost", cards=COUNTS_35 + " " * 200)
    assert faults(step, row(1, "won"), long, wild="Q") == [("rows[1].cards", Code.BAD_RECORD)]


def test_two_hands_cannot_hold_three_of_one_card() -> None:
    step = step_of(seats=3)
    two = "2H 2H 4S 5S 6S 8D 9D TD JC QC KC 3C 4D"
    one = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
    sheet = [row(1, "won"), row(2, "lost", cards=two), row(3, "lost", cards=one)]
    assert faults(step, *sheet, wild="7") == [("rows[2].cards", Code.TOO_MANY_COPIES)]


def test_two_hands_cannot_hold_every_card_of_the_wild_rank_since_one_is_turned_up() -> None:
    step = step_of(seats=3)
    one = "AS AH AD AC 2H 3H 4H 5H 6H 7H 8H 9H TH"
    two = "AS AH AD AC 2D 3D 4D 5D 6D 7D 8D 9D TD"
    sheet = [row(1, "won"), row(2, "lost", cards=one), row(3, "lost", cards=two)]
    assert faults(step, *sheet, wild="A") == [("rows[2].cards", Code.TOO_MANY_COPIES)]
    assert read_sheet(step, sheet, "K").winner == 1
    jokers = [row(seat, "lost", cards=h.replace("AS", "JK")) for seat, h in ((2, one), (3, two))]
    assert faults(step, sheet[0], *jokers, wild="JK") == [("rows[2].cards", Code.TOO_MANY_COPIES)]


def test_all_jacks_may_be_held_beside_the_printed_jokers_and_all_aces_when_a_joker_is_up() -> None:
    step = step_of(seats=2)
    jacks = "JS JS JH JH JD JD JC JK JK 2H 3H 4H 5H"
    sheet = [row(1, "won"), row(2, "lost", cards=jacks)]
    assert read_sheet(step, sheet, "J").winner == 1
    aces = "AS AS AH AH AD AD AC AC JK 2H 3H 4H 5H"
    assert read_sheet(step, [row(1, "won"), row(2, "lost", cards=aces)], "JK").winner == 1
    sheet = [row(1, "won"), row(2, "lost", cards=aces)]
    assert faults(step, *sheet, wild="A") == [("rows[1].cards", Code.TOO_MANY_COPIES)]


# In words


def test_the_sheet_says_what_each_kind_counts() -> None:
    pool, deals = step_of("pool201").terms, step_of("deals").terms
    assert costs_in_words(pool, Kind.DROP) == "25 points"
    assert costs_in_words(pool, Kind.LOST) == "0 to 80 points, or the cards"
    assert costs_in_words(deals, Kind.DROP) == "not in this match"
    assert costs_in_words(deals, Kind.ABSENT) == "80 points, or the hand that was dealt to him"
    octro = next_deal(opened("deals", 2, profile="octro")).terms
    assert costs_in_words(octro, Kind.FULL_COUNT) == "80 points"


# Whatever is written


@st.composite
def sheets(draw: st.DrawFn) -> tuple[Match, list[SheetRow]]:
    """A match of any format after some deals, and rows that somebody may write."""
    name = draw(st.sampled_from(sorted(FORMATS)))
    seats = 2 if name == "heads_up" else draw(st.integers(2, 6))
    match = opened(name, seats)
    for points in draw(st.lists(st.integers(2, 40), max_size=3)):
        if isinstance(step := match.next_step(), NextDeal):
            match = scored(match, step.seats[0], dict.fromkeys(step.seats[1:], points))
    rows = [
        SheetRow(
            seat=seat,
            kind=draw(st.sampled_from(Kind)),
            points=draw(st.none() | st.integers(-1, 131)),
            leaves=draw(st.booleans()),
        )
        for seat in range(1, seats + 1)
    ]
    winner = draw(st.integers(0, seats - 1))
    kinds = [row.kind for row in rows]
    kinds[winner] = Kind.WON
    if draw(st.booleans()):
        rows = [
            msgspec.structs.replace(row, kind=kind, points=None if kind is Kind.WON else row.points)
            for row, kind in zip(rows, kinds, strict=True)
        ]
    return match, rows


def read_or_refused(step: NextDeal, rows: list[SheetRow]) -> DealResult | SheetRefused:
    try:
        return read_sheet(step, rows)
    except SheetRefused as refusal:
        return refusal


@given(sheets())
def test_a_sheet_is_refused_by_name_or_gives_a_result_that_the_match_takes(
    sheet: tuple[Match, list[SheetRow]],
) -> None:
    match, rows = sheet
    step = match.next_step()
    if not isinstance(step, NextDeal):
        return
    result = read_or_refused(step, rows)
    if isinstance(result, SheetRefused):
        assert result.errors
        assert all(error.field and error.field.startswith("rows") for error in result.errors)
        return
    after = match.record(result)
    assert after.results[-1] == DealResult(result.scores)
    changed = sum(line.score for line in after.standings())
    if match.opening.format.name in ("deals", "points"):
        assert changed == sum(line.score for line in match.standings())
