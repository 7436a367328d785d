"""Moves against alarms, many tabs at once, slow readers and lost messages, over real sockets."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from channels.layers import get_channel_layer

from tables import services, store
from tables.broadcast import group_of
from tables.models import Connection, Deal, Match
from tables.rules.commands import Arrange
from tables.rules.evolve import replay
from tables.rules.visibility import view_of
from tables.selectors import check_deal
from tables.services.alarms import act_on_due, ring_deal
from tables.snapshots import Viewer, events_since
from tables.store import events_of
from tables.threads import in_database
from tests.live.client import Player
from tests.live.test_matches import seated
from tests.tables.helpers import a_match, dealt

pytestmark = pytest.mark.django_db(transaction=True)

TABS = 30
EVENTS = 150
TURN = timedelta(seconds=40)
"""A turn with its extra time."""


async def _seated(
    site: str, *, dealt_ago: timedelta = timedelta(0)
) -> tuple[Match, Deal, list[Player]]:
    """Two people at a table whose deal was dealt so long ago; who has to act comes first."""
    match = await in_database(a_match)
    deal, _ = await in_database(dealt, match, datetime.now(UTC) - dealt_ago)
    headers = await in_database(seated, match)
    table = await in_database(lambda: match.table.public_id)
    players = [Player(site, table, header) for header in headers]
    for player in players:
        await player.open()
        await player.until("snapshot")
    return match, deal, sorted(players, key=lambda player: not player.must_act)


async def _assert_all_see_the_truth(deal: Deal, players: list[Player]) -> list[str]:
    """Every view is the one the log gives; the log's kinds of events."""
    events = await in_database(events_of, deal)
    state = replay(events)
    for player in players:
        while player.version < state.version:
            await player.next()
        assert player.view == view_of(state, player.seat)
    row = await in_database(Deal.objects.get, pk=deal.pk)
    assert (await in_database(check_deal, row)).faults == ()
    return [type(event).__name__ for event in events]


@pytest.mark.parametrize("ms_before", [30, 10, 0])
async def test_a_move_just_before_the_alarm_and_the_alarm_act_one_after_the_other(
    site: str, ms_before: int
) -> None:
    """Whichever wins, the turn runs out once and everybody sees the same."""
    _, deal, players = await _seated(site, dealt_ago=TURN - timedelta(seconds=3))
    row = await in_database(Deal.objects.get, pk=deal.pk)
    assert row.deadline_at is not None
    deadline = row.deadline_at

    async def alarm() -> int:
        await asyncio.sleep((deadline - datetime.now(UTC)).total_seconds())
        while not (acted := await in_database(act_on_due, now=max(deadline, datetime.now(UTC)))):
            await asyncio.sleep(0.01)  # the move holds the row; the clock comes again
        return acted + await in_database(act_on_due, now=datetime.now(UTC))

    async def move() -> str:
        early = timedelta(milliseconds=ms_before)
        await asyncio.sleep(max(0.0, (deadline - early - datetime.now(UTC)).total_seconds()))
        frame = {"type": "draw_closed", "id": "late", "seen": players[0].version}
        return str((await players[0].act(frame))["type"])

    rung, answer = await asyncio.gather(alarm(), move())
    assert (rung, answer in ("done", "refused")) == (1, True)
    kinds = await _assert_all_see_the_truth(deal, players)
    assert kinds.count("TurnMissed") == 1
    assert kinds.count("CardDrawn") == (1 if answer == "done" else 0)


async def test_an_alarm_delivered_twice_acts_once_and_an_old_one_not_at_all(site: str) -> None:
    _, deal, players = await _seated(site, dealt_ago=TURN)

    async def ring() -> bool:
        return await in_database(ring_deal, deal_id=deal.pk, now=datetime.now(UTC))

    assert [await ring(), await ring()] == [True, False]
    kinds = await _assert_all_see_the_truth(deal, players)
    assert kinds.count("TurnMissed") == 1
    for _ in range(2):
        mover = next(player for player in players if player.must_act)
        assert (await mover.act(mover.think()))["type"] == "done"
        for player in players:
            while player.version < mover.version:
                await player.next()
    assert await ring() is False
    kinds = await _assert_all_see_the_truth(deal, players)
    assert kinds.count("TurnMissed") == 1


