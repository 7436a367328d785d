"""Clients that try what they should not: nothing comes of it, for nobody."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tables import consumers, snapshots
from tables.limits import Allowance, Allowances, TokenBucket
from tables.models import Deal, DealEvent, Match, MatchStatus
from tables.rules.evolve import replay
from tables.rules.state import Phase
from tables.services.alarms import ring_deal
from tables.store import events_of
from tables.threads import in_database
from tests.live.chaos_desk import ask_rejoin
from tests.live.client import Player
from tests.live.stage import Stage, a_stage, all_see_the_truth
from tests.live.test_matches import seated
from tests.tables.helpers import a_match

pytestmark = pytest.mark.django_db(transaction=True)

FLOOD = 2000
AT_ONCE = 500
MOVES = 20
ABNORMAL = 1006
COME_BACK = 2


@pytest.fixture
async def stage(site: str) -> AsyncIterator[Stage]:
    """Three people at a table whose deal is under way."""
    async with a_stage(site, 3) as stage:
        yield stage


async def _log(deal: Deal) -> list[tuple[int, str | None]]:
    rows = DealEvent.objects.filter(deal=deal).values_list("seq", "command_id")
    return await in_database(list, rows)


async def test_no_command_with_cards_of_another_hand_is_played(stage: Stage) -> None:
    """Out of turn and in turn; also when the cards are known from the open deck."""
    [mover, *others] = stage.by_turn
    await mover.act({"type": "draw_closed", "id": "own", "seen": mover.version})
    before = await _log(stage.deal)
    state = replay(await in_database(events_of, stage.deal))
    for player in (mover, *others):
        mine = set(state.seat_state(player.seat or 0).hand)
        for other in stage.players:
            hand = state.seat_state(other.seat or 0).hand
            foreign = next((card for card in hand if card not in mine), None)
            if foreign is None:
                continue
            for frame in (
                {"type": "discard", "card": foreign},
                {"type": "finish", "card": foreign},
                {"type": "arrange", "groups": [[foreign, *hand[:2]]]},
                {"type": "declare", "groups": [list(hand)[:13]]},
            ):
                answer = await player.act(frame | {"id": player.new_id(), "seen": state.version})
                assert answer["type"] == "refused"
                assert answer["code"] != "bad_frame"
    assert await _log(stage.deal) == before


async def test_the_same_command_id_of_two_players_names_two_commands(stage: Stage) -> None:
    done = []
    for _ in range(3):
        mover = stage.by_turn[0]
        draw = {"type": "draw_closed", "id": "x", "seen": mover.version}
        done.append(await mover.act(draw))
        assert mover.view is not None
        discard = {"type": "discard", "id": "y", "seen": mover.version}
        card = mover.view.seat_state(mover.seat or 0).hand[-1]
        done.append(await mover.act(discard | {"card": card}))
        await all_see_the_truth(stage.deal, *stage.players)
    assert [answer["type"] for answer in done] == ["done"] * 6
    assert not any(answer["repeated"] for answer in done)


async def test_an_id_used_again_for_another_command_acts_no_second_time(stage: Stage) -> None:
    mover = stage.by_turn[0]
    first = await mover.act({"type": "draw_closed", "id": "x", "seen": mover.version})
    assert mover.view is not None
    card = mover.view.seat_state(mover.seat or 0).hand[0]
    again = await mover.act({"type": "discard", "id": "x", "seen": mover.version, "card": card})
    assert (again["version"], again["repeated"]) == (first["version"], True)
    await all_see_the_truth(stage.deal, *stage.players)
    assert mover.view.seat_state(mover.seat or 0).hand.count(card) >= 1


async def test_names_of_the_sites_own_commands_cannot_be_taken(stage: Stage) -> None:
    """A player who foresees the alarm's name, or another seat's, hinders neither."""
    mover = stage.by_turn[0]
    for name in (f"alarm:{mover.version + 1}", f"alarm:{mover.version}", "open", "1:x"):
        await mover.act({"type": "draw_closed", "id": name, "seen": mover.version})
    await all_see_the_truth(stage.deal, *stage.players)
    deadline = (await in_database(Deal.objects.get, pk=stage.deal.pk)).deadline_at
    assert deadline is not None
    assert await in_database(ring_deal, deal_id=stage.deal.pk, now=deadline)


async def test_hello_with_a_version_or_a_deal_that_is_not_there_gives_the_truth(
    stage: Stage,
) -> None:
    player = stage.players[0]
    for frame in (
        {"deal": player.deal, "version": 1_000_000},
        {"deal": player.deal, "version": player.version + 1},
        {"deal": "another", "version": 3},
        {"deal": "", "version": 9},
        {"deal": player.deal, "version": 0},
    ):
        await player.send({"type": "hello"} | frame)
        shown = await player.until("snapshot")
        assert (shown["deal"], shown["version"]) == (stage.deal.public_id, stage.deal.version)
    await player.send({"type": "hello", "deal": player.deal, "version": 2**64})
    assert (await player.until("refused"))["code"] == "bad_frame"


async def test_a_frame_sent_as_bytes_is_a_frame_and_rubbish_is_refused(stage: Stage) -> None:
    player = stage.players[0]
    assert player.socket is not None
    await player.socket.send(b'{"type":"hello"}')
    await player.until("snapshot")
    for rubbish in (b"\xff\xfe\x00", b"\x00" * 100, '{"type":"hello"}'.encode("utf-16")):
        await player.socket.send(rubbish)
        assert (await player.until("refused"))["code"] == "bad_frame"


@pytest.mark.parametrize("path", ["/ws/", "/ws/tables/a/b/", "/ws/tables/%00/", "/"])
async def test_a_socket_to_nowhere_is_turned_away_and_is_no_fault(
    stage: Stage, site: str, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    for headers in ({"Origin": f"http://{site}"}, {"Authorization": "Token none"}):
        with caplog.at_level(logging.WARNING), pytest.raises(InvalidStatus, match="403"):
            await connect(f"ws://{site}{path}", additional_headers=headers)
    assert [record.getMessage() for record in caplog.records] == []


async def test_a_page_of_another_site_cannot_use_a_players_session(stage: Stage) -> None:
    player = stage.players[0]
    with pytest.raises(InvalidStatus, match="403"):
        await connect(
            player.url, additional_headers=player.headers | {"Origin": "http://evil.test"}
        )


class Flood:
    """Another tab of a player that sends as fast as it can, and comes back when it is cut off."""

    def __init__(self, tab: Player) -> None:
        self._tab = tab
        self.sent = self.snapshots = 0
        self.codes: list[int | None] = []
        """With which code each of its sockets was closed."""

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            headers = self._tab.headers
            async with connect(
                self._tab.url, additional_headers=headers, open_timeout=None
            ) as socket:
                with suppress(ConnectionClosed):
                    await asyncio.gather(self._send(socket), self._read(socket))
                await socket.wait_closed()
                self.codes.append(socket.close_code)

    async def _send(self, socket: Any) -> None:
        while True:
            for _ in range(AT_ONCE):
                await socket.send('{"type":"hello"}')
                self.sent += 1
            await asyncio.sleep(0)

    async def _read(self, socket: Any) -> None:
        async for text in socket:
            self.snapshots += text.startswith('{"type":"snapshot"')


async def play_on(stage: Stage, players: list[Player], moves: int) -> None:
    """Whoever's turn it is moves, so often; all see it."""
    for _ in range(moves):
        [mover] = (player for player in stage.players if player.must_act)
        assert mover in players
        frame = {"id": mover.new_id(), "seen": mover.version}
        if mover.view is not None and mover.view.phase is Phase.DRAW:
            frame |= {"type": "draw_closed"}
        else:
            hand = mover.view.seat_state(mover.seat or 0).hand if mover.view is not None else ()
            frame |= {"type": "discard", "card": hand[-1]}
        assert (await mover.act(frame))["type"] == "done"
        await all_see_the_truth(stage.deal, *stage.players)


