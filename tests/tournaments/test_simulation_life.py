"""Simulated tournaments whose organiser decides who plays, and calls them off at any moment."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.tournaments.test_simulation import simulate
from tests.tournaments.test_simulation_chaos import without_time
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def states() -> Counter[str]:
    """What became of the entries of the last tournament."""
    return Counter(Tournament.objects.latest("pk").entries.values_list("state", flat=True))


@pytest.mark.parametrize("start", ["by_hand", "fixed_players", "fixed_time"])
def test_some_applicants_are_turned_away_and_the_others_play(start: str) -> None:
    report = simulate(
        shape="knockout", format="deals", start=start, entrants=10, approval=True, fast=True
    )
    assert report["books_balanced"] is True
    assert states()["refused"] == 1
    assert report["entries"] == states()["ranked"] == 10


def test_a_tournament_called_off_at_any_moment_gives_everything_back_or_pays_by_standing() -> None:
    ends: Counter[str] = Counter()
    for seed in (0, 9, 14, 15):
        report = simulate(
            shape="knockout", format="deals", entrants=7, fast=True, called_off=True, seed=seed
        )
        tournament = Tournament.objects.latest("pk")
        by_standing = tournament.payments.filter(kind="prize").exists()
        ends[f"{tournament.state} {by_standing}"] += 1
        assert report["books_balanced"] is True
        paid = report["paid_minor"] + report["fee_minor"] + report["refunded_minor"]
        assert report["received_minor"] == paid
        if not by_standing:
            assert report["received_minor"] == report["refunded_minor"]
    assert set(ends) >= {"cancelled False", "aborted False", "aborted True"}, ends


def test_a_deal_that_is_being_played_is_void_when_it_is_called_off() -> None:
    report = simulate(shape="single", format="points", entrants=3, called_off=True, seed="9")
    assert Tournament.objects.get().state == "aborted"
    assert report["received_minor"] == report["refunded_minor"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("more", [{"approval": True}, {"called_off": True}])
def test_crashes_change_neither(more: dict[str, Any]) -> None:
    wanted: dict[str, Any] = more | {"shape": "knockout", "format": "deals", "entrants": 8}
    wanted |= {"fast": True, "seed": "13"}
    undisturbed = simulate(**wanted)
    disturbed = simulate(chaos="crash", crash_every=60, **wanted)
    assert disturbed["crashes"] > 1
    assert "faults" not in disturbed
    if "approval" in more:
        assert without_time(disturbed) == without_time(undisturbed)
