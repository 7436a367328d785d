"""What follows for a tournament when something happens at one of its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db.models import F

from tournaments import money, people, play
from tournaments.models import Entry, Placing, RoundTable, Shape, TableKind, Tournament
from tournaments.services import charging, incoming, levels, rebuys
from tournaments.services.lifecycle import lock


def lock_owner(owner: str) -> Tournament | None:
    """Lock the tournament that a table belongs to; None for a table of somebody else."""
    tournament_id = play.tournament_id_of(owner)
    return None if tournament_id is None else lock(tournament_id)


def may_deal(*, owner: str, match_id: int, now: datetime) -> bool:
    """Whether a further deal may begin at a table of timed levels."""
    tournament = lock_owner(owner)
    if tournament is None or tournament.shape != Shape.LEVELS:
        return True
    return levels.may_deal(tournament=tournament, match_id=match_id, now=now)


def deal_finished(
    *, owner: str, match_id: int, deal: str, changes: Mapping[int, int], now: datetime
) -> None:
    """Settle a deal's chips between the players' stacks; `deal` names it among all deals."""
    tournament = lock_owner(owner)
    if tournament is None or not play.plays_for_chips(play.terms_of(tournament)):
        return
    placings = Placing.objects.filter(table__match_id=match_id)
    # Tie-breaks are not played for chips.
    seated = dict(placings.exclude(table__kind=TableKind.TIE_BREAK).values_list("seat", "entry_id"))
    if not seated:
        return
    money.settle_deal(
        tournament=tournament,
        deal=deal,
        changes={seated[seat]: change for seat, change in changes.items()},
        now=now,
    )


def rejoined(*, owner: str, player_id: int, number: int, now: datetime) -> None:
    """Take the buy-in of a player who comes back; refused if he cannot pay it."""
    tournament = lock_owner(owner)
    if tournament is None:
        return
    if tournament.shape == Shape.LEVELS:
        rebuys.sell_at_table(tournament=tournament, player_id=player_id, now=now)
        return
    entry = Entry.objects.get(tournament=tournament, player_id=player_id)
    people.admit(tournament, entry, points=tournament.entry_fee, is_entry=False, now=now)
    with charging.asking_player(tournament):
        money.take_rejoin(tournament=tournament, player_id=player_id, number=number, now=now)
    Entry.objects.filter(tournament=tournament, player_id=player_id).update(
        rejoins=F("rejoins") + 1
    )


def match_finished(
    *,
    owner: str,
    match_id: int,
    outcome: play.MatchOver,
    results: Sequence[play.DealResult],
    now: datetime,
) -> None:
    """Enter a finished table into its round."""
    tournament = lock_owner(owner)
    if tournament is None:
        return
    table = RoundTable.objects.select_related("round").get(match_id=match_id)
    incoming.match_ended(tournament, table, play.Ended(outcome, tuple(results)), now=now)
