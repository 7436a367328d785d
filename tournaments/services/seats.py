"""Seats, the waitlist and the fees that belong to them; every caller holds the tournament's lock.

The one place where an entry gets in or out before the start. A fee is set aside for whoever is
entered or has applied, and for nobody else; a kept fee of a no-show is the exception. A newcomer
never passes those who wait, and who waits moves up in the order (joined_at, id) as soon as a seat
is free, while registration is open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from tournaments import money, people, rows
from tournaments.errors import TournamentRefusal
from tournaments.models import HOLDS_A_SEAT, Entry, EntryNote, EntryState, NoteKind, Tournament
from tournaments.services import charging, due
from tournaments.structure.due import StartKind, start_after_change
from tournaments.structure.lifecycle import State, may_join
from tournaments.structure.registration import Place, place_on_joining, promotions_due, seats_free

IS_IN: Final = (*HOLDS_A_SEAT, EntryState.WAITING, EntryState.APPLIED)
HAS_A_FEE_HELD: Final = (EntryState.ENTERED, EntryState.APPLIED)
A_FEW: Final = 10
MANY: Final = 500
"""Rows that are looked at or written at once."""
_KIND_OF: Final = {
    NoteKind.PROMOTED: people.NoticeKind.PROMOTED,
    NoteKind.ADDED: people.NoticeKind.REGISTERED,
    NoteKind.FORCED: people.NoticeKind.REGISTERED,
    NoteKind.APPROVED: people.NoticeKind.REGISTERED,
}
"""What the inbox calls a note; the others are told as they are written."""
WAITLIST: Final = "waitlist"
"""Who acts when somebody moves up."""


def entry_of(tournament: Tournament, player_id: int) -> Entry | None:
    """A player's entry, whatever its state."""
    entry = rows.ENTRY_OF_PLAYER.get(tournament.pk, player_id)
    if entry is not None:
        entry.tournament = tournament
    return entry


def new_entry(
    tournament: Tournament, entry: Entry | None, player_id: int, *, bot: str, now: datetime
) -> Entry:
    """A row for somebody who joins now; joining again takes the same row. Not saved."""
    if entry is None:
        entry = Entry(tournament=tournament, player_id=player_id)
    else:
        entry.attempt += 1
    tournament.numbers_given += 1
    entry.number = tournament.numbers_given
    entry.bot, entry.joined_at, entry.checked_in_at = bot, now, None
    return entry


def place_for_newcomer(tournament: Tournament) -> Place:
    """A seat or the waitlist."""
    if rows.somebody_waits(tournament.pk):
        return place_on_joining(tournament.capacity, 0, 1)
    return place_on_joining(tournament.capacity, _seated_at_most(tournament), 0)


def seated(tournament: Tournament) -> int:
    """How many have a seat."""
    return tournament.entries.filter(state__in=HOLDS_A_SEAT).count()


def _seated_at_most(tournament: Tournament) -> int:
    """How many have a seat; counted only when so many have joined that some may not have one.

    Every entry has a number of its own, so no more are seated than numbers were given.
    """
    given = tournament.numbers_given
    return given if given < tournament.capacity else seated(tournament)


def take_seat_or_wait(tournament: Tournament, entry: Entry, *, actor: str, now: datetime) -> None:
    """Enter somebody, or put him on the waitlist when it is full or others wait.

    Where a seat is free and those before him cannot pay, he moves up past them. The entry is saved.
    Raises `InsufficientFunds` with what is missing.
    """
    if place_for_newcomer(tournament) is Place.SEAT:
        take_seat(tournament, entry, actor=actor, now=now)
        return
    wait(tournament, entry, now=now)


def wait(tournament: Tournament, entry: Entry, *, now: datetime) -> None:
    """Put somebody last on the waitlist; he moves up at once if only others lack points."""
    entry.state = EntryState.WAITING
    rows.save_entry(entry)
    if has_free_seat(tournament):
        promoted = promote(tournament, now=now)
        entry.state = EntryState.ENTERED if entry in promoted else entry.state


def take_seat(tournament: Tournament, entry: Entry, *, actor: str, now: datetime) -> None:
    """Enter somebody, whatever the number of seats; his fee is set aside unless it is already."""
    if entry.state != EntryState.APPLIED:
        charging.hold_fee(tournament, entry, actor=actor, now=now)
    entry.state = EntryState.ENTERED
    rows.save_entry(entry)


def leave(
    tournament: Tournament, entry: Entry, state: EntryState, *, actor: str, now: datetime
) -> None:
    """Take somebody out before the start; what was set aside for him goes back."""
    if entry.state in HAS_A_FEE_HELD:
        money.release_fee(tournament=tournament, entry=entry, actor=actor, now=now)
    entry.state = state
    entry.save(update_fields=["state"])
    people.forget(tournament, [entry], now=now)


def leave_many(
    tournament: Tournament,
    entries: Sequence[Entry],
    state: EntryState,
    *,
    keeps_fee: bool = False,
    actor: str,
    now: datetime,
) -> None:
    """Take many out before the start, in as many statements for ten as for a few hundred."""
    paid = [entry for entry in entries if entry.state in HAS_A_FEE_HELD]
    if paid and not keeps_fee:
        money.release_fees(tournament=tournament, entries=paid, actor=actor, now=now)
    for entry in entries:
        entry.state = state
    Entry.objects.bulk_update(entries, ["state"], batch_size=MANY)
    people.forget(tournament, entries, now=now)


