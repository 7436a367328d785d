"""The bare socket: on the same server, channel layer and database threads as a table's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import transaction

from benchmarks.live_parts.bare.models import Counter, Line
from tables.consumers import TableConsumer
from tables.threads import in_database

PAYLOAD = '{"kind":"card_discarded","at":1772388001000,"seat":0,"card":"KD","forced":false}'


def bare_move(counter_id: int) -> int:
    """One row locked and updated, one inserted; the number of the move."""
    with transaction.atomic():
        counter = Counter.objects.select_for_update().get(pk=counter_id)
        counter.version += 1
        counter.save(update_fields=["version"])
        Line.objects.create(counter=counter, seq=counter.version, payload=PAYLOAD)
    return counter.version


class BareConsumer(AsyncWebsocketConsumer):
    """One socket of a group. It takes its messages as a table's does, with Channels' least work."""

    dispatch = TableConsumer.dispatch

    async def connect(self) -> None:
        """Accept anybody."""
        self.counter_id = int(self.scope["url_route"]["kwargs"]["group"])
        self.group = f"bare.{self.counter_id}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        """Leave the group."""
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """An "echo", or a "move"."""
        if text_data == "echo":
            await self.send(text_data="echo")
            return
        version = await in_database(bare_move, self.counter_id)
        await self.channel_layer.group_send(self.group, {"type": "bare.moved", "version": version})

    async def bare_moved(self, message: Mapping[str, Any]) -> None:
        """Somebody has moved."""
        await self.send(text_data=f'{{"type":"moved","version":{message["version"]}}}')
