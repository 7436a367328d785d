"""What can be wrong with the books, and where."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from ledger.selectors.balances import AssetTotals

KEPT_LIMIT: Final = 1_000
"""Findings beyond this are counted and not kept."""


class Code(StrEnum):
    """Every kind of finding."""

    UNBALANCED_ASSET = "unbalanced_asset"
    BALANCE_DIFFERS = "balance_differs"
    NO_BALANCE = "no_balance"
    RULE_BROKEN = "rule_broken"
    CHAIN_BROKEN = "chain_broken"
    CONTENT_CHANGED = "content_changed"
    SEQUENCE_GAP = "sequence_gap"
    LINES_MISSING = "lines_missing"
    HEAD_DIFFERS = "head_differs"
    ORPHAN_TRANSFER = "orphan_transfer"
    BAD_TRANSFER = "bad_transfer"
    ASSET_MISMATCH = "asset_mismatch"
    HOLD_RESOLVED_TWICE = "hold_resolved_twice"
    HOLD_DIFFERS = "hold_differs"
    HOLD_OVERDUE = "hold_overdue"
    CAPTURED_LATE = "captured_late"
    REVERSED_TWICE = "reversed_twice"
    REVERSAL_DIFFERS = "reversal_differs"
    KEY_REPEATED = "key_repeated"
    GUARD_MISSING = "guard_missing"
    CHECKPOINT_DIFFERS = "checkpoint_differs"
    CASH_DIFFERS = "cash_differs"


class Finding(msgspec.Struct, frozen=True):
    """One fault: its kind, the row it was found at, and a sentence for people."""

    code: Code
    where: str
    sentence: str


class Findings(msgspec.Struct):
    """The result of an audit; sound when nothing was found."""

    journals: int = 0
    entries: int = 0
    transfers: int = 0
    accounts: int = 0
    checkpoints: int = 0
    assets: tuple[AssetTotals, ...] = ()
    faults: int = 0
    found: list[Finding] = []

    @property
    def is_sound(self) -> bool:
        """Whether the books are in order."""
        return self.faults == 0

    def add(self, code: Code, where: str, sentence: str) -> None:
        """Note a fault."""
        self.faults += 1
        if len(self.found) < KEPT_LIMIT:
            self.found.append(Finding(code, where, sentence))
