"""Keeping the column by which the sweep finds what is due."""

from __future__ import annotations

from tournaments.models import Tournament
from tournaments.structure.due import next_due
from tournaments.structure.lifecycle import State


def refresh(tournament: Tournament) -> None:
    """Work out anew when something is due; whoever changes state or times calls this and saves."""
    due = next_due(
        State(tournament.state),
        tournament.times,
        check_in_ended=tournament.check_in_ended_at is not None,
    )
    tournament.due_at = None if due is None else due.at
