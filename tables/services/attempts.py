"""Trying what is due, row by row: one that fails stops no other and is put aside for a while.

What is put aside is kept in memory only. A process that starts anew tries everything.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from datetime import datetime, timedelta
from typing import Final

from django.db import connection

AFTER_FAULT: Final = timedelta(seconds=30)

log = logging.getLogger(__name__)


class Attempts:
    """The attempts of one process; keys name a row at a version."""

    def __init__(self) -> None:
        self._aside: dict[Hashable, datetime] = {}

    def __len__(self) -> int:
        return len(self._aside)

    def is_aside(self, key: Hashable) -> bool:
        """Whether the row waits to be tried again."""
        return key in self._aside

    def bring_back(self, now: datetime) -> None:
        """Let every row be tried again whose time has come."""
        self._aside = {key: until for key, until in self._aside.items() if until > now}

    def put_aside(self, key: Hashable, *, until: datetime) -> None:
        """Leave a row alone till then, unless it is left alone already."""
        self._aside.setdefault(key, until)

    def run(self, key: Hashable, act: Callable[[], bool], *, now: datetime) -> bool:
        """Whether `act` did something. Its faults are logged; only a lost database is raised."""
        try:
            return act()
        except Exception:
            if not connection.is_usable():
                raise
            log.exception("an alarm failed and is put aside", extra={"row": str(key)})
            self.put_aside(key, until=now + AFTER_FAULT)
            return False
