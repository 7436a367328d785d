"""However a socket ends, its player's presence and its subscriptions end with it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from players.services import tokens
from tables import attendance, consumers, watching
from tables.models import Connection, Match, Seat
from tables.services import connections
from tables.threads import in_database
from tests.live.client import Player
from tests.live.stage import a_stage, closed_with, until
from tests.live.test_matches import seated
from tests.programs import key_for

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 20


async def test_a_client_gone_before_its_answer_leaves_nothing_behind(site: str) -> None:
    """The answer cannot be sent any more; the socket ends there, and is still taken away."""
    async with a_stage(site) as stage:
        [here, gone] = stage.players
        await gone.close()
        for _ in range(TIMES):
            await gone.open()
            for _ in range(3):
                await gone.send({"type": "hello"})
            assert gone.socket is not None
            gone.socket.transport.abort()
        await until(lambda: Connection.objects.count() == 1, in_thread=True)
        seats = stage.match.seats.values_list("number", flat=True)
        await until(lambda: list(seats.filter(online=True)) == [here.seat], in_thread=True)


async def test_what_is_sent_after_the_close_goes_nowhere_and_is_no_fault(
    site: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "FRAMES_PER_SECOND", 0)  # however slow the machine is
    async with a_stage(site) as stage:
        [here, flooding] = stage.players
        with caplog.at_level(logging.WARNING):
            for _ in range(consumers.REFUSED_AT_MOST + consumers.FRAMES_AT_ONCE + 60):
                await flooding.send({"type": "chat", "text": "x"})
            assert await closed_with(flooding) == consumers.TOO_MANY
            await until(lambda: Connection.objects.count() == 1, in_thread=True)
        assert [record.getMessage() for record in caplog.records] == []
        monkeypatch.undo()
        await here.open()
        await here.send({"type": "hello"})
        await here.until("snapshot")


def _tokens(match: Match) -> list[dict[str, str]]:
    """Every seat's token, by number."""
    players = [seat.player for seat in match.seats.select_related("player")]
    return [{"Authorization": f"Token {key_for(player)}"} for player in players]


def _player_of(player: Player) -> User:
    return User.objects.get(pk=Seat.objects.get(number=player.seat or 0).player_id)


def _revoke_token(player: Player) -> None:
    tokens.revoke_all(player_id=_player_of(player).pk)


def _deactivate(player: Player) -> None:
    User.objects.filter(pk=_player_of(player).pk).update(is_active=False)


def _log_out(player: Player) -> None:
    client = Client()
    client.cookies["sessionid"] = player.headers["Cookie"].removeprefix("sessionid=")
    client.post("/logout/")


def _expire(player: Player) -> None:
    key = player.headers["Cookie"].removeprefix("sessionid=")
    Session.objects.filter(pk=key).update(expire_date="2000-01-01T00:00Z")


def _change_password(player: Player) -> None:
    user = _player_of(player)
    user.set_password("another one")
    user.save()


ENDS = [
    (_tokens, _revoke_token),
    (_tokens, _deactivate),
    (seated, _deactivate),
    (seated, _log_out),
    (seated, _expire),
    (seated, _change_password),
]


@pytest.mark.parametrize(("headers_of", "end"), ENDS)
async def test_a_socket_ends_with_the_log_in_it_was_opened_with(
    site: str,
    monkeypatch: pytest.MonkeyPatch,
    headers_of: Callable[[Match], list[dict[str, str]]],
    end: Callable[[Player], None],
) -> None:
    monkeypatch.setattr(watching, "WATCH_SECONDS", 0.1)
    async with a_stage(site, headers_of=headers_of) as stage, Player(site, stage.table) as looker:
        [stays, ends] = stage.players
        await in_database(end, ends)
        assert await closed_with(ends) == consumers.LOGGED_OUT
        gone = await stays.until("events")
        assert [event["kind"] for event in gone["events"]] == ["player_went_offline"]
        for still in (stays, looker):
            await still.send({"type": "hello"})
            await still.until("snapshot")
        await ends.open()  # it may look on, as anybody may, or is known no more
        assert (await ends.until("snapshot"))["seat"] is None


async def test_an_open_socket_that_was_taken_for_dead_is_counted_again(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a standstill in which the sweep was back first."""
    monkeypatch.setattr(attendance, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(connections, "SEEN_EVERY", timedelta(0))
    async with a_stage(site) as stage:
        online = stage.match.seats.filter(online=True)
        long_ago = datetime.now(UTC) - connections.GONE_AFTER
        await until(lambda: Connection.objects.count() == 2, in_thread=True)
        for _ in range(3):  # it may be seen just then
            await in_database(lambda: Connection.objects.update(seen_at=long_ago))
            await in_database(connections.drop_unseen, now=datetime.now(UTC))
        await until(lambda: Connection.objects.count() == 2, in_thread=True)
        await until(lambda: online.count() == 2, in_thread=True)
        old = Connection.objects.filter(seen_at__lte=long_ago)
        assert not await in_database(old.exists)
