"""Chance as a bot knows it: numbers fixed by a seed and by what they are asked for.

Nothing is counted and nothing is kept, so a bot asked twice about the same view answers the same,
in any process and on any machine.
"""

from __future__ import annotations

import hmac

import msgspec


class Chance(msgspec.Struct, frozen=True):
    """A source of numbers. The same seed and the same context always give the same number."""

    seed: bytes

    def below(self, bound: int, *context: str) -> int:
        """A number from 0 to `bound` - 1; `bound` is at least 1.

        128 bits are reduced, so no number is favoured by more than one part in 2 ** 120.
        """
        message = "\0".join(context).encode()
        return int.from_bytes(hmac.digest(self.seed, message, "sha256")[:16], "big") % bound
