"""How fast one client may send: a bucket of tokens that fills with time."""

from __future__ import annotations


class TokenBucket:
    """At most `burst` at once and `per_second` on the average; time is given, in seconds."""

    __slots__ = ("_burst", "_per_second", "_since", "_tokens")

    def __init__(self, *, per_second: float, burst: int, now: float) -> None:
        self._per_second = per_second
        self._burst = float(burst)
        self._tokens = float(burst)
        self._since = now

    def take(self, now: float) -> bool:
        """Whether one more is allowed now."""
        gained = (now - self._since) * self._per_second
        self._tokens = min(self._burst, self._tokens + max(0.0, gained))
        self._since = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
