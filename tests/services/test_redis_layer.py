"""Messages through a real Redis server: those that wait leave together, in order, none twice."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from typing import Any

import pytest
from django.conf import settings
from redis.exceptions import RedisError

from rummy_site.redis_layer import RedisChannelLayer

pytestmark = pytest.mark.services

SOON = 10.0
NOWHERE = "redis://127.0.0.1:1/0"


@pytest.fixture
async def layer() -> AsyncIterator[RedisChannelLayer]:
    """A layer under a name of its own."""
    layer = RedisChannelLayer(hosts=[settings.REDIS_URL], prefix=secrets.token_hex(8))
    yield layer
    await layer.flush()


async def _listener(layer: RedisChannelLayer, group: str) -> str:
    channel: str = await layer.new_channel()
    await layer.group_add(group, channel)
    return channel


async def _numbers(layer: RedisChannelLayer, channel: str, count: int) -> list[Any]:
    async with asyncio.timeout(SOON):
        return [(await layer.receive(channel))["number"] for _ in range(count)]


async def test_messages_sent_at_once_arrive_in_order_and_at_their_own_group(
    layer: RedisChannelLayer,
) -> None:
    first, second = await _listener(layer, "first"), await _listener(layer, "second")
    await asyncio.gather(
        *(layer.group_send("second" if n % 5 == 0 else "first", {"number": n}) for n in range(50)),
    )
    await layer.group_send("first", {"number": "last"})
    await layer.group_send("second", {"number": "last"})
    assert await _numbers(layer, first, 41) == [n for n in range(50) if n % 5] + ["last"]
    assert await _numbers(layer, second, 11) == [*range(0, 50, 5), "last"]


async def test_what_comes_while_others_are_on_their_way_leaves_after_them(
    layer: RedisChannelLayer,
) -> None:
    channel = await _listener(layer, "group")
    sending = []
    for number in range(40):
        sending.append(asyncio.create_task(layer.group_send("group", {"number": number})))
        if number % 7 == 0:
            await asyncio.sleep(0.001)
    await asyncio.gather(*sending)
    assert await _numbers(layer, channel, 40) == list(range(40))


async def test_each_sender_is_told_that_the_server_is_gone_and_of_each_message_anew() -> None:
    layer = RedisChannelLayer(hosts=[NOWHERE])
    for _ in range(2):
        sent = await asyncio.gather(
            *(layer.group_send("group", {"number": n}) for n in range(3)), return_exceptions=True
        )
        assert [isinstance(fault, RedisError | OSError) for fault in sent] == [True] * 3
    await layer.flush()


async def test_a_sender_that_gives_up_takes_no_other_along(layer: RedisChannelLayer) -> None:
    channel = await _listener(layer, "group")
    sending = [
        asyncio.create_task(layer.group_send("group", {"number": number})) for number in range(3)
    ]
    await asyncio.sleep(0)
    sending[0].cancel()
    results = await asyncio.gather(*sending, return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert results[1:] == [None, None]
    assert await _numbers(layer, channel, 3) == [0, 1, 2]
