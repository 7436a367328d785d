"""Doing what has fallen due before the start: opening, closing, check-in, starting, calling off.

Nothing is sent ahead to a far moment. Whoever asks - every two seconds a task does - finds what is
due by its column and decides anew under the lock, so that asking late, twice or from many workers
at once does each thing once. Each step of each tournament is a transaction of its own.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from tournaments.models import HOLDS_A_SEAT, Tournament
from tournaments.services import lifecycle, seats
from tournaments.services.aborting import cancel
from tournaments.services.check_in import end_check_in
from tournaments.structure.due import StartKind, Step, next_due, step_to_take
from tournaments.structure.lifecycle import State

CLOCK: Final = "clock"
AT_ONCE: Final = 500
"""Tournaments that one sweep looks at; the next one goes on."""
MOST_STEPS: Final = len(Step)


def due_tournaments(*, now: datetime) -> list[int]:
    """Ids of the tournaments in which something is due, the longest overdue first."""
    rows = Tournament.objects.filter(due_at__lte=now).order_by("due_at", "pk")
    return list(rows.values_list("pk", flat=True)[:AT_ONCE])


def act_on_due(*, now: datetime) -> int:
    """Do everything that is due; how many steps were taken.

    One that fails does not keep the others from it: its exception is raised when they are done.
    """
    steps = 0
    failed: Exception | None = None
    for tournament_id in due_tournaments(now=now):
        try:
            steps += act_on(tournament_id=tournament_id, now=now)
        except Exception as fault:
            failed = failed or fault
    if failed is not None:
        raise failed
    return steps


def act_on(*, tournament_id: int, now: datetime) -> int:
    """Do what is due in one tournament, step after step; how many were taken.

    What another worker is busy with is left to him.
    """
    for taken in range(MOST_STEPS):
        if not _step(tournament_id, now):
            return taken
    return MOST_STEPS


def _step(tournament_id: int, now: datetime) -> bool:
    with transaction.atomic():
        tournament = (
            Tournament.objects.select_for_update(skip_locked=True)
            .filter(pk=tournament_id, due_at__lte=now)
            .first()
        )
        taken = None if tournament is None else _take_due(tournament, now)
        if tournament and taken is Step.CLOSE and tournament.times.kind is StartKind.FIXED_PLAYERS:
            # In one: who is taken out between the two would leave it closed for ever, one short.
            tournament.refresh_from_db()
            _take_due(tournament, now)
    return taken is not None


def _take_due(tournament: Tournament, now: datetime) -> Step | None:
    """The step that was due and is taken now; nothing if none is."""
    checked_in = tournament.check_in_ended_at is not None
    times = tournament.times
    due = next_due(State(tournament.state), times, check_in_ended=checked_in)
    if due is None or due.at > now:
        return None
    if due.step is Step.START:
        seats.take_out_frozen(tournament, actor=CLOCK, now=now)
    entered = tournament.entries.filter(state__in=HOLDS_A_SEAT).count()
    step = step_to_take(due, times, entered=entered, minimum=tournament.min_entries, now=now)
    _take(step, tournament, entered, now)
    return step


def _take(step: Step, tournament: Tournament, entered: int, now: datetime) -> None:
    tournament_id = tournament.pk
    match step:
        case Step.OPEN:
            lifecycle.open_registration(tournament_id=tournament_id, actor=CLOCK, now=now)
        case Step.CLOSE:
            lifecycle.close_registration(tournament_id=tournament_id, actor=CLOCK, now=now)
        case Step.END_CHECK_IN:
            end_check_in(tournament_id=tournament_id, actor=CLOCK, now=now)
        case Step.START:
            lifecycle.start(tournament_id=tournament_id, actor=CLOCK, now=now)
        case Step.CANCEL:
            reason = f"{entered} entered, at least {tournament.min_entries} were needed in time."
            cancel(tournament_id=tournament_id, actor=CLOCK, reason=reason, now=now)
