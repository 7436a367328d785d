"""The control room's socket: it says that there is something new, to who may know, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from rummy_site.roles import ORGANISERS
from tables.models import Connection, Seat
from tables.threads import in_database
from tests.live.client import PATIENCE
from tests.live.test_matches import logged_in
from tests.staff.helpers import member
from tests.tournaments.helpers import next_round, started, terms
from tournaments import consumers, rooms, services
from tournaments.models import Shape, StaffRole, Tournament, TournamentStaff
from tournaments.selectors.control import stamp_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "LOOK_SECONDS", 0.05)


def _set_out() -> tuple[Tournament, User]:
    tournament = started(Shape.KNOCKOUT, 4, terms=terms())
    next_round(tournament)
    olga = member("olga", ORGANISERS)
    TournamentStaff.objects.create(tournament=tournament, user=olga, role=StaffRole.ORGANISER)
    return tournament, olga


def _socket(site: str, tournament: Tournament, headers: dict[str, str]) -> Any:
    return connect(
        f"ws://{site}/ws/control/{tournament.public_id}/",
        additional_headers={"Origin": f"http://{site}"} | headers,
        open_timeout=PATIENCE,
    )


async def _closes_with(socket: Any) -> int:
    with pytest.raises(ConnectionClosed):
        await asyncio.wait_for(socket.recv(), PATIENCE)
    return int(socket.close_code)


async def test_the_room_is_told_of_a_pause_and_of_who_comes_and_of_nothing_else(site: str) -> None:
    """A word for each; between them nothing is sent, whatever the client says."""
    tournament, olga = await in_database(_set_out)
    async with _socket(site, tournament, await in_database(logged_in, olga)) as socket:
        await socket.send("x" * 1000)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(socket.recv(), 0.5)
        await in_database(
            services.pause, tournament_id=tournament.pk, actor="olga", now=datetime.now(UTC)
        )
        assert await asyncio.wait_for(socket.recv(), PATIENCE) == '{"kind": "changed"}'
        seat = await in_database(lambda: Seat.objects.order_by("pk")[0])
        await in_database(
            Connection.objects.create, seat=seat, channel="one", seen_at=datetime.now(UTC)
        )
        assert await asyncio.wait_for(socket.recv(), PATIENCE) == '{"kind": "changed"}'


async def test_nobody_else_is_let_in(site: str) -> None:
    """Neither a visitor, nor a player, nor the organiser of something else."""
    tournament, _olga = await in_database(_set_out)
    player = await in_database(lambda: User.objects.filter(is_staff=False)[0])
    other = await in_database(member, "otto", ORGANISERS)
    for headers in (
        {},
        await in_database(logged_in, player),
        await in_database(logged_in, other),
    ):
        async with _socket(site, tournament, headers) as socket:
            assert await _closes_with(socket) == consumers.NOT_YOURS


async def test_who_is_logged_out_or_relieved_of_the_duty_is_told_no_more(site: str) -> None:
    """One of the next looks closes the socket."""
    tournament, olga = await in_database(_set_out)
    headers = await in_database(logged_in, olga)
    async with _socket(site, tournament, headers) as first:
        await in_database(TournamentStaff.objects.filter(user=olga).delete)
        assert await _closes_with(first) == consumers.NOT_YOURS
    await in_database(
        TournamentStaff.objects.create,
        tournament=tournament,
        user=olga,
        role=StaffRole.ORGANISER,
    )
    async with _socket(site, tournament, headers) as second:
        await in_database(Session.objects.all().delete)
        assert await _closes_with(second) == consumers.NOT_YOURS


async def _until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.01)


async def test_all_rooms_of_a_tournament_are_looked_at_once_and_told_each(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five desks cost as many looks as one; nobody looks when the last is closed."""
    looked: list[int] = []
    look = stamp_of

    def counted(number: int) -> Any:
        looked.append(number)
        return look(number)

    monkeypatch.setattr(rooms, "stamp_of", counted)
    tournament, olga = await in_database(_set_out)
    headers = await in_database(logged_in, olga)
    async with AsyncExitStack() as stack:
        desks = [
            await stack.enter_async_context(_socket(site, tournament, headers)) for _ in range(5)
        ]
        await _until(lambda: sum(len(room.desks) for room in rooms._rooms.values()) == 5)
        [room] = rooms._rooms.values()
        await in_database(
            services.pause, tournament_id=tournament.pk, actor="olga", now=datetime.now(UTC)
        )
        told = [await asyncio.wait_for(desk.recv(), PATIENCE) for desk in desks]
        assert told == [consumers.CHANGED] * 5
        looks = len(looked) - 5  # each was told how it stands when it was opened
        await _until(lambda: len(looked) - 5 > looks)
    await _until(lambda: not rooms._rooms)
    assert room.looking.cancelled() or room.looking.cancelling()


async def test_one_who_may_not_look_any_more_is_put_out_and_the_others_stay(site: str) -> None:
    """They share a room, and not their rights."""
    tournament, olga = await in_database(_set_out)
    otto = await in_database(member, "otto", ORGANISERS)
    await in_database(
        TournamentStaff.objects.create, tournament=tournament, user=otto, role=StaffRole.ORGANISER
    )
    one = _socket(site, tournament, await in_database(logged_in, olga))
    two = _socket(site, tournament, await in_database(logged_in, otto))
    async with one as first, two as second:
        await in_database(TournamentStaff.objects.filter(user=olga).delete)
        assert await _closes_with(first) == consumers.NOT_YOURS
        await in_database(
            services.pause, tournament_id=tournament.pk, actor="otto", now=datetime.now(UTC)
        )
        assert await asyncio.wait_for(second.recv(), PATIENCE) == consumers.CHANGED
