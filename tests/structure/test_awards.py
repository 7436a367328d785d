"""Who gets which prize: ties, the smaller margin, and the grounds in words."""

from __future__ import annotations

from itertools import chain, groupby, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.money import format_minor
from tests.structure.prize_strategies import POOLS, STRUCTURES
from tests.structure.refusals import refusal
from tournaments.structure.awards import Basis, Distribution, distribute, explain
from tournaments.structure.bracket import open_bracket
from tournaments.structure.prizes import (
    FixedAmounts,
    Percentages,
    PrizeStructure,
    Surplus,
    WinnerTakesAll,
    prize_table,
)
from tournaments.structure.standings import ranking, standings
from tournaments.structure.tiebreaks import Measure, Record, RoundScore, ScoreInRound

THREE_PRIZES = FixedAmounts((500, 300, 200))


def _amounts(distribution: Distribution) -> dict[int, int]:
    return {award.entrant: award.amount for award in distribution.awards}


def _share(
    groups: list[tuple[int, ...]],
    structure: PrizeStructure = THREE_PRIZES,
    pool: int = 1000,
    margins: dict[int, int] | None = None,
) -> Distribution:
    entries = sum(map(len, groups))
    return distribute(structure, pool=pool, entries=entries, ranking=groups, margins=margins)


def test_scores_of_90_70_70_50_get_500_250_250_0() -> None:
    """The tied share the second and third prize; there is no prize for a rank between."""
    records = [
        Record(key, 1, (RoundScore(score),)) for key, score in enumerate((90, 70, 70, 50), 1)
    ]
    lines = standings(records, (ScoreInRound(Measure.MOST_CHIPS),))
    distribution = distribute(THREE_PRIZES, pool=1000, entries=4, ranking=ranking(lines))
    assert _amounts(distribution) == {1: 500, 2: 250, 3: 250, 4: 0}
    assert [award.rank for award in distribution.awards] == [1, 2, 2, 4]


def test_a_tie_in_the_final_adds_and_shares_the_first_two_prizes() -> None:
    """500 and 300 are 400 each (rule 7)."""
    bracket = open_bracket(4).advance(1, 0, 1).advance(1, 1, 2).share_final()
    distribution = _share(list(bracket.ranking()), FixedAmounts((500, 300)), 800)
    assert _amounts(distribution) == {1: 400, 2: 400, 3: 0, 4: 0}
    assert distribution.awards[0].basis is Basis.TIE_SHARED


def test_the_third_prize_goes_to_the_semi_finalist_who_lost_by_less() -> None:
    """One prize and several eligible (rule 7)."""
    distribution = _share([(1,), (2,), (3, 4)], margins={3: 35, 4: 12})
    assert _amounts(distribution) == {1: 500, 2: 300, 3: 0, 4: 200}
    assert [award.basis for award in distribution.awards] == [
        Basis.OWN_RANK,
        Basis.OWN_RANK,
        Basis.LARGER_MARGIN,
        Basis.SMALLER_MARGIN,
    ]


def test_equal_margins_share_the_one_prize() -> None:
    """And so do semi-finalists whose margins nobody counted."""
    for margins in ({3: 12, 4: 12}, {}, {1: 5}):
        distribution = _share([(1,), (2,), (3, 4)], margins=margins)
        assert _amounts(distribution) == {1: 500, 2: 300, 3: 100, 4: 100}
        assert distribution.awards[-1].basis is Basis.TIE_SHARED


def test_among_several_only_those_of_the_smallest_margin_share() -> None:
    """Four out in one round with one prize left, two of them by 7."""
    margins = {2: 30, 3: 7, 4: 7, 5: 8}
    distribution = _share([(1,), (2, 3, 4, 5)], Percentages((6000, 4000)), 1001, margins)
    assert _amounts(distribution) == {1: 601, 2: 0, 3: 200, 4: 200, 5: 0}
    assert distribution.awards[2].basis is Basis.SMALLER_MARGIN_SHARED
    assert distribution.awards[2].sharers == 2


def test_two_prizes_for_the_group_are_shared_whatever_the_margins() -> None:
    """The margin decides about one prize only."""
    structure = FixedAmounts((500, 300, 200, 100))
    distribution = _share([(1,), (2,), (3, 4)], structure, 1100, {3: 35, 4: 12})
    assert _amounts(distribution) == {1: 500, 2: 300, 3: 150, 4: 150}


def test_a_unit_that_does_not_divide_goes_to_the_lower_key() -> None:
    """Three on rank 1 share 1000 as 334, 333 and 333, in whatever order they are named."""
    for group in ((7, 4, 9), (9, 7, 4)):
        distribution = _share([group])
        assert _amounts(distribution) == {4: 334, 7: 333, 9: 333}
        assert [award.has_spare_unit for award in distribution.awards] == [True, False, False]


def test_everything_is_added_up_over_the_awards() -> None:
    """Paid to the entrants, one by one and in all, and what the house keeps."""
    structure = FixedAmounts((500, 300, 200), surplus=Surplus.TO_HOUSE)
    distribution = _share([(1,), (2,), (3,), (4,)], structure, 1500)
    assert (distribution.paid, distribution.table.to_house) == (1000, 500)
    assert [distribution.amount_of(entrant) for entrant in (1, 4, 99)] == [500, 0, 0]


