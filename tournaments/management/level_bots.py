"""Timed levels played by bots from the first level to the last.

The tables of a level are played at the same time, so each has the level's time for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from tournaments import money, services
from tournaments.models import Round, RoundTable, Tournament
from tournaments.play import bots, checks
from tournaments.services import levels
from tournaments.structure.rebuys import Rebuy

ACTOR: Final = "simulation"
Secrets = Callable[[str], bytes]
"""32 bytes for what a label names, as `play.fresh_secret`."""


class Clock:
    """Moments a second apart from a start; `now` is the last one given."""

    def __init__(self, start: datetime) -> None:
        self.now = start

    def moments(self) -> Iterator[datetime]:
        """The moments that follow."""
        while True:
            self.now += timedelta(seconds=1)
            yield self.now


def play_levels(
    *, tournament: Tournament, secret_for: Secrets, start: datetime, progress: Callable[[], Any]
) -> tuple[list[bots.TableRun], int, datetime]:
    """Play a started tournament until no level follows: the tables, the levels, the last moment."""
    runs: list[bots.TableRun] = []
    for run in level_steps(tournament=tournament, secret_for=secret_for, start=start):
        if run is not None:
            runs.append(run)
            progress()
    return runs, tournament.rounds.count(), checks.last_moment(tournament) or start


def level_steps(
    *, tournament: Tournament, secret_for: Secrets, start: datetime
) -> Iterator[bots.TableRun | None]:
    """Play a started tournament from where it stands until no level follows.

    Each step gives what was played at a table, None where a level was opened. Between two levels
    every other bot that may buy chips does, if it can pay. Raises what the services refuse.
    """
    while True:
        for table in open_tables(tournament):
            clock = Clock(checks.last_moment(tournament, table.match_id) or table.round.opened_at)
            chance = bots.Chance(secret_for(f"bots/{table.round.number}/{table.number}"))
            yield _play_table(tournament, table.match_id, secret_for, chance, clock)
        now = checks.last_moment(tournament) or start
        if _next_level(tournament, secret_for, now) is None:
            return
        yield None


def open_tables(tournament: Tournament) -> list[RoundTable]:
    """The tables that are being played, in order, with their rounds."""
    tables = RoundTable.objects.filter(round__tournament=tournament, is_over=False)
    return list(tables.select_related("round").order_by("round__number", "number"))


def _next_level(tournament: Tournament, secret_for: Secrets, now: datetime) -> Round | None:
    """Open the next level; where it has to be waited for, after that and after all re-buys."""
    opened = services.open_round(tournament_id=tournament.pk, secret_for=secret_for, now=now)
    if opened is not None:
        return opened
    later = now + timedelta(seconds=levels.seconds_to_next(tournament, now))
    offer = levels.levels_of(tournament).rebuy
    if offer is not None:
        _buy(tournament, offer, secret_for, now)
    return services.open_round(tournament_id=tournament.pk, secret_for=secret_for, now=later)


def _buy(tournament: Tournament, offer: Rebuy, secret_for: Secrets, now: datetime) -> None:
    number = tournament.rounds.count() + 1
    chance = bots.Chance(secret_for(f"rebuys/{number}"))
    for entry in levels.who_may_buy(tournament):
        wants = chance.below(2, "rebuy", str(entry.number)) == 1
        if wants and money.can_pay_rebuy(tournament, entry.player_id, offer):
            services.rebuy(
                tournament_id=tournament.pk, player_id=entry.player_id, actor=ACTOR, now=now
            )


def _play_table(
    tournament: Tournament, match_id: int, secret_for: Secrets, chance: bots.Chance, clock: Clock
) -> bots.TableRun:
    offer = levels.levels_of(tournament).rebuy

    def can_pay(player: int) -> bool:
        return offer is not None and money.can_pay_rebuy(tournament, player, offer)

    return bots.play_table(
        match_id=match_id,
        secret_for=secret_for,
        chance=chance,
        may_rejoin=can_pay,
        moments=clock.moments(),
    )
