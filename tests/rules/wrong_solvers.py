"""Wrong solvers: the reference with one mistake each, so that the vectors can show they catch it.

A mistake is a function that changes the reference while a test runs. What cannot be had by a change
of the reference is a solver of its own: `greedy`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import msgspec
import pytest

from tables.rules.profiles import RuleProfile
from tests.rules import oracle

Mistake = Callable[[pytest.MonkeyPatch], None]


def takes_king_ace_two(patch: pytest.MonkeyPatch) -> None:
    right = oracle.run_substitutes

    def wrong(cards: Sequence[str], wild_rank: str) -> int | None:
        naturals = [card for card in cards if not oracle.is_joker(card, wild_rank)]
        ranks = {oracle.RANKS.index(card[0]) for card in naturals}
        one_suit = len({card[1] for card in naturals}) == 1 and len(ranks) == len(naturals)
        found = right(cards, wild_rank)
        for low in range(13):
            places = {(low + i) % 13 for i in range(len(cards))}
            if found is None and one_suit and 3 <= len(cards) <= 13 and ranks <= places:
                return len(cards) - len(naturals)
        return found

    patch.setattr(oracle, "run_substitutes", wrong)


def ace_is_only_low(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(oracle.POSITIONS, "A", (1,))


def ace_is_only_high(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(oracle.POSITIONS, "A", (14,))


def wild_card_never_as_itself(patch: pytest.MonkeyPatch) -> None:
    right = oracle.run_substitutes

    def wrong(cards: Sequence[str], wild_rank: str) -> int | None:
        plain = ["JK" if card[0] == wild_rank else card for card in cards]
        return right(plain, wild_rank)

    patch.setattr(oracle, "run_substitutes", wrong)


def wild_card_always_as_itself(patch: pytest.MonkeyPatch) -> None:
    run, is_set = oracle.run_substitutes, oracle.is_set
    patch.setattr(oracle, "run_substitutes", lambda cards, _: run(cards, ""))
    patch.setattr(oracle, "is_set", lambda cards, _, limit: is_set(cards, "", limit))


def twins_in_a_run(patch: pytest.MonkeyPatch) -> None:
    right = oracle.run_substitutes

    def wrong(cards: Sequence[str], wild_rank: str) -> int | None:
        jokers = [card for card in cards if oracle.is_joker(card, wild_rank)]
        return right([*{*cards} - {*jokers}, *jokers], wild_rank)

    patch.setattr(oracle, "run_substitutes", wrong)


def twins_in_a_set(patch: pytest.MonkeyPatch) -> None:
    def wrong(cards: Sequence[str], wild_rank: str, limit: int | None) -> bool:
        ranks = {card[0] for card in cards if not oracle.is_joker(card, wild_rank)}
        return 3 <= len(cards) <= (limit or 13) and len(ranks) == 1

    patch.setattr(oracle, "is_set", wrong)


def _limits_sets(limit: int | None) -> Mistake:
    def mistake(patch: pytest.MonkeyPatch) -> None:
        right = oracle.is_set
        patch.setattr(oracle, "is_set", lambda cards, wild, _: right(cards, wild, limit))

    return mistake


def _limits_runs(limit: int) -> Mistake:
    def mistake(patch: pytest.MonkeyPatch) -> None:
        right = oracle.run_substitutes

        def wrong(cards: Sequence[str], wild_rank: str) -> int | None:
            return right(cards, wild_rank) if len(cards) <= limit else None

        patch.setattr(oracle, "run_substitutes", wrong)

    return mistake


def _rereads(change: Callable[[Sequence[str], oracle.Reading], oracle.Reading]) -> Mistake:
    def mistake(patch: pytest.MonkeyPatch) -> None:
        right = oracle.readings

        def wrong(
            cards: Sequence[str], wild_rank: str, profile: RuleProfile
        ) -> list[oracle.Reading]:
            return [change(cards, kind) for kind in right(cards, wild_rank, profile)]

        patch.setattr(oracle, "readings", wrong)

    return mistake


asks_no_second_sequence = _rereads(lambda _, kind: kind._replace(sequences=2 * kind.sequences))
asks_no_pure_sequence = _rereads(lambda _, kind: kind._replace(pure=kind.sequences))
counts_a_long_run_twice = _rereads(
    lambda cards, kind: kind._replace(sequences=kind.sequences * (2 if len(cards) > 3 else 1))
)


def _changes_profile(**changes: object) -> Mistake:
    def mistake(patch: pytest.MonkeyPatch) -> None:
        right = oracle.reference
        patch.setattr(
            oracle,
            "reference",
            lambda hand, wild, profile: right(
                hand, wild, msgspec.structs.replace(profile, **changes)
            ),
        )

    return mistake


def counts_jokers(patch: pytest.MonkeyPatch) -> None:
    right = oracle.points_of
    patch.setattr(
        oracle,
        "points_of",
        lambda card, wild, profile: 10 if card == "JK" else right(card, "", profile),
    )


def ignores_a_printed_joker_turned_up(patch: pytest.MonkeyPatch) -> None:
    right = oracle.reference
    patch.setattr(oracle, "reference", lambda hand, _, profile: right(hand, "", profile))


def has_jokers_only_between_cards(patch: pytest.MonkeyPatch) -> None:
    right = oracle.run_substitutes

    def wrong(cards: Sequence[str], wild_rank: str) -> int | None:
        jokers = [card for card in cards if oracle.is_joker(card, wild_rank)]
        needed = right(cards, wild_rank)
        naturals = [card for card in cards if card not in jokers]
        closed = len(naturals) >= 3 and right(naturals, wild_rank) == 0
        return None if jokers and closed else needed

    patch.setattr(oracle, "run_substitutes", wrong)
    _limits_sets(4)(patch)


MISTAKES: dict[str, Mistake] = {
    "takes K-A-2": takes_king_ace_two,
    "has the ace only low": ace_is_only_low,
    "has the ace only high": ace_is_only_high,
    "has a wild card never as itself": wild_card_never_as_itself,
    "has a wild card always as itself": wild_card_always_as_itself,
    "takes twins in a run": twins_in_a_run,
    "takes twins in a set": twins_in_a_set,
    "has sets of three only": _limits_sets(3),
    "has sets of four at most": _limits_sets(4),
    "has sets of any size": _limits_sets(None),
    "has runs of three only": _limits_runs(3),
    "has runs of four at most": _limits_runs(4),
    "asks for no second sequence": asks_no_second_sequence,
    "asks for no pure sequence": asks_no_pure_sequence,
    "counts a long run twice": counts_a_long_run_twice,
    "asks for no long run": _changes_profile(long_run=3),
    "has any number of jokers in a run": _changes_profile(run_joker_limit=None),
    "knows no cap": _changes_profile(cap=None),
    "counts an ace 1": _changes_profile(ace_points=1),
    "counts an ace 10": _changes_profile(ace_points=10),
    "counts jokers": counts_jokers,
    "ignores a printed joker turned up": ignores_a_printed_joker_turned_up,
    "leaves no joker loose": _changes_profile(loose_jokers=False),
    "puts no joker over anywhere": has_jokers_only_between_cards,
}


def greedy(
    hand: Sequence[str],
    wild_rank: str,
    profile: RuleProfile,
    first: Callable[[Sequence[str], list[oracle.Reading]], object],
) -> list[tuple[str, ...]]:
    """Groups taken one after the other, each the one that comes first in some order."""
    left, taken = list(hand), list[tuple[str, ...]]()
    while True:
        groups = [
            (cards, kinds)
            for size in range(3, len(left) + 1)
            for cards in combinations(left, size)
            if (kinds := oracle.readings(cards, wild_rank, profile))
        ]
        if not groups:
            return taken
        best, _ = min(groups, key=lambda group: first(*group))  # type: ignore[arg-type, return-value]
        taken.append(best)
        for card in best:
            left.remove(card)
