"""How many sockets a player may open at a table: each costs what a move costs, and each of them
gets every move from then on. Visitors are not counted: behind a proxy all may have one address.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from tables.limits import Allowance, Allowances, TokenBucket

OPENED_AT_ONCE: Final = 60
"""And one a second after that."""
OPEN_AT_MOST: Final = 60
"""In one process."""

Who = tuple[str, int]
"""A table's public id, and a user's."""

open_sockets: Final[Counter[Who]] = Counter()
openings: Final[Allowances[TokenBucket]] = Allowances()
"""How many more each may open now, by who at which table."""


def may_come(who: Who, sending: Allowance | None, at: float) -> bool:
    """Whether he may open one more at `at`, in seconds; nothing is counted yet.

    `sending` is what he has used up of what he may send, None if that is nothing.
    """
    if sending is not None and sending.refusals.is_empty(at):
        return False
    opening = openings.get(who)
    if opening is not None and opening.is_empty(at):
        return False
    return open_sockets[who] < OPEN_AT_MOST


def has_come(who: Who, at: float) -> None:
    """He has opened one more."""
    fresh = TokenBucket(per_second=1, burst=OPENED_AT_ONCE, now=at)
    openings.keep(who, fresh).take(at)
    open_sockets[who] += 1


def has_gone(who: Who) -> None:
    """One of his has ended."""
    open_sockets[who] -= 1
    if not open_sockets[who]:
        del open_sockets[who]
