"""Money arithmetic: splits add up, percentages never take too much, nonsense is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.money import (
    MAX_AMOUNT,
    MAX_SHARES,
    MoneyCode,
    MoneyError,
    checked_amount,
    format_minor,
    refund_after_charge,
    share_percent,
    split,
)

AMOUNTS = st.integers(0, MAX_AMOUNT)
WEIGHTS = st.lists(
    st.one_of(
        st.integers(0, 10**6),
        st.builds(Fraction, st.integers(0, 10**6), st.sampled_from([1, 2, 3, 5, 6, 7])),
    ),
    min_size=1,
    max_size=30,
).filter(any)


@pytest.mark.parametrize(
    ("total", "weights", "shares"),
    [
        (100, (1, 1, 1), (34, 33, 33)),
        (5, (50, 50), (3, 2)),
        (901, (50, 30, 20), (451, 270, 180)),
        (0, (1, 2), (0, 0)),
        (7, (0, 1, 0), (0, 7, 0)),
        (1, (1, 1, 2), (0, 0, 1)),
        (MAX_AMOUNT, (MAX_AMOUNT, MAX_AMOUNT), (2**62, 2**62 - 1)),
    ],
)
def test_known_splits(total: int, weights: tuple[int, ...], shares: tuple[int, ...]) -> None:
    """The leftover units go to the largest fractions, equal ones to the better place."""
    assert split(total, weights) == shares


def test_three_shares_of_two_thirds_give_the_two_spare_units_to_the_better_places() -> None:
    """15000 at 9166⅔ : 4166⅔ : 1666⅔."""
    weights = [Fraction(27500, 3), Fraction(12500, 3), Fraction(5000, 3)]
    assert split(15000, weights) == (9167, 4167, 1666)


def _manual_split_weights(drops: tuple[int, ...], buy_ins: int) -> list[int]:
    """Weights of a pool table's manual split, in units of the pool (rule 6)."""
    lead = [left - min(drops) for left in drops]
    return [len(drops) * ahead + buy_ins - sum(lead) for ahead in lead]


@pytest.mark.parametrize(
    ("pool", "buy_ins", "drops", "shares"),
    [
        (15000, 6, (3, 1, 0), (9167, 4167, 1666)),
        (800, 8, (0, 0), (400, 400)),
        (800, 8, (1, 0), (450, 350)),
        (800, 8, (2, 0), (500, 300)),
        (800, 8, (3, 0), (550, 250)),
        (800, 8, (4, 0), (600, 200)),
        (6000 - 720, 6, (2, 1, 0), (2640, 1760, 880)),
        (270, 6, (3, 1, 0), (165, 75, 30)),
        (720, 4, (3, 0), (630, 90)),
    ],
)
def test_manual_splits_of_pool_tables(
    pool: int, buy_ins: int, drops: tuple[int, ...], shares: tuple[int, ...]
) -> None:
    """Whole-number weights of the drops left pay the published splits (rule 6)."""
    assert split(pool, _manual_split_weights(drops, buy_ins)) == shares


@given(AMOUNTS, WEIGHTS)
def test_a_split_loses_and_invents_nothing(total: int, weights: list[int | Fraction]) -> None:
    """Shares sum to the total, none is negative, each lies within one unit of its exact value."""
    shares = split(total, weights)
    assert sum(shares) == total
    exact = [Fraction(total) * weight / sum(weights) for weight in weights]
    assert all(
        share >= 0 and abs(share - value) < 1 for share, value in zip(shares, exact, strict=True)
    )
    assert all(share == 0 for share, weight in zip(shares, weights, strict=True) if weight == 0)


@given(AMOUNTS, WEIGHTS)
def test_a_better_place_never_gets_less(total: int, weights: list[int | Fraction]) -> None:
    """Weights that fall give shares that fall; equal weights differ by one unit at most."""
    shares = split(total, sorted(weights, reverse=True))
    assert list(shares) == sorted(shares, reverse=True)
    equal = split(total, [weights[0] or 1] * len(weights))
    assert max(equal) - min(equal) <= 1


@given(AMOUNTS, WEIGHTS, st.integers(1, 1000), st.randoms(use_true_random=False))
def test_only_proportions_matter(
    total: int, weights: list[int | Fraction], factor: int, random: Any
) -> None:
    """Scaled weights split alike, and another order moves a share by one unit at most."""
    shares = split(total, weights)
    assert split(total, [weight * factor for weight in weights]) == shares
    order = list(range(len(weights)))
    random.shuffle(order)
    moved = split(total, [weights[place] for place in order])
    assert all(abs(moved[at] - shares[place]) <= 1 for at, place in enumerate(order))


