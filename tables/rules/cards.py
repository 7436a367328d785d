"""Cards of 13-card rummy as short texts.

A card is its rank (`A 2 … 9 T J Q K`) followed by its suit (`S H D C`), `TD` being the ten of
diamonds; a printed joker is `JK`. The same card from two packs is the same text twice. `??` stands
for a card the viewer may not know; it never enters a computation of points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tables.rules.errors import Code, RuleViolation

Card = str
"""A card's text, e.g. `"TD"`, or `PRINTED_JOKER`."""
Rank = str
"""One letter of `RANKS`."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
"""Suits from highest to lowest, the order that decides a toss between equal ranks."""
PRINTED_JOKER: Final = "JK"
HIDDEN: Final = "??"
PACK: Final[tuple[Card, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards of a pack, without jokers."""
HAND_SIZE: Final = 13

_KNOWN: Final = frozenset(PACK) | {PRINTED_JOKER}
_ORDER: Final = {card: place for place, card in enumerate((*PACK, PRINTED_JOKER, HIDDEN))}


def parse_card(text: object, *, field: str = "card") -> Card:
    """The card written as `text`. Raises `RuleViolation(BAD_CARD)` naming `field`."""
    if isinstance(text, str) and text in _KNOWN:
        return text
    shown = repr(text)[:20]
    raise RuleViolation(
        Code.BAD_CARD,
        f"{shown} is no card; write rank and suit like 7H or TD, or JK for a printed joker.",
        field=field,
    )


def parse_cards(texts: Iterable[object], *, field: str = "cards") -> tuple[Card, ...]:
    """All cards of `texts`, in their order. Raises like `parse_card`, naming the place."""
    return tuple(parse_card(text, field=f"{field}[{i}]") for i, text in enumerate(texts))


def parse_wild(text: object, *, field: str = "wild") -> Rank:
    """The wild rank for a stated rank, or for `JK` turned up as the wild card (Aces are wild)."""
    if text == PRINTED_JOKER:
        return "A"
    if isinstance(text, str) and len(text) == 1 and text in RANKS:
        return text
    raise RuleViolation(
        Code.BAD_RANK,
        f"{repr(text)[:20]} is no rank; write one of {' '.join(RANKS)}, or JK.",
        field=field,
    )


def wild_rank_of(turned_up: Card) -> Rank:
    """The wild rank when this card is turned up; a printed joker makes the Aces wild."""
    return "A" if turned_up == PRINTED_JOKER else turned_up[0]


def is_joker(card: Card, wild_rank: Rank) -> bool:
    """Whether the card is a printed joker or of the wild rank."""
    return card == PRINTED_JOKER or card[0] == wild_rank


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards sorted by suit, then rank with the ace low, printed jokers last."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))


def without(cards: Sequence[Card], *taken: Card) -> tuple[Card, ...]:
    """`cards` less one copy of each of `taken`; raises `RuleViolation(CARD_NOT_IN_HAND)`."""
    left = list(cards)
    for card in taken:
        try:
            left.remove(card)
        except ValueError:
            raise RuleViolation(
                Code.CARD_NOT_IN_HAND, f"{card} is not in this hand.", field="card"
            ) from None
    return tuple(left)
