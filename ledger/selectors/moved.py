"""Sums over what was posted about a reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import F, Q

from ledger.models import Balance, Transfer
from ledger.selectors.sums import halves, total
from ledger.terms import Mode

_FOR_GOOD: Final = (Mode.POST, Mode.CAPTURE)


def moved_by_kind(reference: str) -> dict[str, int]:
    """What all entries of each kind moved, held or gave back, in the smallest unit."""
    rows = (
        Transfer.objects.filter(entry__reference=reference)
        .order_by()
        .values("entry__kind")
        .annotate(**halves("moved", "amount"))
    )
    return {row["entry__kind"]: total(row, "moved") for row in rows}


def moved_between(
    reference: str, *, without: Sequence[str] = (), accounts: Sequence[int] | None = None
) -> dict[tuple[int, int], int]:
    """What moved for good about a reference from which account (id) to which.

    Entries of the kinds in `without` are left out; `accounts` asks for what moved from or to these.
    """
    found = Transfer.objects.filter(entry__reference=reference, mode__in=_FOR_GOOD)
    if accounts is not None:
        found = found.filter(Q(debit_id__in=accounts) | Q(credit_id__in=accounts))
    rows = (
        found.exclude(entry__kind__in=without)
        .order_by()
        .values("debit_id", "credit_id")
        .annotate(**halves("moved", "amount"))
    )
    return {(row["debit_id"], row["credit_id"]): total(row, "moved") for row in rows}


def moved_of_owners(
    *, purpose: str, owners: Sequence[str]
) -> dict[str, dict[str, tuple[int, int]]]:
    """What moved for good into and out of owners' accounts of one purpose, by kind of entry."""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for is_out, side in enumerate(("credit", "debit")):
        rows = (
            Transfer.objects.filter(
                mode__in=_FOR_GOOD,
                **{f"{side}__owner__in": owners, f"{side}__purpose": purpose},
            )
            .order_by()
            .values(f"{side}__owner", "entry__kind")
            .annotate(**halves("moved", "amount"))
        )
        for row in rows:
            kinds = found.setdefault(row[f"{side}__owner"], {})
            into, out = kinds.get(row["entry__kind"], (0, 0))
            moved = total(row, "moved")
            kinds[row["entry__kind"]] = (into, moved) if is_out else (moved, out)
    return found


def net_by_owner(*, asset: str, purpose: str, references: Sequence[str]) -> dict[str, int]:
    """What owners' accounts of one purpose gained (or lost, negative) by these references."""
    net: dict[str, int] = {}
    for side, sign in (("credit", 1), ("debit", -1)):
        rows = (
            Transfer.objects.filter(
                entry__reference__in=references,
                mode__in=_FOR_GOOD,
                **{f"{side}__asset_id": asset, f"{side}__purpose": purpose},
            )
            .order_by()
            .values(f"{side}__owner")
            .annotate(**halves("moved", "amount"))
        )
        for row in rows:
            owner = row[f"{side}__owner"]
            net[owner] = net.get(owner, 0) + sign * total(row, "moved")
    return net


def net_by_reference(*, owner: str, purpose: str, references: Sequence[str]) -> dict[str, int]:
    """What an owner's account of one purpose gained (or lost, negative) by each reference."""
    net: dict[str, int] = {}
    for side, sign in (("credit", 1), ("debit", -1)):
        rows = (
            Transfer.objects.filter(
                entry__reference__in=references,
                mode__in=_FOR_GOOD,
                **{f"{side}__owner": owner, f"{side}__purpose": purpose},
            )
            .order_by()
            .values("entry__reference")
            .annotate(**halves("moved", "amount"))
        )
        for row in rows:
            reference = row["entry__reference"]
            net[reference] = net.get(reference, 0) + sign * total(row, "moved")
    return net


def accounts_with_something(*, asset: str, purpose: str) -> dict[int, int]:
    """Accounts (ids) of a purpose that do not stand at zero, and what is posted on them."""
    rows = Balance.objects.filter(
        ~Q(credits=F("debits")), account__asset_id=asset, account__purpose=purpose
    )
    return {row.account_id: row.credits - row.debits for row in rows.order_by("account_id")}