def promote(tournament: Tournament, *, now: datetime, check_in_ends: bool = False) -> list[Entry]:
    """Give free seats to those who wait, first come first served.

    Who cannot pay at this moment is passed over with a notice and keeps his place. Nobody moves up
    once registration is closed, but for the seats of no-shows where the organiser wants it.
    """
    is_open = check_in_ends or may_join(State(tournament.state))
    waiting = tournament.entries.filter(state=EntryState.WAITING)
    if not is_open or not waiting.exists():
        return []
    free = promotions_due(
        tournament.capacity, seated(tournament), waiting.count(), open_now=is_open
    )
    promoted: list[Entry] = []
    short: dict[Entry, str] = {}
    for entry, lack in _in_order(tournament, waiting, free):
        if len(promoted) == free:
            break
        refusal = lack or _refused_seat(tournament, entry, now)
        if refusal:
            short[entry] = f"A seat was free and you were passed over: {refusal}"
        else:
            promoted.append(entry)
    note_many(short, NoteKind.PASSED_OVER, actor=WAITLIST, now=now)
    return promoted


def _refused_seat(tournament: Tournament, entry: Entry, now: datetime) -> str:
    """Give somebody who waits a seat; why he cannot have it, empty if he has it."""
    try:
        people.check_present(entry, by_staff=False, now=now)
        take_seat(tournament, entry, actor=money.player_owner(entry.player_id), now=now)
    except (TournamentRefusal, *charging.CANNOT_PAY) as refusal:
        return str(refusal.sentence)
    note(entry, NoteKind.PROMOTED, "You have a seat now.", actor=WAITLIST, now=now)
    return ""


def _in_order(
    tournament: Tournament, waiting: QuerySet[Entry], free: int
) -> Iterator[tuple[Entry, str]]:
    """Those who wait in their order, each with what he lacks as far as it is known.

    A few come first, for most can pay. Where that does not fill the seats, the wallets of those
    behind are looked at many at a time, so that a crowd without points costs no time.
    """
    after, at_once = Q(), min(free, A_FEW)
    while batch := list(waiting.filter(after).order_by("joined_at", "id")[:at_once]):
        lacks = charging.lacks_of(tournament, batch) if after else {}
        yield from ((entry, lacks.get(entry.player_id, "")) for entry in batch)
        last = batch[-1]
        after = Q(joined_at__gt=last.joined_at) | Q(joined_at=last.joined_at, id__gt=last.pk)
        at_once = MANY


def note_many(sentences: Mapping[Entry, str], kind: NoteKind, *, actor: str, now: datetime) -> None:
    """Leave many players a line, each once a joining."""
    EntryNote.objects.bulk_create(
        (
            EntryNote(
                entry=entry,
                attempt=entry.attempt,
                kind=kind,
                sentence=sentence[:500],
                actor=actor,
                at=now,
            )
            for entry, sentence in sentences.items()
        ),
        ignore_conflicts=True,
        batch_size=MANY,
    )
    people.tell_notes(sentences, _KIND_OF.get(kind), what=kind, now=now)


def note(entry: Entry, kind: NoteKind, sentence: str, *, actor: str, now: datetime) -> None:
    """Leave the player a line of what was done; of each kind one a joining."""
    EntryNote.objects.get_or_create(
        entry=entry,
        attempt=entry.attempt,
        kind=kind,
        defaults={"sentence": sentence[:500], "actor": actor, "at": now},
    )
    people.tell_notes({entry: sentence}, _KIND_OF.get(kind), what=kind, now=now)


def lapse_applications(tournament: Tournament, *, now: datetime) -> None:
    """Give those back their fees whom the organiser has not decided about."""
    applied = list(tournament.entries.filter(state=EntryState.APPLIED))
    leave_many(tournament, applied, EntryState.WITHDRAWN, actor=WAITLIST, now=now)
    told = dict.fromkeys(applied, "Registration closed before the organiser decided.")
    note_many(told, NoteKind.NOT_SEATED, actor=WAITLIST, now=now)


def take_out_frozen(tournament: Tournament, *, actor: str, now: datetime) -> None:
    """Take out those whose wallet was frozen since they entered, for they would stop the start."""
    frozen = money.frozen_payers(tournament)
    if not frozen:
        return
    for entry in tournament.entries.filter(state__in=(EntryState.ENTERED, EntryState.NO_SHOW)):
        if money.player_owner(entry.player_id) not in frozen:
            continue
        if entry.state == EntryState.ENTERED:
            leave(tournament, entry, EntryState.WITHDRAWN, actor=actor, now=now)
        else:
            money.release_fee(tournament=tournament, entry=entry, actor=actor, now=now)
        sentence = "Your wallet was frozen when the tournament started."
        note(entry, NoteKind.REMOVED, sentence, actor=actor, now=now)


def seats_changed(tournament: Tournament, *, seat_taken: bool, now: datetime) -> None:
    """Save what follows from entries coming or going: numbers given, and a start that waits."""
    if tournament.start_kind == StartKind.FIXED_PLAYERS:
        tournament.starts_at = start_after_change(
            tournament.times,
            entered=_seated_at_most(tournament),
            capacity=tournament.capacity,
            seat_taken=seat_taken,
            now=now,
        )
        due.refresh(tournament)
    rows.save_seats(tournament)


def has_free_seat(tournament: Tournament) -> bool:
    """Whether nobody need be refused for want of room."""
    return seats_free(tournament.capacity, _seated_at_most(tournament)) > 0
