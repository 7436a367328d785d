"""The words of the ledger and its bounds.

*Asset*: what is counted, in integers of its smallest unit. *Account*: a place where one asset lies,
owned by an opaque reference. *Line*: a movement of one amount from a debit account to a credit
account of the same asset. *Entry*: lines that are posted together or not at all. *Journal*: a
numbered, hash-chained sequence of entries. *Hold*: an amount set aside on both sides, later
captured (all or part, the rest goes back) or released.

One sign convention everywhere: the balance of an account is its credits minus its debits, so all
balances of an asset add up to zero.
"""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

AMOUNT_LIMIT: Final = 2**53
"""Amounts stay below this, so that they survive JSON and spreadsheets unchanged."""

TOTAL_LIMIT: Final = 2**63
"""Cumulative counters stay below this: 64 signed bits in both databases."""

LINES_LIMIT: Final = 5_000
SEQ_BITS: Final = 32
"""An entry's id is its journal's id shifted by this, plus its number in the journal."""

GENESIS: Final = bytes(32)
"""The hash before the first entry of a journal."""


class AssetKind(models.TextChoices):
    """What an asset is; only a currency is money."""

    PLAY = "play", "play points"
    PRACTICE = "practice", "practice chips"
    CHIPS = "chips", "tournament chips"
    CURRENCY = "currency", "currency"


class Purpose(models.TextChoices):
    """What an account is for. Callers may use a word of their own; these are the common ones."""

    WALLET = "wallet", _("wallet")
    ESCROW = "escrow", _("entry fees held for a prize pool")
    FEE_ESCROW = "fee_escrow", _("organiser's fees held until the start")
    FEES = "fees", _("organiser's fees earned")
    PRIZES_PAYABLE = "prizes_payable", _("prizes payable")
    PROMOTION = "promotion", _("guarantees and gifts")
    ISSUANCE = "issuance", _("issued and retired")
    STACK = "stack", _("chips in play")
    BANK = "bank", _("bank clearing")


class Rule(models.TextChoices):
    """How far the balance of an account may go."""

    NEVER_NEGATIVE = "never_negative", "never below zero"
    NEVER_POSITIVE = "never_positive", "never above zero"
    UNBOUNDED = "unbounded", "either side of zero"


class Mode(models.IntegerChoices):
    """What a line does with its amount."""

    POST = 1, "post"
    HOLD = 2, "hold"
    CAPTURE = 3, "capture"
    RELEASE = 4, "release"


class CashKind(models.TextChoices):
    """What an operator may move by hand."""

    DEPOSIT = "deposit", "deposit"
    WITHDRAWAL = "withdrawal", "withdrawal"
    ADJUSTMENT = "adjustment", "adjustment"
