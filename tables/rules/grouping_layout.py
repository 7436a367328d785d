"""From a cover, which knows counts only, back to groups of cards.

Which physical joker goes where follows a fixed order, so that the answer does not depend on the
order of the hand: printed jokers first, then wild cards by suit. Jokers that no group needs go
where the search had counted them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from tables.rules.cards import PRINTED_JOKER, RANKS, SUITS, Card, Rank, in_order, is_joker
from tables.rules.grouping_keys import places_of
from tables.rules.grouping_search import Aim, Cover, place_idle
from tables.rules.grouping_sets import ENDLESS, WildRun
from tables.rules.grouping_shapes import PURE, Shape
from tables.rules.melds import MAX_RUN, MIN_GROUP


@dataclass(slots=True)
class _Open:
    """A group that may still take jokers."""

    cards: list[Card]
    is_run: bool
    wild_suit: str = ""
    """Suit of its wild card that stands as itself."""
    substitutes: int = 0
    most: int = ENDLESS
    """The most cards it can hold."""

    @property
    def room(self) -> int:
        """Cards it can still take."""
        return self.most - len(self.cards)


@dataclass(slots=True)
class _Jokers:
    """The jokers of the hand that lie in no group yet."""

    wild_rank: Rank
    left: list[Card] = field(default_factory=list)

    def take(self, card: Card) -> Card:
        """This very card."""
        self.left.remove(card)
        return card

    def take_wild(self) -> Card:
        """The last wild-rank card."""
        return self.take(next(card for card in reversed(self.left) if card != PRINTED_JOKER))

    def fill(self, group: _Open, number: int) -> None:
        """Put so many of the first jokers into a group."""
        group.cards += self.left[:number]
        del self.left[:number]


def lay_out(
    cover: Cover, cards: Collection[Card], wild_rank: Rank, aim: Aim
) -> tuple[list[list[Card]], list[Card]]:
    """The groups of a cover and the cards outside them; `cards` are those it was found for."""
    hand = in_order(cards)
    naturals = [card for card in hand if not is_joker(card, wild_rank)]
    jokers = _Jokers(wild_rank, [card for card in hand if is_joker(card, wild_rank)])
    jokers.left.sort(key=lambda card: card != PRINTED_JOKER)
    groups = [*_sequences(cover, aim), *_sets(cover, aim)]
    for group in groups:
        for card in group.cards:
            naturals.remove(card)
        if group.wild_suit:
            group.cards.append(jokers.take(wild_rank + group.wild_suit))
    kept_pure = _kept_pure(groups, aim)
    groups += _sets_of_wilds(groups, jokers, aim, kept_pure)
    for group in groups:
        jokers.fill(group, group.substitutes)
    # An impure sequence before any other, so that few groups get more jokers than they need.
    for group in sorted(groups, key=lambda group: not (group.is_run and group.substitutes)):
        if group is not kept_pure:
            jokers.fill(group, group.room)
    return [group.cards for group in groups], naturals + jokers.left


def _sequences(cover: Cover, aim: Aim) -> Iterator[_Open]:
    """What was laid suit by suit, the sets of one natural card included."""
    limit, set_limit = aim.runs.options.substitute_limit, aim.sets.limit or ENDLESS
    found = [(suit, code) for suit, codes in cover.shapes for code in codes]
    for chosen in cover.layout[-1]:
        if isinstance(chosen, WildRun):
            found.append((chosen.suit, chosen.code))
    for suit, code in found:
        shape, name = Shape.read(code), SUITS[suit]
        cards = [RANKS[(place - 1) % len(RANKS)] + name for place in places_of(shape.taken)]
        most = MAX_RUN if limit is None else min(MAX_RUN, len(cards) + shape.own + limit)
        own = name if shape.own else ""
        yield _Open(
            cards, not shape.is_set, own, shape.substitutes, set_limit if shape.is_set else most
        )


def _sets(cover: Cover, aim: Aim) -> Iterator[_Open]:
    """The sets of the layout."""
    most = aim.sets.limit or ENDLESS
    for chosen in cover.layout[-1]:
        if not isinstance(chosen, WildRun):
            at, choice = chosen
            for suits in choice.sets:
                cards = [RANKS[at // 4] + SUITS[suit] for suit in suits]
                substitutes = max(0, MIN_GROUP - len(cards))
                yield _Open(cards, False, substitutes=substitutes, most=most)


def _kept_pure(groups: list[_Open], aim: Aim) -> _Open | None:
    """The pure sequence that takes no joker, where the aim needs one."""
    pure = [group for group in groups if group.is_run and not group.substitutes]
    return pure[0] if pure and aim.needed & PURE else None


def _sets_of_wilds(
    groups: list[_Open], jokers: _Jokers, aim: Aim, kept_pure: _Open | None
) -> list[_Open]:
    """Sets of the wild rank alone, where that groups more jokers than the others can take."""
    idle = len(jokers.left) - sum(group.substitutes for group in groups)
    room = sum(group.room - group.substitutes for group in groups if group is not kept_pure)
    wilds = sum(card != PRINTED_JOKER for card in jokers.left)
    _, number = place_idle(idle, room, wilds, aim.sets.limit)
    most = aim.sets.limit or ENDLESS
    return [
        _Open([jokers.take_wild()], False, substitutes=MIN_GROUP - 1, most=most)
        for _ in range(number)
    ]
