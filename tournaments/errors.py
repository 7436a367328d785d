"""What the services of a tournament can refuse beside the structure and the rules."""

from __future__ import annotations

from enum import StrEnum


class TournamentCode(StrEnum):
    """Stable codes of refusals by the tournaments' services."""

    UNKNOWN_TOURNAMENT = "unknown_tournament"
    UNKNOWN_ENTRY = "unknown_entry"
    UNKNOWN_TABLE = "unknown_table"
    BAD_REASON = "bad_reason"
    NOT_SUBSTITUTABLE = "not_substitutable"
    LATER_TABLES = "later_tables"
    PRIZES_SETTLED = "prizes_settled"
    BAD_RULING = "bad_ruling"
    BAD_TERMS = "bad_terms"
    BAD_NAME = "bad_name"
    BAD_AMOUNT = "bad_amount"
    MONEY_PLAY_OFF = "money_play_off"
    LOCKED = "locked"
    CHANGED_MEANWHILE = "changed_meanwhile"
    NOT_OPEN = "not_open"
    NOT_ELIGIBLE = "not_eligible"
    TOO_MANY_CODES = "too_many_codes"
    FULL = "full"
    NOT_OUT = "not_out"
    NO_CHECK_IN = "no_check_in"
    CHECK_IN_OPEN = "check_in_open"
    BAD_CAPACITY = "bad_capacity"
    BAD_FILE = "bad_file"
    BAD_ROWS = "bad_rows"
    UNKNOWN_SCHEDULE = "unknown_schedule"
    UNKNOWN_TEMPLATE = "unknown_template"
    NOT_ENTERED = "not_entered"
    NO_ADDRESS = "no_address"
    NOT_ENOUGH_ENTRIES = "not_enough_entries"
    NOT_RUNNING = "not_running"
    ROUND_OPEN = "round_open"
    NO_ROUND_DUE = "no_round_due"
    NOT_IN_PERSON = "not_in_person"
    RESULT_USED = "result_used"
    NOT_A_SCORER = "not_a_scorer"
    NO_PAYOUT = "no_payout"
    PUT_BACK = "put_back"
    ALREADY_APPROVED = "already_approved"
    NEEDS_APPROVAL = "needs_approval"
    NOT_DISTRIBUTABLE = "not_distributable"
    BAD_TICKETS = "bad_tickets"
    UNKNOWN_TICKET = "unknown_ticket"
    TICKET_USED = "ticket_used"
    NO_SUCH_MONTH = "no_such_month"
    AT_A_TABLE = "at_a_table"
    TOO_MANY_TABLES = "too_many_tables"
    BAD_QUICK_TABLE = "bad_quick_table"
    ENTRIES_USED = "entries_used"
    POINTS_USED = "points_used"
    TIMED_OUT = "timed_out"
    EXCLUDED = "excluded"
    NOT_STAFF = "not_staff"
    LAST_ORGANISER = "last_organiser"


class TournamentRefusal(Exception):
    """A refused call; nothing was written. `code` is stable, `sentence` says what to do."""

    def __init__(self, code: TournamentCode, sentence: str, *, field: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.field = field

    def __str__(self) -> str:
        return f"{self.field}: {self.sentence}" if self.field else self.sentence
