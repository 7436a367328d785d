"""The tables of the ledger.

Entries and transfers are never changed or deleted; balances and journal heads are moved by the
database itself (see `ledger.guards`). Rows are written by `ledger.services` only: a model saved
directly obeys the same constraints and triggers and is refused where it would break them.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from ledger.terms import (
    AMOUNT_LIMIT,
    GENESIS,
    LINES_LIMIT,
    SEQ_BITS,
    AssetKind,
    CashKind,
    Mode,
    Rule,
)


class Asset(models.Model):
    """What is counted. `scale` is the number of decimals a person sees; rows hold integers."""

    code = models.CharField(max_length=32, primary_key=True)
    kind = models.CharField(max_length=16, choices=AssetKind.choices)
    scale = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(code=""), name="ledger_asset_code"),
            models.CheckConstraint(
                condition=Q(kind__in=AssetKind.values), name="ledger_asset_kind"
            ),
            models.CheckConstraint(condition=Q(scale__lte=6), name="ledger_asset_scale"),
        ]

    def __str__(self) -> str:
        return self.code


class Account(models.Model):
    """One asset of one owner for one purpose. Only `is_open` ever changes."""

    asset = models.ForeignKey(Asset, models.PROTECT, related_name="accounts", db_index=False)
    owner = models.CharField(max_length=120)
    purpose = models.CharField(max_length=40)
    rule = models.CharField(max_length=16, choices=Rule.choices)
    is_open = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "purpose", "asset"], name="ledger_account_once"
            ),
            models.CheckConstraint(condition=Q(rule__in=Rule.values), name="ledger_account_rule"),
            models.CheckConstraint(
                condition=~Q(owner="") & ~Q(purpose=""), name="ledger_account_named"
            ),
        ]
        indexes = [models.Index(fields=["asset", "owner"], name="ledger_account_of_asset")]
        permissions = [
            ("view_money", "Can look at everybody's money"),
            ("approve_payouts", "Can approve payouts"),
            ("adjust", "Can ask for, approve and reverse what moves money, and freeze accounts"),
        ]

    def __str__(self) -> str:
        return f"{self.owner} {self.purpose} ({self.asset_id})"


class Balance(models.Model):
    """Running totals of an account, made with it and moved only by the transfers' trigger.

    `last_transfer` is the id of the newest transfer counted in, 0 before the first.
    """

    account = models.OneToOneField(
        Account, models.PROTECT, primary_key=True, related_name="balance"
    )
    rule = models.CharField(max_length=16, choices=Rule.choices)
    debits = models.BigIntegerField(default=0)
    credits = models.BigIntegerField(default=0)
    debits_held = models.BigIntegerField(default=0)
    credits_held = models.BigIntegerField(default=0)
    last_transfer = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(debits__gte=0, credits__gte=0, debits_held__gte=0, credits_held__gte=0),
                name="ledger_balance_counters",
            ),
            models.CheckConstraint(
                condition=~Q(rule=Rule.NEVER_NEGATIVE)
                | Q(credits__gte=F("debits") + F("debits_held")),
                name="ledger_balance_not_below_zero",
            ),
            models.CheckConstraint(
                condition=~Q(rule=Rule.NEVER_POSITIVE)
                | Q(debits__gte=F("credits") + F("credits_held")),
                name="ledger_balance_not_above_zero",
            ),
        ]

    def __str__(self) -> str:
        return f"account {self.account_id}: {self.credits - self.debits}"


class Journal(models.Model):
    """A hash chain of entries and the lock under which they are numbered."""

    code = models.CharField(max_length=64)
    head_seq = models.BigIntegerField(default=0)
    head_hash = models.BinaryField(max_length=32, default=GENESIS)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["code"], name="ledger_journal_once"),
            models.CheckConstraint(
                condition=~Q(code="") & Q(head_seq__gte=0), name="ledger_journal_head"
            ),
        ]

    def __str__(self) -> str:
        return self.code


class Entry(models.Model):
    """Lines posted together, numbered without gaps in their journal.

    `id` is `journal_id * 2**32 + seq`, so the primary key alone keeps a chain from forking.
    `replayed` is true on an entry that was answered for a key seen before.
    """

    replayed: bool = False

    id = models.BigIntegerField(primary_key=True)
    journal = models.ForeignKey(Journal, models.PROTECT, related_name="entries", db_index=False)
    seq = models.BigIntegerField()
    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=200)
    fingerprint = models.BinaryField(max_length=32)
    line_count = models.PositiveSmallIntegerField()
    actor = models.CharField(max_length=120)
    reference = models.CharField(max_length=120, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()
    reverses = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="reversals", db_index=False
    )
    prev_hash = models.BinaryField(max_length=32)
    hash = models.BinaryField(max_length=32)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["key"], name="ledger_entry_key_once"),
            models.UniqueConstraint(
                fields=["reverses"],
                condition=Q(reverses__isnull=False),
                name="ledger_entry_reversed_once",
            ),
            models.CheckConstraint(
                condition=Q(seq__gte=1, seq__lt=2**SEQ_BITS)
                & Q(id=F("journal_id") * 2**SEQ_BITS + F("seq")),
                name="ledger_entry_numbered",
            ),
            models.CheckConstraint(
                condition=Q(line_count__gte=1, line_count__lte=LINES_LIMIT),
                name="ledger_entry_lines",
            ),
            models.CheckConstraint(
                condition=~Q(key="") & ~Q(kind="") & ~Q(actor=""), name="ledger_entry_named"
            ),
        ]
        indexes = [
            models.Index(fields=["reference", "at"], name="ledger_entry_reference"),
            models.Index(fields=["at"], name="ledger_entry_at"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Transfer(models.Model):
    """One line of an entry: `amount` from the debit account to the credit account.

    That both accounts exist is checked by the trigger that applies the transfer, which also holds
    for a replication role; accounts are never deleted. A capture or release names the `hold` it
    resolves; a capture may be smaller than its hold. `expires_at` belongs to a hold that ends by
    itself.
    """

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="transfers", db_index=False)
    line = models.PositiveSmallIntegerField()
    mode = models.PositiveSmallIntegerField(choices=Mode.choices)
    debit = models.ForeignKey(
        Account, models.PROTECT, related_name="debits", db_index=False, db_constraint=False
    )
    credit = models.ForeignKey(
        Account, models.PROTECT, related_name="credits", db_index=False, db_constraint=False
    )
    amount = models.BigIntegerField()
    hold = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="resolutions", db_index=False
    )
    expires_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "line"], name="ledger_transfer_line_once"),
            models.UniqueConstraint(
                fields=["hold"],
                condition=Q(hold__isnull=False),
                name="ledger_transfer_hold_once",
            ),
            models.CheckConstraint(
                condition=Q(amount__gte=1, amount__lt=AMOUNT_LIMIT), name="ledger_transfer_amount"
            ),
            models.CheckConstraint(
                condition=~Q(debit=F("credit")), name="ledger_transfer_two_sides"
            ),
            models.CheckConstraint(
                condition=Q(mode__in=[Mode.POST, Mode.HOLD], hold__isnull=True)
                | Q(mode__in=[Mode.CAPTURE, Mode.RELEASE], hold__isnull=False),
                name="ledger_transfer_mode",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__isnull=True) | Q(mode=Mode.HOLD),
                name="ledger_transfer_expiry",
            ),
        ]
        indexes = [
            models.Index(fields=["debit", "id"], name="ledger_transfer_debit"),
            models.Index(fields=["credit", "id"], name="ledger_transfer_credit"),
            models.Index(
                fields=["expires_at"],
                condition=Q(mode=Mode.HOLD, expires_at__isnull=False),
                name="ledger_transfer_expiring",
            ),
        ]

    def __str__(self) -> str:
        return f"{Mode(self.mode).label} {self.amount}: {self.debit_id} → {self.credit_id}"


class Checkpoint(models.Model):
    """All journal heads at one moment, sealed with a key the database does not hold.

    `tree` is the canonical JSON of the leaves (journal, entries, head), `root` their Merkle root in
    hexadecimal, `seal` an HMAC of the root and of the seal before it.
    """

    taken_at = models.DateTimeField()
    occasion = models.CharField(max_length=120)
    tree = models.TextField()
    root = models.CharField(max_length=64)
    previous = models.OneToOneField("self", models.PROTECT, null=True, related_name="next")
    seal = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(root="") & ~Q(seal=""), name="ledger_checkpoint_sealed"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.taken_at:%Y-%m-%d %H:%M} {self.root[:16]}"


class AccountChange(models.Model):
    """Who froze or opened an account, when and why. Never changed."""

    account = models.ForeignKey(Account, models.PROTECT, related_name="changes")
    is_open = models.BooleanField()
    actor = models.CharField(max_length=120)
    reason = models.CharField(max_length=500)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"account {self.account_id} {'opened' if self.is_open else 'frozen'}"


class CashRequest(models.Model):
    """What an operator asks to move by hand. Never changed; the answer is a `CashDecision`.

    `attachment` refers to the paper behind it. `needs_second` asks for somebody else's approval.
    """

    kind = models.CharField(max_length=16, choices=CashKind.choices)
    key = models.CharField(max_length=160)
    debit = models.ForeignKey(Account, models.PROTECT, related_name="+", db_index=False)
    credit = models.ForeignKey(Account, models.PROTECT, related_name="+", db_index=False)
    amount = models.BigIntegerField()
    reason = models.CharField(max_length=500)
    attachment = models.CharField(max_length=200, blank=True)
    needs_second = models.BooleanField()
    asked_by = models.CharField(max_length=120)
    asked_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key"], name="ledger_cash_key_once"),
            models.CheckConstraint(
                condition=Q(amount__gte=1, amount__lt=AMOUNT_LIMIT), name="ledger_cash_amount"
            ),
            models.CheckConstraint(condition=Q(kind__in=CashKind.values), name="ledger_cash_kind"),
            models.CheckConstraint(condition=~Q(debit=F("credit")), name="ledger_cash_two_sides"),
            models.CheckConstraint(
                condition=~Q(reason="") & ~Q(asked_by=""), name="ledger_cash_named"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}: {self.debit_id} → {self.credit_id}"


class CashDecision(models.Model):
    """The one answer to a request: the entry that carried it out, or none where it was refused."""

    request = models.OneToOneField(
        CashRequest, models.PROTECT, primary_key=True, related_name="decision"
    )
    decided_by = models.CharField(max_length=120)
    decided_at = models.DateTimeField()
    note = models.CharField(max_length=500, blank=True)
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+", db_index=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(decided_by=""), name="ledger_decision_named"),
        ]

    def __str__(self) -> str:
        return f"request {self.request_id} {'refused' if self.entry_id is None else 'approved'}"
