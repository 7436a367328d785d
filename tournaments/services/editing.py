"""Changing a tournament that exists, and making another like it.

Before registration everything may be changed; while players enter, what they do not pay for: name,
seats, minimum, times and who may enter. After the start the name alone. A form shows the version it
was opened with; if the tournament has changed meanwhile, saving it is refused.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import msgspec
from django.db import transaction

from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Invitation, LogLine, Tournament
from tournaments.services import due, seats
from tournaments.services.drafting import Draft, checked, draft_of, make, write
from tournaments.services.lifecycle import lock
from tournaments.structure.conditions import EntryRules
from tournaments.structure.due import StartKind, Times
from tournaments.structure.lifecycle import State, may_change_terms, may_staff_seat

EDIT: Final = "edit"
_WHILE_PLAYERS_ENTER: Final = frozenset({"name", "capacity", "min_entries", "times", "terms"})
_AFTER_START: Final = frozenset({"name"})


def edit(
    *,
    tournament_id: int,
    version: int,
    actor: str,
    reason: str = "",
    force: bool = False,
    now: datetime,
    **changes: Any,
) -> Tournament:
    """Change fields of the draft; `version` is the tournament's as the editor saw it.

    More seats let those who wait move up. Fewer than are taken need `force`; nobody loses his seat.
    Raises `TournamentRefusal` (CHANGED_MEANWHILE, LOCKED, BAD_CAPACITY) and what `create` raises.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.version != version:
            raise TournamentRefusal(
                TournamentCode.CHANGED_MEANWHILE,
                "It was changed after you opened it; look at it again before saving.",
                field="version",
            )
        before = draft_of(tournament)
        state = State(tournament.state)
        after = checked(msgspec.structs.replace(before, **changes))
        _refuse_locked(state, before, after)
        if not force:
            _refuse_too_few_seats(tournament, after)
        _save(tournament, before, after, actor=actor, reason=reason, now=now)
        if may_staff_seat(state):
            promoted = seats.promote(tournament, now=now)
            seats.seats_changed(tournament, seat_taken=bool(promoted), now=now)
    return tournament


def _refuse_locked(state: State, before: Draft, after: Draft) -> None:
    if may_change_terms(state):
        return
    free = _WHILE_PLAYERS_ENTER if may_staff_seat(state) else _AFTER_START
    locked = set(changed_fields(before, after)) - free
    if "terms" in free and _terms_that_count(before) != _terms_that_count(after):
        locked.add("terms")
    if locked:
        field = min(locked)
        raise TournamentRefusal(
            TournamentCode.LOCKED,
            f"{field} cannot be changed any more: players have entered under it.",
            field=field,
        )


def _terms_that_count(draft: Draft) -> object:
    """The terms without what concerns only those who have not entered yet.

    What becomes of the fee of a no-show concerns who has paid one.
    """
    kept = EntryRules(no_show_keeps_fee=draft.terms.entering.no_show_keeps_fee)
    return msgspec.structs.replace(draft.terms, entering=kept)


def changed_fields(before: Draft, after: Draft) -> list[str]:
    """Names of the fields in which two drafts differ."""
    return [
        field
        for field in before.__struct_fields__
        if getattr(before, field) != getattr(after, field)
    ]


def _refuse_too_few_seats(tournament: Tournament, after: Draft) -> None:
    taken = seats.seated(tournament)
    if after.capacity < min(taken, tournament.capacity):
        raise TournamentRefusal(
            TournamentCode.BAD_CAPACITY,
            f"{taken} have a seat; take some out first, or insist and keep them all.",
            field="capacity",
        )


def _save(
    tournament: Tournament,
    before: Draft,
    after: Draft,
    *,
    actor: str,
    reason: str,
    now: datetime,
) -> None:
    fields = changed_fields(before, after)
    if not fields:
        return
    write(after, tournament)
    tournament.version += 1
    due.refresh(tournament)
    tournament.clean_fields()
    tournament.save()
    told = f"{', '.join(fields)}: {reason}" if reason else ", ".join(fields)
    LogLine.objects.create(
        tournament=tournament,
        action=EDIT,
        before=tournament.state,
        after=tournament.state,
        actor=actor,
        reason=told[:500],
        at=now,
    )


def change_capacity(
    *,
    tournament_id: int,
    capacity: int,
    actor: str,
    reason: str = "",
    force: bool = False,
    now: datetime,
) -> Tournament:
    """Give a tournament more seats or fewer, whatever its version; raises what `edit` raises."""
    with transaction.atomic():
        version = lock(tournament_id).version
        return edit(
            tournament_id=tournament_id,
            version=version,
            actor=actor,
            reason=reason,
            force=force,
            now=now,
            capacity=capacity,
        )


def copy(
    *,
    tournament_id: int,
    actor: str,
    name: str | None = None,
    starts_at: datetime | None = None,
    organiser_id: int | None = None,
    now: datetime,
) -> Tournament:
    """A new draft like a tournament of any state: its choices and invitations, no entries.

    Who copies it (`organiser_id`) runs the copy.

    Its times lie as far before `starts_at` as those of the original before its start; without it,
    or where nothing was set, they are left to the organiser and it starts by hand. Raises what
    `create` raises.
    """
    with transaction.atomic():
        original = lock(tournament_id)
        draft = draft_of(original)
        times = shifted(draft.times, starts_at)
        draft = msgspec.structs.replace(draft, name=name or draft.name, times=times)
        made = make(draft, organiser_id=organiser_id, now=now)
        Invitation.objects.bulk_create(
            Invitation(tournament=made, player_id=player, actor=actor, at=now)
            for player in original.invitations.values_list("player_id", flat=True)
        )
    return made


def shifted(times: Times, starts_at: datetime | None) -> Times:
    """The times of a fixed start moved to another; without any, those that need no hour."""
    if starts_at is None:
        is_fixed = times.kind is StartKind.FIXED_TIME
        return Times(kind=StartKind.BY_HAND if is_fixed else times.kind)
    if times.starts_at is None:
        return Times(kind=StartKind.FIXED_TIME, starts_at=starts_at)
    by = starts_at - times.starts_at
    moved = {
        field: None if (at := getattr(times, field)) is None else at + by
        for field in times.__struct_fields__
        if field != "kind"
    }
    return Times(kind=times.kind, **moved)
