"""The ways to lay sets from a hand.

A *layout* is what was chosen before the suits are looked at one by one: above all the sets of every
rank, and what they leave of each suit. Sets of one natural card are left to `grouping_runs`: a suit
can lay those alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from tables.rules.cards import SUITS
from tables.rules.grouping_keys import (
    BUDGET_AT,
    CONTENT,
    NIBBLE,
    ONE_EACH,
    SUIT_SHIFTS,
    Held,
    Weights,
    in_threes,
    near,
    presence,
)
from tables.rules.grouping_memo import Memo
from tables.rules.melds import MIN_GROUP

MEMO_SIZE: Final = 1 << 14
ENDLESS: Final = 99
"""Cards of a set whose size has no limit."""

SuitSets = tuple[tuple[int, ...], ...]
"""Sets of one rank, each as the indices of its natural cards' suits."""

_LOW_PLACES: Final = CONTENT >> 4
"""Positions 1 to 13: a hand holds every ace low until it is laid."""

# Fields of what the choices of one rank depend on: counts of each suit, whether its card might lie
# in a run without a joker, whether with one; and once, above the first suit, jokers.
_COUNTS: Final = NIBBLE * ONE_EACH
_IN_THREES_AT: Final = 4
_NEAR_AT: Final = 5
_BUDGET_AT: Final = 8

_ONE_JOKER: Final = (1 << BUDGET_AT) * ONE_EACH


class SetChoice(NamedTuple):
    """The sets of one rank, possibly none."""

    taken: int
    """Their natural cards, one field for each suit."""
    cards: int
    jokers: int
    room: int
    """Jokers they can hold besides."""
    sets: SuitSets

    @property
    def most_cards(self) -> int:
        """Cards they can hold in all."""
        return self.cards + self.jokers + self.room


class WildRun(NamedTuple):
    """A pure sequence in which a wild-rank card stands as itself."""

    suit: int
    code: int
    """Its shape."""


Layout = tuple[int, int, int, int, int, tuple["SetsAt | WildRun", ...]]
"""Packed keys of what is left, jokers used, room for more jokers, marks, gain, groups."""

SetsAt = tuple[int, SetChoice]
"""Four times the places below a rank, and its sets."""


