"""The groups that can be laid around one natural card, the lowest they hold.

A *shape* is such a group without its suit: positions of natural cards, wild-rank cards standing as
themselves, substitutes. A *ground* is all that decides which shapes there are. Marks say what a
shape counts for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from tables.rules.grouping_keys import CONTENT, NIBBLE, Weights, count, places_of
from tables.rules.melds import HIGH_ACE, MAX_RUN, MIN_GROUP

PURE: Final = 1
SEQUENCE: Final = 2
TWO_SEQUENCES: Final = 4
LONG: Final = 8
MATCHED: Final = PURE | SEQUENCE | TWO_SEQUENCES | LONG

MEMO_SIZE: Final = 1 << 14

_FIELDS_AT: Final = CONTENT.bit_length()


class Shape(NamedTuple):
    """One group laid from a suit."""

    taken: int
    """Its natural cards, as a content."""
    own: int
    """Wild-rank cards standing as themselves."""
    substitutes: int
    marks: int
    is_set: bool = False

    @property
    def code(self) -> int:
        """The shape as one integer; memos full of those cost the garbage collector nothing."""
        fields = self.own | self.substitutes << 4 | self.marks << 8 | self.is_set << 12
        return self.taken | fields << _FIELDS_AT

    @classmethod
    def read(cls, code: int) -> Shape:
        """The shape with this code."""
        fields = code >> _FIELDS_AT
        own, substitutes, marks = fields & NIBBLE, fields >> 4 & NIBBLE, fields >> 8 & NIBBLE
        return cls(code & CONTENT, own, substitutes, marks, fields >> 12 == 1)


class Laid(NamedTuple):
    """A shape's code, with what plans need to know of it at hand."""

    code: int
    taken: int
    own: int
    jokers: int
    marks: int
    gain: int


class RunOptions(NamedTuple):
    """What is laid, and what of it matters."""

    weights: Weights
    substitute_limit: int | None
    """Most substitutes of a sequence, None for any number."""
    long_run: int
    """Cards of a sequence marked long."""
    marks: int
    """The marks that matter; others are not kept apart."""
    set_limit: int | None = None
    """Most cards of a set; looked at only where substitutes are limited."""
    joker_gain: int = 0
    """Weight of a grouped joker where substitutes are limited: what is left may not fit in."""

    @property
    def longest(self) -> int:
        """The longest run worth a look.

        A longer one splits into two that cover the same cards and keep every mark, each with a card
        that stands as itself. That may fail only with three or more substitutes, which are laid
        beyond need only where jokers gain something.
        """
        limit = self.substitute_limit
        if self.joker_gain and limit is not None and limit >= MIN_GROUP:
            return MAX_RUN
        return min(self.long_run + 2, MAX_RUN)


class Ground(NamedTuple):
    """What lies around the lowest natural card of a group."""

    low: int
    """Position of the card."""
    presence: int
    """Four bits a position, from the card upwards, as far as a run may reach."""
    wild: tuple[int, ...]
    """Positions where a wild-rank card may stand as itself."""
    budget: int
    """Jokers of every kind, those standing as themselves included."""


@lru_cache(maxsize=MEMO_SIZE)
def shapes_on(ground: Ground, options: RunOptions) -> tuple[Laid, ...]:
    """The shapes whose lowest natural card is the one at `ground.low`.

    Of shapes that differ in substitutes only the shortest, unless jokers gain something.
    """
    fewest: dict[tuple[int, int, int, int], int] = {}
    for start in range(max(1, ground.low - options.longest + 1), ground.low + 1):
        for taken, own, substitutes in _runs(ground, options, start):
            marks = run_marks(count(taken) + own + substitutes, substitutes, options)
            name = (taken, own, marks, substitutes if options.joker_gain else 0)
            fewest[name] = min(fewest.get(name, MAX_RUN), substitutes)
    shapes = [
        Shape(taken, own, substitutes, marks)
        for (taken, own, marks, _), substitutes in fewest.items()
    ]
    if options.substitute_limit is not None:
        most = (options.set_limit or MAX_RUN) if options.joker_gain else MIN_GROUP
        shapes += [
            Shape(1 << 4 * (ground.low - 1), 0, substitutes, 0, is_set=True)
            for substitutes in range(2, min(ground.budget + 1, most))
        ]
    return tuple(_laid(shape, options) for shape in shapes)


@lru_cache(maxsize=MEMO_SIZE)
def pure_with_wild(bits: int, place: int, options: RunOptions) -> tuple[Laid, ...]:
    """Pure sequences in which a wild-rank card stands as itself at `place`.

    `bits` is the presence of natural cards; pass only what lies within reach.
    """
    found = []
    for low in range(max(1, place - options.longest + 1), place + 1):
        taken = 0
        for high in range(low, min(low + options.longest - 1, HIGH_ACE) + 1):
            if high != place:
                if not bits >> 4 * (high - 1) & 1:
                    break
                taken |= 1 << 4 * (high - 1)
            if high >= place and high - low + 1 >= MIN_GROUP:
                found.append(Shape(taken, 1, 0, run_marks(high - low + 1, 0, options)))
    return tuple(_laid(shape, options) for shape in found)


def bare_shapes(budget: int, options: RunOptions) -> Iterator[Laid]:
    """Sequences of one wild-rank card as itself and substitutes alone."""
    most = min(budget - 1, options.longest - 1)
    if options.substitute_limit is not None:
        most = min(most, options.substitute_limit)
    for substitutes in range(2, most + 1):
        shape = Shape(0, 1, substitutes, run_marks(substitutes + 1, substitutes, options))
        yield _laid(shape, options)


def run_marks(length: int, substitutes: int, options: RunOptions) -> int:
    """The marks of one run, as far as they matter."""
    marks = SEQUENCE
    if not substitutes:
        marks |= PURE
    if length >= options.long_run:
        marks |= LONG
    return marks & options.marks


def _laid(shape: Shape, options: RunOptions) -> Laid:
    jokers = shape.own + shape.substitutes
    gain = sum(options.weights[place] for place in places_of(shape.taken))
    gain += jokers * options.joker_gain
    return Laid(shape.code, shape.taken, shape.own, jokers, shape.marks, gain)


def _runs(ground: Ground, options: RunOptions, start: int) -> Iterator[tuple[int, int, int]]:
    """Natural cards, wild cards as themselves and substitutes of every run from `start` up.

    A substitute may stand where a natural card is held, for that may serve in another run. Where
    any number may stand, that is needed only beside another substitute: else the two cards could
    change places, and the one run is pure instead of the other.
    """
    limited = options.substitute_limit is not None
    limit = options.substitute_limit if options.substitute_limit is not None else ground.budget
    lowest = 1 << 4 * (ground.low - 1)
    open_ends: list[tuple[int, int, int, int, bool]] = [(start, 0, 0, 0, limited)]
    while open_ends:
        place, taken, own, substitutes, missing = open_ends.pop()
        length = count(taken) + own + substitutes
        if length >= MIN_GROUP and taken and (missing or not substitutes or taken == lowest):
            yield taken, own, substitutes
        if length == options.longest or place > HIGH_ACE:
            continue
        above = place - ground.low
        is_held = above >= 0 and ground.presence >> 4 * above & 1
        if is_held:
            more = taken | 1 << 4 * (place - 1)
            open_ends.append((place + 1, more, own, substitutes, missing))
        if above == 0 or own + substitutes == ground.budget:
            continue
        if place in ground.wild and not own:
            open_ends.append((place + 1, taken, 1, substitutes, missing))
        if substitutes < limit:
            open_ends.append((place + 1, taken, own, substitutes + 1, missing or not is_held))
