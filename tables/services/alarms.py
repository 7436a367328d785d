"""Alarms: a deadline has come, so somebody asks the rules whether anything is to be done.

An alarm decides nothing. It reads everything again under the lock and sends `Expire`, deals, or
lets the time to answer pass; late, doubled and lost alarms do no harm. Turns that simply pass to
the next player are written together, many deals in one transaction; every other row has one of its
own. A row that somebody else holds is left out where the database can tell (PostgreSQL).
"""

from __future__ import annotations

import secrets
from collections import deque
from datetime import datetime, timedelta
from functools import partial
from typing import Final, cast

from django.db import connection, models, transaction

from tables import broadcast, timers
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, Match, MatchStatus
from tables.rules.errors import Code, RuleViolation
from tables.rules.formats.base import TimePassed
from tables.rules.shoe import SECRET_BYTES
from tables.services import closing
from tables.services.attempts import Attempts
from tables.services.matches import answer, deal_next, stop_if_due
from tables.services.play import play_all_due, play_due
from tables.timers import Due, Kind

BATCH: Final = 25
"""Rows acted on with one reading of the time; small, so that the reading stays true."""

HELD: Final = timedelta(milliseconds=100)
"""For so long a row is left alone that somebody else holds, or was quicker with."""

MEETINGS: Final = 2
"""So many rows taken by others, one from each end, and the rest of a batch is left to them."""

attempts: Final = Attempts()

_TOO_LATE: Final = {
    Code.NOT_DUE,
    Code.DEAL_OVER,
    Code.MATCH_OVER,
    TableCode.DEAL_RUNNING,
    TableCode.PAUSED,
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
    deals = [row for row in due if row.kind is Kind.DEAL]
    with broadcast.together():
        acted, left = _expire(deals, now) if deals else (0, deals)
        rest = left + [row for row in due if row.kind is Kind.MATCH]
        return acted + _act_on(deque(sorted(rest)), now)


def _expire(deals: list[Due], now: datetime) -> tuple[int, list[Due]]:
    """Let the time run out in as many deals as these, at once; how many, and what is left alone.

    Others may be found than these: of several clocks that see the same rows each takes those that
    no other has taken. Where all are taken, they are left to the others for a while.
    """
    limit = len(deals) + len(attempts)
    try:
        done, left = play_all_due(
            limit=limit, now=now, leave=lambda row: attempts.is_aside(_due(row))
        )
    except Exception:
        if not connection.is_usable():
            raise
        return 0, deals  # one by one, so that only those at fault fail
    if not done and not left:
        for row in deals:
            attempts.put_aside(row, until=now + HELD)
    return done, [_due(row) for row in left]


def _due(deal: Deal) -> Due:
    return Due(cast(datetime, deal.deadline_at), Kind.DEAL, deal.pk, deal.version)


def next_due() -> datetime | None:
    """The next moment at which there is something to act on; past if it is overdue."""
    ready = _ready(timers.soonest(1 + len(attempts)))
    return ready[0].at if ready else None


def _ready(rows: list[Due]) -> list[Due]:
    return [row for row in rows if not attempts.is_aside(row)]


def _act_on(rows: deque[Due], now: datetime) -> int:
    """How many of these rows something was done with.

    Several clocks find the same rows. Who comes to one that is taken goes on from the other end;
    if he meets somebody there too, the rest is being done, and he asks for other rows.
    """
    acted = met = 0
    while rows and met < MEETINGS:
        row = rows.pop() if met else rows.popleft()
        if attempts.run(row, partial(_ring, row, now), now=now):
            acted += 1
        elif not attempts.is_aside(row):
            attempts.put_aside(row, until=now + HELD)
            met += 1
    return acted


def _ring(row: Due, now: datetime) -> bool:
    if row.kind is Kind.DEAL:
        return ring_deal(deal_id=row.row_id, now=now, version=row.version)
    return ring_match(match_id=row.row_id, now=now)


def ring_deal(*, deal_id: int, now: datetime, version: int | None = None) -> bool:
    """Let the time run out of whoever let it pass in a deal; whether anything came of it.

    Who has just read the row may give its version, which saves reading it again.
    """
    if version is None:
        due = Deal.objects.filter(pk=deal_id, deadline_at__lte=now, paused_at__isnull=True)
        version = due.values_list("version", flat=True).first()
        if version is None:
            return False
    try:
        played = play_due(deal_id=deal_id, version=version, now=now)
    except (RuleViolation, TableRefusal) as refusal:
        return _nothing(refusal)
    return played is not None and not played.repeated


def ring_match(*, match_id: int, now: datetime) -> bool:
    """Deal what is due, or end the time to answer; whether anything came of it.

    Where the table's owner lets no further deal begin, the match ends instead.
    """
    if not _is_free(Match.objects.filter(pk=match_id, due_at__lte=now, paused_at__isnull=True)):
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
        if refusal.code is TableCode.NO_MORE_DEALS:
            return stop_if_due(match_id=match_id, now=now)
        return _nothing(refusal)


def _is_free(rows: models.QuerySet[Match]) -> bool:
    """Whether the one match is still due and, as far as can be told, nobody holds it.

    The lock is let go at once: what is done takes it again, in the order of all locks.
    """
    if not connection.features.has_select_for_update_skip_locked:
        return rows.exists()
    with transaction.atomic():
        return bool(rows.select_for_update(skip_locked=True).values_list("pk"))


def _nothing(refusal: RuleViolation | TableRefusal) -> bool:
    """False for a refusal that says so; any other is a fault and raised."""
    if refusal.code in _TOO_LATE:
        return False
    raise refusal


def _fresh_secret(label: str) -> bytes:
    return secrets.token_bytes(SECRET_BYTES)
