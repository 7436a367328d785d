"""Messages leave the database's threads by one loop, whose connection is kept."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tables import broadcast


class FarLayer:
    """A channel layer that lives in another process; notes in which loop it was used."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.loops: list[asyncio.AbstractEventLoop] = []
        self._fault = fault

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Take a message."""
        if self._fault is not None:
            raise self._fault
        self.sent.append((group, message))
        self.loops.append(asyncio.get_running_loop())


@pytest.fixture(autouse=True)
def _no_loop_is_left() -> Iterator[None]:
    yield
    end(broadcast._loop_of(os.getpid()))
    broadcast._loop_of.cache_clear()


def end(loop: asyncio.AbstractEventLoop) -> None:
    """Stop a loop and wait until its thread has closed it."""
    loop.call_soon_threadsafe(loop.stop)
    deadline = time.monotonic() + 10
    while not loop.is_closed() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert loop.is_closed()


def use(monkeypatch: pytest.MonkeyPatch, layer: FarLayer) -> None:
    monkeypatch.setattr(broadcast, "get_channel_layer", lambda: layer)


@pytest.mark.django_db(transaction=True)
def test_messages_of_a_process_are_sent_in_order_from_one_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layer = FarLayer()
    use(monkeypatch, layer)
    for number in (1, 2, 3):
        broadcast.announce_chat(match_id=7, line={"number": number})
    assert [message["line"]["number"] for _, message in layer.sent] == [1, 2, 3]
    assert {group for group, _ in layer.sent} == {"match.7"}
    assert len(set(layer.loops)) == 1


def test_another_process_has_a_loop_of_its_own() -> None:
    mine = broadcast._loop_of(os.getpid())
    childs = broadcast._loop_of(os.getpid() + 1)
    assert childs is not mine
    end(mine)
    end(childs)
    broadcast._loop_of.cache_clear()


@pytest.mark.django_db(transaction=True)
def test_a_message_that_cannot_be_sent_is_logged_and_harms_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    use(monkeypatch, FarLayer(ConnectionError("gone")))
    with caplog.at_level(logging.WARNING):
        broadcast.announce_match(match_id=7)
    assert "a table could not be told" in caplog.text
