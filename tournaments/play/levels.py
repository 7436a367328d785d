"""What a table of timed levels says about its players at its end."""

from __future__ import annotations

from tables.rules.formats import MatchOver


def chips_at_table(outcome: MatchOver) -> dict[int, tuple[int, int]]:
    """Place, from 1, and chips of each seat at the end of a level's table."""
    chips = dict(outcome.scores)
    found: dict[int, tuple[int, int]] = {}
    for tied in outcome.places:
        place = len(found) + 1
        found |= {seat: (place, chips[seat]) for seat in tied}
    return found
