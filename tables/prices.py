"""What a table's owner asks of a player who is offered to buy in again. Tables know no amounts.

`RUMMY_TABLE_PRICES` says who does (see `tables.owners`): from an owner to amounts with their unit,
by what they are asked for: `rejoin`.
"""

from __future__ import annotations

from collections.abc import Mapping

from tables.owners import answering


def prices_of(owner: str) -> Mapping[str, str]:
    """The amounts that a reader is told, in his language; empty for an owner nobody knows."""
    prices = answering("RUMMY_TABLE_PRICES", owner)
    return {} if prices is None else prices(owner)
