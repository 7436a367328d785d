"""The desk's doings as sockets see them: pauses, seats with another player, tables played again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial

import pytest
from django.contrib.auth.models import User

from tables import broadcast, snapshots, watching
from tables.models import Match, Seat
from tables.services import arbiter, pausing
from tables.threads import in_database
from tests.live.client import Player
from tests.live.stage import a_stage, all_see_the_truth, until
from tests.live.test_matches import logged_in, seated
from tests.tables.helpers import a_match, dealt, players

pytestmark = pytest.mark.django_db(transaction=True)


def _now() -> datetime:
    return datetime.now(UTC)


async def test_a_pause_and_its_end_are_shown_at_once_and_play_goes_on(site: str) -> None:
    async with a_stage(site) as stage:
        mover = stage.by_turn[0]
        await in_database(pausing.pause_owner, owner="club:1", now=_now())
        for player in stage.players:
            paused = await player.until("snapshot")
            assert (paused["clock"]["paused"], paused["scoreboard"]["paused"]) == (True, True)
            assert paused["legal"] == []
        draw = {"type": "draw_closed", "id": "a", "seen": mover.version}
        assert (await mover.act(draw))["code"] == "paused"
        await in_database(pausing.resume_owner, owner="club:1", now=_now())
        for player in stage.players:
            while player.board["paused"]:
                await player.next()
        assert mover.must_act
        assert (await mover.act(draw | {"id": "b", "seen": mover.version}))["type"] == "done"
        await all_see_the_truth(stage.deal, *stage.players)


async def test_a_socket_that_missed_the_word_of_a_pause_is_told_later(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "WATCH_SECONDS", 0.1)
    async with a_stage(site) as stage:
        with monkeypatch.context() as patched:
            patched.setattr(broadcast, "announce_match", lambda **_: None)
            await in_database(pausing.pause_owner, owner="club:1", now=_now())
        for player in stage.players:
            assert (await player.until("snapshot"))["clock"]["paused"]


@asynccontextmanager
async def _before_the_first_deal(site: str) -> AsyncIterator[tuple[Match, Player, Player]]:
    """A match, the player in seat 0, and somebody else who looks on."""
    match = await in_database(a_match, 2)
    table = await in_database(lambda: match.table.public_id)
    [stranger] = await in_database(players, 1)
    headers = await in_database(seated, match)
    sitting = Player(site, table, headers[0])
    standing = Player(site, table, await in_database(logged_in, stranger))
    async with sitting, standing:
        for player in (sitting, standing):
            await player.until("snapshot")
        yield match, sitting, standing


def _give_seat_0(match: Match) -> None:
    """To who looks on: he is the newest user."""
    old = Seat.objects.get(match=match, number=0).player_id
    newest = User.objects.latest("pk").pk
    arbiter.replace_player(match_id=match.pk, player_id=old, by_player_id=newest)


async def test_who_gave_up_his_seat_looks_on_and_his_substitute_plays(site: str) -> None:
    async with _before_the_first_deal(site) as (match, old, new):
        await in_database(_give_seat_0, match)
        for player, seat in ((old, None), (new, 0)):
            while player.seat != seat:
                await player.until("snapshot")
        await in_database(dealt, match, _now())
        while not new.deal:
            await new.next()
        assert new.view is not None
        assert "??" not in new.view.seat_state(0).hand
        await old.send({"type": "draw_closed", "id": "a", "seen": 0})
        assert (await old.until("refused"))["code"] == "not_a_player"
        assert old.view is None


async def test_who_gave_up_his_seat_and_was_not_told_sees_and_does_nothing_either(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _before_the_first_deal(site) as (match, old, _):
        with monkeypatch.context() as patched:
            patched.setattr(broadcast, "announce_table", lambda **_: None)
            await in_database(_give_seat_0, match)
        for frame in (
            {"type": "chat", "text": "hello"},
            {"type": "nonce", "text": "mine"},
            {"type": "leave", "id": "x", "seen": 0},
            {"type": "offer_split"},
        ):
            await old.send(frame)
            assert (await old.until("refused"))["code"] == "not_a_player"
        deal, state = await in_database(dealt, match, _now())
        hand = state.seat_state(0).hand
        await old.send({"type": "draw_closed", "id": "a", "seen": 0})
        assert (await old.until("refused"))["code"] == "not_a_player"
        await old.send({"type": "hello", "deal": deal.public_id, "version": 1})
        assert (await old.until("snapshot"))["seat"] is None
        shown = "".join(old.raw)
        assert not any(f'"hand":["{hand[0]}","{hand[1]}"' in text for text in old.raw)
        assert '"hand"' not in shown


async def test_whose_seat_is_given_away_while_he_comes_does_not_hold_the_new_player_online(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The word of it goes out when his place has been read and his socket is not subscribed yet."""
    match = await in_database(a_match, 2)
    table = await in_database(lambda: match.table.public_id)
    [old, _] = await in_database(seated, match)
    await in_database(players, 1)
    asked: list[int | None] = []

    def viewer_of(*, table: str, user_id: int | None) -> snapshots.Viewer:
        found = _viewer_of(table=table, user_id=user_id)
        if not asked:
            asked.append(found.seat)
            _give_seat_0(match)
        return found

    _viewer_of = snapshots.viewer_of
    monkeypatch.setattr(snapshots, "viewer_of", viewer_of)
    async with Player(site, table, old) as late:
        assert (await late.until("snapshot"))["seat"] is None
        assert asked == [0]
        [new, _] = await in_database(seated, match)
        async with Player(site, table, new) as sitting:
            assert (await sitting.until("snapshot"))["seat"] == 0
        seat = match.seats.filter(number=0)
        await until(lambda: not seat.get().online, in_thread=True)


async def test_a_table_played_again_takes_its_sockets_into_the_new_match(site: str) -> None:
    async with a_stage(site) as stage:
        again = await in_database(partial(arbiter.play_again, match_id=stage.match.pk, now=_now()))
        for player in stage.players:
            while player.board["status"] != "dealing":
                await player.next()
        match = await in_database(Match.objects.get, pk=again)
        await in_database(dealt, match, _now())
        for player in stage.players:
            while not player.deal or player.deal == stage.deal.public_id:
                await player.next()
        mover = stage.by_turn[0]
        assert (await mover.act(mover.think()))["type"] == "done"
