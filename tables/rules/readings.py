"""What the groups of a declaration are read as, and whether they match it (rules 3.1 to 3.3).

A declaration is *matched* when it has two sequences, one of them pure, and one as long as the
profile asks. Some groups can be read as a sequence and as a set; how they are read depends on what
the others lack. Nothing here counts points.
"""

from __future__ import annotations

from collections.abc import Sequence

from tables.rules.cards import Card, Rank
from tables.rules.melds import Kind, classify, kind_of
from tables.rules.profiles import RuleProfile


def is_matched(
    groups: Sequence[Sequence[Card]], kinds: Sequence[Kind | None], profile: RuleProfile
) -> bool:
    """Whether groups of these kinds have the sequences a declaration needs."""
    lengths = [
        len(group)
        for group, kind in zip(groups, kinds, strict=True)
        if kind is not None and kind.is_sequence
    ]
    return len(lengths) >= 2 and Kind.PURE_SEQUENCE in kinds and max(lengths) >= profile.long_run


def serving_kinds(
    groups: Sequence[Sequence[Card]], wild_rank: Rank, profile: RuleProfile
) -> tuple[Kind | None, ...]:
    """The reading of each group that serves the declaration best; None for an invalid group.

    Groups that can be both are read as sequences if the declaration is matched only so, for more
    sequences never make a hand count more. Otherwise each has its plain reading.
    """
    plain = tuple(kind_of(group, wild_rank, profile) for group in groups)
    if is_matched(groups, plain, profile):
        return plain
    as_sequences = tuple(
        min(classify(group, wild_rank, profile), key=lambda kind: kind is Kind.SET, default=None)
        for group in groups
    )
    return as_sequences if is_matched(groups, as_sequences, profile) else plain