class SetTables:
    """The remembered choices of sets for one limit of their size.

    A `frugal` table keeps only the fewest jokers for the same natural cards: its user has room for
    any joker elsewhere.
    """

    def __init__(self, limit: int | None, *, frugal: bool) -> None:
        self.limit = limit
        self._frugal = frugal
        most = min(limit or len(SUITS), len(SUITS))
        self._groups: SuitSets = tuple(
            suits for size in range(most, 1, -1) for suits in combinations(range(len(SUITS)), size)
        )
        self._choices = Memo(self._find_choices, MEMO_SIZE)

    def layouts(self, start: Layout, hand: Held, weights: Weights) -> list[Layout]:
        """Every layout worth a look that adds sets to this one."""
        found = [start]
        keys, used = start[0], start[1]
        most = hand.jokers
        places = _places(keys, with_jokers=most > used)
        if not places:
            return found
        threes, close = in_threes(hand.present), near(hand.present)
        for at in places:
            choices, may_have_none = self._choices[
                keys >> at & _COUNTS
                | (threes >> at & ONE_EACH) << _IN_THREES_AT
                | (close >> at & ONE_EACH) << _NEAR_AT
                | most - used << _BUDGET_AT
            ]
            weight = weights[at // 4 + 1]
            before = found
            found = before if may_have_none else []
            for choice in choices:
                cards, jokers, space = choice[1:4]
                taken, gained = (choice[0] << at) + jokers * _ONE_JOKER, cards * weight
                group = at, choice
                found = found + [
                    (
                        left - taken,
                        spent + jokers,
                        room + space,
                        marks,
                        gain + gained,
                        (*chosen, group),
                    )
                    for left, spent, room, marks, gain, chosen in before
                    if spent + jokers <= most
                ]
        return found

    def _find_choices(self, code: int) -> tuple[tuple[SetChoice, ...], bool]:
        """The sets of some rank worth a look, the most cards first, and whether to try none.

        A choice is left out for one that holds more cards, with no more jokers, if the cards more
        could not have served in a run.
        """
        fields = [code >> shift for shift in SUIT_SHIFTS]
        counts, budget = [field & NIBBLE for field in fields], code >> _BUDGET_AT & NIBBLE
        choices = list(self._worth_keeping(_choices_of(counts, self._groups, self.limit, budget)))
        choices.append(SetChoice(0, 0, 0, 0, ()))
        useful = (
            [field >> _IN_THREES_AT & 1 for field in fields],
            [field >> _NEAR_AT & 1 for field in fields],
        )
        kept = [
            choice
            for choice in choices
            if not any(self._betters(other, choice, useful, budget) for other in choices)
        ]
        return tuple(choice for choice in kept if choice.sets), not kept[-1].sets

    def _betters(
        self, other: SetChoice, choice: SetChoice, useful: tuple[list[int], list[int]], budget: int
    ) -> bool:
        """Whether `other` takes all of a choice and useless cards besides, at no more cost."""
        if other.cards <= choice.cards or other.jokers > choice.jokers:
            return False
        if not self._frugal and other.most_cards < choice.most_cards:
            return False
        left = budget - choice.jokers
        if left >= 2:
            return False
        more = [a - b for a, b in zip(_counts(other.sets), _counts(choice.sets), strict=True)]
        return min(more) >= 0 and not any(
            n and serves for n, serves in zip(more, useful[left], strict=True)
        )

    def _worth_keeping(self, choices: Iterable[SetChoice]) -> Iterator[SetChoice]:
        """Of choices that take the same cards those with fewer jokers, or room for more."""
        rivals: dict[tuple[int, ...], list[SetChoice]] = {}
        for choice in choices:
            rivals.setdefault(_counts(choice.sets), []).append(choice)
        for same in rivals.values():
            most = -1
            for choice in sorted(same, key=lambda choice: (choice.jokers, -choice.room)):
                if choice.most_cards > most:
                    most = choice.most_cards
                    yield choice
                if self._frugal:
                    break


def _places(keys: int, *, with_jokers: bool) -> list[int]:
    """Shifts of the positions held in at least three suits, or two where a joker may join them."""
    bits = presence(keys)
    a, b, c, d = [bits >> shift & _LOW_PLACES for shift in SUIT_SHIFTS]
    pairs, threes = a & b | c & d | (a | b) & (c | d), a & b & (c | d) | c & d & (a | b)
    wanted = pairs if with_jokers else threes
    places = []
    while wanted:
        lowest = wanted & -wanted
        places.append(lowest.bit_length() - 1)
        wanted ^= lowest
    return places


def _counts(sets: SuitSets) -> tuple[int, ...]:
    """Natural cards of each suit in some sets."""
    return tuple(sum(suit in suits for suits in sets) for suit in range(len(SUITS)))


def _choices_of(
    held: Sequence[int], groups: SuitSets, limit: int | None, budget: int
) -> Iterator[SetChoice]:
    """Every way to lay one or more sets of a rank, with as few jokers as each can do with."""
    for sets in _combinations(tuple(held), groups):
        used = sum(max(0, MIN_GROUP - len(suits)) for suits in sets)
        if sets and used <= budget:
            counts = _counts(sets)
            taken = sum(n << shift for n, shift in zip(counts, SUIT_SHIFTS, strict=True))
            room = sum((limit or ENDLESS) - max(MIN_GROUP, len(suits)) for suits in sets)
            yield SetChoice(taken, sum(counts), used, min(room, ENDLESS), sets)


def _combinations(held: tuple[int, ...], groups: SuitSets) -> Iterator[SuitSets]:
    """Every way to lay groups from so many cards of each suit, the empty one included."""
    yield ()
    for index, suits in enumerate(groups):
        if all(held[suit] for suit in suits):
            rest = tuple(n - (suit in suits) for suit, n in enumerate(held))
            for more in _combinations(rest, groups[index:]):
                yield (suits, *more)