async def test_thirty_tabs_closed_at_once_take_their_player_offline_once(site: str) -> None:
    _, deal, players = await _seated(site)
    [here, gone] = players
    tabs = [Player(site, gone.url.split("/")[-2], gone.headers) for _ in range(TABS - 1)]
    await asyncio.gather(*(tab.open() for tab in tabs))
    await asyncio.gather(*(tab.until("snapshot") for tab in tabs))
    for tab in (gone, *tabs):
        assert tab.socket is not None
        tab.socket.transport.abort()
    offline = await here.until("events")
    assert [event["kind"] for event in offline["events"]] == ["player_went_offline"]
    while await in_database(Connection.objects.count) > 1:
        await asyncio.sleep(0.05)
    kinds = await _assert_all_see_the_truth(deal, [here])
    assert kinds.count("PlayerWentOffline") == 1
    await gone.open()
    back = await here.until("events")
    assert [event["kind"] for event in back["events"]] == ["player_came_back"]


def _arrange(deal: Deal, seat: int, times: int) -> None:
    """Save so many groupings, each an event for everybody."""
    hand = replay(events_of(deal)).seat_state(seat).hand
    for number in range(times):
        services.play(
            deal_id=deal.pk,
            command=Arrange(seat, (hand[: 3 + number % 2],)),
            command_id=f"arrange:{number}:{times}",
            now=datetime.now(UTC),
        )


async def test_a_client_that_stops_reading_gets_everything_when_it_reads_again(site: str) -> None:
    _, deal, players = await _seated(site)
    await players[1].close()
    await _assert_all_see_the_truth(deal, players[:1])
    slow = players[1]
    await slow.open(max_queue=1)
    await slow.next()
    seat = players[0].seat or 0
    await in_database(_arrange, deal, seat, EVENTS)
    await _assert_all_see_the_truth(deal, players[:1])  # who reads waits for nobody
    kinds = await _assert_all_see_the_truth(deal, players)
    assert kinds.count("HandArranged") == EVENTS


async def test_messages_lost_to_a_full_mailbox_are_made_good_with_the_next(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, deal, players = await _seated(site)
    layer: Any = get_channel_layer()
    with monkeypatch.context() as full:
        full.setattr(layer, "capacity", 0)
        before = layer.dropped
        await in_database(_arrange, deal, players[0].seat or 0, 20)
        assert layer.dropped == before + 20 * len(players)
    await in_database(_arrange, deal, players[0].seat or 0, 1)
    made_good: list[dict[str, Any]] = []
    while len(made_good) < 21:
        made_good += (await players[1].until("events"))["events"]
    assert len(made_good) == 21
    await _assert_all_see_the_truth(deal, players)


async def test_messages_doubled_or_late_change_nothing(site: str) -> None:
    match, deal, players = await _seated(site)
    layer: Any = get_channel_layer()
    sent: list[dict[str, object]] = []
    listener = await layer.new_channel()
    await layer.group_add(group_of(match.pk), listener)
    await in_database(_arrange, deal, players[0].seat or 0, 3)
    while len(sent) < 3:
        sent.append(await layer.receive(listener))
    await layer.group_discard(group_of(match.pk), listener)
    for message in (*reversed(sent), *sent):
        await layer.group_send(group_of(match.pk), message)
    await in_database(_arrange, deal, players[0].seat or 0, 4)
    kinds = await _assert_all_see_the_truth(deal, players)
    assert kinds.count("HandArranged") == 7
    shown = [frame["version"] for frame in players[1].frames if frame["type"] == "events"]
    assert shown == sorted(set(shown))


def test_what_is_read_while_others_move_is_of_one_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deal's row read a moment before its log: the events end where the row does."""
    match = a_match()
    row, state = dealt(match, datetime.now(UTC))
    seat = state.turn or 0
    _arrange(row, seat, 3)
    monkeypatch.setattr(store, "states", store.StateCache())
    viewer = Viewer(match.pk, match.table.public_id, seat, None)
    assert row.version == state.version
    assert store.load(row).version == row.version
    read = events_since(viewer, row, 1, datetime.now(UTC))
    assert (read.version, len(read.events)) == (row.version, row.version - 1)
