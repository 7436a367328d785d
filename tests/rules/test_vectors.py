"""The recorded hands and groups: what every profile answers, on all of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tables.rules.cards import parse_wild
from tables.rules.hands import best_grouping, best_points, is_complete, judge
from tables.rules.melds import Kind, classify, run_of, set_substitutes
from tables.rules.profiles import PROFILES

FOLDER = Path(__file__).parent / "vectors"


def recorded(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]


HANDS = recorded("hands.jsonl")
GROUPS = recorded("groups.jsonl")


def test_all_vectors_are_there() -> None:
    assert (len(HANDS), len(GROUPS)) == (148, 481)
    assert all(set(hand["expect"]) == set(PROFILES) for hand in HANDS)


@pytest.mark.parametrize("name", PROFILES)
def test_best_grouping_of_every_recorded_hand_is_as_recorded(name: str) -> None:
    profile = PROFILES[name]
    for hand in HANDS:
        wild, expected = parse_wild(hand["wild"]), hand["expect"][name]
        best = best_grouping(hand["hand"], wild, profile)
        assert (best.points, best.complete) == (expected["points"], expected["complete"]), hand
        assert best_points(hand["hand"], wild, profile) == expected["points"], hand
        assert is_complete(hand["hand"], wild, profile) == expected["complete"], hand
        judged = judge([group.cards for group in best.groups], best.ungrouped, wild, profile)
        assert (judged.points, judged.complete) == (best.points, best.complete), hand
        assert judged.kinds == tuple(group.kind for group in best.groups), hand


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group['wild']}:{group['cards']}")
def test_every_recorded_group_is_read_as_recorded(group: dict[str, Any]) -> None:
    cards, wild = group["cards"], parse_wild(group["wild"])
    run = run_of(cards, wild)
    assert (run.substitutes if run else None) == group["run_jokers_needed"]
    assert (run is not None and not run.substitutes) == group["pure"]
    assert (set_substitutes(cards, wild) is not None) == group["set_any_size"]


@pytest.mark.parametrize("name", PROFILES)
def test_profiles_accept_recorded_groups_within_their_limits(name: str) -> None:
    profile = PROFILES[name]
    for group in GROUPS:
        kinds = set(classify(group["cards"], parse_wild(group["wild"]), profile))
        needed, limit = group["run_jokers_needed"], profile.run_joker_limit
        runs = needed is not None and (limit is None or needed <= limit)
        sets = group["set4"] if profile.set_size_limit == 4 else group["set_any_size"]
        expected = set()
        if runs:
            expected.add(Kind.PURE_SEQUENCE if group["pure"] else Kind.IMPURE_SEQUENCE)
        if sets:
            expected.add(Kind.SET)
        assert kinds == expected, group