@st.composite
def _groups(draw: st.DrawFn) -> list[tuple[int, ...]]:
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=8))
    keys = iter(draw(st.permutations(range(sum(sizes)))))
    return [tuple(next(keys) for _ in range(size)) for size in sizes]


@given(STRUCTURES, POOLS, _groups(), st.data())
def test_awards_sum_to_exactly_the_pool(
    structure: PrizeStructure, pool: int, groups: list[tuple[int, ...]], data: st.DataObject
) -> None:
    """Nobody gets less than nothing, or less than anybody of a worse group.

    The order inside the groups does not matter.
    """
    if isinstance(structure, FixedAmounts):
        pool += sum(structure.amounts)
    everybody = list(chain.from_iterable(groups))
    margins = data.draw(
        st.just({}) | st.fixed_dictionaries(dict.fromkeys(everybody, st.integers(0, 3)))
    )
    distribution = _share(groups, structure, pool, margins)
    assert distribution.paid + distribution.table.to_house == pool
    assert all(award.amount >= 0 for award in distribution.awards)
    by_group = [
        [award.amount for award in group]
        for _, group in groupby(distribution.awards, key=lambda award: award.rank)
    ]
    paid_groups = [amounts for amounts in by_group if sum(amounts)]
    assert by_group[: len(paid_groups)] == paid_groups
    assert all(min(better) >= max(worse) for better, worse in pairwise(by_group))
    turned = [tuple(reversed(group)) for group in groups]
    assert _share(turned, structure, pool, margins) == distribution


@given(STRUCTURES, POOLS, st.integers(1, 20))
def test_without_ties_everybody_gets_the_prize_of_his_rank(
    structure: PrizeStructure, pool: int, entries: int
) -> None:
    """The awards are the prize table."""
    if isinstance(structure, FixedAmounts):
        pool += sum(structure.amounts)
    table = prize_table(structure, pool, entries)
    distribution = _share([(key,) for key in range(entries)], structure, pool)
    assert [award.amount for award in distribution.awards] == [
        table.amount_of(rank) for rank in range(1, entries + 1)
    ]


@pytest.mark.parametrize(
    ("groups", "margins", "entrant", "sentence"),
    [
        ([(1,), (2,), (3,)], {}, 1, "Rank 1: 5.00."),
        ([(1,), (2, 3)], {}, 3, "Tied on ranks 2 to 3: their prizes, 5.00 together, are shared "),
        (
            [(1,), (2,), (3, 4)],
            {3: 1, 4: 2},
            3,
            "Level on ranks 3 to 4 for one prize, and lost by ",
        ),
        ([(1,), (2,), (3, 4)], {3: 1, 4: 2}, 4, "Level on ranks 3 to 4 for one prize of 2.00, wh"),
        (
            [(1,), (2,), (3, 4, 5)],
            {3: 1, 4: 1, 5: 2},
            3,
            "Level on ranks 3 to 5 for one prize of 2.00, shared by the 2 who lost by the smallest",
        ),
        ([(1,), (2,), (3,), (4,)], {}, 4, "Rank 4 has no prize."),
        ([(1,), (2,), (3,), (4, 5)], {}, 5, "Rank 4 has no prize."),
    ],
)
def test_every_award_explains_itself(
    groups: list[tuple[int, ...]], margins: dict[int, int], entrant: int, sentence: str
) -> None:
    """With amounts written as the reader wants them."""
    distribution = _share(groups, margins=margins)
    award = next(award for award in distribution.awards if award.entrant == entrant)
    text = explain(award, lambda amount: format_minor(amount, 2))
    assert text.startswith(sentence)


def test_a_spare_unit_is_explained() -> None:
    """Only to the one who got it."""
    texts = [explain(award) for award in _share([(1, 2, 3)]).awards]
    assert texts[0].endswith("shared by 3: 334. One unit that did not divide is included.")
    assert texts[1].endswith("shared by 3: 333.")


@pytest.mark.parametrize(
    ("groups", "entries", "margins", "code", "field"),
    [
        ([(1,), (2,)], 3, {}, "ranks_missing", "ranking"),
        ([(1,), (), (2, 3)], 3, {}, "ranks_missing", "ranking"),
        ([(1,), (2, 3), (4,)], 3, {}, "out_of_range", "ranking"),
        ([], 3, {}, "out_of_range", "ranking"),
        ([(1,), (2, 1)], 3, {}, "duplicate_entrant", "ranking"),
        ([(1,), (2,), (3, 4)], 4, {3: 5}, "margins_missing", "margins"),
        ([(1,), (2,), (3, 4)], 4, {3: 5, 4: -1}, "out_of_range", "margins"),
        ([(1,), (2,), (3, 4)], 0, {}, "out_of_range", "entries"),
    ],
)
def test_refused_rankings(
    groups: Any, entries: int, margins: dict[int, int], code: str, field: str
) -> None:
    """Prizes nobody has won, more ranked than entered, somebody twice, half the margins."""
    refused = refusal(
        lambda: distribute(
            THREE_PRIZES, pool=1000, entries=entries, ranking=groups, margins=margins
        )
    )
    assert refused == (code, field)


def test_a_pool_too_small_for_its_prizes_is_refused() -> None:
    """Nothing is paid of it."""
    assert refusal(lambda: _share([(1,), (2,), (3,)], pool=999)) == ("prizes_above_pool", "amounts")
    assert _amounts(_share([(1,), (2,)], WinnerTakesAll(), 0)) == {1: 0, 2: 0}
