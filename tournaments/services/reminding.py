"""Reminding players of a start, each as long before it as he likes; found by a sweep.

Nothing is sent ahead to a far moment, so a start that is moved is reminded of anew, and one that is
called off of nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from tournaments import people
from tournaments.models import EntryState, Tournament
from tournaments.services.lifecycle import lock
from tournaments.structure.due import StartKind
from tournaments.structure.lifecycle import State

AHEAD: Final = timedelta(days=1)
"""The longest lead."""
_TO_COME: Final = (State.REGISTERING, State.CLOSED)


def remind_due(*, now: datetime) -> int:
    """Remind everybody whose lead has come; how many."""
    coming = Tournament.objects.filter(
        start_kind=StartKind.FIXED_TIME,
        state__in=_TO_COME,
        starts_at__gt=now,
        starts_at__lte=now + AHEAD,
    )
    ids = list(coming.order_by("starts_at", "pk").values_list("pk", flat=True))
    return sum(_remind(pk, now) for pk in ids)


def _remind(tournament_id: int, now: datetime) -> int:
    with transaction.atomic():
        # Locked, so that nobody is reminded who withdraws meanwhile.
        tournament = lock(tournament_id)
        starts_at = tournament.starts_at
        if tournament.state not in _TO_COME or starts_at is None or starts_at <= now:
            return 0
        entered = tournament.entries.filter(state=EntryState.ENTERED, bot="").order_by("pk")
        ids = list(entered.values_list("player_id", flat=True))
        return people.remind(tournament, ids, starts_at=starts_at, now=now)
