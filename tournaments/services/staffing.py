"""Staff's way in and out: adding, forcing, removing, one or many; each leaves the player a note.

Staff may add where a player may join, and until the start by force: then neither the number of
seats nor the conditions count. Applications are decided here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from tournaments import people, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, NoteKind, Tournament
from tournaments.services import late, seats
from tournaments.services.eligibility import check_conditions
from tournaments.services.lifecycle import lock
from tournaments.services.registration import not_entered
from tournaments.structure.lifecycle import State, is_live, may_join, may_staff_seat
from tournaments.structure.registration import Place


def add(
    *,
    tournament_id: int,
    player_id: int,
    actor: str,
    reason: str = "",
    force: bool = False,
    bot: str = "",
    now: datetime,
) -> Entry:
    """Enter a player for him; what he applied for is approved by it.

    By force he gets a seat at once, over the capacity and against the conditions. Raises what
    `register` raises.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        return put_in(
            tournament, player_id, actor=actor, reason=reason, force=force, bot=bot, now=now
        )


def add_many(
    *,
    tournament_id: int,
    player_ids: Sequence[int],
    actor: str,
    reason: str = "",
    force: bool = False,
    now: datetime,
) -> list[Entry]:
    """Enter players in this order, all or none; the first that is refused is what is raised."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        return [
            put_in(tournament, player, actor=actor, reason=reason, force=force, now=now)
            for player in dict.fromkeys(player_ids)
        ]


def put_in(
    tournament: Tournament,
    player_id: int,
    *,
    actor: str,
    reason: str = "",
    force: bool = False,
    bot: str = "",
    now: datetime,
) -> Entry:
    """Enter a player; the caller holds the lock."""
    entry = seats.entry_of(tournament, player_id)
    if entry is not None and _is_settled(entry, force):
        return entry
    state = State(tournament.state)
    if not may_join(state) and not is_live(state) and not (force and may_staff_seat(state)):
        raise TournamentRefusal(
            TournamentCode.NOT_OPEN, "Registration is not open; add him by force, or reopen it."
        )
    rules = play.terms_of(tournament).entering
    if not force:
        conditions = rules.conditions
        check_conditions(tournament, conditions, player_id, code=conditions.code, now=now)
    if entry is None or entry.state not in seats.IS_IN:
        entry = seats.new_entry(tournament, entry, player_id, bot=bot, now=now)
    people.check_present(entry, by_staff=True, now=now)
    if is_live(state):
        late.enter(tournament, rules, entry, actor=actor, now=now)
    elif force:
        seats.take_seat(tournament, entry, actor=actor, now=now)
    else:
        _seat_in_order(tournament, entry, actor=actor, now=now)
    kind = NoteKind.FORCED if force else NoteKind.ADDED
    seats.note(entry, kind, reason or "The organiser entered you.", actor=actor, now=now)
    taken = entry.state == EntryState.ENTERED
    seats.seats_changed(tournament, seat_taken=taken, now=now)
    return entry


def _is_settled(entry: Entry, force: bool) -> bool:
    """Whether there is nothing more to do for an entry that is there."""
    if entry.state not in seats.IS_IN:
        return False
    return entry.state != EntryState.APPLIED and not (force and entry.state == EntryState.WAITING)


def _seat_in_order(tournament: Tournament, entry: Entry, *, actor: str, now: datetime) -> None:
    """A seat or the last place of the waitlist, where nothing is set aside."""
    if entry.state == EntryState.APPLIED:
        if seats.place_for_newcomer(tournament) is not Place.SEAT:
            seats.leave(tournament, entry, EntryState.WAITING, actor=actor, now=now)
            entry = seats.new_entry(tournament, entry, entry.player_id, bot=entry.bot, now=now)
            seats.wait(tournament, entry, now=now)
            return
        entry.joined_at = now
    seats.take_seat_or_wait(tournament, entry, actor=actor, now=now)


def approve(*, tournament_id: int, player_id: int, actor: str, now: datetime) -> Entry:
    """Let an applicant in: he has a seat, or the last place of the waitlist when it is full.

    His turn counts from now. Raises `TournamentRefusal`: NOT_ENTERED, NOT_OPEN, or EXCLUDED for who
    has excluded himself since he applied.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        entry = _applicant(tournament, player_id)
        if not may_join(State(tournament.state)):
            raise TournamentRefusal(
                TournamentCode.NOT_OPEN, "Registration is not open; nobody can be approved now."
            )
        people.check_present(entry, by_staff=True, now=now)
        _seat_in_order(tournament, entry, actor=actor, now=now)
        seats.note(entry, NoteKind.APPROVED, "You may play.", actor=actor, now=now)
        taken = entry.state == EntryState.ENTERED
        seats.seats_changed(tournament, seat_taken=taken, now=now)
    return entry


def refuse(*, tournament_id: int, player_id: int, actor: str, reason: str, now: datetime) -> Entry:
    """Turn an applicant away; his fee goes back. Raises `TournamentRefusal(NOT_ENTERED)`."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        entry = _applicant(tournament, player_id)
        seats.leave(tournament, entry, EntryState.REFUSED, actor=actor, now=now)
        sentence = reason or "The organiser did not accept your entry."
        seats.note(entry, NoteKind.REFUSED, sentence, actor=actor, now=now)
    return entry


def _applicant(tournament: Tournament, player_id: int) -> Entry:
    entry = seats.entry_of(tournament, player_id)
    if entry is None or entry.state != EntryState.APPLIED:
        raise TournamentRefusal(
            TournamentCode.NOT_ENTERED, "This player has not applied.", field="player"
        )
    return entry


def remove(*, tournament_id: int, player_id: int, actor: str, reason: str, now: datetime) -> Entry:
    """Take a player out before the start, his fee goes back, and the next moves up.

    Raises `TournamentRefusal`: NOT_ENTERED, or NOT_OPEN once it has started.
    """
    [entry] = remove_many(
        tournament_id=tournament_id, player_ids=[player_id], actor=actor, reason=reason, now=now
    )
    return entry


def remove_many(
    *, tournament_id: int, player_ids: Sequence[int], actor: str, reason: str, now: datetime
) -> list[Entry]:
    """Take players out before the start, all or none, and then let as many move up."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        if not may_staff_seat(State(tournament.state)):
            raise TournamentRefusal(
                TournamentCode.NOT_OPEN,
                f"{tournament.name} is {tournament.state}; nobody can "
                "be taken out of its entries now.",
            )
        removed = [_who_is_in(tournament, player) for player in dict.fromkeys(player_ids)]
        seats.leave_many(tournament, removed, EntryState.WITHDRAWN, actor=actor, now=now)
        told = dict.fromkeys(removed, reason or "The organiser took you out.")
        seats.note_many(told, NoteKind.REMOVED, actor=actor, now=now)
        promoted = seats.promote(tournament, now=now)
        seats.seats_changed(tournament, seat_taken=bool(promoted), now=now)
    return removed


def _who_is_in(tournament: Tournament, player_id: int) -> Entry:
    entry = seats.entry_of(tournament, player_id)
    if entry is None or entry.state not in seats.IS_IN:
        raise not_entered()
    return entry
