"""Who goes on, tie-breaks among the level, and whole knock-outs of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.structure.refusals import refusal
from tournaments.structure.deciding import (
    MAX_STAGES,
    TieBreakTable,
    by_place,
    divide,
    divide_stage,
    lot_is_due,
    over_all_chain,
    tie_break_tables,
)
from tournaments.structure.rounds import (
    Advance,
    BestOfTable,
    BestOverall,
    places_through,
    plan_rounds,
)
from tournaments.structure.seating import seat_entrants, table_sizes
from tournaments.structure.standings import ranking, standings
from tournaments.structure.tiebreaks import Measure, Record, RoundScore


def test_level_on_the_place_that_decides_is_tied_and_elsewhere_it_is_not() -> None:
    """Places 1, 2, 2, 4: with two going on the two in the middle play for one place."""
    ranked = by_place([(7, 2), (3, 1), (5, 4), (9, 2)])
    assert ranked == ((3,), (7, 9), (5,))
    found = divide(ranked, 2)
    assert (found.on, found.tied, found.places_left, found.out) == ((3,), (7, 9), 1, (5,))
    assert divide(ranked, 3).tied == ()


def test_who_has_left_takes_no_place() -> None:
    """The next one goes on instead, without a tie-break where his rival is the one who left."""
    ranked = ((3,), (7, 9), (5,))
    assert divide(ranked, 1, {3}).tied == (7, 9)
    assert divide(ranked, 1, {3, 7}).on == (9,)
    assert divide(ranked, 2, {7}) == divide(((3,), (9,), (5,), (7,)), 2)
    assert divide(ranked, 3, {3, 7, 5}).on == (9,)
    assert divide(ranked, 2, {3, 5, 7, 9}).on == ()


def test_over_all_the_place_comes_before_the_points_and_chips_come_before_all() -> None:
    """And the rounds before decide among those who are level in this one (rule 7)."""
    winner = Record(1, 2, (RoundScore(5, 2), RoundScore(70, 1)))
    second = Record(2, 2, (RoundScore(9, 1), RoundScore(10, 2)))
    third = Record(3, 2, (RoundScore(4, 1), RoundScore(10, 2)))
    points = over_all_chain(Measure.FEWEST_POINTS, by_table_place=True, rounds=2)
    assert ranking(standings([winner, second, third], points)) == ((1,), (3,), (2,))
    chips = over_all_chain(Measure.MOST_CHIPS, by_table_place=False, rounds=2)
    assert ranking(standings([winner, second, third], chips)) == ((1,), (2,), (3,))


@pytest.mark.parametrize(
    ("tied", "places", "tables"),
    [
        (2, 1, [(2, 1, 1)]),
        (6, 4, [(6, 4, 2)]),
        (13, 5, [(5, 2, 3), (4, 2, 2), (4, 1, 3)]),
        (8, 1, [(4, 0, 3), (4, 0, 3)]),
        (8, 7, [(4, 3, 0), (4, 3, 0)]),
    ],
)
def test_known_tie_break_tables(tied: int, places: int, tables: list[tuple[int, int, int]]) -> None:
    """Places by largest remainder; one place at two tables is played for by their two winners."""
    assert tie_break_tables(tied, places, 6) == tuple(TieBreakTable(*one) for one in tables)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_tie_break_tables_give_all_the_places_or_bring_the_tied_down(seats: int) -> None:
    """No table is without a chance to go on, nor without one to go out."""
    for tied in range(2, 131):
        for places in range(1, tied):
            tables = tie_break_tables(tied, places, seats)
            assert sum(table.size for table in tables) == tied
            kept = [table.size - table.on - table.out for table in tables]
            assert set(kept) in ({0}, {1})
            if kept[0] == 0:
                assert sum(table.on for table in tables) == places
                assert all(0 < table.on < table.size for table in tables)
            else:
                left = places - sum(table.on for table in tables)
                assert 0 < left < len(tables) < tied


def test_a_tie_at_a_tie_break_is_played_again_by_those_who_are_level_only() -> None:
    """The first is through, the last is out, the two between them meet again."""
    [table] = tie_break_tables(4, 2, 6)
    found = divide_stage([table], [((8,), (2, 6), (4,))], 2)
    assert (found.on, found.tied, found.places_left, found.out) == ((8,), (2, 6), 1, (4,))
    left = divide_stage([table], [((8,), (2, 6), (4,))], 2, gone={2})
    assert (left.on, left.tied, left.out) == ((8, 6), (), (4, 2))


def test_who_leaves_during_a_tie_break_counts_as_its_last_whatever_his_points() -> None:
    """His rival has the place, and does not meet him again."""
    [table] = tie_break_tables(2, 1, 6)
    found = divide_stage([table], [((8,), (2,))], 1, gone={8})
    assert (found.on, found.tied, found.out) == ((2,), (), (8,))
    assert divide_stage([table], [((8, 2),)], 1, gone={8}).on == (2,)
    assert divide_stage([table], [((8,), (2,))], 1, gone={8, 2}).on == ()


def test_refused_tie_breaks() -> None:
    """As many places as players need none, and no place is none to play for."""
    assert refusal(lambda: tie_break_tables(4, 4, 6)) == ("out_of_range", "places")
    assert refusal(lambda: tie_break_tables(4, 0, 6)) == ("out_of_range", "places")
    assert refusal(lambda: tie_break_tables(9, 2, 2)) == ("table_of_one", "seats")
    assert refusal(lambda: divide(((1, 2),), -1)) == ("out_of_range", "places")
    assert refusal(lambda: divide(((1, 1),), 1)) == ("duplicate_entrant", "ranking")


def test_the_lot_is_due_after_three_stages_at_one_table() -> None:
    """Stages that only bring the number down do not count, but there is an end of them too."""
    assert not lot_is_due([])
    assert not lot_is_due([14, 3, 1, 1])
    assert lot_is_due([14, 3, 1, 1, 1])
    assert lot_is_due([2] * MAX_STAGES)


def _break_ties(
    tied: Sequence[int], places: int, seats: int, draw: st.DataObject
) -> tuple[list[int], list[int], bool]:
    """Play stages with any results at all; who goes on, who is out, whether a lot was needed."""
    on: list[int] = []
    out: list[int] = []
    stages: list[int] = []
    while tied:
        if lot_is_due(stages):
            return [*on, *tied[:places]], [*out, *tied[places:]], True
        tables = tie_break_tables(len(tied), places, seats)
        seated = seat_entrants(tied, [table.size for table in tables])
        rankings = [
            by_place([(e, draw.draw(st.integers(1, 3))) for e in entrants]) for entrants in seated
        ]
        found = divide_stage(tables, rankings, places)
        assert sorted((*found.on, *found.tied, *found.out)) == sorted(tied)
        assert len(found.on) + found.places_left == places
        on, out = [*on, *found.on], [*out, *found.out]
        tied, places = found.tied, found.places_left
        stages.append(len(tables))
    return on, out, False


@given(st.integers(2, 60), st.sampled_from([3, 4, 5, 6]), st.data())
def test_tie_breaks_end_with_exactly_the_places_given(
    tied: int, seats: int, data: st.DataObject
) -> None:
    """Whatever the deals bring, everybody is either on or out, once."""
    places = data.draw(st.integers(1, tied - 1))
    on, out, _ = _break_ties(range(tied), places, seats, data)
    assert len(on) == places
    assert sorted((*on, *out)) == list(range(tied))


@given(st.integers(2, 40), st.sampled_from([3, 4, 5, 6]), st.data())
def test_whoever_leaves_during_a_stage_is_out_and_takes_nobody_along(
    tied: int, seats: int, data: st.DataObject
) -> None:
    """Nobody is lost or doubled, no more go on than there are places, and no place is wasted."""
    places = data.draw(st.integers(1, tied - 1))
    tables = tie_break_tables(tied, places, seats)
    seated = seat_entrants(range(tied), [table.size for table in tables])
    rankings = [
        by_place([(e, data.draw(st.integers(1, 4))) for e in entrants]) for entrants in seated
    ]
    gone = data.draw(st.sets(st.integers(0, tied - 1)))
    found = divide_stage(tables, rankings, places, gone)
    assert sorted((*found.on, *found.tied, *found.out)) == list(range(tied))
    assert not gone & {*found.on, *found.tied}
    assert gone <= set(found.out)
    assert found.places_left < max(1, len(found.tied))
    assert len(found.on) + found.places_left == min(places, tied - len(gone))


def _score(entrant: int, round_number: int) -> int:
    """Points with many ties, the same in every run."""
    return (entrant * 7919 + round_number * 104729) % 23


def _play_round(
    entrants: Sequence[int], number: int, seats: int, advance: Advance
) -> tuple[list[int], tuple[int, ...]]:
    """Who goes on from a round, ties broken by key, and the sizes of its tables."""
    sizes = table_sizes(len(entrants), seats)
    tables = seat_entrants(entrants, sizes)
    assert sorted(chain.from_iterable(tables)) == sorted(entrants)
    through = places_through(sizes, advance)
    if isinstance(advance, BestOfTable) or not through:
        cuts = [
            divide(by_place([(e, _score(e, number)) for e in table]), places)
            for table, places in zip(tables, through, strict=False)
        ]
    else:
        records = [
            Record(e, 1, (RoundScore(_score(e, number), 1 + place),))
            for table in tables
            for place, e in enumerate(table)
        ]
        chain_ = over_all_chain(Measure.FEWEST_POINTS, by_table_place=True, rounds=1)
        ranked = ranking(standings(records, chain_))
        assert sorted(chain.from_iterable(ranked)) == sorted(entrants)
        cuts = [divide(ranked, through[0])]
    on: list[int] = []
    for found in cuts:
        assert 0 <= found.places_left <= max(0, len(found.tied) - 1)
        on += [*found.on, *found.tied[: found.places_left]]
    assert len(on) == sum(through)
    return on, sizes


@pytest.mark.parametrize(
    "advance",
    [*(BestOfTable(places) for places in range(1, 6)), *map(BestOverall, (1, 10, 33, 50, 75, 90))],
)
def test_a_knock_out_of_2_to_500_entrants_is_played_to_a_single_final(advance: Advance) -> None:
    """For every size of table; each entrant sits once in a round, and as many go on as planned."""
    for seats in (3, 4, 5, 6):
        if isinstance(advance, BestOfTable) and advance.places >= seats:
            continue
        for entrants in (*range(2, 131), *range(131, 501, 37), 500):
            plans = plan_rounds(entrants, seats, advance)
            playing: Sequence[int] = range(entrants)
            for plan in plans:
                assert len(playing) == plan.entrants
                playing, sizes = _play_round(playing, plan.number, seats, advance)
                assert sizes == plan.sizes
            assert plans[-1].is_final
            assert playing == []
