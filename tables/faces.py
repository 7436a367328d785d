"""Cards as a page draws them: rank, suit, what is read aloud, and whether it is a joker."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from tables.rules.cards import PRINTED_JOKER, Card, Rank, is_joker
from tables.table_texts import TEXTS

_SUITS: Final = {
    "S": ("♠", "spades"),
    "H": ("♥", "hearts"),
    "D": ("♦", "diamonds"),
    "C": ("♣", "clubs"),
}
_COURTS: Final = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_TEXT: Final = "\ufe0e"
"""Asks for the plain sign where a font would draw a picture of it."""


class Face(NamedTuple):
    """One card to draw; `suit_name` is also the name of its colour in the style sheet."""

    rank: str
    suit: str
    suit_name: str
    spoken: str
    is_joker: bool = False
    court: str = ""
    """`ace`, `jack`, `queen` or `king`; empty for a number."""

    @property
    def kinds(self) -> str:
        """Classes of the style sheet, as the scripts of the table page name them."""
        wild = "wild" if self.is_joker and self.suit else ""
        return " ".join(filter(None, ("pc", self.suit_name, self.court, wild)))


def face_of(card: Card, wild_rank: Rank = "") -> Face:
    """A card; `wild_rank` is empty before the wild card is turned up."""
    if card == PRINTED_JOKER:
        return Face("★", "", "printed", str(TEXTS["printed_joker"]), True)
    rank, (sign, name) = card[0], _SUITS[card[1]]
    joker = is_joker(card, wild_rank)
    shown = "10" if rank == "T" else rank
    return Face(shown, sign + _TEXT, name, _spoken(card, joker), joker, _COURTS.get(rank, ""))


def faces_of(cards: Iterable[Card], wild_rank: Rank = "") -> tuple[Face, ...]:
    """Cards in their order."""
    return tuple(face_of(card, wild_rank) for card in cards)


def _spoken(card: Card, joker: bool) -> str:
    """`7 of hearts, joker`, in the language of this request."""
    rank, suit = TEXTS[f"rank_{card[0]}"], TEXTS[f"suit_{card[1]}"]
    name = str(TEXTS["card"]).format(rank=rank, suit=suit)
    return str(TEXTS["as_joker"]).format(card=name) if joker else name
