"""Standings: ranks by an ordered chain of tie-breaks, with reasons in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.structure.refusals import refusal
from tournaments.structure.standings import Standing, ranking, standings
from tournaments.structure.tiebreaks import (
    BRACKET,
    CHIPS_KNOCKOUT,
    LEVELS,
    POINTS_KNOCKOUT,
    POOL_KNOCKOUT,
    POOL_TABLE,
    AnyTieBreak,
    Measure,
    PlaceAtTable,
    ReachedRound,
    Record,
    RoundScore,
    ScoreInRound,
    SmallerMargin,
    TieBreak,
    Unit,
)

CHAINS = [BRACKET, CHIPS_KNOCKOUT, LEVELS, POINTS_KNOCKOUT, POOL_KNOCKOUT, POOL_TABLE]
CHIPS = (ScoreInRound(Measure.MOST_CHIPS),)
SCORES = st.builds(
    RoundScore,
    st.integers(0, 3),
    place=st.none() | st.integers(1, 3),
    margin=st.none() | st.integers(0, 3),
)


@st.composite
def _records(draw: st.DrawFn) -> list[Record]:
    entrants = draw(st.lists(st.integers(1, 50), unique=True, max_size=12))
    made = []
    for entrant in entrants:
        rounds = tuple(draw(st.lists(st.none() | SCORES, max_size=3)))
        reached = draw(st.integers(len(rounds), 3))
        made.append(Record(entrant, reached, rounds))
    return made


def _scored(*scores: int) -> list[Record]:
    return [Record(key, 1, (RoundScore(score),)) for key, score in enumerate(scores, 1)]


def _ranks(records: Sequence[Record], chain: Sequence[TieBreak]) -> list[tuple[int, int]]:
    return [(line.rank, line.entrant) for line in standings(records, chain)]


def test_scores_of_90_70_70_50_rank_1_2_2_4() -> None:
    """Level entrants share the better rank, and the next rank is skipped."""
    lines = standings(_scored(90, 70, 70, 50), CHIPS)
    assert [(line.rank, line.is_shared) for line in lines] == [
        (1, False),
        (2, True),
        (2, True),
        (4, False),
    ]
    assert ranking(lines) == ((1,), (2, 3), (4,))


def test_who_came_further_ranks_higher_whatever_his_chips() -> None:
    """The winner of the last round stands before the others of it."""
    records = [
        Record(1, 1, (RoundScore(900),)),
        Record(2, 2, (RoundScore(300), RoundScore(0))),
        Record(3, 2, (RoundScore(310), RoundScore(0)), has_won=True),
    ]
    assert _ranks(records, CHIPS_KNOCKOUT) == [(1, 3), (2, 2), (3, 1)]


def test_out_in_the_same_round_are_ranked_by_its_chips_then_by_the_round_before() -> None:
    """Still equal: they share (rule 7)."""
    records = [
        Record(1, 2, (RoundScore(500), RoundScore(200))),
        Record(2, 2, (RoundScore(400), RoundScore(240))),
        Record(3, 2, (RoundScore(450), RoundScore(200))),
        Record(4, 2, (RoundScore(450), RoundScore(200))),
    ]
    assert _ranks(records, CHIPS_KNOCKOUT) == [(1, 2), (2, 1), (3, 3), (3, 4)]


def test_fewest_points_rank_higher_where_points_are_counted() -> None:
    """In the deciding round, then in the round before."""
    records = [
        Record(1, 2, (RoundScore(30), RoundScore(90))),
        Record(2, 2, (RoundScore(20), RoundScore(90))),
        Record(3, 2, (RoundScore(99), RoundScore(80))),
    ]
    assert _ranks(records, POINTS_KNOCKOUT) == [(1, 3), (2, 2), (3, 1)]


def test_holding_out_longer_in_a_pool_counts_before_points() -> None:
    """Second with 130 points ranks before third with 101, who went out earlier."""
    records = [
        Record(1, 1, (RoundScore(130, place=2),)),
        Record(2, 1, (RoundScore(101, place=3),)),
        Record(3, 1, (RoundScore(120, place=2),)),
    ]
    assert _ranks(records, POOL_KNOCKOUT) == [(1, 3), (2, 1), (3, 2)]


@pytest.mark.parametrize(
    ("before", "ranks"), [((60, 75), [(2, 2), (3, 3)]), ((70, 70), [(2, 2), (2, 3)])]
)
def test_two_out_in_the_same_deal_are_ranked_by_their_totals_before_it(
    before: tuple[int, int], ranks: list[tuple[int, int]]
) -> None:
    """Unequal totals decide though the totals after it say otherwise; equal ones share."""
    records = [
        Record(1, 3, (RoundScore(10), RoundScore(40), RoundScore(40)), has_won=True),
        Record(2, 3, (RoundScore(20), RoundScore(before[0]), RoundScore(140))),
        Record(3, 3, (RoundScore(0), RoundScore(before[1]), RoundScore(115))),
    ]
    assert _ranks(records, POOL_TABLE) == [(1, 1), *ranks]


def test_the_smaller_margin_ranks_higher_where_the_chain_has_it() -> None:
    """Two losing semi-finalists, level without it."""
    records = [
        Record(1, 2, (RoundScore(40), RoundScore(90, margin=35))),
        Record(2, 2, (RoundScore(10), RoundScore(70, margin=12))),
    ]
    assert _ranks(records, BRACKET) == [(1, 1), (1, 2)]
    assert _ranks(records, (*BRACKET, SmallerMargin())) == [(1, 2), (2, 1)]


def test_a_round_not_played_counts_behind_every_played_one() -> None:
    """A bye in the round before has nothing to show, not even against the worst score."""
    records = [
        Record(1, 2, (None, RoundScore(200))),
        Record(2, 2, (RoundScore(0), RoundScore(200))),
    ]
    assert _ranks(records, CHIPS_KNOCKOUT) == [(1, 2), (2, 1)]


def test_a_later_round_leaves_the_order_of_those_who_are_out() -> None:
    """Round 2 is open and one of it leaves: the ranks of round 1 stay as they were."""
    out = [Record(3, 1, (RoundScore(150),)), Record(4, 1, (RoundScore(90),))]
    running = [Record(1, 2, (RoundScore(300),)), Record(2, 2, (RoundScore(280),))]
    forfeit = [
        Record(1, 2, (RoundScore(300), RoundScore(160)), has_won=True),
        Record(2, 2, (RoundScore(280), RoundScore(0))),
    ]
    assert _ranks(running + out, CHIPS_KNOCKOUT) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert _ranks(forfeit + out, CHIPS_KNOCKOUT) == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_reasons_say_what_decided() -> None:
    """In words, with both values; who is level reads that it is shared."""
    records = [
        Record(1, 2, (RoundScore(500), RoundScore(240)), has_won=True),
        Record(2, 2, (RoundScore(450), RoundScore(240))),
        Record(3, 2, (RoundScore(400), RoundScore(240))),
        Record(4, 1, (RoundScore(300),)),
        Record(5, 1, (RoundScore(300),)),
    ]
    assert [line.reason for line in standings(records, CHIPS_KNOCKOUT)] == [
        "First.",
        "Decided by the round reached: round 2 against won round 2.",
        "Decided by chips in the round before: 400 against 450.",
        "Decided by the round reached: round 1 against round 2. "
        "Level with 1 more on everything that counts: shared.",
        "Decided by the round reached: round 1 against round 2. "
        "Level with 1 more on everything that counts: shared.",
    ]


@pytest.mark.parametrize(
    ("tie_break", "label", "words", "nothing"),
    [
        (ReachedRound(), "the round reached", "round 3", "round 1"),
        (ReachedRound(Unit.LEVEL), "the level reached", "level 3", "level 1"),
        (
            ScoreInRound(Measure.FEWEST_POINTS),
            "points in the deciding round",
            "45",
            "not played",
        ),
        (ScoreInRound(Measure.MOST_CHIPS, 2), "chips in the round 2 before", "80", "not played"),
        (
            ScoreInRound(Measure.MOST_CHIPS, 2, Unit.LEVEL),
            "chips in the level 2 before",
            "80",
            "not played",
        ),
        (PlaceAtTable(), "the place at the table in the deciding round", "place 2", "none"),
        (SmallerMargin(), "the margin lost by in the deciding round", "15", "none"),
    ],
)
def test_every_tie_break_says_what_it_compares(
    tie_break: TieBreak, label: str, words: str, nothing: str
) -> None:
    """Its label, a value in words, and a missing value in words."""
    record = Record(1, 3, (RoundScore(80), None, RoundScore(45, place=2, margin=15)))
    empty = Record(2, 1)
    assert (tie_break.label, tie_break.words(record)) == (label, words)
    assert tie_break.words(empty) == nothing
    assert tie_break.value(record) > tie_break.value(empty)


@given(_records(), st.sampled_from(CHAINS), st.randoms(use_true_random=False))
def test_the_order_of_the_records_does_not_matter(
    records: list[Record], chain: tuple[AnyTieBreak, ...], random: object
) -> None:
    """The same records give the same lines, level entrants by their keys."""
    lines = standings(records, chain)
    random.shuffle(records)  # type: ignore[attr-defined]
    assert standings(records, chain) == lines


@given(_records(), st.sampled_from(CHAINS))
def test_ranks_are_competition_ranks(records: list[Record], chain: tuple[AnyTieBreak, ...]) -> None:
    """A rank is one more than the number of entrants who are better."""
    lines = standings(records, chain)
    by_key = {record.entrant: record for record in records}

    def merits(line: Standing) -> list[tuple[int, int]]:
        return [rule.value(by_key[line.entrant]) for rule in chain]

    for line in lines:
        assert line.rank == 1 + sum(merits(other) > merits(line) for other in lines)
        assert line.is_shared == (sum(merits(other) == merits(line) for other in lines) > 1)
    assert all(
        earlier.entrant < later.entrant
        for earlier, later in pairwise(lines)
        if earlier.rank == later.rank
    )
    assert [entrant for group in ranking(lines) for entrant in group] == [
        line.entrant for line in lines
    ]


def test_nobody_has_no_standings() -> None:
    """An empty list is no error."""
    assert standings([], BRACKET) == ()
    assert ranking(()) == ()


def test_refused_standings() -> None:
    """No chain, an entrant twice, scores beyond the round reached, numbers out of range."""
    assert refusal(lambda: standings([], ())) == ("no_tie_breaks", "chain")
    twice = [Record(1, 1), Record(1, 2)]
    assert refusal(lambda: standings(twice, BRACKET)) == ("duplicate_entrant", "records")
    assert refusal(lambda: Record(1, 0, (RoundScore(1),))) == ("bad_record", "rounds")
    assert refusal(lambda: Record(1, -1)) == ("out_of_range", "reached")
    assert refusal(lambda: RoundScore(-1)) == ("out_of_range", "score")
    assert refusal(lambda: RoundScore(0, place=0)) == ("out_of_range", "place")
    assert refusal(lambda: RoundScore(0, margin=-1)) == ("out_of_range", "margin")
    assert refusal(lambda: ScoreInRound(Measure.MOST_CHIPS, -1)) == ("out_of_range", "back")


@pytest.mark.parametrize("chain", CHAINS)
def test_a_chain_is_stored_and_read_back_unchanged(chain: tuple[AnyTieBreak, ...]) -> None:
    """As JSON, with a tag for each rule."""
    stored = msgspec.json.encode(chain)
    assert msgspec.json.decode(stored, type=tuple[AnyTieBreak, ...]) == chain
