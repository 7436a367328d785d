"""Simulated tournaments that are cut off at random and go on from the database alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection

from tests.tournaments.test_simulation import simulate
from tournaments.management.crashing import Crash, Crasher
from tournaments.models import Tournament
from tournaments.play.bots import Chance


def without_time(report: dict[str, Any]) -> dict[str, Any]:
    """What of a report must be the same each time."""
    return {name: value for name, value in report.items() if name not in ("seconds", "crashes")}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("played", "start", "entrants", "every"),
    [
        ("heads_up of heads_up", "fixed_players", 5, 150),
        ("heads_up of deals, fast", "fixed_time", 9, 60),
        ("knockout of deals", "by_hand", 7, 150),
        ("knockout of pool101, fast", "fixed_time", 13, 60),
        ("knockout of points, fast", "fixed_players", 20, 60),
        ("single of pool201, fast", "fixed_time", 6, 40),
        ("single of pool101", "by_hand", 4, 100),
    ],
)
def test_crashes_change_nothing_in_what_comes_of_a_tournament(
    played: str, start: str, entrants: int, every: int
) -> None:
    shape, _, format_name = played.removesuffix(", fast").partition(" of ")
    wanted: dict[str, Any] = {"shape": shape, "format": format_name, "start": start}
    wanted |= {"entrants": entrants, "fast": played.endswith("fast")}
    wanted |= {"seed": "cut off", "fee": 1003, "house_fee": 103}
    undisturbed = simulate(**wanted)
    disturbed = simulate(chaos="crash", crash_every=every, **wanted)
    assert disturbed["crashes"] > 3
    assert "faults" not in disturbed
    assert without_time(disturbed) == without_time(undisturbed)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "more",
    [
        {"shape": "knockout", "format": "pool101", "entrants": 20, "advance": "40%"},
        {"shape": "knockout", "format": "deals", "entrants": 20, "advance": "2", "reentries": 2},
        {"shape": "heads_up", "format": "heads_up", "entrants": 11, "third_place": True},
    ],
)
def test_nor_in_who_goes_on_comes_back_or_is_third(more: dict[str, Any]) -> None:
    wanted = more | {"fast": True, "seed": "on", "start": "fixed_time"}
    undisturbed = simulate(**wanted)
    disturbed = simulate(chaos="crash", crash_every=60, **wanted)
    assert disturbed["crashes"] > 3
    assert without_time(disturbed) == without_time(undisturbed)
    if "reentries" in more:
        again = sum(Tournament.objects.latest("pk").entries.values_list("reentries", flat=True))
        assert disturbed["received_minor"] == 1000 * (20 + 2 * 2 + again)
        assert again > 0


@pytest.mark.django_db(transaction=True)
def test_timed_levels_survive_crashes_with_all_their_chips() -> None:
    report = simulate(
        shape="levels", format="points", entrants=5, seed="levels", chaos="crash", crash_every=200
    )
    assert report["crashes"] > 2
    assert report["books_balanced"] is True


@pytest.mark.django_db(transaction=True)
def test_what_was_interrupted_can_be_gone_on_with_by_its_name() -> None:
    wanted: dict[str, Any] = {"shape": "single", "format": "points", "entrants": 3, "seed": "on"}
    first = simulate(**wanted)
    again = simulate(go_on=Tournament.objects.get().public_id, **wanted)
    assert Tournament.objects.count() == 1
    assert without_time(again) == without_time(first)


def test_a_crash_comes_before_or_after_a_statement() -> None:
    crasher, executed = Crasher(Chance(b"statements"), 3), list[str]()
    for number in range(300):
        with suppress(Crash):
            crasher.around(executed.append, str(number))
    lost = 300 - len(executed)
    assert crasher.crashes > 50
    assert 0 < lost < crasher.crashes


def test_no_handler_of_faults_sees_a_crash() -> None:
    assert not issubclass(Crash, Exception)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A database of its own on whichever server the tests use."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{tmp_path}/killed.sqlite3"
        return
    where = connection.settings_dict
    server = f"postgres://{where['USER']}@{where['HOST']}:{where['PORT'] or 5432}"
    name = f"rummy_killed_{os.getpid()}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{server}/{name}"
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.chaos
@pytest.mark.parametrize(
    "options",
    [
        ("--shape", "knockout", "--format", "deals", "--entrants", "9"),
        ("--shape", "knockout", "--fast", "--newcomers", "3", "--reentries", "1", "--tickets", "2"),
        ("--shape", "heads_up", "--format", "heads_up", "--entrants", "24", "--fast"),
        ("--shape", "levels", "--format", "points", "--entrants", "5"),
    ],
)
def test_a_killed_process_leaves_a_tournament_that_the_next_one_ends_the_same(
    address: str, options: tuple[str, ...]
) -> None:
    environment = os.environ | {
        "DATABASE_URL": address,
        "DJANGO_SETTINGS_MODULE": "rummy_site.settings.dev",
    }

    def manage(*arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, check=True
        ).stdout

    manage("migrate", "--verbosity", "0")
    wanted = ("simulate_tournament", "--json", "--seed", "killed", *options)
    killed = json.loads(manage(*wanted, "--chaos", "kill"))
    assert killed["crashes"] > 3
    assert killed["books_balanced"] is True
    if "levels" not in options:  # whose deals depend on the time
        assert without_time(killed) == without_time(json.loads(manage(*wanted)))
