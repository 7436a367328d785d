"""A match that is over, entered into its round by the shape of its tournament."""

from __future__ import annotations

from datetime import datetime

from tournaments import play
from tournaments.models import RoundTable, Shape, Tournament
from tournaments.services import levels, results


def match_ended(
    tournament: Tournament, table: RoundTable, ended: play.Ended, *, now: datetime
) -> None:
    """Enter a finished table; the caller holds the tournament's lock. Twice enters it once."""
    if tournament.shape == Shape.LEVELS:
        levels.take_result(tournament=tournament, table=table, outcome=ended.outcome, now=now)
        return
    results.take_result(
        tournament=tournament,
        table=table,
        results=play.seat_results(play.terms_of(tournament), ended.outcome, ended.results),
        split_weights=ended.outcome.split_weights,
        now=now,
    )
