"""A socket that was open when its player excluded himself lets him finish, and sells nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from players.services import limits
from tables.models import MatchEntry
from tables.threads import in_database
from tests.live.chaos_desk import ask_rejoin
from tests.live.client import Player
from tests.live.test_matches import seated
from tests.tournaments import helpers as event
from tournaments.models import Entry, RoundTable, Shape

pytestmark = pytest.mark.django_db(transaction=True)


def _asked_table() -> tuple[RoundTable, User, list[dict[str, str]]]:
    """A pool of three of a tournament that asks seat 0 to come back; he, and all log-ins."""
    wanted = event.terms("pool101", prizes="winner")
    pool = event.a_tournament(Shape.SINGLE, terms=wanted, capacity=3)
    event.join(pool, *event.players(3, 5 * event.FEE))
    event.close_and_start(pool)
    table = event.next_round(pool).tables.get()
    ask_rejoin(table.match_id)
    match = table.match
    return table, match.seats.get(number=0).player, seated(match)


def _exclude(person: User) -> None:
    limits.exclude(player_id=person.pk, span="ever", now=datetime.now(UTC))


def _rest(person: User) -> None:
    limits.take_time_out(player_id=person.pk, span="day", now=datetime.now(UTC))


def _limit(person: User) -> None:
    limits.set_limit(player_id=person.pk, name="points", value=1, now=datetime.now(UTC))


@pytest.mark.parametrize(
    ("stop", "code", "sentence"),
    [
        (_exclude, "excluded", "This player has excluded himself for ever."),
        (_rest, "timed_out", "You are taking a time-out until"),
        (_limit, "points_used", "It would go beyond your limit of 1 points a day"),
    ],
)
async def test_no_rejoin_is_sold_over_a_socket_that_was_open_before(
    site: str, stop: Any, code: str, sentence: str
) -> None:
    """He is told why; the question stays open, and a no is still taken."""
    table, person, headers = await in_database(_asked_table)
    address = await in_database(lambda: table.match.table.public_id)
    async with Player(site, address, headers[0]) as player:
        await player.until("snapshot")
        await in_database(stop, person)
        before = await in_database(lambda: event.wallet(person).posted)
        await player.send({"type": "rejoin", "yes": True})
        refused = await player.until("refused")
        assert refused["code"] == code
        assert refused["sentence"].startswith(sentence)
        await player.send({"type": "rejoin", "yes": False})
        await player.until("scoreboard")
    answers = MatchEntry.objects.filter(match_id=table.match_id, kind="rejoin_answered")
    assert await in_database(answers.count) == 1
    assert await in_database(lambda: event.wallet(person).posted) == before
    assert await in_database(lambda: Entry.objects.get(player=person).rejoins) == 0
