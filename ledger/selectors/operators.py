"""What operators look at: requests that wait, the last check, totals by account and by day."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import TruncDate

from ledger.models import (
    Account,
    AccountChange,
    Balance,
    BooksCheck,
    Checkpoint,
    Entry,
    ReversalRequest,
    Transfer,
)
from ledger.selectors.sums import halves, total
from ledger.terms import Mode, Purpose
from wording.typed import read_key


def reversal_requests(*, is_waiting: bool | None = None) -> QuerySet[ReversalRequest]:
    """Requests with their entries and decisions, newest first; only those that wait, or do not."""
    found = ReversalRequest.objects.select_related("entry__journal", "decision").order_by("-pk")
    found = found.prefetch_related("entry__transfers__debit", "entry__transfers__credit")
    return found if is_waiting is None else found.filter(decision__isnull=is_waiting)


def last_check() -> BooksCheck | None:
    """The newest check of the books; None before the first. One query."""
    return BooksCheck.objects.order_by("pk").last()


def newest_checkpoint() -> Checkpoint | None:
    """The checkpoint that was sealed last. One query."""
    return Checkpoint.objects.order_by("pk").last()


def balances_in(asset: str, *, purpose: str = "") -> QuerySet[Balance]:
    """The balances of an asset's accounts, of one purpose if it is named, by account."""
    found = Balance.objects.filter(account__asset=asset).select_related("account__asset")
    if purpose:
        found = found.filter(account__purpose=purpose)
    return found.order_by("account_id")


def accounts_found(text: str) -> QuerySet[Account]:
    """Accounts of an owner (`player:17`) or with a number, with assets and balances."""
    found = Account.objects.select_related("asset", "balance").order_by("pk")
    if not text:
        return found
    wanted = Q(owner=text)
    number = read_key(text)
    if number is not None:
        wanted |= Q(pk=number)
    return found.filter(wanted)


def changes_of(account: int) -> QuerySet[AccountChange]:
    """Who froze and opened an account, newest first."""
    return AccountChange.objects.filter(account=account).order_by("-pk")


class DayTotal(NamedTuple):
    """What was posted of an asset on a day (UTC), in the smallest unit.

    `moved` is debits and credits alike, since each transfer has both sides; `held` what was set
    aside, `given_back` what was released.
    """

    day: date
    transfers: int
    moved: int
    held: int
    given_back: int


def totals_by_day(asset: str, *, since: datetime, until: datetime) -> tuple[DayTotal, ...]:
    """The days of a period on which something was posted, newest first. One query."""
    rows = (
        Transfer.objects.filter(debit__asset=asset, entry__at__gte=since, entry__at__lt=until)
        .annotate(day=TruncDate("entry__at"))
        .order_by()
        .values("day", "mode")
        .annotate(transfers=Count("pk"), **halves("moved", "amount"))
    )
    days: dict[date, dict[int, tuple[int, int]]] = {}
    for row in rows:
        days.setdefault(row["day"], {})[row["mode"]] = (row["transfers"], total(row, "moved"))
    return tuple(_day(day, days[day]) for day in sorted(days, reverse=True))


def _day(day: date, modes: dict[int, tuple[int, int]]) -> DayTotal:
    def of(*wanted: Mode) -> int:
        return sum(modes.get(mode, (0, 0))[1] for mode in wanted)

    return DayTotal(
        day=day,
        transfers=sum(transfers for transfers, _moved in modes.values()),
        moved=of(Mode.POST, Mode.CAPTURE),
        held=of(Mode.HOLD),
        given_back=of(Mode.RELEASE),
    )


def entry_named(pk: int) -> Entry | None:
    """An entry with its journal, what it reverses, and its lines with their accounts."""
    found = Entry.objects.select_related("journal", "reverses").filter(pk=pk)
    return found.prefetch_related(
        "transfers__debit__asset", "transfers__credit", "reversals"
    ).first()


def in_escrow() -> dict[str, int]:
    """What lies in tournaments' escrows now, by asset; only where something does. One query."""
    rows = (
        Balance.objects.filter(account__purpose__in=(Purpose.ESCROW, Purpose.FEE_ESCROW))
        .order_by("account__asset_id")
        .values("account__asset_id")
        .annotate(**halves("into", "credits"), **halves("out", "debits"))
    )
    found = {row["account__asset_id"]: total(row, "into") - total(row, "out") for row in rows}
    return {asset: amount for asset, amount in found.items() if amount}


def set_aside_for_escrow() -> dict[str, int]:
    """What is set aside for tournaments' escrows and not taken yet, by asset. One query."""
    rows = (
        Balance.objects.filter(
            account__purpose__in=(Purpose.ESCROW, Purpose.FEE_ESCROW), credits_held__gt=0
        )
        .order_by("account__asset_id")
        .values("account__asset_id")
        .annotate(**halves("held", "credits_held"))
    )
    return {row["account__asset_id"]: total(row, "held") for row in rows}


def fees_by_day(*, since: datetime) -> dict[str, dict[date, int]]:
    """What the house earned in fees by asset and day (UTC), given-back fees taken off."""
    found: dict[str, dict[date, int]] = {}
    for side, sign in (("credit", 1), ("debit", -1)):
        rows = (
            Transfer.objects.filter(
                mode__in=(Mode.POST, Mode.CAPTURE),
                entry__at__gte=since,
                **{f"{side}__purpose": Purpose.FEES},
            )
            .annotate(day=TruncDate("entry__at"))
            .order_by()
            .values("day", asset=F(f"{side}__asset_id"))
            .annotate(**halves("moved", "amount"))
        )
        for row in rows:
            days = found.setdefault(row["asset"], {})
            days[row["day"]] = days.get(row["day"], 0) + sign * total(row, "moved")
    return found
