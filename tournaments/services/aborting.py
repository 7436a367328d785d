"""Calling a tournament off: before its start, or in the middle; whoever paid gets his fee back."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from tournaments import money
from tournaments.models import EntryState, Tournament
from tournaments.services.lifecycle import lock, transit
from tournaments.structure.lifecycle import Action


def cancel(*, tournament_id: int, actor: str, reason: str, now: datetime) -> Tournament:
    """Call a tournament off before its start; every fee goes back."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        transit(tournament, Action.CANCEL, actor=actor, reason=reason, now=now)
        money.release_all(tournament=tournament, actor=actor, now=now)
        live = (EntryState.ENTERED, EntryState.WAITING)
        tournament.entries.filter(state__in=live).update(state=EntryState.WITHDRAWN)
        tournament.over_at = now
        tournament.save()
    return tournament
