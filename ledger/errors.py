"""What the ledger can refuse.

Every refusal is a `LedgerError` with a stable `code` for programs, a plain `sentence` for people
and, where one input is at fault, its `field`. A refused call has written nothing.
"""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Every reason the ledger can refuse something."""

    BAD_AMOUNT = "bad_amount"
    BAD_LINE = "bad_line"
    BAD_TEXT = "bad_text"
    BAD_TIME = "bad_time"
    BAD_ASSET = "bad_asset"
    ASSET_DIFFERS = "asset_differs"
    ACCOUNT_DIFFERS = "account_differs"
    UNKNOWN_ASSET = "unknown_asset"
    UNKNOWN_ACCOUNT = "unknown_account"
    UNKNOWN_JOURNAL = "unknown_journal"
    UNKNOWN_ENTRY = "unknown_entry"
    UNKNOWN_HOLD = "unknown_hold"
    UNKNOWN_REQUEST = "unknown_request"
    ACCOUNT_CLOSED = "account_closed"
    ASSET_MISMATCH = "asset_mismatch"
    INSUFFICIENT_FUNDS = "insufficient_funds"
    OVERFLOW = "overflow"
    KEY_REUSED = "key_reused"
    HOLD_RESOLVED = "hold_resolved"
    HOLD_EXPIRED = "hold_expired"
    HOLD_DIFFERS = "hold_differs"
    NOT_REVERSIBLE = "not_reversible"
    ALREADY_REVERSED = "already_reversed"
    APPEND_ONLY = "append_only"
    BUSY = "busy"
    STORAGE_FAILED = "storage_failed"
    NEEDS_APPROVAL = "needs_approval"
    ALREADY_DECIDED = "already_decided"
    NOT_VERIFIED = "not_verified"


class LedgerError(Exception):
    """A refused posting, account, asset or request; nothing was written."""

    def __init__(self, code: Code, sentence: str, *, field: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.field = field

    def __str__(self) -> str:
        return f"{self.field}: {self.sentence}" if self.field else self.sentence


class BadLine(LedgerError):
    """A line that could never be posted: amount, sides, mode or account are wrong in themselves."""


class AssetMismatch(LedgerError):
    """Two accounts of different assets in one line."""

    def __init__(self, sentence: str = "A line joins two accounts of one asset.") -> None:
        super().__init__(Code.ASSET_MISMATCH, sentence, field="lines")


class AccountClosed(LedgerError):
    """The account is frozen: nothing goes in or out until an operator opens it again.

    Who asks for an amount on somebody else's behalf tells him so without a `field`.
    """

    def __init__(
        self, sentence: str, *, account: int | None = None, field: str | None = "lines"
    ) -> None:
        super().__init__(Code.ACCOUNT_CLOSED, sentence, field=field)
        self.account = account


class InsufficientFunds(LedgerError):
    """The account would go past what its rule allows.

    `account` is its id and `missing` what lacks, in the smallest unit; both are None where only the
    database noticed. Who asks for an amount on somebody else's behalf tells him so without a
    `field`.
    """

    def __init__(
        self,
        sentence: str,
        *,
        account: int | None = None,
        missing: int | None = None,
        field: str | None = "lines",
    ) -> None:
        super().__init__(Code.INSUFFICIENT_FUNDS, sentence, field=field)
        self.account = account
        self.missing = missing


class KeyReused(LedgerError):
    """The idempotency key was used before, for something else."""

    def __init__(self, key: str) -> None:
        super().__init__(
            Code.KEY_REUSED,
            f"The key '{key}' was used for something else; use a new key for a new operation.",
            field="key",
        )
        self.key = key


class HoldResolved(LedgerError):
    """The hold was captured or released before."""

    def __init__(self, hold: int | None = None) -> None:
        super().__init__(
            Code.HOLD_RESOLVED,
            "This hold was captured or released already; it can be resolved once.",
            field="hold",
        )
        self.hold = hold


class LedgerBusy(LedgerError):
    """Others held the same accounts for too long. Nothing was written; the call may be repeated."""

    def __init__(self) -> None:
        super().__init__(
            Code.BUSY, "The accounts are in use by others; try again in a moment with the same key."
        )


class StorageFailed(LedgerError):
    """The database could not write: its disk is full or at fault. Nothing was posted.

    The call may be repeated with the same key once an operator has seen to it.
    """

    def __init__(self) -> None:
        super().__init__(
            Code.STORAGE_FAILED,
            "The database cannot be written to, its disk may be full; nothing was posted. Tell an"
            " operator, then try again with the same key.",
        )
