"""What has to be true of the chips of timed levels: none is made but by what was paid for."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from tournaments.models import Entry, Placing, Tournament
from tournaments.play import checks
from tournaments.services.levels import levels_of


def level_chip_faults(tournament: Tournament) -> Iterator[str]:
    """At each table, and for each player from level to level."""
    levels = levels_of(tournament)
    each = levels.rebuy.chips if levels.rebuy else 0
    had: dict[int, int] = {}
    bought: Counter[int] = Counter()
    for table, placings in _tables(tournament):
        brought = checks.brought_to(table)
        chips, at_table = sum(b.chips for b in brought.values()), Counter[int]()
        for placing in placings:
            entry, seat = placing.entry, brought[placing.seat]
            at_table[entry.pk] += seat.rebuys
            before = had.get(entry.pk, levels.starting_chips)
            between = seat.chips - before
            had[entry.pk] = placing.score or 0
            if entry.reentries:
                continue
            if between not in (0, each):
                yield f"Entry {entry.number} came with {seat.chips} chips and had {before}."
            at_table[entry.pk] += bool(between) and between == each
        rebuys = sum(b.rebuys for b in brought.values())
        ended = sum(placing.score or 0 for placing in placings)
        if ended != chips + rebuys * each:
            yield f"Match {table} ended with {ended} chips and began with {chips}."
        bought += at_table
    for entry in Entry.objects.filter(pk__in=had, reentries=0):
        if entry.rejoins < bought[entry.pk]:
            yield (
                f"Entry {entry.number} has the chips of {bought[entry.pk]} re-buys and paid for "
                f"{entry.rejoins}."
            )


def _tables(tournament: Tournament) -> Iterator[tuple[int, list[Placing]]]:
    """Each match of the levels in order, with its placings."""
    rows = (
        Placing.objects.filter(table__round__tournament=tournament)
        .select_related("entry", "table__round")
        .order_by("table__round__number", "table__number", "seat")
    )
    tables: dict[int, list[Placing]] = defaultdict(list)
    for placing in rows:
        tables[placing.table.match_id].append(placing)
    yield from tables.items()
