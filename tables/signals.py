"""What a table tells whoever owns it. Sent with `send`, inside the transaction that closes the
thing: a receiver that fails undoes the move.

`deal_closing` comes before any row of the table is locked, so that owners whose locks come first
in the locking order can take them. The others carry one of the structs below as `news`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec
from django.dispatch import Signal

from tables.rules.formats import MatchOver
from tables.rules.results import DealResult

deal_closing = Signal()
"""Arguments: `owner`."""
deal_due = Signal()
"""Arguments: `owner`, `match_id`, `at`. Whoever answers False lets no further deal begin.

Asked, not told, and only where deals go on until the owner stops them; his lock is held.
"""
deal_finished = Signal()
"""Arguments: `news: DealFinished`."""
rejoined = Signal()
"""Arguments: `news: Rejoined`."""
match_finished = Signal()
"""Arguments: `news: MatchFinished`."""


class DealFinished(msgspec.Struct, frozen=True, kw_only=True):
    """A deal has its result; `players` maps seats to players' ids."""

    owner: str
    match_id: int
    deal_id: int
    deal_number: int
    format_name: str
    tie_break: bool
    result: DealResult
    changes: Mapping[int, int]
    """By how much the deal changed each seat's total, chips or winnings."""
    players: Mapping[int, int]
    at: datetime


class Rejoined(msgspec.Struct, frozen=True, kw_only=True):
    """A player bought in again; `number` counts this player's rejoins from 1."""

    owner: str
    match_id: int
    player: int
    number: int
    at: datetime


class MatchFinished(msgspec.Struct, frozen=True, kw_only=True):
    """A match has its outcome; `results` are its deals in order."""

    owner: str
    match_id: int
    outcome: MatchOver
    results: tuple[DealResult, ...]
    players: Mapping[int, int]
    at: datetime
