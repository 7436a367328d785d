"""The best grouping of a hand: microseconds a hand beside the slow reference, in the same run.

Fresh hands of several kinds, after others of the same kind have filled the memos: points only, with
the grouping, and whether the hand is complete, for the profiles that search differently. The claim
is the ratio of the reference's median to ours; `worst` are hands made to be slow, timed twice, cold
and warm. Memory is what the process grew by while the memos filled.

Run: python -m benchmarks.best_grouping [--json] [--hands N] [--warm N] [--reference N]
"""

from __future__ import annotations

import argparse
import gc
import resource
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import median
from typing import Any

from benchmarks.common import microseconds, percentiles, report
from tables.rules.hands import best_grouping, best_points, is_complete
from tables.rules.profiles import PROFILES, RuleProfile
from tests.rules.hand_makers import MAKERS, Dealt
from tests.rules.oracle import reference

PROFILE_NAMES = ("rummycircle", "classic_rummy", "g24_points", "octro")
KINDS = ("near complete", "random", "crowded", "joker-rich")
REPEATS = 3

Ask = Callable[[Sequence[str], str, RuleProfile], object]
ASKS: dict[str, Ask] = {
    "points": best_points,
    "grouping": best_grouping,
    "is_complete": is_complete,
}

# Few ranks in all suits, long suits with jokers, and hands that are hopeless in an expensive way.
WORST: tuple[tuple[str, str], ...] = (
    ("6S 6H 6D 6C 7S 7H 7D 7C 8S 8H 8D 8C JK", "K"),
    ("6S 6H 6D 6C 7S 7H 7D 7C 8S 8H 8D KS KH", "K"),
    ("6S 6H 6D 7S 7H 7D 8S 8H 8D KS KH KD JK", "K"),
    ("2S 4S 6S 8S TS QS 3H 5H 7H JK KH KD KC", "K"),
    ("2S 4S 6S 8S TS QS 2H 4H 6H 8H TH KH JK", "K"),
    ("5S 5S 5H 5H 5D 5D 5C 5C 6S 7S 8S JK KH", "K"),
    ("2S 3S 4S 2H 4D 6C 8S TH QD JK JK KH KD", "K"),
    ("2S 2H 2D 4S 4H 4D 6S 6H 6D 8S 8H 9H TH", "K"),
    ("AS AH AD KS KH KD QS QH QD JS JH JD JK", "7"),
    ("3S 3H 4S 4H 5S 5H 7S 7H 8S 8H 9S 9H JK", "K"),
    ("2S 5H 8D JC JK JK JK KS KH KD KC KS KH", "K"),
    ("2S 3S 4S 9C JK JK JK JK KS KH KD KC KS", "K"),
)


def hands_of(kind: str, number: int, seed: str) -> list[Dealt]:
    """So many hands of a kind, the same in every run."""
    rng = Random(f"{kind} {seed}")
    return [MAKERS[kind](rng) for _ in range(number)]


def timed(ask: Ask, hands: Sequence[Dealt], profile: RuleProfile) -> list[float]:
    """Microseconds of every hand, asked once."""
    return [microseconds(partial(ask, hand, wild, profile)) for hand, wild in hands]


def time_kind(kind: str, profile: RuleProfile, hands: int, references: int) -> dict[str, Any]:
    """All questions on fresh hands of one kind, in turns with the reference."""
    times: dict[str, list[float]] = {name: [] for name in (*ASKS, "reference")}
    for repeat in range(REPEATS):
        for name, ask in ASKS.items():
            fresh = hands_of(kind, hands, f"{name} {repeat}")
            times[name] += timed(ask, fresh, profile)
        slow = hands_of(kind, references, f"reference {repeat}")
        times["reference"] += timed(reference, slow, profile)
    yardstick = median(times.pop("reference"))
    figures: dict[str, Any] = {"reference_ms": round(yardstick / 1000, 1)}
    for name, values in times.items():
        figures[name] = percentiles(values) | {
            "max": round(max(values), 1),
            "times_faster": round(yardstick / median(values)),
        }
    return figures


def time_worst(profile: RuleProfile) -> dict[str, Any]:
    """The hands made to be slow: milliseconds of the slowest, asked first and asked again."""
    hands = [(text.split(), wild) for text, wild in WORST]
    cold = timed(best_grouping, hands, profile)
    warm = [min(times) for times in zip(*_again(hands, profile), strict=True)]
    return {"cold_ms": round(max(cold) / 1000, 2), "warm_ms": round(max(warm) / 1000, 2)}


def _again(hands: Sequence[Dealt], profile: RuleProfile) -> list[list[float]]:
    return [timed(best_grouping, hands, profile) for _ in range(REPEATS)]


def measure(hands: int, warm: int, references: int) -> dict[str, Any]:
    """All figures, by profile and kind of hand; times in microseconds unless named otherwise."""
    figures: dict[str, Any] = {"hands": hands * REPEATS, "warmed_with": warm}
    for name in PROFILE_NAMES:
        profile, before = PROFILES[name], _megabytes()
        found: dict[str, Any] = {"worst": time_worst(profile)}
        for kind in KINDS:
            for hand, wild in hands_of(kind, warm, "warm"):
                best_grouping(hand, wild, profile)
                best_points(hand, wild, profile)
            # As a server does once it has started: what is kept is not looked through again.
            gc.collect()
            gc.freeze()
            found[kind] = time_kind(kind, profile, hands, references)
        figures[name] = found | {"grown_mb": round(_megabytes() - before, 1)}
    default, octro = (
        figures[name]["near complete"]["points"]["median"] for name in ("rummycircle", "octro")
    )
    return figures | {"octro_to_default": round(octro / default, 2)}


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--hands", type=int, default=1500)
    parser.add_argument("--warm", type=int, default=15_000)
    parser.add_argument("--reference", type=int, default=4)
    options = parser.parse_args()
    report(measure(options.hands, options.warm, options.reference), as_json=options.json)


if __name__ == "__main__":
    main()
