"""A client's own clock plays no part: no frame carries its time, and it is told what is left."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tables.frames import EventsOut
from tables.management.commands.protocol_schema import schema
from tables.models import Deal
from tables.threads import in_database
from tests.live.stage import a_stage, all_see_the_truth

PROTOCOL = Path(__file__).resolve().parents[2] / "docs" / "protocol.md"

WRONG_SECONDS = (-90, 0, 90)
SENT = {"type", "id", "seen", "card", "groups", "on", "deal", "version", "yes", "accepts", "text"}


def test_no_frame_of_a_client_has_a_place_for_a_time() -> None:
    found: dict[str, Any] = schema()
    names = {ref["$ref"].rsplit("/", 1)[-1] for ref in found["in"]["anyOf"]}
    fields = {field for name in names for field in found["$defs"][name]["properties"]}
    assert fields == SENT


@pytest.mark.django_db(transaction=True)
async def test_players_whose_clocks_are_ninety_seconds_wrong_know_the_same_moment_and_play_on(
    site: str,
) -> None:
    async with a_stage(site, 3) as stage:
        deadline = (await in_database(Deal.objects.get, pk=stage.deal.pk)).deadline_at
        assert deadline is not None
        for player, wrong in zip(stage.players, WRONG_SECONDS, strict=True):
            asked = time.time() + wrong
            await player.send({"type": "hello"})
            [ending] = (await player.until("snapshot"))["clock"]["ends"]
            told, left = time.time() + wrong, ending["left_ms"] / 1000
            by_his_clock = deadline.timestamp() + wrong
            assert asked - 0.001 <= by_his_clock - left <= told + 0.001
        for _ in range(6):
            mover = stage.by_turn[0]
            assert (await mover.act(mover.think()))["type"] == "done"
            await all_see_the_truth(stage.deal, *stage.players)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["at", "now", "server_ms", "left_ms", "until", "deadline_at"])
async def test_a_time_that_a_client_sends_all_the_same_is_refused(site: str, name: str) -> None:
    async with a_stage(site) as stage:
        mover = stage.by_turn[0]
        draw = {"type": "draw_closed", "id": "a", "seen": mover.version, name: 90_000}
        await mover.send(draw)
        assert (await mover.until("refused"))["code"] == "bad_frame"
        await all_see_the_truth(stage.deal, *stage.players)
        assert mover.must_act


def test_the_events_frame_shown_in_the_protocol_is_one() -> None:
    [example] = re.findall(
        r'^\{"type": "events",.*?^ "clock".*?$', PROTOCOL.read_text(), re.M | re.S
    )
    frame = msgspec.convert(json.loads(example), EventsOut)
    assert frame.clock.ends[0].left_ms > frame.clock.ends[0].extra_ms > 0
