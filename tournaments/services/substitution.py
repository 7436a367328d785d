"""One player takes another's seat before that one's first deal.

The seat keeps its number, its seed and its place at the table. The substitute pays the fee, and the
other one gets back all that he has paid.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from tournaments import people, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Call, DecisionKind, Entry, EntryState, NoteKind, Placing, Tournament
from tournaments.money import desk as desk_money
from tournaments.money.fees import take_late_fee
from tournaments.play import desk as desk_tables
from tournaments.services import calls, charging, seats
from tournaments.services.desk import decided
from tournaments.services.eligibility import check_conditions
from tournaments.services.lifecycle import lock

_HAS_A_SEAT = (EntryState.ENTERED, EntryState.PLAYING)


def substitute(
    *,
    tournament_id: int,
    player_id: int,
    substitute_id: int,
    actor: str,
    reason: str,
    now: datetime,
) -> Entry:
    """Give a player's seat to somebody who is not in the tournament; the substitute's entry.

    Raises `TournamentRefusal`: NOT_ENTERED, NOT_SUBSTITUTABLE (he has played, or the substitute is
    in, waits, or was in), NOT_ELIGIBLE; `InsufficientFunds` with what the substitute lacks;
    `TableRefusal(DEALS_PLAYED)`. Nothing is changed then.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        leaves = _who_leaves(tournament, player_id)
        comes = _who_comes(tournament, substitute_id, now)
        number, state = leaves.number, leaves.state
        _swap_rows(tournament, leaves, comes, now)
        _swap_fees(tournament, leaves, comes, actor, now)
        comes.state = state
        comes.save(update_fields=["state"])
        tables = _take_seats(tournament, leaves, comes, actor, now)
        _tell(leaves, comes, actor, now)
        decided(
            tournament,
            DecisionKind.SUBSTITUTED,
            entry=comes,
            actor=actor,
            reason=reason,
            before={"player": leaves.player_id, "number": number},
            after={"player": substitute_id, "number": number, "tables": tables},
            now=now,
        )
    return comes


def _who_leaves(tournament: Tournament, player_id: int) -> Entry:
    entry = seats.entry_of(tournament, player_id)
    if entry is None or entry.state not in _HAS_A_SEAT:
        raise TournamentRefusal(
            TournamentCode.NOT_ENTERED, "This player has no seat to give away.", field="player"
        )
    if entry.placings.filter(table__is_over=True).exists() or entry.rejoins or entry.reentries:
        raise TournamentRefusal(
            TournamentCode.NOT_SUBSTITUTABLE,
            "This player has played already; withdraw him instead.",
            field="player",
        )
    return entry


def _who_comes(tournament: Tournament, player_id: int, now: datetime) -> Entry:
    entry = seats.entry_of(tournament, player_id)
    if entry is not None and entry.state in seats.IS_IN:
        raise TournamentRefusal(
            TournamentCode.NOT_SUBSTITUTABLE,
            "The substitute is in this tournament, or waits to get in; choose somebody else.",
            field="substitute",
        )
    conditions = play.terms_of(tournament).entering.conditions
    check_conditions(tournament, conditions, player_id, code=conditions.code, now=now)
    entry = seats.new_entry(tournament, entry, player_id, bot="", now=now)
    people.check_present(entry, by_staff=True, now=now)
    return entry


def _swap_rows(tournament: Tournament, leaves: Entry, comes: Entry, now: datetime) -> None:
    """The draws know entries by their number, and a bracket by the seed."""
    leaves.number, comes.number = comes.number, leaves.number
    leaves.seed, comes.seed = None, leaves.seed
    leaves.seed_rating, comes.seed_rating = None, leaves.seed_rating
    comes.checked_in_at = leaves.checked_in_at and now
    comes.state = EntryState.WITHDRAWN  # until he has paid
    leaves.save(update_fields=["number", "seed", "seed_rating"])
    comes.save()
    tournament.save(update_fields=["numbers_given"])


def _swap_fees(
    tournament: Tournament,
    leaves: Entry,
    comes: Entry,
    actor: str,
    now: datetime,
) -> None:
    if leaves.state == EntryState.ENTERED:
        seats.leave(tournament, leaves, EntryState.WITHDRAWN, actor=actor, now=now)
        charging.hold_fee(tournament, comes, actor=actor, now=now)
        return
    desk_money.give_back_entry(tournament=tournament, entry=leaves, actor=actor, now=now)
    leaves.state = EntryState.WITHDRAWN
    leaves.save(update_fields=["state"])
    with charging.asking_player(tournament):
        take_late_fee(tournament=tournament, entry=comes, is_reentry=False, actor=actor, now=now)


def _take_seats(
    tournament: Tournament, leaves: Entry, comes: Entry, actor: str, now: datetime
) -> list[int]:
    """Sit down wherever the other one had a seat; the tables' numbers."""
    placings = list(leaves.placings.select_related("table__round").order_by("table__match_id"))
    for placing in placings:
        desk_tables.replace_player(
            match_id=placing.table.match_id,
            player_id=leaves.player_id,
            by_player_id=comes.player_id,
        )
        placing.entry = comes
    Placing.objects.bulk_update(placings, ["entry"])
    Call.objects.filter(entry=leaves).delete()
    for placing in placings:
        people.calls_over(tournament, placing.table_id, leaves.player_id)
    calls.call_players(placings, now=now)
    # A newcomer to timed levels has chips before he has a table.
    if play.plays_for_chips(play.terms_of(tournament)) and tournament.rounds.exists():
        desk_money.hand_over_stack(
            tournament=tournament, entry=leaves, to=comes, actor=actor, now=now
        )
    return [placing.table.number for placing in placings]


def _tell(leaves: Entry, comes: Entry, actor: str, now: datetime) -> None:
    seats.note(
        leaves, NoteKind.REMOVED, "Another player has taken your seat.", actor=actor, now=now
    )
    seats.note(comes, NoteKind.ADDED, "You play for somebody else.", actor=actor, now=now)
