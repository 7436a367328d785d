"""Telling sockets that something has happened, once it is committed.

A message is a hint: it carries the events so that nobody has to read them again, and the version by
which a socket sees that it missed one. It stays on the server; each socket redacts for its viewer.
What is committed counts whether or not anybody could be told: a lost message is logged, no more.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from threading import Thread
from typing import Any, Final

from channels.layers import get_channel_layer
from django.db import transaction

from tables.rules import codec
from tables.rules.events import Event

SECONDS: Final = 5.0
"""So long a committed move waits at most for the layer's server to take its message."""

Sent = dict[int, list[Future[None]]]
"""What is under way, by match, in the order in which it happened."""

log = logging.getLogger(__name__)

_silent: Final[ContextVar[bool]] = ContextVar("tables_broadcast_silent", default=False)
_under_way: Final[ContextVar[Sent | None]] = ContextVar("tables_broadcast_sent", default=None)


def group_of(match_id: int) -> str:
    """The channel group of everybody who looks at a match."""
    return f"match.{match_id}"


@contextmanager
def silence() -> Iterator[None]:
    """Tell nobody meanwhile: for simulations and imports, which have no listeners."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


@contextmanager
def together() -> Iterator[None]:
    """Wait for the layer's server once at the end, not for each message: for who moves many tables.

    Each message leaves at once all the same, those of one match one after the other.
    """
    sent: Sent = {}
    token = _under_way.set(sent)
    try:
        yield
    finally:
        _under_way.reset(token)
        until = time.monotonic() + SECONDS
        for match_id, messages in sent.items():
            for message in messages:
                with _logged(match_id):
                    message.result(max(0.0, until - time.monotonic()))


def announce_events(*, match_id: int, deal: str, version: int, events: Sequence[Event]) -> None:
    """A deal has gone on; `version` is the deal's after the last event."""
    _announce(
        match_id,
        {
            "type": "deal.events",
            "deal": deal,
            "version": version,
            "events": [codec.encode_event(event) for event in events],
        },
    )


def announce_match(*, match_id: int) -> None:
    """A match has come to another step, or somebody's presence has changed."""
    _announce(match_id, {"type": "match.changed"})


def announce_table(*, match_id: int) -> None:
    """Who looks at this match should look at its table anew: another match, or another player."""
    _announce(match_id, {"type": "table.changed"})


def announce_chat(*, match_id: int, line: dict[str, Any]) -> None:
    """Somebody said something."""
    _announce(match_id, {"type": "chat.said", "line": line})


def _announce(match_id: int, message: dict[str, Any]) -> None:
    if not _silent.get():
        transaction.on_commit(lambda: _send(match_id, message))


def _send(match_id: int, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    with _logged(match_id):
        _publish(layer, match_id, message)


@contextmanager
def _logged(match_id: int) -> Iterator[None]:
    try:
        yield
    except Exception as fault:  # whatever the layer's server raises when it is gone
        log.warning("a table could not be told", extra={"match": match_id, "fault": repr(fault)})


def _publish(layer: Any, match_id: int, message: dict[str, Any]) -> None:
    """At once where the layer lives in this process, else from the loop that keeps a connection."""
    group = group_of(match_id)
    if hasattr(type(layer), "publish"):
        layer.publish(group, message)
        return
    sending, loop = layer.group_send(group, message), _loop_of(os.getpid())
    under_way = _under_way.get()
    if under_way is None:
        asyncio.run_coroutine_threadsafe(sending, loop).result(SECONDS)
        return
    messages = under_way.setdefault(match_id, [])
    after = _after(messages[-1], sending) if messages else sending
    messages.append(asyncio.run_coroutine_threadsafe(after, loop))


async def _after(before: Future[None], sending: Coroutine[Any, Any, None]) -> None:
    with suppress(Exception):  # logged by who waits for it
        await asyncio.wrap_future(before)
    await sending


@lru_cache(maxsize=1)
def _loop_of(process_id: int) -> asyncio.AbstractEventLoop:
    """A loop in a thread of this process.

    `async_to_sync` would make a loop, and open a connection to the layer's server, for each
    message. A forked process has the loop of its parent no more, so it makes its own.
    """
    loop = asyncio.new_event_loop()

    def run() -> None:
        loop.run_forever()
        loop.close()

    Thread(target=run, name=f"broadcast-{process_id}", daemon=True).start()
    return loop
