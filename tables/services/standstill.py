"""What is still to be moved on after the site stood still: kept with the beat, worked off in parts.

Times are moved a few deals at a time, each batch in a transaction that also writes how far it came.
So whatever breaks in between, each deal's time is moved once. If the site stands still again before
all is done, the deals that were moved already have stood still since then, the others from before.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from tables import store


class Part(msgspec.Struct):
    """Deals up to a number have stood still since a moment, in milliseconds since 1970."""

    to: int
    since: int


class Owed(msgspec.Struct):
    """A standstill of which those who own tables have not heard yet."""

    since: int
    until: int


class Standstill(msgspec.Struct):
    """Nothing, when the site runs: `parts` in order follow on what is done, up to deal `after`."""

    after: int = 0
    parts: list[Part] = []
    owed: list[Owed] = []

    @property
    def is_over(self) -> bool:
        """Nothing is left to do."""
        return not (self.parts or self.owed)

    def begins(self, since: datetime, until: datetime, newest: int) -> None:
        """The site stood still from `since` until `until`; no deal has a greater number."""
        since_ms = store.to_ms(since)
        again = [Part(self.after, since_ms)] if self.after else []
        last = self.parts[-1].to if self.parts else 0
        added = [Part(newest, since_ms)] if newest > last else []
        self.parts = again + self.parts + added
        self.after = 0
        self.owed.append(Owed(since_ms, store.to_ms(until)))

    def has_done(self, deal_id: int | None) -> None:
        """The deals up to this one are moved; with None all of the first part."""
        if deal_id is not None:
            self.after = deal_id
            return
        self.after = self.parts.pop(0).to
        if not self.parts:
            self.after = 0


def from_row(kept: Any) -> Standstill:
    """As it is kept in the beat's row."""
    return msgspec.convert(kept, Standstill)


def to_row(standstill: Standstill) -> Any:
    """As it is kept in the beat's row."""
    return {} if standstill.is_over else msgspec.to_builtins(standstill)
