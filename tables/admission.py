"""How many sockets a player may open at a table: each costs what a move costs, and each of them
gets every move from then on. Visitors are not counted: behind a proxy all may have one address.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from tables.limits import Allowance

OPENED_AT_ONCE: Final = 60
"""And one a second after that."""
OPEN_AT_MOST: Final = 60
"""In one process."""

Who = tuple[str, int]
"""A table's public id, and a user's."""

open_sockets: Final[Counter[Who]] = Counter()


def may_come(who: Who, allowance: Allowance, at: float) -> bool:
    """Whether he may open one more at `at`, in seconds; nothing is counted yet."""
    if allowance.refusals.is_empty(at) or allowance.openings.is_empty(at):
        return False
    return open_sockets[who] < OPEN_AT_MOST


def has_come(who: Who, allowance: Allowance, at: float) -> None:
    """He has opened one more."""
    allowance.openings.take(at)
    open_sockets[who] += 1


def has_gone(who: Who) -> None:
    """One of his has ended."""
    open_sockets[who] -= 1
    if not open_sockets[who]:
        del open_sockets[who]
