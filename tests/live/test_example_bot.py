"""The example of the documents, as it stands there, plays a real table to its end."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from rummy_site.embedded import Parts, worker_and_beat
from tables.threads import in_database

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


def _person() -> None:
    User.objects.create_user("asha", password="long enough 7")
