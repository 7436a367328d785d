"""Taking the result of a table back, as long as nothing was built on it.

What was decided by the result is undecided again: who goes on from the table, the stage of a
tie-break it belongs to, the round that it closed. Who has left the tournament stays away. The
caller holds the tournament's lock.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet

from tournaments import money, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import (
    Entry,
    EntryState,
    Lot,
    Placing,
    RoundTable,
    Shape,
    TableKind,
    Tournament,
)
from tournaments.services import levels
from tournaments.structure.lifecycle import State


def take_back(
    *, tournament: Tournament, table: RoundTable, actor: str, reason: str, now: datetime
) -> None:
    """Open a finished table again.

    Raises `TournamentRefusal`: `NOT_RUNNING` once prizes are settled, `RESULT_USED` once a later
    table or a lot stands on the result.
    """
    _check_running(tournament)
    _check_unused(tournament, table)
    if table.kind != TableKind.TIE_BREAK and play.plays_for_chips(play.terms_of(tournament)):
        money.return_chips(tournament=tournament, table=table, actor=actor, reason=reason, now=now)
    table.is_over, table.split_weights = False, ""
    table.reopened += 1
    table.save(update_fields=["is_over", "split_weights", "reopened"])
    table.placings.update(place=None, score=None, margin=None)
    undecided = _decided_by(table)
    undecided.update(goes_on=False, is_tied=False)
    players = list(undecided.values_list("entry_id", flat=True))
    if table.kind == TableKind.TIE_BREAK:
        _tie_again(table, players)
    beaten = Entry.objects.filter(pk__in=players, state=EntryState.OUT, left="")
    beaten.update(state=EntryState.PLAYING)
    _open_round(table)


def _check_running(tournament: Tournament) -> None:
    if tournament.state != State.RUNNING:
        raise TournamentRefusal(
            TournamentCode.NOT_RUNNING,
            f"{tournament.name} is {tournament.state}, so its results stand. If it is paused, "
            "resume it first.",
        )


def _check_unused(tournament: Tournament, table: RoundTable) -> None:
    """Raises `RESULT_USED`."""
    used = _later_tables(tournament, table).order_by("pk").first()
    if tournament.shape == Shape.LEVELS and _has_bought(tournament, table):
        by = "chips were bought"
    elif used is not None:
        by = f"table {used.number} of round {used.round.number} was opened"
    elif Lot.objects.filter(_concerns(table), round=table.round).exists():
        by = "a lot was drawn"
    else:
        return
    raise TournamentRefusal(
        TournamentCode.RESULT_USED,
        f"This result stands, since {by} on the strength of it; ask the organiser for a ruling.",
    )


def _has_bought(tournament: Tournament, table: RoundTable) -> bool:
    """Whether somebody of the table goes on to the next level by chips bought since."""
    number = table.round.number
    if levels.is_last(tournament, number):
        return False
    needed = levels.levels_of(tournament).level(number + 1).minimum_chips
    return table.placings.filter(goes_on=True, score__lt=needed).exists()


def _concerns(table: RoundTable) -> Q:
    """Tie-breaks and lots that decide what this table left open."""
    return Q(decides=None) | Q(decides__in=[table.pk, table.decides_id])


def _later_tables(tournament: Tournament, table: RoundTable) -> QuerySet[RoundTable]:
    later = RoundTable.objects.filter(round__tournament=tournament, pk__gt=table.pk)
    later = later.select_related("round")
    of_the_tied = Q(round=table.round, kind=TableKind.TIE_BREAK, stage__gt=table.stage)
    if tournament.shape == Shape.HEADS_UP:
        mine = Q(placings__entry__in=table.placings.values("entry_id"))
        return later.filter(mine)
    return later.filter(Q(round__number__gt=table.round.number) | (of_the_tied & _concerns(table)))


def _decided_by(table: RoundTable) -> QuerySet[Placing]:
    """The seats whose fate hung on this table: its own, those of its stage, or of all tables."""
    if table.kind == TableKind.TIE_BREAK:
        return Placing.objects.filter(
            table__round=table.round_id,
            table__kind=TableKind.TIE_BREAK,
            table__decides=table.decides_id,
            table__stage=table.stage,
        )
    if table.places is None and table.round.places:
        # The best of all tables go on, so the round was cut as a whole.
        return Placing.objects.filter(table__round=table.round_id, table__kind=TableKind.PLAY)
    return Placing.objects.filter(table=table)


def _tie_again(table: RoundTable, players: list[int]) -> None:
    """Who played the tie-break is tied where he tied."""
    at_stake = Placing.objects.filter(table__round=table.round_id, entry_id__in=players)
    at_stake = at_stake.exclude(table__kind=TableKind.TIE_BREAK)
    if table.decides_id is not None:
        at_stake = at_stake.filter(table=table.decides_id)
    at_stake.update(goes_on=False, is_tied=True)


def _open_round(table: RoundTable) -> None:
    table.round.closed_at = None
    table.round.save(update_fields=["closed_at"])
