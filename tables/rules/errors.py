"""What can be wrong with a card, a hand, an option or a move.

One exception carries a stable `code` (for programs), a plain sentence (for people) and, where one
field is at fault, its name. Nothing here knows HTTP or sockets: the edges translate.
"""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Every reason the rules can refuse something. The values are part of the public protocol."""

    # Cards and hands
    BAD_CARD = "bad_card"
    BAD_RANK = "bad_rank"
    WRONG_CARD_COUNT = "wrong_card_count"
    TOO_MANY_COPIES = "too_many_copies"
    NOT_YOUR_CARDS = "not_your_cards"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    # Options
    UNKNOWN_PROFILE = "unknown_profile"
    UNKNOWN_FORMAT = "unknown_format"
    BAD_OPTION = "bad_option"
    BAD_SEATS = "bad_seats"
    BAD_SECRET = "bad_secret"  # noqa: S105
    # Moves in a deal
    DEAL_OVER = "deal_over"
    NOT_SEATED = "not_seated"
    OUT_OF_DEAL = "out_of_deal"
    NOT_YOUR_TURN = "not_your_turn"
    ALREADY_DRAWN = "already_drawn"
    DRAW_FIRST = "draw_first"
    OPEN_DECK_EMPTY = "open_deck_empty"
    JOKER_NOT_TAKEABLE = "joker_not_takeable"
    JUST_TAKEN = "just_taken"
    NO_DROP = "no_drop"
    NOT_DECLARING = "not_declaring"
    ALREADY_DECLARED = "already_declared"
    WAIT_FOR_FINISHER = "wait_for_finisher"
    ALREADY_SO = "already_so"
    NOT_DUE = "not_due"
    # A match between its deals
    MATCH_OVER = "match_over"
    DEAL_NOT_EXPECTED = "deal_not_expected"
    BAD_RESULT = "bad_result"
    NO_REJOIN = "no_rejoin"
    NO_SPLIT = "no_split"
    NO_LOT = "no_lot"
    NO_JOIN = "no_join"
    NO_STOP = "no_stop"
    NO_DEAL_YET = "no_deal_yet"
    ANSWERS_OPEN = "answers_open"
    # Records
    BAD_RECORD = "bad_record"
    # Frames of a socket
    BAD_FRAME = "bad_frame"


class RuleViolation(Exception):
    """A refused card, option, move or record; nothing was changed.

    `code` is stable, `sentence` says what to do instead, `field` names the input at fault.
    """

    def __init__(self, code: Code, sentence: str, *, field: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.field = field

    def __str__(self) -> str:
        return f"{self.field}: {self.sentence}" if self.field else self.sentence
