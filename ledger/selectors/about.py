"""Everything that moved about one thing, such as a tournament: sums, and the transfers behind them.

*About* a reference is what was posted under it, and *elsewhere* what touches its own accounts and
was posted under another one, as an operator's adjustment. A *marked* transfer is of an entry whose
key begins as said; a reversal is marked as what it reverses.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import BooleanField, Case, CharField, Count, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from ledger.models import Transfer
from ledger.selectors.sums import halves, total
from ledger.terms import Mode

REVERSED: Final = "reverse_"
"""What the kind of a reversal begins with."""


class About(NamedTuple):
    """A reference in one asset, the accounts (ids) that are its own, and how marked keys begin."""

    reference: str
    asset: str
    accounts: tuple[int, ...]
    mark: str = ""


class MovedSum(NamedTuple):
    """What entries of one kind moved (or held, gave back) from accounts of one purpose to another.

    `amount` is in the smallest unit, never negative; `transfers` says how many there were.
    """

    kind: str
    mode: Mode
    source: str
    target: str
    is_marked: bool
    is_elsewhere: bool
    amount: int
    transfers: int


class Wanted(NamedTuple):
    """Which transfers about a reference to list; what is empty or None is not asked about."""

    kinds: tuple[str, ...] = ()
    """Reversals are named apart, as `reverse_refund`."""
    other_than: tuple[str, ...] = ()
    modes: tuple[Mode, ...] = ()
    touching: tuple[int, ...] = ()
    """Accounts, one of which is on either side."""
    is_marked: bool | None = None
    elsewhere: bool = False
    """Those posted under other references are listed as well."""


class MovedLine(NamedTuple):
    """One transfer with its entry and both accounts."""

    transfer: int
    entry: int
    journal: str
    number: int
    at: datetime
    kind: str
    mode: Mode
    debit: int
    debit_owner: str
    debit_purpose: str
    credit: int
    credit_owner: str
    credit_purpose: str
    amount: int
    actor: str
    reason: str
    reference: str


def sums_about(about: About) -> list[MovedSum]:
    """All that moved about a reference, by kind, way and mode. Two queries for any number."""
    return [
        MovedSum(
            kind=row["entry__kind"],
            mode=Mode(row["mode"]),
            source=row["debit__purpose"],
            target=row["credit__purpose"],
            is_marked=row["is_marked"],
            is_elsewhere=is_elsewhere,
            amount=total(row, "moved"),
            transfers=row["transfers"],
        )
        for is_elsewhere, found in ((False, _own(about)), (True, _elsewhere(about)))
        for row in _marked(found, about)
        .order_by()
        .values("entry__kind", "mode", "debit__purpose", "credit__purpose", "is_marked")
        .annotate(transfers=Count("pk"), **halves("moved", "amount"))
    ]


def lines_about(
    about: About, wanted: Wanted, *, before: int | None = None, limit: int
) -> list[MovedLine]:
    """The newest transfers of those that are wanted, older than the transfer `before` if named."""
    found = [_narrowed(_own(about), about, wanted)]
    if wanted.elsewhere:
        found.append(_narrowed(_elsewhere(about), about, wanted._replace(other_than=())))
    rows: list[Transfer] = []
    for part in found:
        older = part if before is None else part.filter(pk__lt=before)
        chosen = older.select_related("entry__journal", "debit", "credit").order_by("-pk")
        rows += chosen[:limit]
    rows.sort(key=lambda row: -row.pk)
    return [_line(row) for row in rows[:limit]]


def net_to_owners(
    about: About,
    *,
    kinds: Sequence[str],
    purpose: str,
    keys: Sequence[str] = (),
    for_good: bool = False,
) -> dict[str, int]:
    """What came to owners' accounts of a purpose by entries of these kinds, less what went from
    them; reversals count back. Two queries.

    `keys` asks only for entries (or what they reverse) whose keys begin so. A release counts as
    what comes to who had set it aside, unless only what moved `for_good` is asked for.
    """
    named = [*kinds, *(REVERSED + kind for kind in kinds)]
    left_out = (Mode.HOLD, Mode.RELEASE) if for_good else (Mode.HOLD,)
    net: dict[str, int] = {}
    for side, sign, gives in (("credit", 1, -1), ("debit", -1, 1)):
        found = _marked(_own(about).filter(entry__kind__in=named), about)
        if keys:
            found = found.filter(_any_prefix(keys))
        rows = (
            found.filter(**{f"{side}__purpose": purpose})
            .exclude(mode__in=left_out)
            .order_by()
            .values(f"{side}__owner", "mode")
            .annotate(**halves("moved", "amount"))
        )
        for row in rows:
            owner, is_given_back = row[f"{side}__owner"], row["mode"] == Mode.RELEASE
            change = (gives if is_given_back else sign) * total(row, "moved")
            if change:
                net[owner] = net.get(owner, 0) + change
    return {owner: amount for owner, amount in net.items() if amount}


def _own(about: About) -> QuerySet[Transfer]:
    return Transfer.objects.filter(entry__reference=about.reference, debit__asset=about.asset)


def _elsewhere(about: About) -> QuerySet[Transfer]:
    touching = Q(debit__in=about.accounts) | Q(credit__in=about.accounts)
    return Transfer.objects.filter(touching).exclude(entry__reference=about.reference)


def _marked(found: QuerySet[Transfer], about: About) -> Any:
    original = Coalesce("entry__reverses__key", "entry__key", output_field=CharField())
    found = found.annotate(original=original)
    if not about.mark:
        return found.annotate(is_marked=Value(False, BooleanField()))
    is_so = When(original__startswith=about.mark, then=Value(True))
    return found.annotate(is_marked=Case(is_so, default=Value(False), output_field=BooleanField()))


def _any_prefix(keys: Sequence[str]) -> Q:
    anyone = Q()
    for key in keys:
        anyone |= Q(original__startswith=key)
    return anyone


def _narrowed(found: QuerySet[Transfer], about: About, wanted: Wanted) -> Any:
    found = found.exclude(entry__kind__in=wanted.other_than)
    if wanted.kinds:
        found = found.filter(entry__kind__in=wanted.kinds)
    if wanted.modes:
        found = found.filter(mode__in=wanted.modes)
    if wanted.touching:
        found = found.filter(Q(debit__in=wanted.touching) | Q(credit__in=wanted.touching))
    if wanted.is_marked is None:
        return found
    return _marked(found, about).filter(is_marked=wanted.is_marked)


def _line(row: Transfer) -> MovedLine:
    entry = row.entry
    return MovedLine(
        transfer=row.pk,
        entry=entry.pk,
        journal=entry.journal.code,
        number=entry.seq,
        at=entry.at,
        kind=entry.kind,
        mode=Mode(row.mode),
        debit=row.debit_id,
        debit_owner=row.debit.owner,
        debit_purpose=row.debit.purpose,
        credit=row.credit_id,
        credit_owner=row.credit.owner,
        credit_purpose=row.credit.purpose,
        amount=row.amount,
        actor=entry.actor,
        reason=entry.reason,
        reference=entry.reference,
    )
