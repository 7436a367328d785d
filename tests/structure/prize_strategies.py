"""Hypothesis strategies for prize structures and pools."""

from __future__ import annotations

from hypothesis import strategies as st

from ledger.money import WHOLE, split
from tournaments.structure.prizes import (
    ByEntries,
    EntriesRow,
    FixedAmounts,
    Percentages,
    Surplus,
    WinnerTakesAll,
)

POOLS = st.integers(0, 10**12)


def _shares(weights: list[int]) -> tuple[int, ...]:
    return split(WHOLE, sorted(weights, reverse=True))


BASIS_POINTS = st.lists(st.integers(1, 100), min_size=1, max_size=12).map(_shares)


def _rows(limits: set[int], shares: list[tuple[int, ...]]) -> ByEntries:
    rows = [EntriesRow(limit, share) for limit, share in zip(sorted(limits), shares, strict=False)]
    return ByEntries((*rows, EntriesRow(None, shares[-1])))


STRUCTURES = st.one_of(
    st.builds(Percentages, BASIS_POINTS),
    st.builds(
        FixedAmounts,
        st.lists(st.integers(1, 10**9), min_size=1, max_size=12).map(
            lambda amounts: tuple(sorted(amounts, reverse=True))
        ),
        is_guaranteed=st.booleans(),
        surplus=st.sampled_from(Surplus),
    ),
    st.builds(_rows, st.sets(st.integers(1, 40), max_size=4), st.lists(BASIS_POINTS, min_size=4)),
    st.just(WinnerTakesAll()),
)
