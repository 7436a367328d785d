"""Searching texts for cards that their reader may not know, without asking the code under test.

What a seat knows is told from the log by a reading of the rules of its own: his hand, what he drew,
what lay or was laid open. Everything else of a running deal is hidden from him.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from tables.rules.cards import PACK

Event = dict[str, Any]

CARDS: Final = frozenset(PACK) | {"JK"}
_IN_JSON: Final = re.compile(r'"([2-9TJQKA][SHDC]|JK)"')
_EDGE: Final = r"""["'\\,;&>\[( ]"""
_ANYWHERE: Final = re.compile(rf"""(?<={_EDGE})([2-9TJQKA][SHDC]|JK)(?=["'\\,;&<\]) ])""")
_AS_READ: Final = re.compile(r"(ace|jack|queen|king|\d+) of (spades|hearts|diamonds|clubs)")
_RANKS: Final = {"ace": "A", "jack": "J", "queen": "Q", "king": "K", "10": "T"}


def cards_in_frame(text: str) -> set[str]:
    """The cards that a frame names."""
    return set(_IN_JSON.findall(text))


def cards_anywhere(text: str) -> set[str]:
    """The cards that a log or a page names, in whatever quotes, or as they are read aloud."""
    read = {_RANKS.get(rank, rank) + suit[0].upper() for rank, suit in _AS_READ.findall(text)}
    return set(_ANYWHERE.findall(text)) | read


def known_to(seat: int | None, events: Iterable[Event]) -> set[str]:
    """The cards a viewer may have seen after these events of a running deal."""
    known: set[str] = set()
    for event in events:
        match event["kind"]:
            case "cards_dealt":
                hands = dict(event["hands"])
                known.update(hands.get(seat, ()), [event["wild_card"], event["open_card"]])
            case "toss_made":
                known.update(cards_of(event))
            case "card_drawn":
                if event["seat"] == seat or event["deck"] == "open":
                    known.add(event["card"])
            case "hand_arranged" | "hand_declared":
                if event["seat"] == seat:
                    known.update(cards_of(event))
            case "deck_reshuffled":
                pass
            case _:
                known.update(cards_of(event))
    return known


def cards_of(value: Any) -> set[str]:
    """All cards inside a JSON value."""
    if isinstance(value, str):
        return {value} & CARDS
    if isinstance(value, dict):
        value = list(value.values())
    return set().union(*map(cards_of, value)) if isinstance(value, list) else set()
