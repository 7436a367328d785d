"""A channel layer for one process: sockets in an event loop, senders in any thread.

Channels' own in-memory layer looks at every socket for each message and may be used from one loop
only. Here each channel has a mailbox of its own, and a sender in another thread wakes the loop that
waits for it. A full mailbox drops the message and counts it: the receiver sees the gap by the
version and reads again. A message is not copied, so whoever receives one does not change it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from threading import Lock
from typing import Any, Final

from channels.exceptions import ChannelFull
from channels.layers import BaseChannelLayer

SWEEP_SECONDS: Final = 10.0

log = logging.getLogger(__name__)

Message = dict[str, Any]
Waiter = asyncio.Future[None]


class _Mailbox:
    """A channel: its messages with their times, who waits for one, its groups."""

    __slots__ = ("groups", "messages", "waiters")

    def __init__(self) -> None:
        self.messages: deque[tuple[float, Message]] = deque()
        self.waiters: list[Waiter] = []
        self.groups: set[str] = set()

    @property
    def is_idle(self) -> bool:
        return not (self.messages or self.waiters or self.groups)


class ProcessChannelLayer(BaseChannelLayer):
    """Channels and groups of one process; `dropped` counts messages lost to full mailboxes."""

    extensions: Final = ("groups", "flush")

    def __init__(self, expiry: int = 60, capacity: int = 1000) -> None:
        super().__init__(expiry=expiry, capacity=capacity)
        self.dropped = 0
        self._lock = Lock()  # held for moments only, never while waiting
        self._boxes: dict[str, _Mailbox] = {}
        self._groups: dict[str, dict[str, _Mailbox]] = {}
        self._swept_at = time.monotonic()
        self._complained_at = -SWEEP_SECONDS

    async def new_channel(self, prefix: str = "specific") -> str:
        """A new name for a channel of this process."""
        with self._lock:
            self._sweep(time.monotonic())
        return f"{prefix}.process!{secrets.token_hex(12)}"

    async def send(self, channel: str, message: Message) -> None:
        """Put a message into a channel's mailbox. Raises `ChannelFull`."""
        self.require_valid_channel_name(channel)
        with self._lock:
            lost, waiters = self._put([self._boxes.setdefault(channel, _Mailbox())], message)
        self._told(lost, waiters)
        if lost:
            raise ChannelFull(channel)

    async def receive(self, channel: str) -> Message:
        """The oldest message of a channel, waited for if there is none."""
        self.require_valid_channel_name(channel)
        while True:
            waiter: Waiter = asyncio.get_running_loop().create_future()
            with self._lock:
                box = self._boxes.setdefault(channel, _Mailbox())
                if box.messages:
                    _, message = box.messages.popleft()
                    self._forget_if_idle(channel, box)
                    return message
                box.waiters.append(waiter)
            try:
                await waiter
            finally:
                with self._lock:
                    box.waiters.remove(waiter)
                    self._forget_if_idle(channel, box)

    async def group_add(self, group: str, channel: str) -> None:
        """Let a channel have what is sent to the group from now on."""
        self.require_valid_group_name(group)
        self.require_valid_channel_name(channel)
        with self._lock:
            box = self._boxes.setdefault(channel, _Mailbox())
            box.groups.add(group)
            self._groups.setdefault(group, {})[channel] = box

    async def group_discard(self, group: str, channel: str) -> None:
        """End what `group_add` began; nothing happens if it never did."""
        self.require_valid_group_name(group)
        self.require_valid_channel_name(channel)
        with self._lock:
            box = self._boxes.get(channel)
            if box is not None:
                self._leave(group, channel, box)
                self._forget_if_idle(channel, box)

    async def group_send(self, group: str, message: Message) -> None:
        """Send to every channel of the group; where the mailbox is full it is lost."""
        self.publish(group, message)

    def publish(self, group: str, message: Message) -> None:
        """`group_send` for callers without an event loop, in any thread."""
        self.require_valid_group_name(group)
        with self._lock:
            lost, waiters = self._put(self._groups.get(group, {}).values(), message)
        self._told(lost, waiters)

    async def forget(self, channel: str) -> None:
        """End a channel whose reader has ended, and what waits for it."""
        with self._lock:
            box = self._boxes.pop(channel, None)
            if box is not None:
                for group in tuple(box.groups):
                    self._leave(group, channel, box)

    async def flush(self) -> None:
        """Forget all channels and groups."""
        with self._lock:
            waiters = [waiter for box in self._boxes.values() for waiter in box.waiters]
            self._boxes.clear()
            self._groups.clear()
        _wake(waiters)

    async def close(self) -> None:
        """Nothing is held open."""

    def _told(self, lost: int, waiters: list[Waiter]) -> None:
        """Wake who waits, and complain of losses now and then."""
        _wake(waiters)
        now = time.monotonic()
        if lost and now - self._complained_at > SWEEP_SECONDS:
            self._complained_at = now
            log.warning("messages lost: mailboxes are full", extra={"lost_so_far": self.dropped})

    # Below, the lock is held

    def _put(self, boxes: Iterable[_Mailbox], message: Message) -> tuple[int, list[Waiter]]:
        """Put a message into mailboxes: how many were full, and who waits for it."""
        at, lost = time.monotonic(), 0
        waiters: list[Waiter] = []
        for box in boxes:
            if len(box.messages) >= self.capacity:
                lost += 1
                continue
            box.messages.append((at, message))
            waiters += box.waiters
        self.dropped += lost
        return lost, waiters

    def _leave(self, group: str, channel: str, box: _Mailbox) -> None:
        box.groups.discard(group)
        members = self._groups.get(group, {})
        members.pop(channel, None)
        if not members:
            self._groups.pop(group, None)

    def _forget_if_idle(self, channel: str, box: _Mailbox) -> None:
        if box.is_idle and self._boxes.get(channel) is box:
            del self._boxes[channel]

    def _sweep(self, now: float) -> None:
        """Forget channels that nobody has read for `expiry` seconds; their reader has died."""
        if now - self._swept_at < SWEEP_SECONDS:
            return
        self._swept_at = now
        for channel, box in list(self._boxes.items()):
            if box.waiters or not box.messages or box.messages[0][0] > now - self.expiry:
                continue
            for group in list(box.groups):
                self._leave(group, channel, box)
            del self._boxes[channel]


def _wake(waiters: list[Waiter]) -> None:
    """Wake receivers, those of another loop by one call into it."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Waiter]] = {}
    for waiter in waiters:
        by_loop.setdefault(waiter.get_loop(), []).append(waiter)
    for loop, waiting in by_loop.items():
        if loop is asyncio._get_running_loop():
            _tell(waiting)
        else:
            with suppress(RuntimeError):  # that loop has ended, its receivers with it
                loop.call_soon_threadsafe(_tell, waiting)


def _tell(waiters: list[Waiter]) -> None:
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(None)
