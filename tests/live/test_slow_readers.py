"""A client that stops reading, with buffers so small that it is felt at once."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from channels.layers import get_channel_layer
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.asyncio.client import connect

from tables import broadcast, frames, lines, watching
from tables.models import Connection, Seat
from tables.threads import in_database
from tests.live.client import Player
from tests.live.processes import redis_server, running
from tests.live.stage import Stage, a_stage, all_see_the_truth, arrange, until

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = 4096
HIGH_WATER = 8192
EVENTS = 250
HEADER = 14
"""Bytes before a frame at most."""


class Kernel:
    """Server ends of the connections, whose buffers hold little."""

    def __init__(self) -> None:
        self.ends: list[WebSocketsSansIOProtocol] = []

    def accept(self, end: WebSocketsSansIOProtocol, transport: Any) -> None:
        """Make a new connection's buffers small."""
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
        transport.set_write_buffer_limits(high=HIGH_WATER)
        self.ends.append(end)


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """Small buffers on the server's side."""
    kernel, made = Kernel(), WebSocketsSansIOProtocol.connection_made

    def connection_made(end: WebSocketsSansIOProtocol, transport: Any) -> None:
        made(end, transport)
        kernel.accept(end, transport)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "connection_made", connection_made)
    return kernel


@pytest.fixture
def redis_messages(tmp_path: Path, settings: Any) -> Iterator[None]:
    """Messages go through a Redis of the test's own, as on servers."""
    process, address = redis_server(tmp_path)
    with running(process):
        settings.CHANNEL_LAYERS = {
            "default": {
                "BACKEND": "rummy_site.redis_layer.RedisChannelLayer",
                "CONFIG": {"hosts": [address], "prefix": "test"},
            }
        }
        yield


@pytest.fixture
async def stage(kernel: Kernel, site: str) -> AsyncIterator[Stage]:
    """Two people at a table; the second one's socket has been read to its snapshot."""
    async with a_stage(site) as stage:
        yield stage


async def _stops_reading(player: Player) -> None:
    """Come back through a connection that takes a few frames and no more."""
    await player.close()
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    host, _, port = player.url.split("/")[2].partition(":")
    narrow.connect((host, int(port)))
    narrow.setblocking(False)
    player.socket = await connect(
        player.url,
        sock=narrow,
        additional_headers=player.headers,
        max_queue=1,
        compression=None,
        ping_interval=None,
    )
    await player.send({"type": "hello", "deal": player.deal, "version": player.version})
    await player.next()


async def _fill(stage: Stage, kernel: Kernel, start: int = 0) -> None:
    """The first player goes on until nothing more can be sent to the second, and further."""
    await in_database(arrange, stage.deal, stage.players[0].seat or 0, EVENTS, start)
    await until(lambda: not kernel.ends[-1].writable.is_set())


def _is_offline(player: Player) -> bool:
    """Whether nothing is left of his sockets."""
    return Connection.objects.count() == 1 and not Seat.objects.get(number=player.seat or 0).online


@pytest.mark.parametrize("capacity", [1000, 20])
async def test_who_does_not_read_harms_nobody_and_gets_everything_later(
    stage: Stage, kernel: Kernel, monkeypatch: pytest.MonkeyPatch, capacity: int
) -> None:
    """What is kept for him is bounded: a mailbox, and a buffer that one frame may overfill."""
    layer: Any = get_channel_layer()
    monkeypatch.setattr(layer, "capacity", capacity)
    sizes, write_frame = [0], frames.write_frame

    def measured(frame: frames.OutFrame) -> str:
        text = write_frame(frame)
        sizes.append(len(text.encode()))
        return text

    monkeypatch.setattr(frames, "write_frame", measured)
    [reads, stopped] = stage.players
    await _stops_reading(stopped)
    await _fill(stage, kernel)
    await all_see_the_truth(stage.deal, reads)
    kept = kernel.ends[-1].transport.get_write_buffer_size()
    assert kept <= HIGH_WATER + max(sizes) + HEADER
    assert max(len(box.messages) for box in layer._boxes.values()) <= capacity
    assert stopped.view is not None
    assert stopped.view.version < stage.deal.version + EVENTS
    await in_database(arrange, stage.deal, stopped.seat or 0, 1, 1000)
    await all_see_the_truth(stage.deal, reads, stopped)


async def test_who_never_reads_again_is_let_go_and_gets_everything_when_he_comes_back(
    stage: Stage, kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    [reads, stopped] = stage.players
    await _stops_reading(stopped)
    monkeypatch.setattr(lines, "UNREAD_SECONDS", 0.5)
    await _fill(stage, kernel)
    await until(lambda: _is_offline(stopped), in_thread=True)
    await all_see_the_truth(stage.deal, reads)
    assert reads.view is not None
    assert not reads.view.seat_state(stopped.seat or 0).online
    assert stopped.socket is not None
    stopped.socket.transport.abort()
    await stopped.open()
    await until(lambda: Seat.objects.filter(online=True).count() == 2, in_thread=True)
    await all_see_the_truth(stage.deal, stopped, reads)


async def test_others_who_missed_a_message_are_not_made_to_wait_for_who_does_not_read(
    stage: Stage, kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "WATCH_SECONDS", 0.2)
    [reads, stopped] = stage.players
    await _stops_reading(stopped)
    await _fill(stage, kernel)
    await all_see_the_truth(stage.deal, reads)
    monkeypatch.setattr(broadcast, "_send", lambda *_: None)
    for start in (1000, 2000):  # the second time somebody may be waiting already
        await in_database(arrange, stage.deal, reads.seat or 0, 1, start)
        await all_see_the_truth(stage.deal, reads)
        assert not kernel.ends[-1].writable.is_set()
    assert stopped.socket is not None
    stopped.socket.transport.abort()


@pytest.mark.services
@pytest.mark.usefixtures("redis_messages")
async def test_on_servers_what_waits_for_who_does_not_read_goes_with_him(
    stage: Stage, kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The layer's mailboxes have no bound there: the time for which one may fill up has."""
    monkeypatch.setattr(lines, "UNREAD_SECONDS", 3.0)
    layer: Any = get_channel_layer()
    [reads, stopped] = stage.players
    await _stops_reading(stopped)
    await _fill(stage, kernel)

    def mailboxes() -> list[int]:
        found = [loop.channels.values() for loop in layer._layers.values()]
        return sorted(box.qsize() for boxes in found for box in boxes)

    assert mailboxes()[-1] > 1
    await until(lambda: _is_offline(stopped), in_thread=True)
    await all_see_the_truth(stage.deal, reads)
    await until(lambda: mailboxes() == [0])
    assert stopped.socket is not None
    stopped.socket.transport.abort()
    await stopped.open()
    await until(lambda: Seat.objects.filter(online=True).count() == 2, in_thread=True)
    await all_see_the_truth(stage.deal, stopped, reads)
