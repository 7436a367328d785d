"""What the services of a table can refuse beside the rules themselves."""

from __future__ import annotations

from enum import StrEnum


class TableCode(StrEnum):
    """Stable codes of refusals by the table's services."""

    UNKNOWN_DEAL = "unknown_deal"
    UNKNOWN_MATCH = "unknown_match"
    UNKNOWN_TABLE = "unknown_table"
    NOT_A_PLAYER = "not_a_player"
    NO_DEAL = "no_deal"
    MUTED = "muted"
    TOO_FAST = "too_fast"
    MATCH_VOID = "match_void"
    PAUSED = "paused"
    NO_HINTS = "no_hints"
    DEALS_PLAYED = "deals_played"
    DEAL_RUNNING = "deal_running"
    NO_MORE_DEALS = "no_more_deals"
    LOG_CONFLICT = "log_conflict"
    BAD_COMMAND_ID = "bad_command_id"
    # Score sheets
    IN_PERSON = "in_person"
    NOT_IN_PERSON = "not_in_person"
    SHEET_MOVED_ON = "sheet_moved_on"
    NO_CHANGE = "no_change"
    BAD_REASON = "bad_reason"


class TableRefusal(Exception):
    """A refused call; nothing was written. `code`, `sentence` and `field` as in the rules."""

    def __init__(self, code: TableCode, sentence: str, *, field: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.field = field

    def __str__(self) -> str:
        return f"{self.field}: {self.sentence}" if self.field else self.sentence
