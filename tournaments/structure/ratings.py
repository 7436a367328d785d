"""How strong players are, by the places they took: the arithmetic of ratings.

A *strength* is a normal distribution: `mu`, what a player is worth on average, and `sigma`, how
little that is known. A finished match moves everybody at the table by the Plackett-Luce model,
which knows tables of more than two, and ties. What people read is one whole number: what a player
is worth at least.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

from tournaments.structure.checks import MAX_ENTRANTS, how_many, whole
from tournaments.structure.errors import StructureCode, StructureError

_MODEL: Final = PlackettLuce()
START: Final = 1_000
"""What is read of somebody who has not played yet."""
STEPS: Final = 40
"""Readable points a unit of strength."""
MOST_PLAYERS: Final = 100


class Strength(NamedTuple):
    """What a player is worth on average, and how uncertain that is."""

    mu: float
    sigma: float


NEWCOMER: Final = Strength(_MODEL.mu, _MODEL.sigma)


def after_match(strengths: Sequence[Strength], places: Sequence[int]) -> tuple[Strength, ...]:
    """The strengths after a match in which the players took these places, 1 the best.

    Equal places are ties; only the order of places counts. Raises `StructureError`: fewer than two
    players, or another number of places than players.
    """
    how_many(len(strengths), "strengths", 2, MOST_PLAYERS)
    if len(places) != len(strengths):
        raise StructureError(
            StructureCode.BAD_RECORD, "Give one place for each player.", field="places"
        )
    ranks: list[float] = [whole(place, "places", 1, MAX_ENTRANTS) for place in places]
    teams = [[_MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in strengths]
    return tuple(Strength(team[0].mu, team[0].sigma) for team in _MODEL.rate(teams, ranks=ranks))


def readable(strength: Strength) -> int:
    """What a player is worth at least, as a whole number from 0; a newcomer has 1,000."""
    return max(0, round(START + STEPS * (strength.mu - 3 * strength.sigma)))
