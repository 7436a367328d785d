"""Alarms: a deadline has come, so somebody asks the rules whether anything is to be done.

An alarm decides nothing. It reads everything again under the lock and sends `Expire`, deals, or
lets the time to answer pass; late, doubled and lost alarms do no harm. Each row has a transaction
of its own. A row that somebody else holds is left out where the database can tell (PostgreSQL).
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from functools import partial
from typing import Final, TypeVar

from django.db import connection, models, transaction

from tables import timers
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, Match, MatchStatus
from tables.rules.commands import Expire
from tables.rules.errors import Code, RuleViolation
from tables.rules.formats.base import TimePassed
from tables.rules.shoe import SECRET_BYTES
from tables.services import closing
from tables.services.attempts import Attempts
from tables.services.matches import answer, deal_next
from tables.services.play import play
from tables.timers import Due, Kind

Row = TypeVar("Row", bound=models.Model)

BATCH: Final = 25
"""Rows acted on with one reading of the time; small, so that the reading stays true."""

HELD: Final = timedelta(milliseconds=100)
"""For so long a row is left alone that somebody else holds, or was quicker with."""

attempts: Final = Attempts()

_TOO_LATE: Final = {
    Code.NOT_DUE,
    Code.DEAL_OVER,
    Code.MATCH_OVER,
    TableCode.DEAL_RUNNING,
    TableCode.LOG_CONFLICT,
}
"""Refusals by which an alarm learns that it has nothing to do any more."""


def act_on_due(*, now: datetime, limit: int = BATCH) -> int:
    """Act on up to `limit` deadlines that have come, soonest first; how many did something.

    A fault of one row is logged and the others are acted on. Raises `DatabaseError` only when the
    database is gone.
    """
    attempts.bring_back(now)
    due = _ready(timers.soonest(limit + len(attempts), until=now))[:limit]
    return sum(_try(row, now) for row in due)


def next_due() -> datetime | None:
    """The next moment at which there is something to act on; past if it is overdue."""
    ready = _ready(timers.soonest(1 + len(attempts)))
    return ready[0].at if ready else None


def _ready(rows: list[Due]) -> list[Due]:
    return [row for row in rows if not attempts.is_aside(row)]


def _try(row: Due, now: datetime) -> bool:
    acted = attempts.run(row, partial(_ring, row, now), now=now)
    if not acted:
        attempts.put_aside(row, until=now + HELD)
    return acted


def _ring(row: Due, now: datetime) -> bool:
    if row.kind is Kind.DEAL:
        return ring_deal(deal_id=row.row_id, now=now, version=row.version)
    return ring_match(match_id=row.row_id, now=now)


def ring_deal(*, deal_id: int, now: datetime, version: int | None = None) -> bool:
    """Let the time run out of whoever let it pass in a deal; whether anything came of it.

    Who has just read the row may give its version, which saves reading it again.
    """
    if version is None or _can_tell_what_is_held():
        version = _version_if_free(Deal.objects.filter(pk=deal_id, deadline_at__lte=now))
        if version is None:
            return False
    try:
        command_id = f"alarm:{version}"
        return not play(deal_id=deal_id, command=Expire(), command_id=command_id, now=now).repeated
    except (RuleViolation, TableRefusal) as refusal:
        return _nothing(refusal)


def ring_match(*, match_id: int, now: datetime) -> bool:
    """Deal what is due, or end the time to answer; whether anything came of it."""
    if _version_if_free(Match.objects.filter(pk=match_id, due_at__lte=now)) is None:
        return False
    try:
        with transaction.atomic():
            match = closing.lock_match(match_id)
            if match.due_at is None or match.due_at > now:
                return False
            if match.status == MatchStatus.DEALING:
                deal_next(match_id=match_id, secret_for=_fresh_secret, now=now)
            else:
                answer(match_id=match_id, entry=TimePassed(), now=now)
            return True
    except (RuleViolation, TableRefusal) as refusal:
        return _nothing(refusal)


def _can_tell_what_is_held() -> bool:
    return bool(connection.features.has_select_for_update_skip_locked)


def _version_if_free(rows: models.QuerySet[Row]) -> int | None:
    """The version of the one row; None if it is not due any more or somebody holds it.

    The lock is let go at once: what is done takes it again, in the order of all locks.
    """
    if not _can_tell_what_is_held():
        return next(iter(rows.values_list("version", flat=True)), None)
    with transaction.atomic():
        free = rows.select_for_update(skip_locked=True)
        return next(iter(free.values_list("version", flat=True)), None)


def _nothing(refusal: RuleViolation | TableRefusal) -> bool:
    """False for a refusal that says so; any other is a fault and raised."""
    if refusal.code in _TOO_LATE:
        return False
    raise refusal


def _fresh_secret(label: str) -> bytes:
    return secrets.token_bytes(SECRET_BYTES)
