"""Calling players to their tables: in their inboxes, which send the e-mails that were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from tournaments import people
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Call, EntryState, Placing, RoundTable
from tournaments.play import floor
from tournaments.services.lifecycle import lock


def call_players(placings: Sequence[Placing], *, now: datetime) -> list[Call]:
    """Call everybody who is to sit down; bots and those who have left are not called."""
    calls = Call.objects.bulk_create(
        Call(entry=placing.entry, table=placing.table, at=now)
        for placing in placings
        if not placing.entry.bot and placing.entry.state == EntryState.PLAYING
    )
    _tell(calls, now)
    return calls


def call_again(*, tournament_id: int, table_id: int, now: datetime) -> int:
    """Call those who do not sit at their table yet once more, as if for the first time; how many.

    Raises `TournamentRefusal(UNKNOWN_TABLE)` unless the table is being played.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        open_tables = RoundTable.objects.select_related("round")
        table = open_tables.filter(pk=table_id, round__tournament=tournament, is_over=False).first()
        if table is None:
            raise TournamentRefusal(
                TournamentCode.UNKNOWN_TABLE,
                "This tournament has no such table that is being played.",
                field="table",
            )
        seated = floor.seated_at(table.match_id)
        waited_for = Call.objects.filter(table=table, entry__state=EntryState.PLAYING)
        absent = waited_for.exclude(entry__player__in=seated)
        missing = list(absent.values_list("entry__player_id", flat=True))
        call_back(table, missing, now=now)
    return len(missing)


def call_back(table: RoundTable, player_ids: Sequence[int], *, now: datetime) -> None:
    """Call players to a table once more that they have been called to, as if for the first time."""
    Call.objects.filter(table=table, entry__player_id__in=player_ids).update(at=now)
    people.call_again(table.pk, player_ids, now=now)


def _tell(calls: Sequence[Call], now: datetime) -> None:
    """Put the calls into the players' inboxes, each with the way to its table."""
    if not calls:
        return
    opened = RoundTable.objects.filter(pk__in={call.table_id for call in calls})
    named = dict(opened.values_list("pk", "match__table__public_id"))
    people.call(calls[0].table.round.tournament, calls, named, now=now)
