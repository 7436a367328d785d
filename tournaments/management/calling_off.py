"""A simulated tournament that its organiser calls off at a moment that chance draws.

The moment is drawn from what stands in the database - how many have joined, how many tables are
over - so whoever goes on after a crash calls it off all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Final

import msgspec

from tournaments import services
from tournaments.models import RoundTable, Tournament
from tournaments.play import bots
from tournaments.structure.errors import StructureError
from tournaments.structure.lifecycle import State, is_live, is_over

ACTOR: Final = "simulation"
REASON: Final = "The hall is closed."
MOVES: Final = 40
"""Below so many moves are made at the table that is cut off."""
SHEETS: Final = 2
"""Below so many deals are entered, where no card is played."""


class Interrupted(Exception):
    """A table is cut off in the middle of a deal, or between two."""


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """When it is called off: after `joined` joinings before the start, or after `tables` tables.

    `moments` more are played of the table that comes then. `by_standing` divides the pool, where a
    round is finished.
    """

    joined: int | None
    tables: int
    moments: int
    by_standing: bool


def drawn(chance: bots.Chance, *, players: int, tables: int, moments: int) -> Moment:
    """A moment out of `players` joinings or `tables` tables; one time in three before the start."""
    is_before = chance.below(3, "before the start") == 0
    return Moment(
        joined=1 + chance.below(players, "joined") if is_before else None,
        tables=chance.below(max(1, tables), "tables"),
        moments=chance.below(moments, "moments"),
        by_standing=chance.below(2, "by standing") == 1,
    )


def is_come(moment: Moment, tournament: Tournament) -> bool:
    """Whether it is called off before anything more is done; not in the middle of its tables."""
    if moment.joined is not None:
        return tournament.numbers_given >= moment.joined
    return False


def cut(moment: Moment, tournament: Tournament, moments: Iterator[datetime]) -> Iterator[datetime]:
    """The moments of a table; `Interrupted` where it is called off at this one."""
    over = RoundTable.objects.filter(round__tournament=tournament, is_over=True).count()
    if moment.joined is not None or over < moment.tables:
        for at in moments:  # which go on at the next table; `yield from` would close them
            yield at
    for _, at in zip(range(moment.moments), moments, strict=False):
        yield at
    raise Interrupted


def call_off(moment: Moment, tournament: Tournament, *, now: datetime) -> None:
    """Cancel it, or abort it and void what is being played. Over already, it stays as it is."""
    state = State(tournament.state)
    if is_over(state):
        return
    if not is_live(state):
        services.cancel(tournament_id=tournament.pk, actor=ACTOR, reason=REASON, now=now)
        return
    has_standing = tournament.rounds.filter(closed_at__isnull=False).exists()
    services.abort(
        tournament_id=tournament.pk,
        actor=ACTOR,
        reason=REASON,
        by_standing=moment.by_standing and has_standing,
        now=now,
    )


def call_off_again(tournament: Tournament, *, now: datetime) -> None:
    """What an organiser does who has not seen that it is over; it is refused."""
    for again in (services.cancel, services.abort):
        with suppress(StructureError):
            again(tournament_id=tournament.pk, actor=ACTOR, reason=REASON, now=now)
