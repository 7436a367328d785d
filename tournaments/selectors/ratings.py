"""How strong players are, in the whole numbers that people read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tournaments.models import Rating
from tournaments.structure.ratings import Strength, readable

_CHUNK: Final = 500


def rating_of(player_id: int) -> int | None:
    """What a player's matches show him to be worth at least; None before the first one."""
    return ratings_of([player_id]).get(player_id)


def ratings_of(player_ids: Sequence[int]) -> dict[int, int]:
    """The ratings of those of the players who have one. A query for 500 players."""
    found: dict[int, int] = {}
    for start in range(0, len(player_ids), _CHUNK):
        rows = Rating.objects.filter(player__in=player_ids[start : start + _CHUNK], matches__gt=0)
        found |= {row.player_id: readable(Strength(row.mu, row.sigma)) for row in rows}
    return found
