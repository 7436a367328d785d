"""Re-buys of timed levels: chips for a fee, at a table between two deals or between two levels."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from tournaments import money, people
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Placing, Tournament
from tournaments.services import charging, levels
from tournaments.services.lifecycle import lock
from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.lifecycle import State


def rebuy(*, tournament_id: int, player_id: int, actor: str, now: datetime) -> Entry:
    """Sell a player who is at no table the chips he needs for the next level.

    Raises `TournamentRefusal` (NOT_RUNNING, NOT_ENTERED, AT_A_TABLE), `StructureError`
    (REBUY_CLOSED, REBUYS_USED, REBUY_NOT_NEEDED, REBUY_TOO_SMALL) or `InsufficientFunds`; nothing
    is taken then.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.state != State.RUNNING:
            raise TournamentRefusal(
                TournamentCode.NOT_RUNNING, f"{tournament.name} is {tournament.state}, not running."
            )
        entry = tournament.entries.filter(player_id=player_id, state=EntryState.PLAYING).first()
        if entry is None:
            raise TournamentRefusal(
                TournamentCode.NOT_ENTERED, "Only a player who is still in can buy.", field="player"
            )
        number = _next_level(tournament)
        _refuse_seated(entry)
        holding = levels.holdings_of(tournament, [entry])[entry.pk]
        levels.levels_of(tournament).rebought(number, holding)
        _sell(tournament, entry, actor, now)
        Placing.objects.filter(entry=entry, table__round__number=number - 1).update(goes_on=True)
    return entry


def _next_level(tournament: Tournament) -> int:
    last = tournament.rounds.order_by("-number").first()
    if last is None or levels.is_last(tournament, last.number):
        raise StructureError(
            StructureCode.REBUY_CLOSED,
            "Chips are sold once level 1 has begun and until the last one has.",
            field="level",
        )
    return last.number + 1


def _refuse_seated(entry: Entry) -> None:
    """A table asks its players itself, and only there are chips of a running table changed."""
    if Placing.objects.filter(entry=entry, table__is_over=False).exists():
        raise TournamentRefusal(
            TournamentCode.AT_A_TABLE,
            "You are asked at your table between two deals, or buy when its level is over.",
            field="player",
        )


def sell_at_table(*, tournament: Tournament, player_id: int, now: datetime) -> None:
    """A player said yes at his table; the rules there have checked that he may.

    The caller holds the lock. Raises `InsufficientFunds`.
    """
    entry = tournament.entries.get(player_id=player_id)
    _sell(tournament, entry, money.player_owner(player_id), now)


def _sell(tournament: Tournament, entry: Entry, actor: str, now: datetime) -> None:
    offer = levels.levels_of(tournament).rebuy
    if offer is None:
        raise StructureError(
            StructureCode.REBUY_CLOSED, "There is no re-buy in this tournament.", field="level"
        )
    people.admit(tournament, entry, points=offer.fee, is_entry=False, now=now)
    entry.rejoins += 1
    with charging.asking_player(tournament, rebuy=offer.fee):
        money.take_rebuy(
            tournament=tournament,
            entry=entry,
            number=entry.rejoins,
            offer=offer,
            actor=actor,
            now=now,
        )
    entry.save(update_fields=["rejoins"])
