"""How fast one client may send: a bucket of tokens that fills with time.

A player's buckets outlive his sockets, so that who opens another gains nothing by it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Generic, NamedTuple, TypeVar

Kept = TypeVar("Kept")

KEPT: Final = 4096
"""The allowances of so many clients are kept; one takes some hundred bytes."""


class TokenBucket:
    """At most `burst` at once and `per_second` on the average; time is given, in seconds."""

    __slots__ = ("_burst", "_per_second", "_since", "_tokens")

    def __init__(self, *, per_second: float, burst: int, now: float) -> None:
        self._per_second = per_second
        self._burst = float(burst)
        self._tokens = float(burst)
        self._since = now

    def take(self, now: float) -> bool:
        """Whether one more is allowed now; it is counted."""
        if self.is_empty(now):
            return False
        self._tokens -= 1
        return True

    def is_empty(self, now: float) -> bool:
        """Whether no more is allowed now."""
        gained = (now - self._since) * self._per_second
        self._tokens = min(self._burst, self._tokens + max(0.0, gained))
        self._since = now
        return self._tokens < 1


class Allowance(NamedTuple):
    """What a client may still send, and how often he may be refused."""

    frames: TokenBucket
    refusals: TokenBucket


class Allowances(Generic[Kept]):
    """The allowances of one process's clients, those asked for longest ago dropped first.

    For one event loop. All sockets under one key share an allowance.
    """

    def __init__(self, size: int = KEPT) -> None:
        self._size = size
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()

    def get(self, key: Hashable) -> Kept | None:
        """What is kept under the key."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def keep(self, key: Hashable, allowance: Kept) -> Kept:
        """What is kept under the key, this one if there was none."""
        kept = self._kept.setdefault(key, allowance)
        self._kept.move_to_end(key)
        if len(self._kept) > self._size:
            self._kept.popitem(last=False)
        return kept
