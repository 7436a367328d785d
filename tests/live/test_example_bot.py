"""The example of the documents, as it stands there, plays a real table to its end."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from rummy_site.embedded import Parts, worker_and_beat
from tables.threads import in_database
from tests.live.stage import a_stage, all_see_the_truth
from tests.programs import key_for

pytestmark = pytest.mark.django_db(transaction=True)

BOT = Path(__file__).parents[2] / "docs" / "examples" / "bot.py"
PATIENCE = 180.0


async def test_the_example_bot_plays_a_points_game_against_a_bot_to_the_end(site: str) -> None:
    await in_database(_person)
    faults: list[str] = []
    parts = Parts(worker_and_beat(), give_up=faults.append)
    await asyncio.to_thread(parts.start)
    try:
        playing = await asyncio.create_subprocess_exec(
            sys.executable,
            str(BOT),
            f"http://{site}",
            "asha",
            env=os.environ | {"RUMMY_PASSWORD": "long enough 7"},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        said, wrong = await asyncio.wait_for(playing.communicate(), PATIENCE)
    finally:
        await asyncio.to_thread(parts.stop)
    assert faults == []
    assert playing.returncode == 0, wrong.decode()
    told = json.loads(said)
    assert told["status"] == "over"
    assert told["table"]


def _started() -> Any:
    """The example as a program has it that has just been started."""
    spec = importlib.util.spec_from_file_location("bot", BOT)
    assert spec is not None
    assert spec.loader is not None
    bot = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bot)
    return bot


class _KilledError(Exception):
    """The end of a program."""


async def test_a_bot_that_is_started_anew_in_the_middle_of_its_turn_goes_on_with_it(
    site: str,
) -> None:
    async with a_stage(site) as stage:
        mover, other = stage.by_turn
        seat = await in_database(stage.match.seats.select_related("player").get, number=mover.seat)
        key = await in_database(key_for, seat.player)
        first, second = _started(), _started()

        def until_it_has_drawn(snapshot: dict[str, Any]) -> dict[str, Any]:
            move: dict[str, Any] = first.choose(snapshot)
            if move["type"] == "discard":
                raise _KilledError
            return move

        with pytest.raises(_KilledError):
            await first.play(f"http://{site}", key, stage.table, choose=until_it_has_drawn)
        playing = asyncio.create_task(second.play(f"http://{site}", key, stage.table))
        while not other.must_act:
            await other.next()
        playing.cancel()
        await all_see_the_truth(stage.deal, other)


def _person() -> None:
    User.objects.create_user("asha", password="long enough 7")
