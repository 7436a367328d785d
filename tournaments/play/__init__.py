"""The only door from tournaments to tables: opening, dealing, and reading what came of it."""

from __future__ import annotations

from tables.broadcast import silence
from tables.rules.formats import AnyFormat, MatchOver
from tables.rules.results import DealResult
from tables.rules.shoe import commitment_of
from tables.services.heartbeat import is_beating
from tournaments.play.levels import chips_at_table
from tournaments.play.tables import (
    OVER,
    Ended,
    LiveScore,
    SeatResult,
    draw_label,
    drawn_order,
    ended,
    fresh_secret,
    live_scores,
    lot_label,
    measure_of,
    open_round_tables,
    owner_of,
    plays_for_chips,
    plays_to_the_last,
    round_options,
    seat_results,
    starting_chips,
    tie_break_label,
    tie_break_options,
    tournament_id_of,
    void_tables,
)
from tournaments.play.terms import (
    UNREADABLE,
    Seeding,
    TournamentTerms,
    encode_terms,
    fitted,
    format_names,
    level_format,
    simulated_terms,
    terms_of,
)

__all__ = [
    "DealResult",
    "AnyFormat",
    "OVER",
    "UNREADABLE",
    "Ended",
    "LiveScore",
    "MatchOver",
    "SeatResult",
    "Seeding",
    "TournamentTerms",
    "chips_at_table",
    "commitment_of",
    "draw_label",
    "drawn_order",
    "ended",
    "encode_terms",
    "fitted",
    "format_names",
    "fresh_secret",
    "is_beating",
    "level_format",
    "live_scores",
    "lot_label",
    "measure_of",
    "open_round_tables",
    "owner_of",
    "plays_for_chips",
    "plays_to_the_last",
    "round_options",
    "seat_results",
    "silence",
    "simulated_terms",
    "starting_chips",
    "tie_break_label",
    "tie_break_options",
    "terms_of",
    "tournament_id_of",
    "void_tables",
]