async def test_thousands_of_frames_from_one_client_are_limited_and_others_are_not_held_up(
    stage: Stage,
) -> None:
    """Of a flood no more is answered than the limit lets through in its time, however often it
    comes back, and every move of the others is played meanwhile. Whoever does not stop is cut off.
    """
    flooder = stage.players[2]
    others = [player for player in stage.players if player is not flooder]
    while not flooder.must_act:
        await play_on(stage, others, 1)
    await flooder.act({"type": "drop", "id": flooder.new_id(), "seen": flooder.version})
    await all_see_the_truth(stage.deal, *stage.players)
    flood, begun = Flood(stage.tab_of(flooder)), time.monotonic()
    flooding = asyncio.create_task(flood.run())
    await play_on(stage, others, MOVES)
    # What he has still to send when he is cut off can cut the line before he has read why.
    while (
        len(flood.codes) <= COME_BACK or flood.sent < FLOOD or consumers.TOO_MANY not in flood.codes
    ):
        assert not flooding.done()
        await asyncio.sleep(0.05)
    flooding.cancel()
    await asyncio.gather(flooding, return_exceptions=True)
    assert set(flood.codes) <= {consumers.TOO_MANY, ABNORMAL, None}
    let_through = consumers.FRAMES_PER_SECOND * (time.monotonic() - begun)
    assert flood.snapshots <= consumers.FRAMES_AT_ONCE + let_through
    await play_on(stage, others, 2)


def _used_up() -> Allowance:
    """Never fills again."""
    return Allowance(*(TokenBucket(per_second=0, burst=0, now=0.0) for _ in range(2)))


