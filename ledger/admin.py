"""The ledger in the admin: to look at, never to change."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import pgettext_lazy

from ledger.models import (
    Account,
    AccountChange,
    Asset,
    BooksCheck,
    CashDecision,
    CashRequest,
    Checkpoint,
    Entry,
    Journal,
    ReversalDecision,
    ReversalRequest,
    Transfer,
)
from staff.admin_base import ReadOnlyAdmin, ReadOnlyInline


@admin.register(Asset)
class AssetAdmin(ReadOnlyAdmin):
    """Assets with their kind and decimals."""

    list_display = ["code", "kind", "scale"]
    list_filter = ["kind"]


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Accounts with their balances."""

    list_display = ["id", "owner", "purpose", "asset", "rule", "is_open", "posted", "held"]
    list_filter = ["purpose", "is_open", "asset__kind"]
    list_select_related = ["balance"]
    search_fields = ["owner"]

    @admin.display(description=pgettext_lazy("field", "posted"))
    def posted(self, account: Account) -> int:
        """Credits minus debits, smallest unit."""
        return account.balance.credits - account.balance.debits

    @admin.display(description=pgettext_lazy("field", "held"))
    def held(self, account: Account) -> int:
        """Set aside to go out, smallest unit."""
        return account.balance.debits_held


class TransferInline(ReadOnlyInline):
    """The lines of an entry."""

    model = Transfer
    fk_name = "entry"
    fields = ["line", "mode", "debit", "credit", "amount", "hold", "expires_at"]


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    """Entries with their lines."""

    list_display = ["id", "journal", "seq", "kind", "reference", "actor", "at"]
    list_filter = ["kind"]
    list_select_related = ["journal"]
    search_fields = ["=key", "=reference"]
    inlines = [TransferInline]
    ordering = ["-id"]


@admin.register(Journal)
class JournalAdmin(ReadOnlyAdmin):
    """Journals with the number of their newest entry."""

    list_display = ["code", "head_seq"]
    search_fields = ["code"]


@admin.register(CashRequest)
class CashRequestAdmin(ReadOnlyAdmin):
    """What operators have asked for."""

    list_display = ["id", "kind", "amount", "reason", "needs_second", "asked_by", "asked_at"]
    list_filter = ["kind", "needs_second"]
    ordering = ["-id"]


@admin.register(CashDecision)
class CashDecisionAdmin(ReadOnlyAdmin):
    """What was answered, and by whom."""

    list_display = ["request", "decided_by", "decided_at", "note", "entry"]
    list_select_related = ["request", "entry"]


@admin.register(AccountChange)
class AccountChangeAdmin(ReadOnlyAdmin):
    """Who froze or opened what, and why."""

    list_display = ["account", "is_open", "actor", "reason", "at"]
    list_select_related = ["account"]
    ordering = ["-id"]


@admin.register(Checkpoint)
class CheckpointAdmin(ReadOnlyAdmin):
    """Sealed roots."""

    list_display = ["taken_at", "occasion", "root"]
    ordering = ["-id"]


@admin.register(ReversalRequest)
class ReversalRequestAdmin(ReadOnlyAdmin):
    """What is asked to be moved back."""

    list_display = ["id", "entry", "reason", "needs_second", "asked_by", "asked_at"]
    list_filter = ["needs_second"]
    list_select_related = ["entry"]
    ordering = ["-id"]


@admin.register(ReversalDecision)
class ReversalDecisionAdmin(ReadOnlyAdmin):
    """What was answered, and by whom."""

    list_display = ["request", "decided_by", "decided_at", "note", "reversal"]
    list_select_related = ["request", "reversal"]


@admin.register(BooksCheck)
class BooksCheckAdmin(ReadOnlyAdmin):
    """What the checks of the books found."""

    list_display = ["at", "faults", "entries", "transfers", "seconds", "root"]
    ordering = ["-id"]
