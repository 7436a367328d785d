"""Cards in a hand under a wild rank and a profile: the three things every bot thinks about.

Points come from `hands`; this only remembers them for one thought.
"""

from __future__ import annotations

from tables.rules.cards import Card, Rank, is_joker, without
from tables.rules.commands import Groups
from tables.rules.grouping import best_grouping, best_points, is_complete
from tables.rules.hands import full_count
from tables.rules.melds import kind_of
from tables.rules.profiles import RuleProfile


class Hand:
    """13 cards, or 14 between drawing and discarding."""

    __slots__ = ("_points_without", "cards", "profile", "wild_rank")

    def __init__(self, cards: tuple[Card, ...], wild_rank: Rank, profile: RuleProfile) -> None:
        self.cards = cards
        self.wild_rank = wild_rank
        self.profile = profile
        self._points_without: dict[Card, int] = {}

    def and_card(self, card: Card) -> Hand:
        """The hand with one card more."""
        return Hand((*self.cards, card), self.wild_rank, self.profile)

    def without(self, *cards: Card) -> Hand:
        """The hand without a copy of each of these cards, which it holds."""
        return Hand(without(self.cards, *cards), self.wild_rank, self.profile)

    def is_joker(self, card: Card) -> bool:
        """Whether the card may stand for any other."""
        return is_joker(card, self.wild_rank)

    @property
    def jokers(self) -> int:
        """How many jokers of both kinds are held."""
        return sum(self.is_joker(card) for card in self.cards)

    @property
    def discardable(self) -> list[Card]:
        """Each different card worth discarding: no joker, unless there is nothing else.

        A hand complete without one of its jokers is all but always complete with it in place of
        another card.
        """
        cards = list(dict.fromkeys(self.cards))
        return [card for card in cards if not self.is_joker(card)] or cards

    def is_group(self, cards: tuple[Card, ...]) -> bool:
        """Whether these cards make a valid group."""
        return kind_of(cards, self.wild_rank, self.profile) is not None

    def full_count(self, *cards: Card) -> int:
        """Points of these cards when nothing is grouped."""
        return full_count(cards, self.wild_rank, self.profile)

    def points(self) -> int:
        """Fewest points of 13 cards."""
        return best_points(self.cards, self.wild_rank, self.profile)

    def groups(self) -> Groups:
        """The groups of 13 cards that count least, as they are arranged or declared."""
        best = best_grouping(self.cards, self.wild_rank, self.profile)
        return tuple(group.cards for group in best.groups)

    def points_without(self, card: Card) -> int:
        """Fewest points of 14 cards less one."""
        points = self._points_without.get(card)
        if points is None:
            points = self._points_without[card] = self.without(card).points()
        return points

    def is_complete(self) -> bool:
        """Whether these 13 cards can be declared."""
        return is_complete(self.cards, self.wild_rank, self.profile)

    def is_complete_without(self, card: Card) -> bool:
        """Whether 14 cards less one can be declared."""
        points = self._points_without.get(card)
        return not points and self.without(card).is_complete()
