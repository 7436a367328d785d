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
from tables.services.seats import repeated_at, set_auto_drop
from tables.services.talking import mute, say, set_nonce
from tables.services.voiding import void_matches

__all__ = [
    "Dealt",
    "Place",
    "Played",
    "SecretSource",
    "TableSpec",
    "answer",
    "deal_next",
    "mute",
    "open_matches",
    "play",
    "play_deal_with_bots",
    "repeated_at",
    "say",
    "set_auto_drop",
    "set_nonce",
    "stop_if_due",
    "void_matches",
]