async def test_who_was_cut_off_is_turned_away_before_anything_but_his_log_in_is_read(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At this table, with any socket of his; the others are let in, and he is later."""
    cut_off, other, _ = stage.players
    seat = await in_database(stage.match.seats.get, number=cut_off.seat)
    asked: list[int | None] = []

    def viewer_of(*, table: str, user_id: int | None) -> snapshots.Viewer:
        asked.append(user_id)
        return _viewer_of(table=table, user_id=user_id)

    _viewer_of = snapshots.viewer_of
    monkeypatch.setattr(snapshots, "viewer_of", viewer_of)
    kept: Allowances[Allowance] = Allowances()
    monkeypatch.setattr(consumers, "allowances", kept)
    kept.keep(seat.player_id, _used_up())
    for _ in range(2):
        tab = stage.tab_of(cut_off)
        async with connect(tab.url, additional_headers=tab.headers) as socket:
            await socket.wait_closed()
        assert socket.close_code == consumers.TOO_MANY
    assert asked == []
    for welcome in (stage.tab_of(other), Player(cut_off.url.split("/")[2], stage.table)):
        async with welcome:
            await welcome.until("snapshot")
    monkeypatch.setattr(consumers, "allowances", Allowances())
    async with stage.tab_of(cut_off) as tab:
        await tab.until("snapshot")


async def test_tabs_of_one_player_share_what_he_may_send(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever he has used up in one tab he has used up in the next one."""
    monkeypatch.setattr(consumers, "FRAMES_PER_SECOND", 0)
    monkeypatch.setattr(consumers, "allowances", Allowances())
    player = stage.players[0]
    async with stage.tab_of(player) as first, stage.tab_of(player) as second:
        for tab in (first, second):
            await tab.until("snapshot")
        for _ in range(consumers.FRAMES_AT_ONCE - 2):
            await first.send({"type": "hello"})
            await first.until("snapshot")
        await second.send({"type": "hello"})
        assert (await second.until("refused"))["code"] == "too_fast"
    async with stage.tab_of(player) as third:
        assert (await third.until("refused"))["code"] == "too_fast"


async def _entries(match: Match) -> list[str]:
    return await in_database(list, match.entries.values_list("kind", flat=True))


@pytest.fixture
async def asked(site: str) -> AsyncIterator[tuple[Match, list[Player]]]:
    """A pool of three that asks seat 0 whether to come back."""
    match = await in_database(a_match, 3, format_name="pool101", manual_split=True)
    await in_database(ask_rejoin, match.pk)
    headers, table = await in_database(seated, match), match.table.public_id
    players = [Player(site, table, header) for header in headers]
    for player in players:
        await player.open()
        await player.until("snapshot")
    yield match, players
    for player in players:
        await player.close()


async def test_a_rejoin_is_answered_once_and_by_who_was_asked(
    asked: tuple[Match, list[Player]], site: str
) -> None:
    match, [out, first, second] = asked
    async with Player(site, match.table.public_id) as looker:
        for wrong in (first, second, looker):
            await wrong.send({"type": "rejoin", "yes": True})
            code = "not_a_player" if wrong is looker else "no_rejoin"
            assert (await wrong.until("refused"))["code"] == code
    await out.send({"type": "rejoin", "yes": True})
    for answer in (True, False):
        await out.send({"type": "rejoin", "yes": answer})
        assert (await out.until("refused"))["code"] == "no_rejoin"
    assert (await _entries(match)).count("rejoin_answered") == 1


async def test_a_split_is_offered_once_and_answered_by_each_of_the_others_once(
    asked: tuple[Match, list[Player]],
) -> None:
    match, [out, first, second] = asked
    await out.send({"type": "rejoin", "yes": False})
    for player in (first, second):
        while player.board["status"] != MatchStatus.DEALING:
            await player.next()
    await second.send({"type": "answer_split", "accepts": True})
    assert (await second.until("refused"))["code"] == "no_split"
    await out.send({"type": "offer_split"})
    assert (await out.until("refused"))["type"] == "refused"
    await first.send({"type": "offer_split"})
    while second.board["status"] != MatchStatus.ASKING:
        await second.next()
    for wrong, frame in (
        (first, {"type": "answer_split", "accepts": True}),
        (first, {"type": "offer_split"}),
        (out, {"type": "answer_split", "accepts": True}),
    ):
        await wrong.send(frame)
        assert (await wrong.until("refused"))["type"] == "refused"
    assert (await _entries(match)).count("split_answered") == 0
    await second.send({"type": "answer_split", "accepts": True})
    await second.send({"type": "answer_split", "accepts": False})
    await second.until("refused")
    entries = await _entries(match)
    assert (entries.count("split_offered"), entries.count("split_answered")) == (1, 1)
    assert (await in_database(Match.objects.get, pk=match.pk)).status == MatchStatus.OVER
