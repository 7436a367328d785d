"""The shoe: which cards are dealt from, in an order anybody can check afterwards (rules 5.1, 5.2).

Chance comes from 32 secret bytes whose SHA-256, the *commitment*, is published before the deal and
which are revealed after it. An HMAC-SHA-256 stream keyed with the secret, over a context that names
the deal and the players' nonces, drives an unbiased Fisher-Yates shuffle. The same stream draws
lots. Nothing here makes a secret: it is an argument.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from tables.rules.cards import PACK, PRINTED_JOKER, SUITS, Card
from tables.rules.errors import Code, RuleViolation
from tables.rules.profiles import Shoe

T = TypeVar("T")

SECRET_BYTES: Final = 32
MAX_NONCE_LENGTH: Final = 64
_TOSS_RANKS: Final = "23456789TJQKA"
"""Ranks from lowest to highest in a toss, where the ace is high."""


def new_shoe(shoe: Shoe) -> tuple[Card, ...]:
    """All cards of a shoe in factory order: pack by pack, then the printed jokers."""
    return PACK * shoe.packs + (PRINTED_JOKER,) * shoe.printed_jokers


def commitment_of(secret: bytes) -> str:
    """The SHA-256 of the secret in hexadecimal, published before anything is drawn."""
    return hashlib.sha256(_checked(secret)).hexdigest()


def _checked(secret: bytes) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise RuleViolation(
            Code.BAD_SECRET,
            f"A secret has {SECRET_BYTES} bytes, not {len(secret)}.",
            field="secret",
        )
    return secret


def _words(secret: bytes, context: Sequence[str]) -> Iterator[int]:
    """32-bit numbers of HMAC(secret, context ‖ counter); each part carries its length."""
    parts = (part.encode() for part in context)
    message = b"".join(str(len(part)).encode() + b":" + part for part in parts)
    counter = 0
    while True:
        block = hmac.digest(secret, message + counter.to_bytes(8, "big"), "sha256")
        for place in range(0, len(block), 4):
            yield int.from_bytes(block[place : place + 4], "big")
        counter += 1


def shuffled(items: Sequence[T], secret: bytes, *context: str) -> tuple[T, ...]:
    """`items` in the order that `secret` and `context` fix, each order equally likely.

    A number that would favour some places is thrown away. Raises `RuleViolation(BAD_SECRET)`.
    """
    words = _words(_checked(secret), context)
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        span = last + 1
        unbiased = (1 << 32) - (1 << 32) % span
        word = next(words)
        while word >= unbiased:
            word = next(words)
        other = word % span
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def draw_lot(among: Sequence[T], secret: bytes, *context: str) -> T:
    """One of `among`, each equally likely, fixed by `secret` and `context`."""
    return shuffled(among, secret, "lot", *context)[0]


Toss = tuple[tuple[int, tuple[Card, ...]], ...]
"""Seats from highest to lowest, each with the cards it drew (more than one after a tie)."""


def toss(seats: Sequence[int], packs: int, secret: bytes, *context: str) -> Toss:
    """One card each decides the order of play: highest first, the last one deals (rule 5.1).

    Equal ranks go by suit, spades highest; the same card from two packs draws again.
    """
    pile = iter(shuffled(PACK * packs, secret, "toss", *context))
    drawn: dict[int, list[Card]] = {seat: [next(pile)] for seat in seats}
    while True:
        keys = [tuple(cards) for cards in drawn.values()]
        again = [seat for seat, cards in drawn.items() if keys.count(tuple(cards)) > 1]
        if not again:
            break
        for seat in again:
            drawn[seat].append(next(pile))
    ranking = sorted(drawn.items(), key=lambda item: [_height(c) for c in item[1]], reverse=True)
    return tuple((seat, tuple(cards)) for seat, cards in ranking)


def _height(card: Card) -> tuple[int, int]:
    return _TOSS_RANKS.index(card[0]), -SUITS.index(card[1])
