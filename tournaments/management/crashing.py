"""Crashes at random: a statement or a commit after which the work is simply gone.

A `Crash` is no `Exception`, so nothing that handles faults sees it, as nothing sees a process die.
What the process remembers it keeps: this is a request that dies in a server that lives. For a
server that dies see `killing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import connection

from tournaments.play.bots import Chance

_NO_DEATH: Final = ("SAVEPOINT", "RELEASE", "ROLLBACK")
"""Statements inside a transaction that undo or keep a part of it; it is undone as a whole."""


class Crash(BaseException):
    """The end of whatever was being done."""


class Crasher:
    """Raises `Crash` once in about `every` statements, before or after one, or a commit."""

    def __init__(self, chance: Chance, every: int) -> None:
        self.crashes = 0
        self._chance = chance
        self._every = every
        self._left = self._drawn()

    def _drawn(self) -> int:
        return 1 + self._chance.below(2 * self._every, "statements", str(self.crashes))

    def _is_due(self) -> bool:
        self._left -= 1
        return self._left == 0

    def _crash(self) -> Crash:
        self.crashes += 1
        self._left = self._drawn()
        return Crash(f"crash {self.crashes}")

    def _comes_before(self) -> bool:
        return self._chance.below(2, "before", str(self.crashes)) == 0

    def around(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        """Execute a statement, or crash before or after it."""
        if sql.startswith(_NO_DEATH) or not self._is_due():
            return execute(sql, *rest)
        if not self._comes_before():
            execute(sql, *rest)
        raise self._crash()

    def committing(self, commit: Callable[[], None]) -> Callable[[], None]:
        """A commit that may be lost, or made without anybody hearing of it."""

        def around() -> None:
            if not self._is_due():
                commit()
            elif self._comes_before():
                connection.rollback()
                raise self._crash()
            else:
                commit()
                raise self._crash()

        return around

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Crash meanwhile, here and there."""
        commits: Any = connection
        commits._commit = self.committing(commits._commit)
        try:
            with connection.execute_wrapper(self.around):
                yield
        finally:
            del commits._commit


def survive() -> None:
    """Let go of a connection whose work was cut off, as if its process had died."""
    if not connection.in_atomic_block:
        connection.close()
