"""Prize structures, pools and what each rank gets."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.structure.prize_strategies import POOLS, STRUCTURES
from tests.structure.refusals import refusal
from tournaments.structure.prizes import (
    ByEntries,
    EntriesRow,
    FixedAmounts,
    Percentages,
    PrizePool,
    PrizeStructure,
    Surplus,
    WinnerTakesAll,
    prize_pool,
    prize_table,
)

HALF_THIRTY_TWENTY = Percentages((5000, 3000, 2000))
BY_ENTRIES = ByEntries(
    (
        EntriesRow(4, (10_000,)),
        EntriesRow(9, (7000, 3000)),
        EntriesRow(None, (5000, 3000, 2000)),
    )
)


def _amounts(structure: PrizeStructure, pool: int, entries: int) -> list[int]:
    return [prize.amount for prize in prize_table(structure, pool, entries).prizes]


def test_901_at_50_30_20_percent() -> None:
    """450.5, 270.3 and 180.2: the unit left over goes to the largest fraction."""
    table = prize_table(HALF_THIRTY_TWENTY, 901, 10)
    assert [(prize.rank, prize.amount, prize.is_rounded_up) for prize in table.prizes] == [
        (1, 451, True),
        (2, 270, False),
        (3, 180, False),
    ]


def test_equal_fractions_go_to_the_better_rank() -> None:
    """5 at 50 and 50 percent are 3 and 2; 100 at thirds are 34, 33 and 33."""
    assert _amounts(Percentages((5000, 5000)), 5, 2) == [3, 2]
    assert _amounts(FixedAmounts((1, 1, 1)), 100, 3) == [34, 33, 33]


def test_with_fewer_entries_than_prizes_the_rest_is_rescaled_to_the_whole_pool() -> None:
    """50 and 30 of 80: 1000 are 625 and 375."""
    assert _amounts(HALF_THIRTY_TWENTY, 1000, 2) == [625, 375]
    assert _amounts(HALF_THIRTY_TWENTY, 1000, 1) == [1000]


@pytest.mark.parametrize(
    ("entries", "amounts"),
    [(2, [1000]), (4, [1000]), (5, [700, 300]), (9, [700, 300]), (10, [500, 300, 200])],
)
def test_the_number_of_entries_chooses_the_row(entries: int, amounts: list[int]) -> None:
    """Up to 4 one prize, up to 9 two, then three."""
    assert _amounts(BY_ENTRIES, 1000, entries) == amounts


def test_the_winner_takes_all() -> None:
    """One prize, whatever the entries."""
    assert _amounts(WinnerTakesAll(), 901, 40) == [901]


def test_the_expected_distribution_is_that_of_all_seats_and_the_actual_one_of_the_entries() -> None:
    """36 seats at 100 less 10 % are 3240; 9 entries and a rejoin make 900 (rule 7)."""
    full = prize_pool(BY_ENTRIES, entries=36, received=3600, fee=360)
    assert _amounts(BY_ENTRIES, full.amount, 36) == [1620, 972, 648]
    actual = prize_pool(BY_ENTRIES, entries=9, received=1000, fee=100)
    assert _amounts(BY_ENTRIES, actual.amount, 9) == [630, 270]


def test_a_pool_is_what_was_received_less_the_fee() -> None:
    """Five entries of 50 make 250 before the fee (rule 6)."""
    pool = prize_pool(WinnerTakesAll(), entries=5, received=250, fee=25)
    assert pool == PrizePool(received=250, fee=25, overlay=0, amount=225)


def test_a_guaranteed_minimum_tops_up_by_the_overlay() -> None:
    """Also without any entry fee; a pool above the minimum is left alone."""
    structure = HALF_THIRTY_TWENTY
    short = prize_pool(structure, entries=8, received=800, fee=80, guarantee=1000)
    assert (short.overlay, short.amount) == (280, 1000)
    free = prize_pool(structure, entries=8, received=0, guarantee=1000)
    assert (free.overlay, free.amount) == (1000, 1000)
    ample = prize_pool(structure, entries=20, received=2000, fee=200, guarantee=1000)
    assert (ample.overlay, ample.amount) == (0, 1800)


def test_fixed_amounts_above_the_pool_are_refused_unless_guaranteed() -> None:
    """Guaranteed ones are topped up, by no more than the ranks that can be won."""
    plain = FixedAmounts((500, 300, 200))
    refused = refusal(lambda: prize_pool(plain, entries=5, received=999))
    assert refused == ("prizes_above_pool", "amounts")
    assert refusal(lambda: prize_table(plain, 999, 5)) == ("prizes_above_pool", "amounts")
    guaranteed = FixedAmounts((500, 300, 200), is_guaranteed=True)
    assert prize_pool(guaranteed, entries=5, received=600).overlay == 400
    assert prize_pool(guaranteed, entries=2, received=600).overlay == 200


def test_a_pool_above_the_fixed_amounts_goes_where_the_structure_says() -> None:
    """To the prizes in proportion, or to the house, which then shows it."""
    assert _amounts(FixedAmounts((500, 300, 200)), 2000, 5) == [1000, 600, 400]
    house = prize_table(FixedAmounts((500, 300, 200), surplus=Surplus.TO_HOUSE), 2000, 5)
    assert [prize.amount for prize in house.prizes] == [500, 300, 200]
    assert house.to_house == 1000


def test_a_rank_without_a_prize_gets_nothing() -> None:
    """Ranks beyond the last prize, and no rank 0."""
    table = prize_table(HALF_THIRTY_TWENTY, 1000, 10)
    assert [table.amount_of(rank) for rank in (0, 1, 3, 4)] == [0, 500, 200, 0]


@given(STRUCTURES, POOLS, st.integers(1, 40))
def test_prizes_sum_to_exactly_the_pool_and_never_rise(
    structure: PrizeStructure, received: int, entries: int
) -> None:
    """With what a fixed structure leaves to the house; no rank beyond the entries."""
    needed = sum(structure.amounts) if isinstance(structure, FixedAmounts) else 0
    pool = prize_pool(structure, entries=entries, received=received, guarantee=needed)
    assert pool.received - pool.fee + pool.overlay == pool.amount
    table = prize_table(structure, pool.amount, entries)
    amounts = [prize.amount for prize in table.prizes]
    assert sum(amounts) + table.to_house == table.pool == pool.amount
    assert amounts == sorted(amounts, reverse=True)
    assert min(amounts) >= 0
    assert len(amounts) <= entries
    assert [prize.rank for prize in table.prizes] == list(range(1, len(amounts) + 1))


@pytest.mark.parametrize(
    ("basis_points", "code"),
    [
        ((5000, 3000, 2001), "percentages_above_whole"),
        ((10_000, 1), "percentages_above_whole"),
        ((5000, 3000), "percentages_below_whole"),
        ((3000, 7000), "prizes_rise"),
        ((10_000, 0), "out_of_range"),
        ((15_000, -5000), "out_of_range"),
        ((), "out_of_range"),
        ((5000.0, 5000.0), "not_whole"),
        ((True, 9999), "not_whole"),
        ((1,) * 10_001, "out_of_range"),
    ],
)
def test_refused_percentages(basis_points: Any, code: str) -> None:
    """Above 100 %, below it, rising, zero, negative, none, not whole, too many."""
    assert refusal(lambda: Percentages(basis_points)) == (code, "basis_points")
    assert refusal(lambda: EntriesRow(4, basis_points)) == (code, "basis_points")


def test_percentages_above_the_whole_are_named_in_percent() -> None:
    """The sentence says how much it is and what to do."""
    with pytest.raises(Exception, match=r"add up to 100\.01 %, which is above 100 %\."):
        Percentages((5000, 3000, 2001))


@pytest.mark.parametrize(
    ("amounts", "code"),
    [
        ((), "out_of_range"),
        ((0,), "out_of_range"),
        ((-5,), "out_of_range"),
        ((200, 300), "prizes_rise"),
        ((2**62, 2**62), "out_of_range"),
        ((1.5,), "not_whole"),
    ],
)
def test_refused_fixed_amounts(amounts: Any, code: str) -> None:
    """None, zero, negative, rising, beyond 64 bits in all, not whole."""
    assert refusal(lambda: FixedAmounts(amounts)) == (code, "amounts")


def test_refused_rows() -> None:
    """None, in falling order, the same limit twice, or without an open last row."""
    everything = (10_000,)
    four, nine = EntriesRow(4, everything), EntriesRow(9, everything)
    rest = EntriesRow(None, everything)
    assert refusal(lambda: ByEntries(())) == ("out_of_range", "rows")
    for rows in ((nine, four, rest), (four, four, rest), (four, nine), (rest, rest), (rest, four)):
        assert refusal(ByEntries, rows) == ("bad_rows", "rows")
    assert refusal(lambda: EntriesRow(0, everything)) == ("out_of_range", "up_to_entries")


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"entries": 0, "received": 5}, "out_of_range", "entries"),
        ({"entries": 2, "received": -5}, "out_of_range", "received"),
        ({"entries": 2, "received": 5, "fee": -1}, "out_of_range", "fee"),
        ({"entries": 2, "received": 5, "fee": 6}, "fee_above_received", "fee"),
        ({"entries": 2, "received": 5, "guarantee": -1}, "out_of_range", "guarantee"),
        ({"entries": 2, "received": 5.0}, "not_whole", "received"),
    ],
)
def test_refused_pools(arguments: dict[str, Any], code: str, field: str) -> None:
    """Negative amounts, a fee above what was received, half units."""
    assert refusal(lambda: prize_pool(WinnerTakesAll(), **arguments)) == (code, field)


@given(STRUCTURES)
def test_a_structure_is_stored_and_read_back_unchanged(structure: PrizeStructure) -> None:
    """As JSON, with a tag for its kind."""
    stored = msgspec.json.encode(structure)
    assert msgspec.json.decode(stored, type=PrizeStructure) == structure


def test_a_stored_structure_above_the_whole_is_refused_on_reading() -> None:
    """The checks are made wherever a structure comes from."""
    stored = b'{"type": "percentages", "basis_points": [9000, 2000]}'
    refused = refusal(lambda: msgspec.json.decode(stored, type=Percentages))
    assert refused == ("percentages_above_whole", "basis_points")
