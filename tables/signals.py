"""What a table tells whoever owns it. Sent with `send`, inside the transaction that closes the
thing: a receiver that fails undoes the move.

What moves scores has a `name` of its own, by which the owner can find again what he made of it.

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
walked_over = Signal()
"""Arguments: `news: WalkedOver`."""
match_reopened = Signal()
"""Arguments: `news: MatchReopened`. A receiver that relies on the result refuses."""
deal_corrected = Signal()
"""Arguments: `news: DealCorrected`."""
rejoined = Signal()
"""Arguments: `news: Rejoined`."""
match_finished = Signal()
"""Arguments: `news: MatchFinished`."""
stood_still = Signal()
"""Arguments: `since`, `until`: the site stood still, and all that runs is moved on by that time.

Sent in a transaction that holds no lock yet, so that owners lock their rows in order. Once.
"""


class DealFinished(msgspec.Struct, frozen=True, kw_only=True):
    """A deal has its result; `players` maps seats to players' ids."""

    owner: str
    match_id: int
    name: str
    deal_number: int
    format_name: str
    tie_break: bool
    result: DealResult
    changes: Mapping[int, int]
    """By how much the deal changed each seat's total, chips or winnings."""
    players: Mapping[int, int]
    at: datetime


class WalkedOver(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody left between two deals, and the last one there won those that remain."""

    owner: str
    match_id: int
    name: str
    changes: Mapping[int, int]
    at: datetime


class MatchReopened(msgspec.Struct, frozen=True, kw_only=True):
    """A match that was over is to go on, since its last deal is corrected."""

    owner: str
    match_id: int
    actor: str
    reason: str
    at: datetime


class DealCorrected(msgspec.Struct, frozen=True, kw_only=True):
    """The last deal had another result than was entered; what was answered since is void."""

    owner: str
    match_id: int
    void: tuple[str, ...]
    """Names of what moved scores since the deal was dealt, the latest first."""
    void_rejoins: tuple[tuple[int, int], ...]
    """Player and number of each rejoin that is void."""
    name: str
    changes: Mapping[int, int]
    """By how much the deal, as it is now, and departures since changed each seat's total."""
    stay: tuple[int, ...]
    """Seats that were entered as gone and are not."""
    actor: str
    reason: str
    at: datetime


class Rejoined(msgspec.Struct, frozen=True, kw_only=True):
    """A player bought in again; `number` counts this player's rejoins from 1, void ones too."""

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
