"""One way in and one way out: joining, withdrawing, and the waitlist between them.

The tournament's row is locked, so a seat is given once, and a newcomer never passes the waitlist.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from tournaments import money
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import HOLDS_A_SEAT, Entry, EntryState, Tournament
from tournaments.services.lifecycle import lock
from tournaments.structure.lifecycle import State, may_join, may_withdraw
from tournaments.structure.registration import Place, place_on_joining, promotions_due

_IN = (*HOLDS_A_SEAT, EntryState.WAITING)


def register(
    *, tournament_id: int, player_id: int, actor: str, bot: str = "", now: datetime
) -> Entry:
    """Enter a player, or put him on the waitlist when it is full; the fee is set aside.

    Joining twice is one entry and one fee. Raises `TournamentRefusal(NOT_OPEN)`, or the ledger's
    `InsufficientFunds` with what is missing.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        entry = tournament.entries.filter(player_id=player_id).first()
        if entry is not None and entry.state in _IN:
            return entry
        if not may_join(State(tournament.state)):
            raise TournamentRefusal(
                TournamentCode.NOT_OPEN, "Registration is not open; choose another tournament."
            )
        if entry is None:
            entry = Entry(tournament=tournament, player_id=player_id)
        else:
            entry.attempt += 1
        place = place_on_joining(tournament.capacity, *_counts(tournament))
        entry.number = _next_number(tournament)
        entry.bot, entry.joined_at = bot, now
        entry.state = EntryState.WAITING
        if place is Place.SEAT:
            money.hold_fee(tournament=tournament, entry=entry, actor=actor, now=now)
            entry.state = EntryState.ENTERED
        entry.save()
    return entry


def _counts(tournament: Tournament) -> tuple[int, int]:
    """How many have a seat and how many wait."""
    entries = tournament.entries
    entered = entries.filter(state__in=HOLDS_A_SEAT).count()
    return entered, entries.filter(state=EntryState.WAITING).count()


def _next_number(tournament: Tournament) -> int:
    tournament.numbers_given += 1
    tournament.save(update_fields=["numbers_given"])
    return tournament.numbers_given


def withdraw(*, tournament_id: int, player_id: int, actor: str, now: datetime) -> Entry:
    """Take a player out while registration is open; his fee goes back and the next moves up.

    Raises `TournamentRefusal`: `NOT_ENTERED`, or `NOT_OPEN` once registration has closed.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        entry = tournament.entries.filter(player_id=player_id, state__in=_IN).first()
        if entry is None:
            raise TournamentRefusal(
                TournamentCode.NOT_ENTERED, "This player has not entered.", field="player"
            )
        if not may_withdraw(State(tournament.state)):
            raise TournamentRefusal(
                TournamentCode.NOT_OPEN, "Registration has closed; nobody can withdraw now."
            )
        if entry.state == EntryState.ENTERED:
            money.release_fee(tournament=tournament, entry=entry, actor=actor, now=now)
        entry.state = EntryState.WITHDRAWN
        entry.save(update_fields=["state"])
        promote(tournament, now=now)
    return entry


def promote(tournament: Tournament, *, now: datetime) -> list[Entry]:
    """Give free seats to those who wait, first come first served; the caller holds the lock.

    Who cannot pay at this moment is passed over and keeps his place.
    """
    is_open = may_join(State(tournament.state))
    due = promotions_due(tournament.capacity, *_counts(tournament), open_now=is_open)
    promoted: list[Entry] = []
    if not due:
        return promoted
    for entry in tournament.entries.filter(state=EntryState.WAITING).order_by("joined_at", "id"):
        if len(promoted) == due:
            break
        try:
            money.hold_fee(
                tournament=tournament,
                entry=entry,
                actor=money.player_owner(entry.player_id),
                now=now,
            )
        except money.InsufficientFunds:
            continue
        entry.state = EntryState.ENTERED
        entry.save(update_fields=["state"])
        promoted.append(entry)
    return promoted
