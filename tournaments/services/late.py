"""Entering after the start: newcomers, and players who are out and pay to come back.

Whoever comes in so plays from the next round on. His fee is taken at once: nothing is set aside in
a tournament that has started.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from tournaments import money, people, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Round, Shape, TableKind, Tournament
from tournaments.services import charging, levels, seats
from tournaments.services.lifecycle import lock
from tournaments.structure.conditions import EntryRules, Running, check_late, check_reentry
from tournaments.structure.errors import StructureError
from tournaments.structure.lifecycle import State, is_live

SEATS_ANEW: Final = (Shape.KNOCKOUT, Shape.LEVELS)
"""Shapes that draw every round among whoever is in by then."""


def running_of(tournament: Tournament) -> Running:
    """Where a tournament that has started stands."""
    last = tournament.rounds.order_by("-number").first()
    return Running(
        takes_newcomers=tournament.shape in SEATS_ANEW,
        round_number=last.number if last else 0,
        round_is_open=last is not None and last.closed_at is None,
        round_is_final=last is not None and _is_final(tournament, last),
    )


def _is_final(tournament: Tournament, last: Round) -> bool:
    if tournament.shape == Shape.LEVELS:
        return levels.is_last(tournament, last.number)
    if last.places is not None:
        return last.places == 0
    return last.tables.filter(kind=TableKind.PLAY).count() == 1


def takes_newcomers(tournament: Tournament) -> bool:
    """Whether a tournament that has started may still bring in somebody who was not in it."""
    try:
        check_late(play.terms_of(tournament).entering, running_of(tournament))
    except StructureError:
        return False
    return True


def enter(
    tournament: Tournament, rules: EntryRules, entry: Entry, *, actor: str, now: datetime
) -> None:
    """Take a newcomer into a tournament that runs; the caller holds the lock, the entry is saved.

    Raises `StructureError` (TOO_LATE, NEVER_LATE), `TournamentRefusal(FULL)` or
    `InsufficientFunds`.
    """
    check_late(rules, running_of(tournament))
    if not seats.has_free_seat(tournament):
        raise TournamentRefusal(
            TournamentCode.FULL, "Every seat is taken; choose another tournament."
        )
    _take_fee(tournament, entry, is_reentry=False, actor=actor, now=now)
    entry.state = EntryState.PLAYING
    entry.save()
    _give_chips(tournament, entry, now)


def _give_chips(tournament: Tournament, entry: Entry, now: datetime) -> None:
    """In timed levels he comes with the starting chips; elsewhere each round gives new ones."""
    if tournament.shape == Shape.LEVELS:
        levels.give_stack(tournament=tournament, entry=entry, now=now)


def re_enter(*, tournament_id: int, player_id: int, actor: str, now: datetime) -> Entry:
    """Let a player who is out pay the fee again and play on from the next round.

    Raises `TournamentRefusal` (NOT_RUNNING, NOT_OUT), `StructureError` (TOO_LATE, NEVER_LATE,
    NO_REENTRY) or `InsufficientFunds`; nothing is taken then.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if not is_live(State(tournament.state)):
            raise TournamentRefusal(
                TournamentCode.NOT_RUNNING, f"{tournament.name} is {tournament.state}, not running."
            )
        entry = seats.entry_of(tournament, player_id)
        if entry is None or entry.state != EntryState.OUT or entry.left:
            raise TournamentRefusal(
                TournamentCode.NOT_OUT, "Only a player who is out can come back.", field="player"
            )
        rules = play.terms_of(tournament).entering
        check_late(rules, running_of(tournament))
        check_reentry(rules, entry.reentries)
        entry.attempt += 1
        entry.reentries += 1
        people.admit(tournament, entry, points=tournament.entry_fee, now=now)
        _take_fee(tournament, entry, is_reentry=True, actor=actor, now=now)
        entry.state = EntryState.PLAYING
        entry.save(update_fields=["attempt", "reentries", "state"])
        _give_chips(tournament, entry, now)
    return entry


def _take_fee(
    tournament: Tournament, entry: Entry, *, is_reentry: bool, actor: str, now: datetime
) -> None:
    with charging.asking_player(tournament):
        money.take_late_fee(
            tournament=tournament, entry=entry, is_reentry=is_reentry, actor=actor, now=now
        )
