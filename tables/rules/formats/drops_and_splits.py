"""The arithmetic of a pool: first drops a player can still afford, and shares of a split.

Everything follows from `drops_left` (rule 6.3): thresholds of rejoins and splits, and how much
more of the prize pool a player in a better position gets. Shares are whole-number weights, so that
no money is needed here; whoever pays divides the prize pool in proportion.
"""

from __future__ import annotations

from collections.abc import Sequence

from tables.rules.errors import Code, RuleViolation


def drops_left(total: int, *, limit: int, first_drop: int) -> int:
    """First drops a player with `total` points can take and stay below `limit`; 0 when out."""
    return max(0, (limit - 1 - total) // first_drop)


def split_weights(drops: Sequence[int], buy_ins: int) -> tuple[int, ...]:
    """Weights of a manual split for players with these drops left (rule 6.3.6).

    With u one buy-in's part of the pool, m the fewest drops and k players, each gets u for every
    drop above m, and the rest is shared equally: u(d − m) + rest / k. Times k / u that is
    k(d − m) + B − Σ(d − m), and the weights add up to k × B. Raises `NO_SPLIT` when less than one
    buy-in would be left to share equally.
    """
    fewest = min(drops)
    above = [count - fewest for count in drops]
    rest = buy_ins - sum(above)
    if rest < 1:
        raise RuleViolation(
            Code.NO_SPLIT,
            f"The drops left differ by {sum(above)}, too much for {buy_ins} buy-ins; play on.",
        )
    return tuple(len(drops) * count + rest for count in above)
