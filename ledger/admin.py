"""The ledger in the admin: to look at, never to change."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from ledger.models import (
    Account,
    AccountChange,
    Asset,
    CashDecision,
    CashRequest,
    Checkpoint,
    Entry,
    Journal,
    Transfer,
)


class ReadOnly:
    """No adding, changing or deleting, whoever asks."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Asset)
class AssetAdmin(ReadOnly, admin.ModelAdmin):
    """Assets with their kind and decimals."""

    list_display = ["code", "kind", "scale"]
    list_filter = ["kind"]


@admin.register(Account)
class AccountAdmin(ReadOnly, admin.ModelAdmin):
    """Accounts with their balances."""

    list_display = ["id", "owner", "purpose", "asset", "rule", "is_open", "posted", "held"]
    list_filter = ["purpose", "is_open", "asset__kind"]
    list_select_related = ["balance"]
    search_fields = ["owner"]

    @admin.display(description="posted")
    def posted(self, account: Account) -> int:
        """Credits minus debits, smallest unit."""
        return account.balance.credits - account.balance.debits

    @admin.display(description="held")
    def held(self, account: Account) -> int:
        """Set aside to go out, smallest unit."""
        return account.balance.debits_held


class TransferInline(ReadOnly, admin.TabularInline):
    """The lines of an entry."""

    model = Transfer
    fk_name = "entry"
    fields = ["line", "mode", "debit", "credit", "amount", "hold", "expires_at"]
    extra = 0


@admin.register(Entry)
class EntryAdmin(ReadOnly, admin.ModelAdmin):
    """Entries with their lines."""

    list_display = ["id", "journal", "seq", "kind", "reference", "actor", "at"]
    list_filter = ["kind"]
    list_select_related = ["journal"]
    search_fields = ["=key", "=reference"]
    inlines = [TransferInline]
    ordering = ["-id"]


@admin.register(Journal)
class JournalAdmin(ReadOnly, admin.ModelAdmin):
    """Journals with the number of their newest entry."""

    list_display = ["code", "head_seq"]
    search_fields = ["code"]


@admin.register(CashRequest)
class CashRequestAdmin(ReadOnly, admin.ModelAdmin):
    """What operators have asked for."""

    list_display = ["id", "kind", "amount", "reason", "needs_second", "asked_by", "asked_at"]
    list_filter = ["kind", "needs_second"]
    ordering = ["-id"]


@admin.register(CashDecision)
class CashDecisionAdmin(ReadOnly, admin.ModelAdmin):
    """What was answered, and by whom."""

    list_display = ["request", "decided_by", "decided_at", "note", "entry"]
    list_select_related = ["request", "entry"]


@admin.register(AccountChange)
class AccountChangeAdmin(ReadOnly, admin.ModelAdmin):
    """Who froze or opened what, and why."""

    list_display = ["account", "is_open", "actor", "reason", "at"]
    list_select_related = ["account"]
    ordering = ["-id"]


@admin.register(Checkpoint)
class CheckpointAdmin(ReadOnly, admin.ModelAdmin):
    """Sealed roots."""

    list_display = ["taken_at", "occasion", "root"]
    ordering = ["-id"]
