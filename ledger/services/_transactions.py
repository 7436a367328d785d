"""One way into the database for everything that posts.

Alone, a posting opens its own transaction and repeats it, whole, when it lost against another.
Inside a caller's transaction it joins that: every refusal is found before the first write, so the
caller may catch it and go on; only what the database itself refuses dooms the caller's transaction.
"""

from __future__ import annotations

import os
import random
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final, TypeVar

from django.db import DatabaseError, OperationalError, connection, transaction

from ledger.errors import (
    AccountClosed,
    AssetMismatch,
    Code,
    HoldResolved,
    InsufficientFunds,
    LedgerBusy,
    LedgerError,
    StorageFailed,
)

if sys.platform != "win32":
    import fcntl

Result = TypeVar("Result")

ATTEMPTS: Final = 5
WAITING_LIMIT: Final = 32
"""Posters of one process that may wait for the database at a time."""
WAITING_SECONDS: Final = 30.0

_waiting: Final = BoundedSemaphore(WAITING_LIMIT)
_RETRIED: Final = {"40001", "40P01", "55P03"}
"""PostgreSQL: serialisation failure, deadlock, lock not available."""
_OUT_OF_RANGE: Final = "22003"
_UNWRITABLE: Final = {"53100", "58030", "25006"}
"""PostgreSQL: disk full, fault of the disk, read-only."""
_UNWRITABLE_FILE: Final = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}

_CHECKS: Final = re.compile(r"ledger_balance_(counters|not_below_zero|not_above_zero)")
_GUARD: Final = re.compile(r"ledger:(\w+)")


class SameKey(Exception):
    """Another transaction has just used the same idempotency key; look again."""


def run(work: Callable[[], Result], *, in_steps: bool = False) -> Result:
    """Do `work` in a transaction of its own, or in the one that is open.

    `in_steps` says that `work` writes before it may refuse, so that its steps have to be undone.
    Raises what `work` raises, database refusals as `LedgerError`, and `LedgerBusy` when the rows
    stayed locked through all attempts.
    """
    if connection.in_atomic_block:
        return _in_savepoint(work) if in_steps else _joined(work)
    if not _waiting.acquire(timeout=WAITING_SECONDS):
        raise LedgerBusy
    try:
        return _alone(work)
    finally:
        _waiting.release()


def _joined(work: Callable[[], Result]) -> Result:
    try:
        return work()
    except DatabaseError as error:
        transaction.set_rollback(True)
        raise translated(error) from error
    except SameKey:
        transaction.set_rollback(True)
        raise LedgerBusy from None


def _in_savepoint(work: Callable[[], Result]) -> Result:
    try:
        with transaction.atomic():
            return work()
    except DatabaseError as error:
        raise translated(error) from error
    except SameKey:
        raise LedgerBusy from None


def _alone(work: Callable[[], Result]) -> Result:
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with _turn(), transaction.atomic():
                return work()
        except SameKey:
            continue
        except DatabaseError as error:
            if not _may_repeat(error):
                raise translated(error) from error
            # Jitter, so that two who collided do not collide again.
            time.sleep(random.uniform(0.001, 0.01) * 2**attempt)  # noqa: S311
    raise LedgerBusy


@contextmanager
def _turn() -> Iterator[None]:
    """Queue fairly for a SQLite file: its own busy handler lets some wait for seconds."""
    if sys.platform == "win32" or connection.vendor != "sqlite":
        yield
        return
    name = str(connection.settings_dict["NAME"])
    if "memory" in name:
        yield
        return
    gate = os.open(f"{name}-ledger", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(gate, fcntl.LOCK_EX)
        yield
    finally:
        os.close(gate)


def _may_repeat(error: DatabaseError) -> bool:
    state = getattr(error.__cause__, "sqlstate", None)
    return state in _RETRIED or (isinstance(error, OperationalError) and "locked" in str(error))


def _is_unwritable(error: DatabaseError) -> bool:
    """Whether the disk is full or at fault; SQLite says more in the bits above the lowest eight."""
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _UNWRITABLE_FILE
    return getattr(cause, "sqlstate", None) in _UNWRITABLE


def translated(error: DatabaseError) -> LedgerError | DatabaseError:
    """A database refusal in the ledger's words; a lock is never called lack of funds."""
    text = str(error)
    if _may_repeat(error):
        return LedgerBusy()
    if _is_unwritable(error):
        return StorageFailed()
    guard = _GUARD.search(text)
    code = guard[1] if guard else ""
    if code == Code.INSUFFICIENT_FUNDS or _CHECKS.search(text):
        return InsufficientFunds("An account would go past what its rule allows.")
    if code == Code.ACCOUNT_CLOSED:
        return AccountClosed("An account is frozen; an operator can open it again.")
    if code == Code.ASSET_MISMATCH:
        return AssetMismatch()
    if "ledger_transfer_hold_once" in text or "ledger_transfer.hold_id" in text:
        return HoldResolved()
    if code == Code.OVERFLOW or getattr(error.__cause__, "sqlstate", None) == _OUT_OF_RANGE:
        return LedgerError(Code.OVERFLOW, "The account's total would pass 64 bits.", field="lines")
    if "ledger_entry_reversed_once" in text or "ledger_entry.reverses_id" in text:
        return LedgerError(Code.ALREADY_REVERSED, "The entry was reversed before.", field="entry")
    return error
