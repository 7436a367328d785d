"""Telling sockets that something has happened, once it is committed.

A message is a hint: it carries the events so that nobody has to read them again, and the version by
which a socket sees that it missed one. It stays on the server; each socket redacts for its viewer.
What is committed counts whether or not anybody could be told: a lost message is logged, no more.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from tables.rules import codec
from tables.rules.events import Event

log = logging.getLogger(__name__)

_silent: Final[ContextVar[bool]] = ContextVar("tables_broadcast_silent", default=False)


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
    try:
        async_to_sync(layer.group_send)(group_of(match_id), message)
    except Exception as fault:  # whatever the layer's server raises when it is gone
        log.warning("a table could not be told", extra={"match": match_id, "fault": repr(fault)})
