"""What a table's owner asks of a player who is offered to buy in again. Tables know no amounts.

The site says in `RUMMY_TABLE_PRICES` who does: by the word before the colon of an owner, the dotted
name of a function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.conf import settings
from django.utils.module_loading import import_string

Prices = Callable[[str], Mapping[str, str]]
"""From an owner to amounts with their unit, by what they are asked for: `rejoin`."""


def prices_of(owner: str) -> Mapping[str, str]:
    """The amounts that a reader is told, in his language; empty for an owner nobody knows."""
    kind, _, _rest = owner.partition(":")
    if kind not in settings.RUMMY_TABLE_PRICES:
        return {}
    prices: Prices = import_string(settings.RUMMY_TABLE_PRICES[kind])
    return prices(owner)
