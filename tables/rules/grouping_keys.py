"""A hand, and one suit of it, as integers.

A *suit key* holds everything about one suit that its sequences depend on: how many natural cards
lie at each position (four bits a position, 1 for a low ace to 14 for a high one), the *budget* of
jokers it may use up, its *own* wild-rank cards, which may stand as themselves, and the wild
position. *Packed* keys are those of the four suits in one integer, a field each. *Presence* is a
content with one bit a position, an ace that is not yet laid showing at both its places.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from tables.rules.cards import PACK, PRINTED_JOKER, RANKS, SUITS, Card, Rank, is_joker, parse_card
from tables.rules.melds import HIGH_ACE

NIBBLE: Final = 15
CONTENT: Final = (1 << 56) - 1
BUDGET_AT: Final = 56
OWN_AT: Final = 60
WILD_AT: Final = 64
BARE: Final = 1 << 68
"""Set when a wild card with nothing but substitutes may have to serve as a sequence."""
ACES_LOW: Final = 1 << 69
"""Set when the aces at position 1 stay there."""
OWN_FIELDS: Final = NIBBLE << OWN_AT | NIBBLE << WILD_AT

FIELD_BITS: Final = 72
FIELD: Final = (1 << FIELD_BITS) - 1
SUIT_SHIFTS: Final = tuple(suit * FIELD_BITS for suit in range(len(SUITS)))
ONE_EACH: Final = sum(1 << shift for shift in SUIT_SHIFTS)
"""A one at the bottom of every field."""

_ONES: Final = CONTENT // NIBBLE * ONE_EACH
_HIGH_SHIFT: Final = 4 * (HIGH_ACE - 1)
HIGH: Final = 1 << _HIGH_SHIFT
"""A high ace, as a content."""
_OWN: Final = (NIBBLE << OWN_AT) * ONE_EACH
_KEYS: Final = FIELD * ONE_EACH
_JOKERS_AT: Final = FIELD_BITS * len(SUITS)
_WEIGHT_AT: Final = _JOKERS_AT + 4

Weights = tuple[int, ...]
"""Weight of a natural card by position; index 0 is not used."""


class Held(NamedTuple):
    """A hand as counts."""

    packed: int
    """The suit keys, the budget of each being all jokers of the hand."""
    plain: int
    """The same without wild-rank cards."""
    present: int
    """Presence of natural cards in every field, and of wild-rank cards in their own places."""
    wild_present: int
    """Presence of wild-rank cards alone."""
    jokers: int
    """Jokers of both kinds."""
    weight: int
    """Weight of all natural cards."""

    @property
    def wilds(self) -> tuple[int, ...]:
        """Wild-rank cards of each suit."""
        return tuple(self.packed >> shift + OWN_AT & NIBBLE for shift in SUIT_SHIFTS)


@lru_cache(maxsize=64)
def _codes(wild_rank: Rank, weights: Weights) -> dict[Card, int]:
    """What each card adds to the packed counts of a hand."""
    codes = {PRINTED_JOKER: 1 << _JOKERS_AT}
    for card in PACK:
        shift, place = SUIT_SHIFTS[SUITS.index(card[1])], RANKS.index(card[0])
        if is_joker(card, wild_rank):
            codes[card] = 1 << shift + OWN_AT | 1 << _JOKERS_AT
        else:
            codes[card] = 1 << shift + 4 * place | weights[place + 1] << _WEIGHT_AT
    return codes


def held(cards: Collection[Card], wild_rank: Rank, weights: Weights, bare_up_to: int) -> Held:
    """The cards counted; suits with wild cards are `BARE` with so few natural cards in the hand.

    Raises `RuleViolation(BAD_CARD)`.
    """
    codes = _codes(wild_rank, weights)
    try:
        packed = sum([codes[card] for card in cards])
    except KeyError as unknown:
        parse_card(unknown.args[0])
        raise
    jokers = packed >> _JOKERS_AT & NIBBLE
    keys = (packed & _KEYS) + (jokers << BUDGET_AT) * ONE_EACH
    plain, wild_present = keys & ~_OWN, 0
    if plain != keys:
        own = keys >> OWN_AT
        suits = (own | own >> 1 | own >> 2 | own >> 3) & ONE_EACH
        place = RANKS.index(wild_rank)
        mark = place + 1 << WILD_AT
        if len(cards) - jokers <= bare_up_to:
            mark |= BARE
        keys |= suits * mark
        wild_present = suits << 4 * place
        if not place:
            wild_present |= suits << _HIGH_SHIFT
    present = presence(plain) | wild_present
    return Held(keys, plain, present, wild_present, jokers, packed >> _WEIGHT_AT)


def presence(packed: int, *, aces_low: int = 0) -> int:
    """One bit for each position held; an ace shows at both its places unless it stays low."""
    bits = (packed | packed >> 1 | packed >> 2 | packed >> 3) & _ONES
    return bits if aces_low else bits | (bits & ONE_EACH) << _HIGH_SHIFT


def wild_places(key: int) -> tuple[int, ...]:
    """Positions of the wild rank, for a suit key with wild cards of its own; else none."""
    wild = key >> WILD_AT & NIBBLE
    return () if not wild else (1, HIGH_ACE) if wild == 1 else (wild,)


def wild_presence(key: int) -> int:
    """Presence of the wild rank, for a suit key with wild cards of its own; else 0."""
    wild = key >> WILD_AT & NIBBLE
    return presence(1 << 4 * (wild - 1)) if wild else 0


def around(place: int, reach: int) -> int:
    """A mask of the positions less than `reach` away from one."""
    low = max(0, place - reach)
    return (1 << 4 * (place + reach - 1)) - (1 << 4 * low)


def in_threes(bits: int) -> int:
    """The positions that lie in three or more consecutive ones."""
    first = bits & bits >> 4 & bits >> 8
    return _both_aces(first | first << 4 | first << 8)


def near(bits: int) -> int:
    """The positions that one joker can join to another of them."""
    return _both_aces(bits & (bits << 4 | bits << 8 | bits >> 4 | bits >> 8))


def within_two(bits: int) -> int:
    """The positions at most two away from one of them."""
    return bits | bits << 4 | bits << 8 | bits >> 4 | bits >> 8


def count(content: int) -> int:
    """Natural cards of one suit's content."""
    return content % NIBBLE


def places_of(content: int) -> Iterator[int]:
    """The positions held, upwards."""
    for place in range(1, HIGH_ACE + 1):
        if content >> 4 * (place - 1) & NIBBLE:
            yield place


def _both_aces(bits: int) -> int:
    return bits | bits >> _HIGH_SHIFT & ONE_EACH
