"""The desk of a running tournament: more time, and players who leave it in the middle.

Who leaves forfeits his open games, closed rounds stay as they were, and his opponent goes on. He
ranks by how far he came, behind all who went out in the same round. Each thing leaves a `Decision`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from tournaments import people
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import (
    Decision,
    DecisionKind,
    Entry,
    EntryState,
    Left,
    Placing,
    RoundTable,
    Tournament,
)
from tournaments.play import desk
from tournaments.services.lifecycle import lock
from tournaments.services.pausing import keep_paused
from tournaments.structure.lifecycle import State, is_live

MAX_REASON = 500


def extend(
    *,
    tournament_id: int,
    table_id: int | None = None,
    seconds: int,
    actor: str,
    reason: str,
    now: datetime,
) -> int:
    """Give a table, or all tables, so many seconds more; how many tables that was something to.

    It counts for the turn, declaration or answer that is awaited now. Raises `RuleViolation` unless
    1 to 3,600 seconds, `TournamentRefusal` (NOT_RUNNING, UNKNOWN_TABLE).
    """
    with transaction.atomic():
        tournament = lock_live(tournament_id)
        tables = _open_tables(tournament, table_id)
        given = [
            table
            for table in tables
            if desk.extend_table(match_id=table.match_id, seconds=seconds, now=now)
        ]
        if given:
            decided(
                tournament,
                DecisionKind.EXTENDED,
                table_name=name_of(tables[0]) if table_id is not None else "",
                actor=actor,
                reason=reason,
                after={"seconds": seconds, "tables": [name_of(table) for table in given]},
                now=now,
            )
    return len(given)


def _open_tables(tournament: Tournament, table_id: int | None) -> list[RoundTable]:
    found = RoundTable.objects.filter(round__tournament=tournament, is_over=False)
    if table_id is not None:
        found = found.filter(pk=table_id)
    tables = list(found.select_related("round").order_by("match_id"))
    if table_id is not None and not tables:
        raise TournamentRefusal(
            TournamentCode.UNKNOWN_TABLE,
            "This tournament has no such table that is being played.",
            field="table",
        )
    return tables


def withdraw(
    *, tournament_id: int, player_id: int, actor: str, reason: str = "", now: datetime
) -> Entry:
    """Let a player leave a tournament that has started, by his own or by staff's wish.

    Raises `TournamentRefusal`: NOT_RUNNING, or NOT_ENTERED for who does not play (any more).
    """
    return _take_out(tournament_id, player_id, Left.WITHDRAWN, actor=actor, reason=reason, now=now)


def disqualify(
    *, tournament_id: int, player_id: int, actor: str, reason: str, now: datetime
) -> Entry:
    """Put a player out for what he did; he cannot enter again. Raises as `withdraw`, BAD_REASON."""
    if not reason.strip():
        raise TournamentRefusal(
            TournamentCode.BAD_REASON, "Say why the player is disqualified.", field="reason"
        )
    return _take_out(
        tournament_id, player_id, Left.DISQUALIFIED, actor=actor, reason=reason, now=now
    )


def _take_out(
    tournament_id: int, player_id: int, left: Left, *, actor: str, reason: str, now: datetime
) -> Entry:
    with transaction.atomic():
        tournament = lock_live(tournament_id)
        entry = tournament.entries.filter(player_id=player_id).first()
        if entry is None or entry.state != EntryState.PLAYING:
            raise TournamentRefusal(
                TournamentCode.NOT_ENTERED, "This player is not in it any more.", field="player"
            )
        entry.state, entry.left, entry.left_at = EntryState.OUT, left, now
        entry.left_reason = reason[:MAX_REASON]
        entry.save(update_fields=["state", "left", "left_at", "left_reason"])
        tables = _forfeit(entry, actor, now)
        Tournament.objects.filter(pk=tournament.pk).update(is_due=True)
        keep_paused(tournament, now=now)
        decided(
            tournament,
            DecisionKind(left.value),
            entry=entry,
            actor=actor,
            reason=reason,
            before={"state": EntryState.PLAYING.value},
            after={"state": entry.state, "forfeits": tables},
            now=now,
        )
    return entry


def _forfeit(entry: Entry, actor: str, now: datetime) -> list[str]:
    """Take a player out of every match he is in; the tables' names."""
    open_seats = Placing.objects.filter(entry=entry, table__is_over=False)
    names = []
    for placing in open_seats.select_related("table__round").order_by("table__match_id"):
        match_id = placing.table.match_id
        desk.remove_player(match_id=match_id, seat=placing.seat, actor=actor, now=now)
        people.calls_over(entry.tournament, placing.table_id, entry.player_id)
        names.append(name_of(placing.table))
    return names


def lock_live(tournament_id: int) -> Tournament:
    """The tournament, locked. Raises `TournamentRefusal(NOT_RUNNING)` unless it has started."""
    tournament = lock(tournament_id)
    if not is_live(State(tournament.state)):
        raise TournamentRefusal(
            TournamentCode.NOT_RUNNING, f"{tournament.name} is {tournament.state}, not running."
        )
    return tournament


def name_of(table: RoundTable) -> str:
    """A table as people call it; it comes with its round."""
    return f"round {table.round.number}, table {table.number}"


def decided(
    tournament: Tournament,
    kind: DecisionKind,
    *,
    entry: Entry | None = None,
    table_name: str = "",
    actor: str,
    reason: str,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    now: datetime,
) -> Decision:
    """Write down what was decided; the caller's transaction does it."""
    return Decision.objects.create(
        tournament=tournament,
        kind=kind,
        entry=entry,
        table_name=table_name,
        actor=actor,
        reason=reason[:MAX_REASON],
        before=dict(before or {}),
        after=dict(after or {}),
        at=now,
    )
