"""Simulated tournaments whose organiser decides who plays, and calls them off at any moment."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.tournaments.test_simulation import simulate
from tests.tournaments.test_simulation_chaos import without_time
from tournaments.management import ticket_final
from tournaments.models import Ticket, Tournament

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


@pytest.mark.parametrize("more", [{"start": "by_hand"}, {"start": "fixed_time", "approval": True}])
def test_newcomers_take_seats_that_are_added_and_play_from_the_next_round_on(
    more: dict[str, Any],
) -> None:
    report = simulate(
        shape="knockout", format="deals", entrants=13, newcomers=4, fast=True, seed="5", **more
    )
    tournament = Tournament.objects.get()
    assert report["late"] == 4
    assert report["entries"] == states()["ranked"] == 17
    assert tournament.capacity == 17
    newest = tournament.entries.order_by("-number")[:4]
    first_round = [e.placings.filter(table__round__number=1).exists() for e in newest]
    assert set(first_round) == {True, False}


def test_who_is_out_of_timed_levels_pays_and_comes_back_with_new_chips() -> None:
    report = simulate(shape="levels", format="points", entrants=6, reentries=1, seed="f")
    again = sum(Tournament.objects.get().entries.values_list("reentries", flat=True))
    assert again > 0
    assert report["books_balanced"] is True


def test_tickets_are_won_used_and_paid_out_and_their_final_is_played() -> None:
    report = simulate(
        shape="knockout", format="deals", entrants=8, tickets=3, fast=True, seed="t", prizes="60,40"
    )
    satellite, final = Tournament.objects.order_by("-pk")
    assert (report["tickets_used"], report["tickets_paid_out"]) == (2, 1)
    with_ticket = set(satellite.entries.filter(rank__lte=2).values_list("player_id", flat=True))
    ranked = final.entries.filter(state="ranked")
    assert with_ticket < set(ranked.values_list("player_id", flat=True))
    assert ranked.count() == 4
    assert final.state == "completed"


def test_a_final_is_played_though_the_tournament_before_it_was_called_off() -> None:
    report = simulate(
        shape="knockout", format="deals", entrants=7, tickets=2, fast=True, called_off=True, seed=0
    )
    assert report["books_balanced"] is True
    assert "tickets_used" not in report
    assert set(Tournament.objects.values_list("state", flat=True)) == {"cancelled", "completed"}


@pytest.mark.parametrize("state", ["unused", "used"])
def test_a_ticket_of_which_nothing_came_is_named(state: str) -> None:
    simulate(shape="single", format="deals", entrants=4, tickets=3, fast=True, seed="t")
    satellite = Tournament.objects.latest("pk")
    assert list(ticket_final.faults(satellite)) == []
    Ticket.objects.filter(state="paid_out").update(state=state)
    words = "was never used" if state == "unused" else "used a ticket and has not entered"
    assert [words in fault for fault in ticket_final.faults(satellite)] == [True]


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
