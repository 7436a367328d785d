"""The best cover of a hand by groups, for one aim.

An *aim* says what a cover is worth and which sequences it must hold. The search looks at every
layout of sets, the most promising first, joins the plans of the four suits, and stops where no
layout can do better. Of covers worth the same it takes the first it meets; as it only ever sees
counts of cards, that does not depend on their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tables.rules.grouping_keys import (
    BARE,
    BUDGET_AT,
    CONTENT,
    FIELD,
    FIELD_BITS,
    HIGH,
    ONE_EACH,
    OWN_AT,
    SUIT_SHIFTS,
    Held,
    around,
    in_threes,
    wild_places,
)
from tables.rules.grouping_runs import AS_ITSELF_AT, JOKERS, Plan, RunTables
from tables.rules.grouping_sets import ENDLESS, Layout, SetTables, WildRun
from tables.rules.grouping_shapes import PURE, SEQUENCE, RunOptions, pure_with_wild
from tables.rules.melds import MIN_GROUP


class Aim(NamedTuple):
    """What is looked for."""

    runs: RunTables
    sets: SetTables
    needed: int
    """Marks the cover must have."""
    counts_jokers: bool
    """Whether a grouped joker is worth 1; if not, all of them find a place or need none."""


Shapes = tuple[tuple[int, tuple[int, ...]], ...]
"""Suits, and the codes of what is laid from them."""


class Cover(NamedTuple):
    """The groups of a cover, and what they are worth."""

    value: int
    layout: Layout
    shapes: Shapes


def best_cover(hand: Held, aim: Aim, more_than: int) -> Cover | None:
    """The cover worth the most, if it is worth more than a bound and has what the aim needs."""
    if aim.needed & PURE and not in_threes(hand.present):
        return None
    most = hand.weight + (hand.jokers if aim.counts_jokers else 0)
    best = None
    for layouts in _stages(hand, aim):
        found = _best_of(layouts, hand, aim, more_than)
        if found is not None:
            best, more_than = found, found.value
            if more_than == most:
                break
    return best


def _stages(hand: Held, aim: Aim) -> Iterator[list[Layout]]:
    """Layouts of sets, without and then with a pure sequence around a wild card as itself.

    That matters only where a pure sequence is needed; where substitutes are limited the tables of
    the suits see to it.
    """
    options = aim.runs.options
    if options.substitute_limit is not None or hand.packed == hand.plain:
        yield aim.sets.layouts((hand.packed, 0, 0, 0, 0, ()), hand, options.weights)
        return
    keys = hand.packed if hand.packed & BARE * ONE_EACH else hand.plain
    yield aim.sets.layouts((keys, 0, 0, 0, 0, ()), hand, options.weights)
    if aim.needed & PURE and in_threes(hand.present) & hand.wild_present:
        yield [
            layout
            for start in _wild_runs(hand, keys, options)
            for layout in aim.sets.layouts(start, hand, options.weights)
        ]


def _wild_runs(hand: Held, keys: int, options: RunOptions) -> Iterator[Layout]:
    """Layouts of one pure sequence around a wild card as itself."""
    spent = (1 << BUDGET_AT) * ONE_EACH
    for suit, shift in enumerate(SUIT_SHIFTS):
        bits = hand.present >> shift & CONTENT
        if not in_threes(bits) & hand.wild_present >> shift:
            continue
        for place in wild_places(hand.packed >> shift):
            near_it = bits & around(place, options.longest)
            for laid in pure_with_wild(near_it, place, options):
                # A hand holds its aces low.
                taken = laid.taken % HIGH + (laid.taken >= HIGH)
                left = keys - spent - (taken << shift)
                if keys != hand.plain:
                    left -= 1 << shift + OWN_AT
                yield left, 1, 0, laid.marks, laid.gain, (WildRun(suit, laid.code),)


def _best_of(layouts: list[Layout], hand: Held, aim: Aim, more_than: int) -> Cover | None:
    """The best cover with one of these layouts."""
    plans = aim.runs.plans
    extra = hand.jokers if aim.counts_jokers else 0
    ranked = []
    for place, layout in enumerate(layouts):
        keys = layout[0]
        suits = (
            plans[keys & FIELD],
            plans[keys >> FIELD_BITS & FIELD],
            plans[keys >> 2 * FIELD_BITS & FIELD],
            plans[keys >> 3 * FIELD_BITS],
        )
        a, b, c, d = suits
        bound = extra + layout[4] + a[0][2] + b[0][2] + c[0][2] + d[0][2]
        if bound > more_than:
            ranked.append((-bound, place, layout, suits))
    ranked.sort()
    best = None
    for bound, _, layout, suits in ranked:
        if -bound <= more_than:
            break
        found = _best_with(layout, suits, hand, aim, (-bound, more_than))
        if found is not None:
            best, more_than = found, found.value
    return best


def _best_with(
    layout: Layout,
    suits: Sequence[tuple[Plan, ...]],
    hand: Held,
    aim: Aim,
    bounds: tuple[int, int],
) -> Cover | None:
    """The best cover with this layout: one plan of each suit.

    The upper bound is what it would be worth with the plan that gains most in every suit; it has to
    be worth more than the lower one. Plans come in the order of what they lose against the upper
    bound, so the first that loses too much ends a loop.
    """
    bound, more_than = bounds
    jokers, needed, counts_jokers = hand.jokers, aim.needed, aim.counts_jokers
    parts = [part for part in enumerate(suits) if len(part[1]) > 1 or part[1][0][3]]
    if not parts:
        parts = [(0, suits[0])]
    last, too_much = len(parts) - 1, bound - more_than
    best: Cover | None = None

    def descend(at: int, cost: int, marks: int, lost: int, before: Shapes) -> None:
        nonlocal best, too_much
        suit, plans = parts[at]
        most = lost + plans[0][2]
        for more, has, gain, codes in plans:
            loss = most - gain
            if loss >= too_much:
                break
            spent = cost + more
            if spent & JOKERS > jokers:
                continue
            both = marks | has | (marks & has & SEQUENCE) << 1
            if at < last:
                descend(at + 1, spent, both, loss, (*before, (suit, codes)))
            elif both & needed == needed:
                if counts_jokers:
                    loss += _overrated(hand, aim, layout, spent, both)
                if loss < too_much:
                    too_much = loss
                    best = Cover(bound - too_much, layout, (*before, (suit, codes)))

    descend(0, layout[1], layout[3], 0, ())
    return best


def _overrated(hand: Held, aim: Aim, layout: Layout, cost: int, marks: int) -> int:
    """By how much the bound of a cover is too high: it counts every joker as grouped.

    Where substitutes are limited, it counts those in runs twice, for they are part of the gains.
    """
    left = hand.jokers - (cost & JOKERS)
    if aim.runs.options.substitute_limit is None:
        return 0 if marks & SEQUENCE else max(0, left - layout[2])
    wilds = sum(hand.wilds) - (cost >> AS_ITSELF_AT)
    placed, _ = place_idle(left, layout[2], wilds, aim.sets.limit)
    return hand.jokers - layout[1] - placed


def place_idle(jokers: int, room: int, wilds: int, set_limit: int | None) -> tuple[int, int]:
    """How many idle jokers sets can take, and in how many sets of the wild rank alone.

    Such a set needs a wild-rank card that stands as itself.
    """
    most = set_limit or ENDLESS
    ways = [
        (min(jokers, room + sets * most), sets)
        for sets in range(min(wilds, jokers // MIN_GROUP) + 1)
    ]
    return max(ways, key=lambda way: (way[0], -way[1]))
