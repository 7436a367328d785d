"""The channel layer of a site on servers: messages through Redis, mailboxes in each process.

Channels' own forgets a socket's mailbox only if it is being read when the socket ends. One that
ends while a message is being sent on - its client has gone, or does not read - would leave its
mailbox and what is in it for as long as the process lives.
"""

from __future__ import annotations

from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer


class RedisChannelLayer(RedisPubSubChannelLayer):
    """Publish and subscribe, with an end for every channel."""

    async def forget(self, channel: str) -> None:
        """End a channel of this process; nothing happens if it has ended."""
        layer: Any = self._get_layer()
        if layer.channels.pop(channel, None) is not None:
            await layer._get_shard(channel).unsubscribe(channel)
