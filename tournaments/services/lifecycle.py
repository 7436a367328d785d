"""Leading a tournament through its states; each transition is logged with who, when and why.

Here is what the organiser or the clock does before the start, and the start itself. Others pause,
end and call off.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import models, transaction

from tournaments import money, play, rows
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, LogLine, Tournament
from tournaments.services import due, seats
from tournaments.structure.due import StartKind
from tournaments.structure.lifecycle import Action, State, next_state
from tournaments.structure.registration import enough_entries

SecretSource = Callable[[str], bytes]


def lock(tournament_id: int) -> Tournament:
    """The tournament's row, locked. Raises `TournamentRefusal(UNKNOWN_TOURNAMENT)`."""
    tournament = rows.TOURNAMENT_LOCKED.get(tournament_id)
    if tournament is None:
        raise TournamentRefusal(
            TournamentCode.UNKNOWN_TOURNAMENT, "There is no such tournament.", field="tournament"
        )
    return tournament


def transit(
    tournament: Tournament, action: Action, *, actor: str, reason: str = "", now: datetime
) -> None:
    """Change the state and log it; the caller holds the lock and saves the row."""
    before = State(tournament.state)
    tournament.state = next_state(before, action)
    tournament.version += 1
    due.refresh(tournament)
    LogLine.objects.create(
        tournament=tournament,
        action=action,
        before=before,
        after=tournament.state,
        actor=actor,
        reason=reason,
        at=now,
    )


def announce(*, tournament_id: int, actor: str, now: datetime) -> Tournament:
    """Show a draft to everybody; from now on the clock may open it. Raises `BAD_TERMS`."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        _refuse_past(tournament, now)
        transit(tournament, Action.ANNOUNCE, actor=actor, now=now)
        tournament.save()
    return tournament


def retract(*, tournament_id: int, actor: str, reason: str = "", now: datetime) -> Tournament:
    """Take an announcement back; it is a draft again and nobody sees it."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        transit(tournament, Action.RETRACT, actor=actor, reason=reason, now=now)
        tournament.save()
    return tournament


def open_registration(
    *, tournament_id: int, actor: str, secret_for: SecretSource = play.fresh_secret, now: datetime
) -> Tournament:
    """Let players in; the secret of the first draw is committed to from now on."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        _refuse_past(tournament, now)
        transit(tournament, Action.OPEN_REGISTRATION, actor=actor, now=now)
        commit_next_draw(tournament, 1, secret_for)
        tournament.save()
    return tournament


def _refuse_past(tournament: Tournament, now: datetime) -> None:
    if tournament.closes_at is not None and tournament.closes_at <= now:
        raise TournamentRefusal(
            TournamentCode.BAD_TERMS,
            "Its registration would have closed already; give it later times.",
            field="closes_at",
        )


def commit_next_draw(tournament: Tournament, number: int, secret_for: SecretSource) -> None:
    """Publish the commitment of a round's draw before anybody can know who is in it."""
    secret = secret_for(f"{tournament.draw_label}/draw-{number}")
    tournament.next_secret = secret.hex()
    tournament.next_commitment = play.commitment_of(secret)


def close_registration(
    *, tournament_id: int, actor: str, reason: str = "", now: datetime
) -> Tournament:
    """End registration: nobody is promoted from now on, and applications not decided lapse.

    Whoever still waits gets no seat, unless the end of check-in may still free one for him.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        transit(tournament, Action.CLOSE_REGISTRATION, actor=actor, reason=reason, now=now)
        tournament.save()
        seats.lapse_applications(tournament, now=now)
        if not waits_for_check_in(tournament):
            _entries(tournament, EntryState.WAITING).update(state=EntryState.NOT_SEATED)
    return tournament


def waits_for_check_in(tournament: Tournament) -> bool:
    """Whether the waitlist lives on after closing, for the seats of no-shows."""
    is_to_come = tournament.check_in_closes_at is not None and tournament.check_in_ended_at is None
    return is_to_come and play.terms_of(tournament).entering.waitlist_moves_up


def reopen_registration(
    *,
    tournament_id: int,
    actor: str,
    reason: str = "",
    closes_at: datetime | None = None,
    now: datetime,
) -> Tournament:
    """Open registration once more; who got no seat waits again, in his old place.

    Without `closes_at` a start that is set ends it, or else the organiser. Raises
    `TournamentRefusal`: BAD_TERMS for a moment that has passed, NO_CHECK_IN when check-in is over.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.check_in_ended_at is not None:
            raise TournamentRefusal(
                TournamentCode.NO_CHECK_IN, "Check-in is over; nobody else can come in."
            )
        ends = tournament.check_in_closes_at or _fixed_start(tournament)
        tournament.closes_at = ends if closes_at is None else closes_at
        if ends is not None and closes_at is not None and closes_at > ends:
            raise TournamentRefusal(
                TournamentCode.BAD_TERMS,
                "Registration must close before check-in ends and before the start.",
                field="closes_at",
            )
        _refuse_past(tournament, now)
        transit(tournament, Action.REOPEN_REGISTRATION, actor=actor, reason=reason, now=now)
        tournament.save()
        _entries(tournament, EntryState.NOT_SEATED).update(state=EntryState.WAITING)
        seats.promote(tournament, now=now)
        seats.seats_changed(tournament, seat_taken=False, now=now)
    return tournament


def _fixed_start(tournament: Tournament) -> datetime | None:
    return tournament.starts_at if tournament.start_kind == StartKind.FIXED_TIME else None


def start(*, tournament_id: int, actor: str, reason: str = "", now: datetime) -> Tournament:
    """Take the fees and make the entries players; who cannot pay any more is taken out.

    Raises `TournamentRefusal`: NOT_ENOUGH_ENTRIES (cancel it then), CHECK_IN_OPEN (end it first).
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        transit(tournament, Action.START, actor=actor, reason=reason, now=now)
        if tournament.check_in_closes_at is not None and tournament.check_in_ended_at is None:
            raise TournamentRefusal(
                TournamentCode.CHECK_IN_OPEN, "End check-in first; no-shows are not seated."
            )
        seats.take_out_frozen(tournament, actor=actor, now=now)
        entered = _entries(tournament, EntryState.ENTERED)
        count = entered.count()
        if not enough_entries(count, tournament.min_entries):
            raise TournamentRefusal(
                TournamentCode.NOT_ENOUGH_ENTRIES,
                f"{count} of at least {tournament.min_entries} have entered; cancel it instead.",
            )
        money.collect_fees(tournament=tournament, actor=actor, now=now)
        entered.update(state=EntryState.PLAYING)
        tournament.started_at = now
        tournament.save()
    return tournament


def _entries(tournament: Tournament, state: EntryState) -> models.QuerySet[Entry]:
    return tournament.entries.filter(state=state)