@pytest.mark.parametrize(
    ("total", "weights", "code", "field"),
    [
        (-1, (1,), MoneyCode.OUT_OF_RANGE, "total"),
        (MAX_AMOUNT + 1, (1,), MoneyCode.OUT_OF_RANGE, "total"),
        (1.0, (1,), MoneyCode.NOT_WHOLE, "total"),
        (True, (1,), MoneyCode.NOT_WHOLE, "total"),
        (Fraction(3), (1,), MoneyCode.NOT_WHOLE, "total"),
        ("100", (1,), MoneyCode.NOT_WHOLE, "total"),
        (1, (), MoneyCode.NO_WEIGHTS, "weights"),
        (1, (1, -1), MoneyCode.BAD_WEIGHT, "weights"),
        (1, (Fraction(-1, 2),), MoneyCode.BAD_WEIGHT, "weights"),
        (1, (0.5, 0.5), MoneyCode.BAD_WEIGHT, "weights"),
        (1, (True, True), MoneyCode.BAD_WEIGHT, "weights"),
        (1, (MAX_AMOUNT + 1,), MoneyCode.BAD_WEIGHT, "weights"),
        (1, (Fraction(1, 2**62), Fraction(1, 3)), MoneyCode.BAD_WEIGHT, "weights"),
        (1, (0, Fraction(0)), MoneyCode.NOTHING_WEIGHS, "weights"),
        (1, (1,) * (MAX_SHARES + 1), MoneyCode.TOO_MANY_WEIGHTS, "weights"),
    ],
)
def test_refused_splits(total: Any, weights: Any, code: MoneyCode, field: str) -> None:
    """Each refusal carries its code and the field, and says so in its text."""
    with pytest.raises(MoneyError) as refusal:
        split(total, weights)
    assert (refusal.value.code, refusal.value.field) == (code, field)
    assert str(refusal.value) == f"{field}: {refusal.value.sentence}"


@pytest.mark.parametrize(
    ("total", "basis_points", "fee"),
    [(390, 1000, 39), (6000, 1200, 720), (300, 1000, 30), (99, 1000, 9), (1, 9999, 0), (7, 0, 0)],
)
def test_a_percentage_is_rounded_down(total: int, basis_points: int, fee: int) -> None:
    """10 % of 390 leave 351; 10 % of 99 are 9, never 10."""
    assert share_percent(total, basis_points) == fee


@given(AMOUNTS, st.integers(0, 10_000))
def test_a_fee_never_exceeds_its_percentage(total: int, basis_points: int) -> None:
    """The fee is at most the exact percentage and less than one unit below it."""
    assert 0 <= Fraction(total * basis_points, 10_000) - share_percent(total, basis_points) < 1


@pytest.mark.parametrize("basis_points", [-1, 10_001, 10.0, True])
def test_a_percentage_outside_the_whole_is_refused(basis_points: Any) -> None:
    """0 to 10,000 basis points, whole."""
    with pytest.raises(MoneyError) as refusal:
        share_percent(100, basis_points)
    assert refusal.value.code is MoneyCode.BAD_PERCENTAGE
    assert refusal.value.field == "basis_points"


@pytest.mark.parametrize(("received", "refund"), [(200, 150), (0, 0), (30, 0), (500, 450)])
def test_a_refund_less_a_charge_is_never_negative(received: int, refund: int) -> None:
    """A cancellation that keeps 50."""
    assert refund_after_charge(received, 50) == refund


@pytest.mark.parametrize(
    "call",
    [
        lambda: refund_after_charge(-1, 0),
        lambda: refund_after_charge(0, -1),
        lambda: share_percent(-1, 0),
        lambda: format_minor(MAX_AMOUNT + 1, 2),
        lambda: checked_amount(-1, "fee"),
    ],
)
def test_amounts_out_of_range_are_refused_everywhere(call: Callable[[], object]) -> None:
    """No function takes a negative amount or one beyond 64 bits."""
    with pytest.raises(MoneyError) as refusal:
        call()
    assert refusal.value.code is MoneyCode.OUT_OF_RANGE


@pytest.mark.parametrize(
    ("amount", "scale", "text"),
    [
        (1850, 2, "18.50"),
        (5, 2, "0.05"),
        (-5, 2, "-0.05"),
        (0, 2, "0.00"),
        (12, 0, "12"),
        (-12, 0, "-12"),
        (1234, 3, "1.234"),
    ],
)
def test_amounts_are_written_with_their_decimals(amount: int, scale: int, text: str) -> None:
    """The scale of the asset gives the number of decimals."""
    assert format_minor(amount, scale) == text


@pytest.mark.parametrize("scale", [-1, 19, 2.0, True])
def test_a_scale_is_a_small_whole_number(scale: Any) -> None:
    """0 to 18 decimals."""
    with pytest.raises(MoneyError) as refusal:
        format_minor(1, scale)
    assert refusal.value.code is MoneyCode.BAD_SCALE


def test_an_error_without_a_field_reads_as_its_sentence() -> None:
    """The field is only written where there is one."""
    assert str(MoneyError(MoneyCode.NO_WEIGHTS, "Give one.")) == "Give one."
