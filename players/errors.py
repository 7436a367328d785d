"""What players' services refuse."""

from __future__ import annotations

from enum import StrEnum


class PlayerCode(StrEnum):
    """Stable codes of refusals."""

    BAD_LIMIT = "bad_limit"
    BAD_SPAN = "bad_span"
    BAD_ZONE = "bad_zone"
    BAD_SETTING = "bad_setting"
    ENTRIES_USED = "entries_used"
    POINTS_USED = "points_used"
    TIMED_OUT = "timed_out"
    EXCLUDED = "excluded"
    BAD_LOGIN = "bad_login"
    NEEDS_PAGE = "needs_page"
    TOO_MANY_KEYS = "too_many_keys"
    UNKNOWN_KEY = "unknown_key"


class PlayerRefusal(Exception):
    """A refused call; nothing was written. `code` is stable, `sentence` says what to do."""

    def __init__(self, code: PlayerCode, sentence: str, *, field: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.field = field
