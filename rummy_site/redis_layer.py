"""The channel layer of a site on servers: messages through Redis, mailboxes in each process.

Channels' own forgets a socket's mailbox only if it is being read when the socket ends. One that
ends while a message is being sent on - its client has gone, or does not read - would leave its
mailbox and what is in it for as long as the process lives.

And it goes to Redis and back for each message. Here those that wait for the connection meanwhile
leave together, in the order in which they came.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from channels_redis.pubsub import RedisPubSubChannelLayer

Waiting = tuple[str, bytes, asyncio.Future[None]]
"""A group's channel in Redis, a message as it is written there, and who waits for it to leave."""


class RedisChannelLayer(RedisPubSubChannelLayer):
    """Publish and subscribe, with an end for every channel."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._waiting: WeakKeyDictionary[Any, list[Waiting]] = WeakKeyDictionary()
        self._senders: set[asyncio.Task[None]] = set()

    async def forget(self, channel: str) -> None:
        """End a channel of this process; nothing happens if it has ended."""
        layer: Any = self._get_layer()
        if layer.channels.pop(channel, None) is not None:
            await layer._get_shard(channel).unsubscribe(channel)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send to all of a group, on one way with whatever else waits to be sent."""
        layer: Any = self._get_layer()
        channel = layer._get_group_channel_name(group)
        shard = layer._get_shard(channel)
        waiting = self._waiting.setdefault(shard, [])
        sent: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.append((channel, self.serialize(message), sent))
        if len(waiting) == 1:  # the others came while the first one waits
            self._senders.add(task := asyncio.create_task(self._send_waiting(shard)))
            task.add_done_callback(self._senders.discard)
        await sent

    async def _send_waiting(self, shard: Any) -> None:
        async with shard._lock:
            messages, self._waiting[shard] = self._waiting[shard], []
            try:
                shard._ensure_redis()
                results = await _published(shard._redis, messages)
            except Exception as fault:
                results = [fault] * len(messages)
        for (_, _, sent), result in zip(messages, results, strict=True):
            if sent.done():
                continue  # nobody waits any more
            if isinstance(result, Exception):
                sent.set_exception(result)
            else:
                sent.set_result(None)


async def _published(redis: Any, messages: Sequence[Waiting]) -> list[Any]:
    """What Redis answered to each message: a number of receivers or a fault."""
    pipeline = redis.pipeline(transaction=False)
    for channel, message, _ in messages:
        pipeline.publish(channel, message)
    answers: list[Any] = await pipeline.execute(raise_on_error=False)
    return answers
