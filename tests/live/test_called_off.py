"""Players at a live table hear that it was called off, see its cards, and can do nothing more."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tables.services import void_matches
from tables.threads import in_database
from tests.live.stage import a_stage

pytestmark = pytest.mark.django_db(transaction=True)


async def test_everybody_at_the_table_is_told_and_no_move_counts_any_more(site: str) -> None:
    async with a_stage(site) as stage:
        mover = stage.by_turn[0]
        move = mover.think()
        owner = await in_database(lambda: stage.match.table.owner)
        await in_database(lambda: void_matches(owner=owner, now=datetime.now(UTC)))
        for player in stage.players:
            events = await player.until("events")
            assert [event["kind"] for event in events["events"]] == ["deal_voided"]
            assert (events["legal"], events["clock"]["ends"]) == ([], [])
            assert player.view is not None
            assert player.view.is_over
            assert all("??" not in seat.hand for seat in player.view.seats)
        refused = await mover.act(move)
        assert refused["code"] == "no_deal"
        for player in stage.players:
            await player.send({"type": "hello", "deal": player.deal, "version": player.version})
            while player.board.get("status") != "void":
                await player.next()
            assert player.board["step"] is None
