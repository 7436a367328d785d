"""Everybody loses the connection in the same moment and comes back in the next: nobody is lost."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from functools import partial

import pytest

from tables import services
from tables.models import Connection, Deal, Match, Seat
from tables.rules.formats import format_named
from tables.rules.profiles import profile_named
from tables.rules.terms import ClockTerms
from tables.threads import in_database
from tests.live.client import Player
from tests.live.stage import all_see_the_truth, until
from tests.live.test_matches import seated
from tests.tables.helpers import dealt, players, secret_for

pytestmark = pytest.mark.django_db(transaction=True)

TABLES = 50
SEATS = 6
PEOPLE = TABLES * SEATS
AT_ONCE = 20
LONG = ClockTerms(turn_seconds=300)


def _open_tables() -> list[Match]:
    people = [services.Place(user.pk) for user in players(PEOPLE)]
    return services.open_matches(
        owner="club:1",
        tables=[
            services.TableSpec(
                number=number,
                label=f"club/table-{number}",
                places=tuple(people[number * SEATS : (number + 1) * SEATS]),
            )
            for number in range(TABLES)
        ],
        options=format_named("points"),
        profile=profile_named("rummycircle"),
        clock=LONG,
        secret_for=secret_for,
        now=datetime.now(UTC),
    )


async def _sit_down(site: str, match: Match) -> tuple[Deal, list[Player]]:
    deal, _ = await in_database(dealt, match, datetime.now(UTC))
    table = await in_database(lambda: match.table.public_id)
    return deal, [
        Player(site, table, headers) for headers in await in_database(partial(seated, match))
    ]


async def _come(player: Player) -> str:
    """Connect, and be told of the deal; by which kind of frame."""
    await player.open()
    return str((await player.next())["type"])


async def test_three_hundred_cut_off_at_once_come_back_at_once_and_play_on(site: str) -> None:
    matches = await in_database(_open_tables)
    tables = [await _sit_down(site, match) for match in matches]
    people = [player for _, seats in tables for player in seats]
    for first in range(0, PEOPLE, AT_ONCE):
        await asyncio.gather(*map(_come, people[first : first + AT_ONCE]))
    for player in people:
        assert player.socket is not None
        player.socket.transport.abort()
    told = await asyncio.gather(*map(_come, people))
    assert set(told) <= {"events", "snapshot"}
    await until(lambda: Connection.objects.count() == PEOPLE, in_thread=True)
    await until(lambda: Seat.objects.filter(online=True).count() == PEOPLE, in_thread=True)
    for deal, seats in tables:
        await all_see_the_truth(deal, *seats)
        [mover] = [player for player in seats if player.must_act]
        assert (await mover.act(mover.think()))["type"] == "done"
        await all_see_the_truth(deal, *seats)
