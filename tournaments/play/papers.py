"""Tables in person, with results that nobody played: a scorer's sheets, filled in by chance.

They go the way of every scorer's sheet, so that a tournament of thousands takes minutes. Points are
tens, and few of them, so that players are often level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final

from tables import selectors, services
from tables.rules.bots import Chance
from tables.rules.formats import Match, NextDeal
from tables.rules.score_sheet import Kind, SheetRow
from tournaments.play.bots import Table, between_deals
from tournaments.play.tables import SecretSource

SCORER: Final = "scorer"
_POINTS: Final = (10, 20, 20, 30, 40, 50)
_LOSES: Final = (Kind.LOST, Kind.LOST, Kind.LOST, Kind.DROP, Kind.MIDDLE_DROP, Kind.ABSENT)


def score_table(
    *,
    match_id: int,
    secret_for: SecretSource,
    chance: Chance,
    may_rejoin: Callable[[int], bool],
    moments: Iterator[datetime],
) -> None:
    """Fill in a match's sheet from where it stands to its end; as `bots.play_table` plays one."""
    table = Table(match_id, secret_for, chance, may_rejoin, moments)
    while True:
        game = selectors.game_of(table.match_id)
        entry, step = between_deals(table, game), game.next_step()
        if entry is not None:
            services.answer_on_sheet(
                match_id=table.match_id,
                entry=entry,
                actor=SCORER,
                sheet_version=len(game.log),
                secret_for=table.secret_for,
                now=next(table.moments),
            )
        elif isinstance(step, NextDeal):
            services.enter_deal(
                match_id=table.match_id,
                rows=_rows(step, game, table.chance),
                actor=SCORER,
                sheet_version=len(game.log),
                secret_for=table.secret_for,
                now=next(table.moments),
            )
        else:
            return


def _rows(step: NextDeal, game: Match, chance: Chance) -> list[SheetRow]:
    """One winner, and everybody else as chance has it."""
    at = str(len(game.log))
    winner = step.seats[chance.below(len(step.seats), "wins", at)]
    return [
        SheetRow(seat=seat, kind=Kind.WON) if seat == winner else _row(step, seat, chance, at)
        for seat in step.seats
    ]


def _row(step: NextDeal, seat: int, chance: Chance, at: str) -> SheetRow:
    kind = _LOSES[chance.below(len(_LOSES), "loses", at, str(seat))]
    if kind is not Kind.LOST and (not step.terms.has_drop or seat in step.no_drop):
        kind = Kind.LOST
    points = _POINTS[chance.below(len(_POINTS), "points", at, str(seat))]
    return SheetRow(seat=seat, kind=kind, points=points if kind is Kind.LOST else None)
