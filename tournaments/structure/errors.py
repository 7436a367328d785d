"""What can be wrong with a tournament's options, its course or its prizes.

One exception carries a stable `code` (for programs), a plain sentence (for people) and, where one
field is at fault, its name. Nothing here knows HTTP or sockets: the edges translate.
"""

from __future__ import annotations

from enum import StrEnum


class StructureCode(StrEnum):
    """Every reason the structure can refuse something. The values are part of the public API."""

    # Input of any kind
    NOT_WHOLE = "not_whole"
    OUT_OF_RANGE = "out_of_range"
    DUPLICATE_ENTRANT = "duplicate_entrant"
    # Course of a tournament
    ILLEGAL_ACTION = "illegal_action"
    # Entering and the times before the start
    BAD_TIMES = "bad_times"
    TOO_LATE = "too_late"
    NEVER_LATE = "never_late"
    NO_REENTRY = "no_reentry"
    BAD_RULE = "bad_rule"
    UNKNOWN_ZONE = "unknown_zone"
    NO_SUCH_HOUR = "no_such_hour"
    WHICH_HOUR = "which_hour"
    # Seating and rounds
    TABLE_OF_ONE = "table_of_one"
    SEATS_DO_NOT_MATCH = "seats_do_not_match"
    BAD_ADVANCE = "bad_advance"
    # Bracket
    NO_SUCH_MATCH = "no_such_match"
    MATCH_NOT_READY = "match_not_ready"
    MATCH_DECIDED = "match_decided"
    MATCH_UNDECIDED = "match_undecided"
    NOT_IN_MATCH = "not_in_match"
    BAD_RULING = "bad_ruling"
    # Standings
    NO_TIE_BREAKS = "no_tie_breaks"
    BAD_RECORD = "bad_record"
    # Prizes
    PRIZES_RISE = "prizes_rise"
    PERCENTAGES_ABOVE_WHOLE = "percentages_above_whole"
    PERCENTAGES_BELOW_WHOLE = "percentages_below_whole"
    BAD_ROWS = "bad_rows"
    FEE_ABOVE_RECEIVED = "fee_above_received"
    PRIZES_ABOVE_POOL = "prizes_above_pool"
    RANKS_MISSING = "ranks_missing"
    MARGINS_MISSING = "margins_missing"
    BAD_TICKETS = "bad_tickets"
    # Timed levels
    BAD_LEVELS = "bad_levels"
    REBUY_TOO_SMALL = "rebuy_too_small"
    REBUY_CLOSED = "rebuy_closed"
    REBUYS_USED = "rebuys_used"
    REBUY_NOT_NEEDED = "rebuy_not_needed"


class StructureError(Exception):
    """A refused option, action, result or ranking; nothing was changed.

    `code` is stable, `sentence` says what to do instead, `field` names the input at fault.
    """

    def __init__(self, code: StructureCode, sentence: str, *, field: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.field = field

    def __str__(self) -> str:
        return f"{self.field}: {self.sentence}" if self.field else self.sentence
