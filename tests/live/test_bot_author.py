"""Somebody writes a bot with the documents alone, and it plays a pool with rejoin and split."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.live.chaos import Site, embedded_site
from tests.live.processes import running

AUTHOR: Final = Path(__file__).with_name("authors_bot.py")
PASSWORD: Final = "long enough 7"
PATIENCE: Final = 300.0
GIVEN, FEE, HOUSE_FEE = 2_000, 300, 30

MADE: Final = """
from django.contrib.auth.models import User
from django.utils import timezone
from tests.tournaments.helpers import a_tournament, terms
from tournaments import money, services
from tournaments.models import Shape
from tournaments.structure.due import StartKind, Times

now = timezone.now()
people = [User.objects.create_user(name, password={password!r}) for name in {names!r}]
money.open_asset(code=money.PLAY_POINTS)
money.grant(asset=money.PLAY_POINTS, player_ids=[user.pk for user in people], amount={given},
            key="gift", actor="organiser", now=now)
cup = a_tournament(Shape.SINGLE, capacity={seats}, name="Authors cup", entry_fee={fee},
                   house_fee={house_fee}, terms=terms("pool101", prizes="100"), now=now,
                   times=Times(kind=StartKind.FIXED_PLAYERS))
for user in people[{programs}:]:
    services.register(tournament_id=cup.pk, player_id=user.pk, actor="x", bot="steady", now=now)
"""


def prepare(site: Site, names: Sequence[str], programs: int) -> None:
    """A pool for all of them, of whom the first are programs and the others bots of the site."""
    site.manage(
        *("shell", "-v0", "-c"),
        MADE.format(
            names=list(names),
            password=PASSWORD,
            given=GIVEN,
            fee=FEE,
            house_fee=HOUSE_FEE,
            seats=len(names),
            programs=programs,
        ),
    )


def play(site: Site, plans: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Serve the site, let a process of each play its plan, and hear what each tells."""
    with running(site.serve()):
        processes = {
            name: subprocess.Popen(
                [sys.executable, str(AUTHOR), f"http://{site.address}", name, "Authors", plan],
                env=os.environ | {"RUMMY_PASSWORD": PASSWORD},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for name, plan in plans.items()
        }
        try:
            said = {name: one.communicate(timeout=PATIENCE) for name, one in processes.items()}
        finally:
            for process in processes.values():
                process.kill()
    assert {name: one.returncode for name, one in processes.items()} == dict.fromkeys(plans, 0), (
        said
    )
    return {name: json.loads(out) for name, (out, _wrong) in said.items()}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Empty."""
    return embedded_site(tmp_path)


def test_a_bot_written_from_the_documents_plays_a_pool_against_a_bot_of_the_site(
    site: Site,
) -> None:
    """It is out with 160 points, buys in again, is out once more and says no; the other has won."""
    prepare(site, ("author", "house-bot"), programs=1)
    told = play(site, {"author": "wrong, back"})["author"]
    assert told["told"] == ["back", "out"]
    assert (told["status"], told["step"]["buy_ins"]) == ("over", 3)
    assert (told["entry"]["rank"], told["entry"]["rejoins"], told["entry"]["prize"]) == (2, 1, 0)
    assert told["balance"]["posted"] == GIVEN - 2 * FEE


def test_four_such_bots_rejoin_offer_and_answer_a_split_to_the_payout(site: Site) -> None:
    """As four people do in the browsers' whole evening, with the same prizes."""
    plans = {
        "asha": "wrong, back",
        "bela": "drop",
        "chitra": "wrong, out",
        "dev": "stay, offer",
    }
    prepare(site, tuple(plans), programs=4)
    told = play(site, plans)
    assert {name: one["told"][-1] for name, one in told.items()} == {
        "asha": "answer_split",
        "bela": "answer_split",
        "chitra": "out",
        "dev": "offer",
    }
    prizes = {"asha": 90, "bela": 360, "chitra": 0, "dev": 900}
    assert {name: one["entry"]["prize"] for name, one in told.items()} == prizes
    for name, prize in prizes.items():
        buy_ins = 2 if name == "asha" else 1
        assert told[name]["balance"]["posted"] == GIVEN - buy_ins * FEE + prize
