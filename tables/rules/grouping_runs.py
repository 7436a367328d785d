"""The ways to lay sequences from the cards of one suit, remembered.

Best groupings are found suit by suit, because only jokers and sets tie the suits together.
`RunTables.plans` answers a suit key with every *plan* that no other plan beats: a plan uses some
jokers, has some marks (a sequence, a pure one, two, a long one) and gains the weight of the cards
it covers. What a weight means (points, cards) is the caller's affair.

The memo of a table is bounded (`MEMO_SIZE` keys); forgetting costs time, never an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tables.rules.grouping_keys import (
    ACES_LOW,
    BARE,
    BUDGET_AT,
    CONTENT,
    HIGH,
    NIBBLE,
    OWN_AT,
    OWN_FIELDS,
    in_threes,
    near,
    presence,
    wild_places,
    wild_presence,
    within_two,
)
from tables.rules.grouping_memo import Memo
from tables.rules.grouping_shapes import (
    SEQUENCE,
    Ground,
    RunOptions,
    bare_shapes,
    shapes_on,
)
from tables.rules.melds import MAX_RUN, MIN_GROUP

MEMO_SIZE: Final = 1 << 16

Plan = tuple[int, int, int, tuple[int, ...]]
"""Cost, marks, gain and codes of some shapes. A cost counts jokers used in its low byte and, above
it, wild cards standing as themselves where that has to be known."""

NOTHING: Final[Plan] = (0, 0, 0, ())
ANY_BUDGET: Final = NIBBLE
"""A budget without end; no hand has so many jokers."""
JOKERS: Final = 255
AS_ITSELF_AT: Final = 8


class RunTables:
    """The remembered plans for one set of options."""

    def __init__(self, options: RunOptions) -> None:
        self.options = options
        self._longest = options.longest
        self._plain_wilds = options.substitute_limit is None
        self._any_budget = options.longest < MAX_RUN
        self.plans = Memo(self._plans, MEMO_SIZE)

    def _plans(self, key: int) -> tuple[Plan, ...]:
        """The plans for a suit key that no other beats, the most gain first."""
        budget, plain = key >> BUDGET_AT & NIBBLE, self._plain(key)
        if plain != key:
            plans = self.plans[plain]
            if plain >> BUDGET_AT & NIBBLE > budget:
                return tuple([plan for plan in plans if plan[0] & JOKERS <= budget])
            return plans
        if not key:
            return (NOTHING,)
        if key & NIBBLE and not key & ACES_LOW:
            return self._with_aces_laid(key)
        parts = self._parts(key)
        if len(parts) > 1:
            most = JOKERS if budget == ANY_BUDGET else budget
            return unbeaten(join([self.plans[part] for part in parts], most, self.options.marks))
        return unbeaten(self._from_lowest(key))

    def _plain(self, key: int) -> int:
        """The key without what cannot matter, so that more hands share one answer.

        The plans for any budget hold those for every smaller one. With one joker or none, so few
        cards can lie in a run that keys of their own are quicker.
        """
        content, budget = key & CONTENT, key >> BUDGET_AT & NIBBLE
        has_own = budget and key >> OWN_AT & NIBBLE
        bare = key & BARE if has_own and budget >= MIN_GROUP else 0
        aces_low = key & ACES_LOW
        if budget < 2:
            bits = presence(content, aces_low=aces_low)
            content &= (near(bits) if budget else in_threes(bits)) * NIBBLE
        elif self._any_budget:
            budget = ANY_BUDGET
        if has_own and not bare:
            bits = presence(content, aces_low=aces_low)
            has_own = 0 if self._plain_wilds else within_two(bits) & wild_presence(key)
        if not content and not bare:
            return 0
        plain = content | budget << BUDGET_AT
        if content & NIBBLE:
            plain |= aces_low
        return plain | key & OWN_FIELDS | bare if has_own else plain

    def _with_aces_laid(self, key: int) -> tuple[Plan, ...]:
        """The plans of a suit with aces: each is tried low and high."""
        key |= ACES_LOW
        found = list(self.plans[key])
        for _ in range(key & NIBBLE):
            key += HIGH - 1
            found += self.plans[key]
        return unbeaten(found)

    def _parts(self, key: int) -> list[int]:
        """The key cut where no run can reach across; its wild cards go with one part."""
        budget, limit = key >> BUDGET_AT & NIBBLE, self.options.substitute_limit
        bridge = min(budget if limit is None else min(budget, limit), self._longest - 2)
        wild = wild_presence(key)
        bits = presence(key & CONTENT, aces_low=1) | wild
        parts, wild_part = [], 0
        while bits:
            part = reach = bits & -bits
            while reach:
                around = reach
                for _ in range(bridge + 1):
                    around |= around << 4
                reach = around & bits & ~part & -(1 << part.bit_length())
                part |= reach
            bits &= ~part
            if part & wild:
                wild_part |= part
            else:
                parts.append(part)
        fields = key & ~CONTENT
        plain = fields & ~(OWN_FIELDS | BARE)
        keys = [key & part * NIBBLE | plain for part in parts]
        return [key & CONTENT & wild_part * NIBBLE | fields, *keys] if wild_part else keys

    def _from_lowest(self, key: int) -> Iterable[Plan]:
        """The plans of one part: its lowest card is left over, or the lowest of some shape."""
        options, content, budget = self.options, key & CONTENT, key >> BUDGET_AT & NIBBLE
        if content:
            at = (content & -content).bit_length() - 1 & ~3
            around = (1 << 4 * self._longest) - 1
            bits = presence(content, aces_low=1) >> at & around
            wild = () if self._plain_wilds else wild_places(key)
            shapes = shapes_on(Ground(at // 4 + 1, bits, wild, budget), options)
            found = {plan[:2]: plan for plan in self.plans[key - (1 << at)]}
        else:
            shapes, found = tuple(bare_shapes(budget, options)), {(0, 0): NOTHING}
        for code, taken, own, jokers, has, gain in shapes:
            rest = key - taken - (own << OWN_AT)
            if budget < ANY_BUDGET:
                rest -= jokers << BUDGET_AT
            cost = jokers + (own << AS_ITSELF_AT) if options.joker_gain else jokers
            for more, marks, gained, codes in self.plans[rest]:
                both = (marks | has | (marks & has & SEQUENCE) << 1) & options.marks
                known = found.get((cost + more, both))
                if known is None or known[2] < gain + gained:
                    found[cost + more, both] = cost + more, both, gain + gained, (code, *codes)
        return found.values()


def join(suits: Sequence[tuple[Plan, ...]], budget: int, marks_kept: int) -> list[Plan]:
    """Plans of several parts together; of those with the same cost and marks the best."""
    joined = list(suits[0])
    for plans in suits[1:]:
        found: dict[tuple[int, int], Plan] = {}
        for cost, marks, gain, codes in joined:
            for more, other, gained, added in plans:
                spent = cost + more
                if spent & JOKERS <= budget:
                    both = (marks | other | (marks & other & SEQUENCE) << 1) & marks_kept
                    known = found.get((spent, both))
                    if known is None or known[2] < gain + gained:
                        found[spent, both] = spent, both, gain + gained, codes + added
        joined = list(found.values())
    return joined


def unbeaten(plans: Iterable[Plan]) -> tuple[Plan, ...]:
    """The plans that no other beats in cost, marks and gain at once, the most gain first."""
    kept: list[Plan] = []
    for plan in sorted(plans, key=lambda plan: (-plan[2], plan[0], -plan[1])):
        cost, marks = plan[0], plan[1]
        for better, has, _, _ in kept:
            # The last comparison is one of the wild cards standing as themselves.
            if (
                has & marks == marks
                and better & JOKERS <= cost & JOKERS
                and better <= cost | JOKERS
            ):
                break
        else:
            kept.append(plan)
    return tuple(kept)
