"""What a quick table is played under."""

from __future__ import annotations

import msgspec

from tables.rules.bots import Strength
from tables.rules.formats import PoolFormat
from tournaments.play.terms import TournamentTerms, played_once, simulated_terms
from tournaments.structure.prizes import WinnerTakesAll

BOT = Strength.STEADY.value
"""How strong the bots of quick tables play."""


def quick_terms(*, format_name: str, seats: int, hints: bool) -> TournamentTerms:
    """Terms of a quick table: the winner takes all, nobody buys in again, nothing is split.

    Raises `RuleViolation` for an unknown format.
    """
    terms = simulated_terms(format_name=format_name, profile_name=None, prizes=WinnerTakesAll())
    options = terms.format
    if isinstance(options, PoolFormat):
        options = played_once(options)
    return msgspec.structs.replace(terms, format=options, seats=seats, hints=hints)
