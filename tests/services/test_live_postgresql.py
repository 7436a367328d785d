"""Whole matches over sockets, on PostgreSQL and with messages through a Redis of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from channels.layers import get_channel_layer
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.db import connection

from tables.models import Deal
from tables.rules.evolve import replay
from tables.rules.visibility import view_of
from tables.selectors import check_deal
from tables.store import events_of
from tables.threads import in_database
from tests.live.client import Player, hang_up
from tests.live.processes import redis_server, running
from tests.live.server import running_site
from tests.live.test_matches import FORMATS, _play_on, seated
from tests.tables.helpers import a_match

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def redis_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis that runs for these tests alone."""
    process, address = redis_server(tmp_path_factory.mktemp("redis"))
    with running(process):
        yield address


@pytest.fixture
async def site(redis_address: str, settings: Any) -> AsyncIterator[str]:
    """A running server whose processes would tell one another through Redis."""
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [redis_address], "prefix": "test"},
        }
    }
    with running_site() as address:
        yield address
        await hang_up()


# From two seats to six, and every format.
SIZES = [*FORMATS[:3], ("pool101", "octro", 5, {}), *FORMATS[4:]]


@pytest.mark.parametrize(("format_name", "profile", "people", "options"), SIZES)
async def test_a_whole_match_is_played_on_servers_and_every_view_is_the_right_one(
    site: str, format_name: str, profile: str, people: int, options: dict[str, Any]
) -> None:
    assert connection.vendor == "postgresql", "set DATABASE_URL to a postgres:// address"
    assert isinstance(get_channel_layer(), RedisPubSubChannelLayer)
    match = await in_database(a_match, people, format_name=format_name, profile=profile, **options)
    headers = await in_database(seated, match)
    table = await in_database(lambda: match.table.public_id)
    players = [Player(site, table, header) for header in headers]
    for player in players:
        await player.open()
    await _play_on(players, match)
    for player in players:
        await player.close()
    deals = await in_database(lambda: list(Deal.objects.filter(match=match)))
    assert deals
    for deal in deals:
        assert (await in_database(check_deal, deal)).faults == ()
    finished = replay(await in_database(events_of, deals[-1]))
    for player in players:
        if player.deal == deals[-1].public_id:
            assert player.view == view_of(finished, player.seat)
