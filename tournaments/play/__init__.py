"""The only door from tournaments to tables: opening, dealing, and reading what came of it."""

from __future__ import annotations

from tables.broadcast import silence
from tables.rules.formats import MatchOver
from tables.rules.results import DealResult
from tables.rules.shoe import commitment_of
from tournaments.play.levels import chips_at_table, open_level_tables, stop_if_due
from tournaments.play.tables import (
    SeatResult,
    draw_label,
    drawn_order,
    fresh_secret,
    open_round_tables,
    plays_for_chips,
    plays_to_the_last,
    seat_results,
    starting_chips,
    tournament_id_of,
    void_tables,
)
from tournaments.play.terms import (
    TournamentTerms,
    encode_terms,
    fitted,
    format_names,
    simulated_terms,
    terms_of,
)

__all__ = [
    "DealResult",
    "MatchOver",
    "SeatResult",
    "TournamentTerms",
    "chips_at_table",
    "commitment_of",
    "draw_label",
    "drawn_order",
    "encode_terms",
    "fitted",
    "format_names",
    "fresh_secret",
    "open_level_tables",
    "open_round_tables",
    "plays_for_chips",
    "plays_to_the_last",
    "seat_results",
    "silence",
    "simulated_terms",
    "starting_chips",
    "stop_if_due",
    "terms_of",
    "tournament_id_of",
    "void_tables",
]
