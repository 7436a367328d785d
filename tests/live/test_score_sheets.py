"""At a table with real cards a socket shows the scoreboard as it is written, and plays nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tables.threads import in_database
from tests.live.client import Player
from tests.live.test_matches import seated
from tests.tables.sheet_helpers import a_club_match, enter, version

pytestmark = pytest.mark.django_db(transaction=True)

FRAMES: list[dict[str, Any]] = [
    {"type": "draw_closed", "id": "a", "seen": 0},
    {"type": "leave", "id": "b", "seen": 0},
    {"type": "auto_drop", "id": "c", "seen": 0, "on": True},
    {"type": "back", "id": "d", "seen": 0},
    {"type": "rejoin", "yes": True},
    {"type": "offer_split"},
    {"type": "answer_split", "accepts": True},
]


@pytest.mark.parametrize("frame", FRAMES, ids=[frame["type"] for frame in FRAMES])
async def test_whatever_a_player_sends_he_is_told_to_turn_to_the_scorer(
    site: str, frame: dict[str, Any]
) -> None:
    match = await in_database(a_club_match, 2)
    player = Player(site, match.table.public_id, (await in_database(seated, match))[0])
    async with player:
        await player.until("snapshot")
        await player.send(frame)
        refusal = await player.until("refused")
        assert refusal["code"] == "in_person", refusal
        assert "scorer" in refusal["sentence"]
    assert await in_database(version, match) == 0


async def test_players_see_a_deal_on_the_scoreboard_as_soon_as_it_is_entered(site: str) -> None:
    match = await in_database(a_club_match, 2)
    player = Player(site, match.table.public_id, (await in_database(seated, match))[0])
    async with player:
        await player.until("snapshot")
        await in_database(enter, match, 0, {1: 35})
        board = await player.until("scoreboard", entries=1)
        assert {line["seat"]: line["score"] for line in board["lines"]} == {0: 0, 1: 35}
        assert board["due_in_ms"] is None
