"""How rows of the ledger look over HTTP. Nothing here accepts input."""

from __future__ import annotations

from rest_framework import serializers

from ledger.models import Account, Checkpoint, Entry, Transfer
from ledger.selectors.balances import view_of
from ledger.terms import Mode


class BalanceSerializer(serializers.Serializer):
    """A balance in the smallest unit of the asset."""

    posted = serializers.IntegerField()
    held = serializers.IntegerField()
    available = serializers.IntegerField()
    incoming = serializers.IntegerField()


class AccountSerializer(serializers.ModelSerializer):
    """An account with its asset's scale and its balance."""

    scale = serializers.IntegerField(source="asset.scale", read_only=True)
    balance = serializers.SerializerMethodField()

    class Meta:
        model = Account
        fields = ["id", "owner", "purpose", "asset", "scale", "rule", "is_open", "balance"]

    def get_balance(self, account: Account) -> BalanceSerializer:
        """The running totals as posted, held, available and incoming."""
        return BalanceSerializer(view_of(account.balance)).data  # type: ignore[return-value]


class LineSerializer(serializers.ModelSerializer):
    """One line of an entry."""

    mode = serializers.CharField(source="get_mode_display")

    class Meta:
        model = Transfer
        fields = ["id", "line", "mode", "debit", "credit", "amount", "hold", "expires_at"]


class TransferSerializer(serializers.ModelSerializer):
    """A transfer as it looks from one of its accounts; `amount` is negative when it goes out.

    A hold or a release moves nothing yet: its `amount` is 0 and `held` tells what was set aside or
    given back.
    """

    at = serializers.DateTimeField(source="entry.at")
    kind = serializers.CharField(source="entry.kind")
    reference = serializers.CharField(source="entry.reference")
    reason = serializers.CharField(source="entry.reason")
    mode = serializers.CharField(source="get_mode_display")
    amount = serializers.SerializerMethodField()
    held = serializers.SerializerMethodField()

    class Meta:
        model = Transfer
        fields = ["id", "at", "kind", "mode", "reference", "reason", "amount", "held", "entry"]

    def _sign(self, transfer: Transfer) -> int:
        return -1 if transfer.debit_id == self.context["account"] else 1

    def get_amount(self, transfer: Transfer) -> int:
        """What came in, or went out as a negative number."""
        moved = transfer.mode in (Mode.POST, Mode.CAPTURE)
        return self._sign(transfer) * transfer.amount if moved else 0

    def get_held(self, transfer: Transfer) -> int:
        """By how much the amount held on the account changed."""
        if self._sign(transfer) > 0 or transfer.mode == Mode.POST:
            return 0
        return -transfer.hold.amount if transfer.hold is not None else transfer.amount


class EntrySerializer(serializers.ModelSerializer):
    """An entry with its lines and its place in the chain."""

    journal = serializers.CharField(source="journal.code")
    lines = LineSerializer(source="transfers", many=True)
    prev_hash = serializers.SerializerMethodField()
    hash = serializers.SerializerMethodField()

    class Meta:
        model = Entry
        fields = ["id", "journal", "seq", "kind", "key", "actor", "reference", "reason", "at"]
        fields += ["reverses", "lines", "prev_hash", "hash"]

    def get_prev_hash(self, entry: Entry) -> str:
        """Hexadecimal."""
        return bytes(entry.prev_hash).hex()

    def get_hash(self, entry: Entry) -> str:
        """Hexadecimal."""
        return bytes(entry.hash).hex()


class CheckpointSerializer(serializers.ModelSerializer):
    """A checkpoint without its leaves."""

    class Meta:
        model = Checkpoint
        fields = ["id", "taken_at", "occasion", "root", "seal"]


class AssetTotalsSerializer(serializers.Serializer):
    """All accounts of one asset added up."""

    asset = serializers.CharField()
    debits = serializers.IntegerField()
    credits = serializers.IntegerField()
    debits_held = serializers.IntegerField()
    credits_held = serializers.IntegerField()
    is_balanced = serializers.BooleanField()


class WelcomeSerializer(serializers.Serializer):
    """Welcome points: how many wait, whether they may be taken, whether they have been."""

    waiting = serializers.IntegerField(read_only=True)
    is_verified = serializers.BooleanField(read_only=True)
    had = serializers.BooleanField(read_only=True)
