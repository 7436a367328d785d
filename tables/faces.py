"""Cards as a page draws them: rank, suit, what is read aloud, and whether it is a joker."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from tables.rules.cards import PRINTED_JOKER, Card, Rank, is_joker

_SUITS: Final = {
    "S": ("♠", "spades"),
    "H": ("♥", "hearts"),
    "D": ("♦", "diamonds"),
    "C": ("♣", "clubs"),
}
_RANKS: Final = {"A": "ace", "J": "jack", "Q": "queen", "K": "king", "T": "10"}
_TEXT: Final = "\ufe0e"
"""Asks for the plain sign where a font would draw a picture of it."""


class Face(NamedTuple):
    """One card to draw; `suit_name` is also the name of its colour in the style sheet."""

    rank: str
    suit: str
    suit_name: str
    spoken: str
    is_joker: bool = False


def face_of(card: Card, wild_rank: Rank = "") -> Face:
    """A card; `wild_rank` is empty before the wild card is turned up."""
    if card == PRINTED_JOKER:
        return Face("★", "", "printed", "printed joker", True)
    rank, (sign, name) = card[0], _SUITS[card[1]]
    joker = is_joker(card, wild_rank)
    spoken = f"{_RANKS.get(rank, rank)} of {name}" + (", joker" if joker else "")
    return Face("10" if rank == "T" else rank, sign + _TEXT, name, spoken, joker)


def faces_of(cards: Iterable[Card], wild_rank: Rank = "") -> tuple[Face, ...]:
    """Cards in their order."""
    return tuple(face_of(card, wild_rank) for card in cards)
