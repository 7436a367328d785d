"""Pausing a running tournament and letting it go on: no time is lost, no level gets shorter."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from tournaments.models import Tournament
from tournaments.play import desk
from tournaments.services.lifecycle import lock, transit
from tournaments.structure.lifecycle import Action, State


def pause(*, tournament_id: int, actor: str, reason: str = "", now: datetime) -> bool:
    """Stop all clocks of a running tournament; nothing is played or opened until it goes on.

    Paused already, it stays as it is; whether that was anything new.
    Raises `StructureError(ILLEGAL_ACTION)` unless it runs.
    """
    with desk.told_together(), transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.state == State.PAUSED:
            return False
        transit(tournament, Action.PAUSE, actor=actor, reason=reason, now=now)
        tournament.save()
        desk.pause_tables(tournament, now=now)
    return True


def resume(*, tournament_id: int, actor: str, reason: str = "", now: datetime) -> Tournament:
    """Let a paused tournament go on; every clock has what it had.

    Raises `StructureError(ILLEGAL_ACTION)` unless it is paused.
    """
    with desk.told_together(), transaction.atomic():
        tournament = lock(tournament_id)
        transit(tournament, Action.RESUME, actor=actor, reason=reason, now=now)
        tournament.is_due = True
        tournament.save()
        desk.resume_tables(tournament, now=now)
    return tournament


def keep_paused(tournament: Tournament, *, now: datetime) -> None:
    """Pause what was opened while a tournament is paused; the caller holds the lock."""
    if tournament.state == State.PAUSED:
        desk.pause_tables(tournament, now=now)
