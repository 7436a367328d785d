"""What can be done at a table. Keyword-only, one transaction each, effects on commit."""

from __future__ import annotations

from tables.services.bots import play_deal_with_bots
from tables.services.matches import (
    Dealt,
    Place,
    SecretSource,
    TableSpec,
    answer,
    deal_next,
    open_matches,
    stop_if_due,
)
from tables.services.play import Played, play
from tables.services.score_sheets import answer_on_sheet, correct_last_deal, enter_deal
from tables.services.seats import check_online, repeated_at, repeated_in, set_auto_drop
from tables.services.talking import mute, say, set_nonce
from tables.services.voiding import void_matches

__all__ = [
    "Dealt",
    "Place",
    "Played",
    "SecretSource",
    "TableSpec",
    "answer",
    "answer_on_sheet",
    "check_online",
    "correct_last_deal",
    "deal_next",
    "enter_deal",
    "mute",
    "open_matches",
    "play",
    "play_deal_with_bots",
    "repeated_at",
    "repeated_in",
    "say",
    "set_auto_drop",
    "set_nonce",
    "stop_if_due",
    "void_matches",
]
