"""How things stand around a table, as far as an arbiter's ruling can change them."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.models import Placing, RoundTable, Tournament
from tournaments.selectors.lists import player_name
from tournaments.services.awarding import award
from tournaments.services.desk import name_of
from tournaments.services.rounds import final_is_over
from tournaments.services.standing import final_standings
from tournaments.structure.overrides import Fate, Line, LostTable, Picture


def picture_of(tournament: Tournament, table: RoundTable) -> Picture:
    """Everybody of the table's round, and who would get what if the final is over."""
    rows = Placing.objects.filter(table__round=table.round_id).select_related(
        "entry__player", "table"
    )
    lines = {}
    for row in rows.order_by("table__kind", "entry__number"):
        if row.table_id == table.pk or row.entry.number not in lines:
            lines[row.entry.number] = _line(row)
    return Picture(tuple(lines[number] for number in sorted(lines)), _prizes(tournament))


def _line(row: Placing) -> Line:
    fate = Fate.OUT if row.place is not None else Fate.OPEN
    if row.goes_on or row.is_tied:
        fate = Fate.GOES_ON if row.goes_on else Fate.TIED
    return Line(row.entry.number, player_name(row.entry), fate, row.place, row.score)


def _prizes(tournament: Tournament) -> tuple[tuple[int, int], ...]:
    last = tournament.rounds.order_by("-number").first()
    if last is None or last.closed_at is None or not final_is_over(tournament, last):
        return ()
    gets = award(tournament, final_standings(tournament)).gets
    numbers = dict(tournament.entries.values_list("pk", "number"))
    return tuple(sorted((numbers[pk], what.amount) for pk, what in gets.items() if what.amount))


def lost_tables(later: Sequence[RoundTable]) -> list[LostTable]:
    return [
        LostTable(
            name=name_of(table),
            players=tuple(
                player_name(placing.entry)
                for placing in table.placings.select_related("entry__player").order_by("seat")
            ),
            deals=table.match.deals_dealt,
        )
        for table in later
    ]
