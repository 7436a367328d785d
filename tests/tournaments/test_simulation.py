"""A whole tournament by one command."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tables.models import Deal
from tables.selectors import check_deal
from tables.services import heartbeat
from tests.tournaments.helpers import NOW
from tournaments import money
from tournaments.management.commands import simulate_tournament
from tournaments.models import RoundTable, Tournament

pytestmark = pytest.mark.django_db

KEYS = [
    "entries",
    "standings",
    "received_minor",
    "refunded_minor",
    "paid_minor",
    "fee_minor",
    "books_balanced",
    "rounds",
    "tables",
    "deals",
    "commands",
    "seconds",
]


def simulate(**options: Any) -> dict[str, Any]:
    """The report of a simulation."""
    out = io.StringIO()
    call_command("simulate_tournament", json=True, stdout=out, **options)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


@pytest.mark.parametrize("shape", ["heads_up", "knockout", "single"])
@pytest.mark.parametrize("format_name", ["points", "pool101", "pool201", "deals"])
def test_every_shape_is_played_in_every_format_and_the_books_balance(
    shape: str, format_name: str
) -> None:
    entrants = {"heads_up": 3, "knockout": 7, "single": 3}[shape]
    report = simulate(
        shape=shape, format=format_name, entrants=entrants, fee=1001, house_fee=101, seed="s"
    )
    assert list(report) == KEYS
    assert report["entries"] == len(report["standings"]) == entrants
    assert report["books_balanced"] is True
    paid = report["paid_minor"] + report["fee_minor"]
    assert report["received_minor"] - report["refunded_minor"] == paid
    assert report["paid_minor"] == sum(line["prize_minor"] for line in report["standings"])
    assert report["refunded_minor"] == 1001
    assert sorted(line["rank"] for line in report["standings"])[0] == 1
    deals = Deal.objects.all()
    assert deals.count() == report["deals"]
    assert [check_deal(deal).faults for deal in deals] == [()] * report["deals"]
    assert money.pool_of(Tournament.objects.get()) == 0


@pytest.mark.parametrize("format_name", ["heads_up", "highest_out", "pool51", "points_low"])
def test_the_other_formats_can_be_simulated_too(format_name: str) -> None:
    shape = "heads_up" if format_name == "heads_up" else "single"
    report = simulate(shape=shape, format=format_name, entrants=4, seed="x")
    assert report["books_balanced"] is True


def test_the_same_seed_gives_the_same_tournament_even_in_a_database_that_has_others() -> None:
    first = simulate(shape="knockout", format="points", entrants=7, seed="again")
    simulate(shape="single", format="points", entrants=3, seed="between")
    second = simulate(shape="knockout", format="points", entrants=7, seed="again")
    first.pop("seconds"), second.pop("seconds")
    assert first == second


def test_another_seed_gives_another_tournament() -> None:
    one = simulate(shape="knockout", format="points", entrants=7, seed="one")
    two = simulate(shape="knockout", format="points", entrants=7, seed="two")
    assert one["standings"] != two["standings"]


def test_some_withdraw_some_move_up_and_some_wait_in_vain() -> None:
    simulate(shape="knockout", format="points", entrants=20, seed="w")
    states = list(Tournament.objects.get().entries.values_list("state", flat=True))
    assert {state: states.count(state) for state in set(states)} == {
        "ranked": 20,
        "withdrawn": 2,
        "not_seated": 2,
    }


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"fee": -1}, "fee"),
        ({"entrants": 1}, "entrants"),
        ({"entrants": 7, "shape": "single"}, "entrants"),
        ({"prizes": "60,50"}, "prizes"),
        ({"prizes": "20,80"}, "prizes"),
        ({"prizes": "half"}, "prizes"),
        ({"profile": "bridge"}, "profile"),
        ({"seed": ""}, "seed"),
        ({"house_fee": 2000}, "house-fee"),
        ({"profile": "g24_knockout", "shape": "knockout"}, "profile"),
        ({"prizes": "fixed:999999"}, "amounts"),
        ({"advance": "half"}, "advance"),
        ({"advance": "95%", "shape": "knockout"}, "percent"),
        ({"third_place": True, "shape": "knockout"}, "third_place"),
        ({"reentries": 1}, "reentries"),
        ({"newcomers": 1, "shape": "single"}, "newcomers"),
        ({"newcomers": 1, "shape": "knockout", "start": "fixed_players"}, "newcomers"),
        ({"newcomers": -1}, "newcomers"),
        ({"tickets": 5}, "tickets"),
        ({"tickets": 3, "house_fee": 300}, "tickets"),
        ({"shape": "levels", "fast": True, "format": "points"}, "fast"),
        ({"shape": "levels"}, "format"),
        ({"crash_every": 1}, "crash-every"),
        ({"go_on": "nobody"}, "go-on"),
    ],
)
def test_bad_input_is_refused_by_the_options_name_and_nothing_is_written(
    options: dict[str, Any], field: str
) -> None:
    with pytest.raises(CommandError, match=f"^{field}: "):
        simulate(**({"entrants": 4, "shape": "heads_up"} | options))
    assert not Tournament.objects.exists()


def test_a_tournament_whose_public_id_begins_with_a_hyphen_is_gone_on_with() -> None:
    parser = simulate_tournament.Command().create_parser("manage.py", "simulate_tournament")
    options = vars(parser.parse_args(["--shape", "knockout", "--fast"]))
    read = parser.parse_args(simulate_tournament.to_go_on("-hyphen_1234", options))
    assert vars(read) == options | {"go_on": "-hyphen_1234"}


@pytest.mark.parametrize("start", ["by_hand", "fixed_players", "fixed_time"])
@pytest.mark.parametrize("shape", ["heads_up", "knockout", "single"])
def test_every_shape_is_started_by_hand_by_the_last_seat_and_by_the_clock(
    shape: str, start: str
) -> None:
    report = simulate(shape=shape, format="deals", start=start, entrants=6, seed="s", fast=True)
    assert report["books_balanced"] is True
    assert report["entries"] == 6
    states = list(Tournament.objects.get().entries.values_list("state", flat=True))
    no_shows = 1 if start == "fixed_time" else 0
    counted = {state: states.count(state) for state in ("ranked", "withdrawn", "no_show")}
    assert counted == {"ranked": 6, "withdrawn": 1, "no_show": no_shows}
    assert states.count("not_seated") == 1 - no_shows
    assert report["refunded_minor"] == 1000 * (1 + no_shows)


def test_bots_buy_in_again_and_split_the_pool() -> None:
    report = simulate(shape="single", format="pool101", entrants=6, seed="4", fast=True)
    tournament = Tournament.objects.get()
    again = sum(tournament.entries.values_list("rejoins", flat=True))
    assert again > 0
    assert report["received_minor"] - report["refunded_minor"] == 1000 * (6 + again)
    winners = [line["prize_minor"] for line in report["standings"] if line["prize_minor"]]
    assert len(winners) > 1
    assert RoundTable.objects.exclude(split_weights="").count() == 1


def test_people_read_standings_prizes_and_the_trial_balance() -> None:
    out = io.StringIO()
    call_command(
        "simulate_tournament", shape="single", format="points", entrants=3, seed="p", stdout=out
    )
    text = out.getvalue()
    assert "Rank  Player" in text
    assert "Trial balance: balanced." in text
    assert money.PLAY_POINTS in text
    assert money.faults(now=NOW) == ()


def test_beside_a_running_site_nothing_is_simulated_since_its_clock_would_play_along() -> None:
    """Simulated deals lie in a past in which every turn is late."""
    heartbeat.beat(now=timezone.now())
    with pytest.raises(CommandError, match="The site is running"):
        simulate(shape="single", format="points", entrants=3, seed="beside")
    assert not Tournament.objects.exists()


def test_a_site_that_has_stopped_keeps_nobody_from_simulating() -> None:
    heartbeat.beat(now=timezone.now() - 2 * heartbeat.GRACE)
    assert simulate(shape="single", format="points", entrants=3, seed="after")["deals"] > 0
