"""The first page of the admin: charts of what somebody of the staff is there for.

Operators see all tournaments and the money, organisers and arbiters their own tournaments, support
the way to a player. Everything is counted by selectors in a fixed number of queries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any, Final

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ledger import selectors as books
from rummy_site.desk.approvals import APPROVE
from rummy_site.desk.charts import Chart, Point, bars
from staff.desk import holds_one
from tournaments.access import ARBITRATE, RUN, arbitrated_by, organised_by
from tournaments.amounts import in_unit
from tournaments.selectors import figures
from wording import number_text

DAYS: Final = 14
RUNNING: Final = 10
"""Tournaments named under the tables in play."""
MONEY: Final = "ledger.view_money"
LOOK_UP: Final = "players.look_up"
LOG: Final = "staff.view_staffaction"


def add_dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The admin's hook: what its first page shows besides its lists."""
    user: Any = request.user
    now = timezone.now()
    which, is_own = _scope(user)
    found: dict[str, Any] = {
        "may_approve": holds_one(user, *APPROVE.values()),
        "may_see_money": user.has_perm(MONEY),
        "may_look_up": user.has_perm(LOOK_UP),
        "is_own": is_own,
        "charts": [],
    }
    if which is not None:
        found["charts"] += _of_play(which, now)
        found["tables"] = figures.tables_in_play(which)
        found["running"] = figures.in_play(which, limit=RUNNING)
    if user.has_perm(MONEY):
        found["charts"] += _of_money(now)
        found["escrows"] = _escrows()
    return {**context, "desk": found}


def _scope(user: Any) -> tuple[Q | None, bool]:
    """Whose tournaments are counted, and whether they are only the user's own."""
    if user.has_perm(MONEY):
        return Q(), False
    if user.has_perm(RUN):
        return organised_by(user), True
    return (arbitrated_by(user), True) if user.has_perm(ARBITRATE) else (None, True)


def _days(now: datetime) -> list[date]:
    today = now.astimezone(UTC).date()
    return [today - timedelta(days=ago) for ago in range(DAYS - 1, -1, -1)]


def _since(now: datetime) -> datetime:
    return datetime.combine(_days(now)[0], time(), UTC)


def _of_play(which: Q, now: datetime) -> list[Chart]:
    since = _since(now)
    entries = figures.entries_by_day(which, since=since)
    drop_outs = figures.drop_outs_by_day(which, since=since)
    return [
        _by_day("entries", _("Entries by day"), entries, now, number_text),
        _by_day("drop-outs", _("Drop-outs by day"), drop_outs, now, number_text),
    ]


def _of_money(now: datetime) -> list[Chart]:
    return [
        _by_day(
            f"fees-{asset}",
            _("Fees by day, %(asset)s") % {"asset": asset},
            found,
            now,
            partial(in_unit, asset=asset),
        )
        for asset, found in sorted(books.fees_by_day(since=_since(now)).items())
    ]


def _by_day(
    key: str, title: str, found: Mapping[date, int], now: datetime, text: Callable[[int], str]
) -> Chart:
    values = {day: found.get(day, 0) for day in _days(now)}
    points = [Point(date_format(day, "j M"), value, text(value)) for day, value in values.items()]
    words = _("%(total)s in %(days)d days") % {"total": text(sum(values.values())), "days": DAYS}
    return bars(key, title, words, points)


def _escrows() -> list[dict[str, str]]:
    lying, waiting = books.in_escrow(), books.set_aside_for_escrow()
    return [
        {
            "asset": asset,
            "lies": in_unit(lying.get(asset, 0), asset),
            "set_aside": in_unit(waiting.get(asset, 0), asset),
        }
        for asset in sorted({*lying, *waiting})
    ]
