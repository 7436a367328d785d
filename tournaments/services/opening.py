"""Opening tables of a round: matches, seats, chips, calls, in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from tournaments import money, play
from tournaments.models import (
    Entry,
    EntryState,
    Placing,
    Round,
    RoundTable,
    Shape,
    TableKind,
    Tournament,
)
from tournaments.play import desk
from tournaments.services.calls import call_players
from tournaments.services.lifecycle import SecretSource, commit_next_draw


class NewTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table to be opened; `entries` are in the order of seats.

    `places` says how many go on from it, None where the best of all tables do. A tie-break has a
    `stage` and may decide the places of a table. `options` is its own format, if it has one.
    """

    number: int
    entries: tuple[Entry, ...]
    kind: TableKind = TableKind.PLAY
    places: int | None = None
    decides: RoundTable | None = None
    stage: int = 0
    options: play.AnyFormat | None = None


def open_round_row(
    tournament: Tournament,
    *,
    number: int,
    places: int,
    tables: int,
    secret_for: SecretSource,
    now: datetime,
) -> Round:
    """The row of a new round: it reveals the draw's secret, commits to its lots and to the next."""
    lots = secret_for(f"{tournament.draw_label}/lots-{number}")
    opened = Round.objects.create(
        tournament=tournament,
        number=number,
        draw_commitment=tournament.next_commitment,
        draw_secret=tournament.next_secret,
        lot_commitment=play.commitment_of(lots),
        lot_secret=lots.hex(),
        places=places,
        tables_planned=tables,
        opened_at=now,
    )
    commit_next_draw(tournament, number + 1, secret_for)
    tournament.save(update_fields=["next_secret", "next_commitment"])
    return opened


def open_tables(
    tournament: Tournament,
    opened: Round,
    wanted: Sequence[NewTable],
    *,
    options: play.AnyFormat,
    secret_for: SecretSource,
    now: datetime,
) -> list[RoundTable]:
    """Open tables of one format in a round; who has left forfeits at once.

    Chips are issued for this round, except at tie-breaks, which are not played for chips, and in
    timed levels, where they are carried over.
    """
    terms = play.terms_of(tournament)
    matches = play.open_round_tables(
        tournament=tournament,
        round_number=opened.number,
        options=options,
        tables={table.number: table.entries for table in wanted},
        own_options={table.number: table.options for table in wanted if table.options},
        terms=terms,
        secret_for=secret_for,
        now=now,
    )
    rows = RoundTable.objects.bulk_create(
        RoundTable(
            round=opened,
            number=table.number,
            kind=table.kind,
            match_id=matches[table.number],
            places=table.places,
            decides=table.decides,
            stage=table.stage,
        )
        for table in wanted
    )
    placings = Placing.objects.bulk_create(
        Placing(table=row, entry=entry, seat=seat)
        for row, table in zip(rows, wanted, strict=True)
        for seat, entry in enumerate(table.entries)
    )
    if wanted[0].kind != TableKind.TIE_BREAK and tournament.shape != Shape.LEVELS:
        money.issue_chips(
            tournament=tournament,
            round_number=opened.number,
            first_match=matches[wanted[0].number],
            entry_ids=[placing.entry_id for placing in placings],
            each=play.starting_chips(terms),
            now=now,
        )
    call_players(placings, now=now)
    _forfeit(placings, now)
    return rows


def _forfeit(placings: Sequence[Placing], now: datetime) -> None:
    """Take those out of their matches who left the tournament before their table opened."""
    for placing in placings:
        table = placing.table
        if placing.entry.state == EntryState.PLAYING or play.ended(table.match_id):
            continue
        desk.remove_player(match_id=table.match_id, seat=placing.seat, actor="clock", now=now)
