"""Money arithmetic in one place: splitting, percentages, refunds and writing amounts.

An *amount* is a whole number of the smallest unit of one asset (paise, cents, chips), never a
float. A *weight* is a whole number or an exact fraction that says how large a share is against the
others. *Basis points* are hundredths of a percent: 10,000 are the whole.

Rounding is decided here and nowhere else: prizes, pool splits, fees, pages and exports all come
through these functions. Nothing here knows accounts, tables or a database.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from math import lcm
from typing import Final

MAX_AMOUNT: Final = 2**63 - 1
"""Largest amount, and largest common denominator of weights: what a 64-bit column holds."""
MAX_SHARES: Final = 100_000
"""Most shares one amount is split into."""
WHOLE: Final = 10_000
"""Basis points of the whole."""
MAX_SCALE: Final = 18


class MoneyCode(StrEnum):
    """Every reason money arithmetic can refuse its input. The values are stable."""

    NOT_WHOLE = "amount_not_whole"
    OUT_OF_RANGE = "amount_out_of_range"
    NO_WEIGHTS = "no_weights"
    TOO_MANY_WEIGHTS = "too_many_weights"
    BAD_WEIGHT = "bad_weight"
    NOTHING_WEIGHS = "nothing_weighs"
    BAD_PERCENTAGE = "bad_percentage"
    BAD_SCALE = "bad_scale"


class MoneyError(Exception):
    """A refused amount, weight or percentage; nothing was computed.

    `code` is stable, `sentence` says what to do instead, `field` names the input at fault.
    """

    def __init__(self, code: MoneyCode, sentence: str, *, field: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.field = field

    def __str__(self) -> str:
        return f"{self.field}: {self.sentence}" if self.field else self.sentence


def checked_amount(amount: int, field: str, *, signed: bool = False) -> int:
    """The amount itself, if it is a whole number from 0 (or, signed, the negative) to 2⁶³ − 1.

    Raises `MoneyError(NOT_WHOLE)` for anything but an `int` (a bool or float is no amount) and
    `MoneyError(OUT_OF_RANGE)`.
    """
    if type(amount) is not int:
        raise MoneyError(
            MoneyCode.NOT_WHOLE,
            f"An amount is a whole number of the smallest unit, not {amount!r}.",
            field=field,
        )
    if not (-MAX_AMOUNT if signed else 0) <= amount <= MAX_AMOUNT:
        raise MoneyError(
            MoneyCode.OUT_OF_RANGE,
            "An amount must fit 64 bits." if signed else "An amount is 0 or more, up to 64 bits.",
            field=field,
        )
    return amount


def split(total: int, weights: Sequence[int | Fraction]) -> tuple[int, ...]:
    """Shares of `total` in the order of `weights`, whole units, summing to exactly `total`.

    Largest remainder: everybody gets his exact share rounded down; the units left over go one each
    to the largest fractions cut off, equal fractions to the earlier (the better) place. A share is
    never more than one unit from its exact value, and a weight of 0 gets 0.

    Raises `MoneyError`: total not a whole amount, no weights or more than 100,000 of them, a weight
    that is negative, not exact (float, bool) or too finely divided, or all weights 0.
    """
    checked_amount(total, "total")
    whole_weights = _whole_weights(weights)
    weight_sum = sum(whole_weights)
    if not weight_sum:
        raise MoneyError(
            MoneyCode.NOTHING_WEIGHS, "At least one weight must be above 0.", field="weights"
        )
    shares, cut_off = map(
        list, zip(*(divmod(total * weight, weight_sum) for weight in whole_weights), strict=True)
    )
    # sorted() is stable, so equal fractions stay in the order of their places.
    by_fraction = sorted(range(len(shares)), key=cut_off.__getitem__, reverse=True)
    for place in by_fraction[: total - sum(shares)]:
        shares[place] += 1
    return tuple(shares)


def share_percent(total: int, basis_points: int) -> int:
    """A percentage of `total`, for fees, rounded down.

    Down, because a fee is taken out of money that belongs to the players: a stated 10 % is then
    never exceeded, not even by half a unit, and the fraction stays in the prize pool.
    Raises `MoneyError` when `basis_points` is not a whole number from 0 to 10,000.
    """
    checked_amount(total, "total")
    if type(basis_points) is not int or not 0 <= basis_points <= WHOLE:
        raise MoneyError(
            MoneyCode.BAD_PERCENTAGE,
            f"A percentage is 0 to {WHOLE} basis points (hundredths of a percent).",
            field="basis_points",
        )
    return total * basis_points // WHOLE


def refund_after_charge(received: int, charge: int) -> int:
    """What goes back of the `received` amount when `charge` of it is kept; never below 0."""
    return max(0, checked_amount(received, "received") - checked_amount(charge, "charge"))


def format_minor(amount: int, scale: int) -> str:
    """The amount with `scale` decimals and a point, for logs, exports and the command line.

    1850 with scale 2 is `18.50`. Pages write amounts in the reader's own locale instead.
    """
    checked_amount(amount, "amount", signed=True)
    if type(scale) is not int or not 0 <= scale <= MAX_SCALE:
        raise MoneyError(
            MoneyCode.BAD_SCALE, f"An asset has 0 to {MAX_SCALE} decimals.", field="scale"
        )
    sign = "-" if amount < 0 else ""
    if not scale:
        return f"{sign}{abs(amount)}"
    whole, part = divmod(abs(amount), 10**scale)
    return f"{sign}{whole}.{part:0{scale}d}"


def _whole_weights(weights: Sequence[int | Fraction]) -> list[int]:
    """The weights on their common denominator."""
    if not weights:
        raise MoneyError(MoneyCode.NO_WEIGHTS, "Give at least one weight.", field="weights")
    if len(weights) > MAX_SHARES:
        raise MoneyError(
            MoneyCode.TOO_MANY_WEIGHTS,
            f"An amount is split into at most {MAX_SHARES:,} shares.",
            field="weights",
        )
    denominator = 1
    for weight in weights:
        if type(weight) not in (int, Fraction) or not 0 <= weight <= MAX_AMOUNT:
            raise _bad_weight(f"A weight is a whole number or a fraction from 0, not {weight!r}.")
        denominator = lcm(denominator, weight.denominator)
        if denominator > MAX_AMOUNT:
            raise _bad_weight("The weights have no common denominator that fits 64 bits.")
    return [weight.numerator * (denominator // weight.denominator) for weight in weights]


def _bad_weight(sentence: str) -> MoneyError:
    return MoneyError(MoneyCode.BAD_WEIGHT, sentence, field="weights")
