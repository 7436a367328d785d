"""Moving a player to another table of his round, before anybody has been dealt a card there.

Both tables get a new match with the people who sit there then; the draw stays what it was, and the
move stands beside it as a decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from tournaments import people, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import (
    Call,
    Decision,
    DecisionKind,
    EntryState,
    Placing,
    RoundTable,
    Shape,
    TableKind,
    Tournament,
)
from tournaments.play import desk as desk_tables
from tournaments.services.calls import call_back, call_players
from tournaments.services.desk import decided, name_of
from tournaments.services.lifecycle import lock
from tournaments.structure.lifecycle import State
from tournaments.structure.overrides import Consequences, Move, move_consequences
from tournaments.structure.rounds import BestOfTable

FEWEST = 2


class _Way(NamedTuple):
    """A placing that changes its table, and who sits at both tables, in the order of seats."""

    placing: Placing
    to: RoundTable
    leaves: list[Placing]
    joins: list[Placing]


def preview_move(
    *, tournament_id: int, player_id: int, table_id: int, now: datetime
) -> Consequences:
    """What would follow if a player moved to this table; nothing is changed. Raises as `move`."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        return _told(tournament, _way(tournament, player_id, table_id))


def move(
    *,
    tournament_id: int,
    player_id: int,
    table_id: int,
    confirmed: str,
    actor: str,
    reason: str,
    now: datetime,
) -> Decision:
    """Move a player, as `preview_move` told; `confirmed` is the token of that.

    Raises `TournamentRefusal`: NOT_RUNNING, NOT_ENTERED, UNKNOWN_TABLE, CHANGED_MEANWHILE,
    BAD_REASON, BAD_RULING where the tables' sizes or the shape do not allow it;
    `TableRefusal(DEALS_PLAYED)`.
    """
    if not reason.strip():
        raise TournamentRefusal(
            TournamentCode.BAD_REASON, "Say why the player is moved.", field="reason"
        )
    with transaction.atomic():
        tournament = lock(tournament_id)
        way = _way(tournament, player_id, table_id)
        told = _told(tournament, way)
        if told.token != confirmed:
            raise TournamentRefusal(
                TournamentCode.CHANGED_MEANWHILE,
                "Something has changed since you looked; look at the consequences again.",
                field="confirmed",
            )
        source, before = way.placing.table, _seats(way)
        _carry_out(tournament, way, actor=actor, now=now)
        return decided(
            tournament,
            DecisionKind.MOVED,
            entry=way.placing.entry,
            table_name=name_of(source),
            actor=actor,
            reason=reason,
            before={"round": source.round.number, "seats": before},
            after={"table": name_of(way.to), "told": list(told.sentences)},
            now=now,
        )


def _way(tournament: Tournament, player_id: int, table_id: int) -> _Way:
    if tournament.state != State.RUNNING:
        raise TournamentRefusal(
            TournamentCode.NOT_RUNNING,
            f"{tournament.name} is {tournament.state}; players are moved while it runs.",
        )
    if tournament.shape != Shape.KNOCKOUT:
        raise _refused("Only in a knock-out of several tables players can change their table.")
    sits = Placing.objects.filter(
        table__round__tournament=tournament,
        table__is_over=False,
        table__kind=TableKind.PLAY,
        entry__player_id=player_id,
        entry__state=EntryState.PLAYING,
    )
    placing = sits.select_related("table__round", "entry__player").first()
    if placing is None:
        raise TournamentRefusal(
            TournamentCode.NOT_ENTERED, "This player sits at no table now.", field="player"
        )
    to = _target(placing, table_id)
    leaves, joins = _at(placing.table), _at(to)
    if len(leaves) <= FEWEST:
        raise _refused("One player alone would be left behind; move his opponent's table instead.")
    if len(joins) >= play.terms_of(tournament).seats:
        raise _refused("That table is full; choose another one.")
    return _Way(placing, to, leaves, joins)


def _refused(sentence: str) -> TournamentRefusal:
    return TournamentRefusal(TournamentCode.BAD_RULING, sentence, field="table")


def _target(placing: Placing, table_id: int) -> RoundTable:
    tables = RoundTable.objects.filter(
        pk=table_id, round=placing.table.round, kind=TableKind.PLAY, is_over=False
    )
    to = tables.select_related("round").first()
    if to is None:
        raise TournamentRefusal(
            TournamentCode.UNKNOWN_TABLE,
            "There is no such table in this player's round that is being played.",
            field="table",
        )
    if to.pk == placing.table_id:
        raise _refused("The player sits at this table already.")
    return to


def _at(table: RoundTable) -> list[Placing]:
    return list(table.placings.select_related("entry").order_by("seat"))


def _places(tournament: Tournament, table: RoundTable, size: int) -> int | None:
    advance = play.terms_of(tournament).advance
    if table.places is None or not isinstance(advance, BestOfTable):
        return table.places
    return min(advance.places, size - 1)


def _told(tournament: Tournament, way: _Way) -> Consequences:
    source, player = way.placing.table, way.placing.entry.player
    fewer, more = len(way.leaves) - 1, len(way.joins) + 1
    found = Move(
        player=player.get_full_name() or player.get_username(),
        from_table=name_of(source),
        to_table=name_of(way.to),
        from_size=fewer,
        to_size=more,
        from_places=_places(tournament, source, fewer),
        to_places=_places(tournament, way.to, more),
    )
    return move_consequences(found, from_places=source.places, to_places=way.to.places)


def _seats(way: _Way) -> dict[str, list[int]]:
    """Entries' numbers by table, as they sit before the move."""
    return {
        str(way.placing.table.number): [placing.entry.number for placing in way.leaves],
        str(way.to.number): [placing.entry.number for placing in way.joins],
    }


def _carry_out(tournament: Tournament, way: _Way, *, actor: str, now: datetime) -> None:
    source = way.placing.table
    stay = [placing for placing in way.leaves if placing.pk != way.placing.pk]
    moved = Placing.objects.get(pk=way.placing.pk)
    moved.table, moved.seat = way.to, len(way.joins)
    moved.save(update_fields=["table", "seat"])
    for seat, placing in enumerate(stay):
        Placing.objects.filter(pk=placing.pk).update(seat=seat)
    Call.objects.filter(entry=moved.entry, table=source).delete()
    people.calls_over(tournament, source.pk, moved.entry.player_id)
    sides = [(source, stay), (way.to, [*way.joins, way.placing])]
    for table, seated in sorted(sides, key=lambda side: side[0].match_id):
        _seat_anew(tournament, table, seated, actor=actor, now=now)
    call_players([Placing.objects.select_related("entry", "table").get(pk=moved.pk)], now=now)
    # Who is moved back to a table was called there before.
    call_back(way.to, [moved.entry.player_id], now=now)


def _seat_anew(
    tournament: Tournament,
    table: RoundTable,
    seated: Sequence[Placing],
    *,
    actor: str,
    now: datetime,
) -> None:
    """A new match for who sits there now; who has left the tournament forfeits in it, too."""
    places, round_row = _places(tournament, table, len(seated)), table.round
    if places is not None and table.places is not None:
        round_row.refresh_from_db()
        round_row.places = (round_row.places or 0) + places - table.places
        round_row.save(update_fields=["places"])
    entries = [placing.entry for placing in seated]
    table.match_id = desk_tables.reseat(match_id=table.match_id, entries=entries, now=now)
    table.places = places
    table.save(update_fields=["match", "places"])
    for seat, entry in enumerate(entries):
        if entry.state != EntryState.PLAYING:
            desk_tables.remove_player(match_id=table.match_id, seat=seat, actor=actor, now=now)
