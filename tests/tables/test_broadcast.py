"""Messages leave the database's threads by one loop, whose connection is kept."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from tables import broadcast
from tables.models import DealEvent
from tables.services import alarms
from tests.tables.helpers import NOW, a_match, dealt


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


class SlowLayer(FarLayer):
    """A far layer that keeps the first message of match 1 until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = asyncio.Event()

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Take a message, some later than others."""
        if group == "match.1" and message["line"]["number"] == 1:
            await self.go_on.wait()
        await super().group_send(group, message)
        if group == "match.2":
            self.go_on.set()


def say(match_id: int, number: int) -> None:
    broadcast.announce_chat(match_id=match_id, line={"number": number})


@pytest.mark.django_db(transaction=True)
def test_messages_sent_together_wait_for_none_but_those_of_their_own_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layer = SlowLayer()
    use(monkeypatch, layer)
    with broadcast.together():
        say(1, 1)
        say(1, 2)
        say(1, 3)
        say(2, 4)
    order = [message["line"]["number"] for _, message in layer.sent]
    assert order == [4, 1, 2, 3]


@pytest.mark.django_db(transaction=True)
def test_of_messages_sent_together_each_that_fails_is_logged_and_stops_none(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Forgetful(FarLayer):
        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            if message["line"]["number"] == 1:
                raise ConnectionError("gone")
            await super().group_send(group, message)

    layer = Forgetful()
    use(monkeypatch, layer)
    with caplog.at_level(logging.WARNING), broadcast.together():
        for match_id, number in ((1, 1), (1, 2), (2, 1), (2, 2)):
            say(match_id, number)
    assert [record.getMessage() for record in caplog.records] == ["a table could not be told"] * 2
    assert sorted(group for group, _ in layer.sent) == ["match.1", "match.2"]


@pytest.mark.django_db(transaction=True)
def test_messages_sent_together_have_left_when_a_fault_ends_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layer = FarLayer()
    use(monkeypatch, layer)
    with contextlib.suppress(ZeroDivisionError), broadcast.together():
        say(1, 1)
        raise ZeroDivisionError
    assert len(layer.sent) == 1


@pytest.mark.django_db(transaction=True)
def test_alarms_count_when_nobody_can_be_told_and_wait_once_for_all(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Silent(FarLayer):
        go_on = asyncio.Event()

        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            await self.go_on.wait()

    deals = [dealt(a_match()).deal for _ in range(10)]
    layer = Silent()
    use(monkeypatch, layer)
    monkeypatch.setattr(broadcast, "SECONDS", 1.5)
    begun = time.monotonic()
    with caplog.at_level(logging.WARNING):
        assert alarms.act_on_due(now=NOW + timedelta(seconds=40)) == 10
    assert time.monotonic() - begun < 10 * 1.5
    assert caplog.text.count("a table could not be told") == 10
    assert DealEvent.objects.filter(deal__in=deals, kind="turn_missed").count() == 10
    broadcast._loop_of(os.getpid()).call_soon_threadsafe(layer.go_on.set)
