"""A player's way in and out: joining, applying, withdrawing.

The tournament's row is locked, so a seat is given once, and a newcomer never passes the waitlist.
What the doors of staff, files and clock share with this one is in `seats`.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from tournaments import people, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Tournament
from tournaments.services import charging, late, seats
from tournaments.services.eligibility import check_conditions
from tournaments.services.guessing import count_code
from tournaments.services.lifecycle import lock
from tournaments.structure.due import is_held_fast
from tournaments.structure.lifecycle import (
    State,
    is_live,
    may_join,
    may_leave_waitlist,
    may_withdraw,
)


def register(
    *,
    tournament_id: int,
    player_id: int,
    actor: str,
    bot: str = "",
    code: str = "",
    tell: bool = True,
    now: datetime,
) -> Entry:
    """Enter a player, or put him on the waitlist when it is full; the fee is set aside.

    Where the organiser approves, it is an application. A tournament that runs and still takes
    players in gives a seat from the next round on, and takes the fee at once. Joining twice is one
    entry and one fee. Without `tell` his inbox is left alone. Raises `TournamentRefusal` (NOT_OPEN,
    NOT_ELIGIBLE, TOO_MANY_CODES, FULL), `StructureError` (TOO_LATE, NEVER_LATE) or
    `InsufficientFunds` with what is missing.
    """
    count_code(tournament_id=tournament_id, player_id=player_id, code=code, now=now)
    with transaction.atomic():
        tournament = lock(tournament_id)
        entry = seats.entry_of(tournament, player_id)
        if entry is not None and entry.state in seats.IS_IN:
            return entry
        rules = play.terms_of(tournament).entering
        _check_may_ask(tournament, entry, needs_approval=rules.needs_approval)
        check_conditions(tournament, rules.conditions, player_id, code=code, now=now)
        entry = seats.new_entry(tournament, entry, player_id, bot=bot, now=now)
        people.admit(tournament, entry, points=tournament.entry_fee, now=now)
        if is_live(State(tournament.state)):
            late.enter(tournament, rules, entry, actor=actor, now=now)
        elif rules.needs_approval:
            charging.hold_fee(tournament, entry, actor=actor, now=now)
            entry.state = EntryState.APPLIED
            entry.save()
        else:
            seats.take_seat_or_wait(tournament, entry, actor=actor, now=now)
        has_seat = entry.state == EntryState.ENTERED
        seats.seats_changed(tournament, seat_taken=has_seat, now=now)
        if tell:
            _tell(tournament, entry, now)
    return entry


def _tell(tournament: Tournament, entry: Entry, now: datetime) -> None:
    if entry.state == EntryState.WAITING:
        people.tell_entries(tournament, people.NoticeKind.WAITLISTED, [entry], now=now)
    elif entry.state != EntryState.APPLIED:
        people.tell_entries(tournament, people.NoticeKind.REGISTERED, [entry], now=now)


def _check_may_ask(tournament: Tournament, entry: Entry | None, *, needs_approval: bool) -> None:
    state = State(tournament.state)
    if not may_join(state) and not is_live(state):
        raise TournamentRefusal(
            TournamentCode.NOT_OPEN, "Registration is not open; choose another tournament."
        )
    if is_live(state) and needs_approval:
        raise TournamentRefusal(
            TournamentCode.NOT_OPEN, "It has started; ask the organiser to let you in."
        )
    if entry is not None and entry.state == EntryState.REFUSED:
        raise TournamentRefusal(
            TournamentCode.NOT_ELIGIBLE,
            "The organiser has refused this entry; ask him before trying again.",
            field="player",
        )


def withdraw(*, tournament_id: int, player_id: int, actor: str, now: datetime) -> Entry:
    """Take a player out while registration is open; his fee goes back and the next moves up.

    Who waits for the seat of a no-show may leave the waitlist until check-in ends.

    Raises `TournamentRefusal`: `NOT_ENTERED`, or `NOT_OPEN` once registration has closed or a
    fixed-players tournament is full.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        entry = seats.entry_of(tournament, player_id)
        if entry is None or entry.state not in seats.IS_IN:
            raise not_entered()
        may_leave = may_leave_waitlist if entry.state == EntryState.WAITING else may_withdraw
        if not may_leave(State(tournament.state)):
            raise TournamentRefusal(
                TournamentCode.NOT_OPEN, "Registration has closed; nobody can withdraw now."
            )
        if entry.state == EntryState.ENTERED and is_held_fast(tournament.times):
            raise TournamentRefusal(
                TournamentCode.NOT_OPEN, "Every seat is taken and it starts in a moment."
            )
        seats.leave(tournament, entry, EntryState.WITHDRAWN, actor=actor, now=now)
        promoted = seats.promote(tournament, now=now)
        seats.seats_changed(tournament, seat_taken=bool(promoted), now=now)
    return entry


def not_entered() -> TournamentRefusal:
    """The refusal for somebody who is not in."""
    return TournamentRefusal(
        TournamentCode.NOT_ENTERED, "This player has not entered.", field="player"
    )
