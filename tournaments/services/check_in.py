"""Checking in before the start, and what becomes of those who did not.

Who is entered says in the window that he is there. When it ends, everybody else is a no-show: he
is never seated, and his fee goes back or stays in the pool as the organiser wanted it.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, NoteKind, Tournament
from tournaments.services import due, seats
from tournaments.services.lifecycle import lock
from tournaments.services.registration import not_entered
from tournaments.structure.lifecycle import State
from wording import moment_text


def check_in(*, tournament_id: int, player_id: int, actor: str, now: datetime) -> Entry:
    """Note that an entered player is there; again changes nothing.

    Raises `TournamentRefusal`: NOT_ENTERED, or NO_CHECK_IN outside the window.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        _refuse_outside(tournament, now)
        entry = seats.entry_of(tournament, player_id)
        if entry is None or entry.state != EntryState.ENTERED:
            raise not_entered()
        if entry.checked_in_at is None:
            entry.checked_in_at = now
            entry.save(update_fields=["checked_in_at"])
    return entry


def _refuse_outside(tournament: Tournament, now: datetime) -> None:
    opens, closes = tournament.check_in_opens_at, tournament.check_in_closes_at
    if opens is None or closes is None:
        raise TournamentRefusal(TournamentCode.NO_CHECK_IN, "This tournament has no check-in.")
    if not opens <= now < closes or tournament.check_in_ended_at is not None:
        raise TournamentRefusal(
            TournamentCode.NO_CHECK_IN,
            _("Check-in is from %(opens)s to %(closes)s.")
            % {"opens": moment_text(opens), "closes": moment_text(closes)},
        )


def end_check_in(*, tournament_id: int, actor: str, now: datetime) -> list[Entry]:
    """Take out who has not checked in; the entries of the no-shows. Again does nothing.

    The waitlist moves up if the organiser wanted that; whoever still waits gets no seat. Raises
    `TournamentRefusal(NO_CHECK_IN)` while registration is open or where there is no check-in.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.check_in_ended_at is not None:
            return []
        if tournament.state != State.CLOSED or tournament.check_in_closes_at is None:
            raise TournamentRefusal(
                TournamentCode.NO_CHECK_IN, "There is no check-in to end; close registration first."
            )
        rules = play.terms_of(tournament).entering
        absent = tournament.entries.filter(state=EntryState.ENTERED, checked_in_at__isnull=True)
        no_shows = list(absent)
        seats.leave_many(
            tournament,
            no_shows,
            EntryState.NO_SHOW,
            keeps_fee=rules.no_show_keeps_fee,
            actor=actor,
            now=now,
        )
        told = dict.fromkeys(no_shows, "You did not check in.")
        seats.note_many(told, NoteKind.NO_SHOW, actor=actor, now=now)
        if rules.waitlist_moves_up:
            seats.promote(tournament, now=now, check_in_ends=True)
        waiting = tournament.entries.filter(state=EntryState.WAITING)
        waiting.update(state=EntryState.NOT_SEATED)
        tournament.check_in_ended_at = now
        due.refresh(tournament)
        tournament.save(update_fields=["check_in_ended_at", "due_at"])
    return no_shows
