"""What a table's owner asks and pays, where players are asked to decide. Tables know no amounts.

`RUMMY_TABLE_PRICES` says who does (see `tables.owners`): from an owner to amounts with their unit,
by what they are asked for: `rejoin`. `RUMMY_TABLE_SHARES`: from an owner and weights to the amounts
that a split would pay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tables.owners import answering


def prices_of(owner: str) -> Mapping[str, str]:
    """The amounts that a reader is told, in his language; empty for an owner nobody knows."""
    prices = answering("RUMMY_TABLE_PRICES", owner)
    return {} if prices is None else prices(owner)


def shares_of(owner: str, weights: Sequence[int]) -> Sequence[str]:
    """What each weight's share would be, in the reader's language; empty where nobody knows."""
    shares = answering("RUMMY_TABLE_SHARES", owner)
    return () if shares is None else shares(owner, weights)
