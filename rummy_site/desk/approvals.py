"""What waits for a second person: prizes in a currency, large amounts by hand, large reversals.

Each row says since when it waits, who asked, and why one person is not enough. Neither can who
asked approve nor whose own account it is about. Many can be approved at once, each in a transaction
of its own with its own audit line, all lines of one batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from ledger import selectors as books
from ledger import services as ledger
from ledger.amounts import of_asset
from ledger.api import owner_of
from ledger.lines import same_person
from ledger.services.four_eyes import both_sides, is_own, limit_of
from rummy_site.errors import is_refusal
from staff.services.audit import Doer, Subject, new_batch, note, signature_of
from tournaments import services as tournaments
from tournaments.amounts import in_unit
from tournaments.selectors.payouts import payouts
from wording import told

MOST: Final = 200
"""Rows of each kind on the page."""
PAYOUT, CASH, REVERSAL = "payout", "cash", "reversal"
APPROVE: Final = {
    PAYOUT: "ledger.approve_payouts",
    CASH: "ledger.adjust",
    REVERSAL: "ledger.adjust",
}


class Waiting(NamedTuple):
    """Something that waits. `address` is what to read before deciding."""

    kind: str
    pk: int
    what: str
    amount: str
    asked_by: str
    asked_at: datetime
    why: str
    reason: str
    subject: Subject
    address: tuple[str, Any]
    is_own: bool
    """Asked by who looks at it, or about his own account."""
    put_back: str = ""
    """Why it was put back; it has to be asked for anew."""

    @property
    def key(self) -> str:
        """How a form names it."""
        return f"{self.kind}-{self.pk}"


class Outcome(NamedTuple):
    """What became of one row."""

    row: Waiting
    refusal: str
    """Empty where it was done."""


def waiting_for(user: Any) -> list[Waiting]:
    """Everything that a user may decide about, the oldest first. A fixed number of queries."""
    name, owner = signature_of(user), owner_of(user)
    found: list[Waiting] = []
    if user.has_perm(APPROVE[PAYOUT]):
        found += [*_payouts("awaiting", name), *_payouts("held", name)]
    if user.has_perm(APPROVE[CASH]):
        found += [*_cash(name, owner), *_reversals(name, owner)]
    return sorted(found, key=lambda row: (row.asked_at, row.key))


def _payouts(state: str, name: str) -> Iterator[Waiting]:
    for payout in payouts(state=state).order_by("pk")[:MOST]:
        row: Any = payout
        tournament = row.tournament
        yield Waiting(
            kind=PAYOUT,
            pk=tournament.pk,
            what=_("%(number)d prizes of %(name)s")
            % {"number": row.prizes, "name": tournament.name},
            amount=in_unit(row.amount, tournament.asset),
            asked_by=row.asked_by,
            asked_at=row.asked_at,
            why=_("%(asset)s is money; prizes are approved by somebody who gets none.")
            % {"asset": tournament.asset},
            reason="",
            subject=Subject("tournament", tournament.public_id, tournament.name),
            address=("payouts:audit", tournament.public_id),
            is_own=same_person(row.asked_by, name),
            put_back=f"{row.held_by}: {row.held_reason}" if state == "held" else "",
        )


def _cash(name: str, owner: str) -> Iterator[Waiting]:
    for request in books.cash_requests(is_waiting=True).order_by("pk")[:MOST]:
        account = request.debit if request.debit.owner != "house" else request.credit
        yield Waiting(
            kind=CASH,
            pk=request.pk,
            what=f"{request.get_kind_display()}: {request.debit} → {request.credit}",
            amount=of_asset(request.amount, request.debit.asset),
            asked_by=request.asked_by,
            asked_at=request.asked_at,
            why=_above(request),
            reason=request.reason,
            subject=Subject("cash request", str(request.pk), str(account)),
            address=("books:account", account.pk),
            is_own=same_person(request.asked_by, name) or is_own([account], owner),
        )


def _reversals(name: str, owner: str) -> Iterator[Waiting]:
    for request in books.reversal_requests(is_waiting=True).order_by("pk")[:MOST]:
        entry = request.entry
        title = f"{entry.journal.code} #{entry.seq} {entry.kind}"
        yield Waiting(
            kind=REVERSAL,
            pk=request.pk,
            what=_("Reversal of %(entry)s") % {"entry": title},
            amount="",
            asked_by=request.asked_by,
            asked_at=request.asked_at,
            why=_("It moves more than one person may decide alone, or an account of who asked."),
            reason=request.reason,
            subject=Subject("ledger entry", str(entry.pk), title),
            address=("books:entry", entry.pk),
            is_own=same_person(request.asked_by, name)
            or is_own(both_sides(entry.transfers.all()), owner),
        )


def _above(request: Any) -> str:
    asset = request.debit.asset
    most = limit_of(asset.code)
    words = (
        _("It is above %(limit)s in 24 hours, which one person may decide.")
        if request.amount > most
        else _("With others of 24 hours it is above %(limit)s, or it is the account of who asked.")
    )
    return words % {"limit": of_asset(most, asset)}


class Deed(NamedTuple):
    """A decision: the audit log's action, the service and what it calls the reason."""

    action: str
    service: Callable[..., object]
    reason: str
    done: str
    """How the names of the answer's fields begin that say who decided, and when."""
    state: str
    """How it stands then."""


_DEEDS: Final = {
    (PAYOUT, "approve"): Deed(
        "tournaments.approve_payout", tournaments.approve_payout, "", "approved", "approved"
    ),
    (PAYOUT, "refuse"): Deed(
        "tournaments.put_back_payout", tournaments.put_back_payout, "reason", "held", "refused"
    ),
    (PAYOUT, "ask"): Deed(
        "tournaments.ask_for_payout", tournaments.ask_for_payout, "", "asked", "waiting"
    ),
    (CASH, "approve"): Deed(
        "ledger.approve_cash", ledger.approve_cash, "note", "decided", "approved"
    ),
    (CASH, "refuse"): Deed("ledger.refuse_cash", ledger.refuse_cash, "note", "decided", "refused"),
    (REVERSAL, "approve"): Deed(
        "ledger.approve_reversal", ledger.approve_reversal, "note", "decided", "approved"
    ),
    (REVERSAL, "refuse"): Deed(
        "ledger.refuse_reversal", ledger.refuse_reversal, "note", "decided", "refused"
    ),
}
"""By kind and verb."""


def decide(*, rows: list[Waiting], verb: str, reason: str, by: Doer) -> list[Outcome]:
    """Approve, refuse or ask anew for each of these rows; what is refused keeps no other back."""
    batch = new_batch() if len(rows) > 1 else ""
    return [Outcome(row, _decide(row, verb, reason, by, batch)) for row in rows]


def _decide(row: Waiting, verb: str, reason: str, by: Doer, batch: str) -> str:
    deed = _DEEDS.get((row.kind, verb))
    if deed is None:
        return _("That cannot be done with it.")
    try:
        with transaction.atomic():
            decided = deed.service(**_words(row, verb, deed, reason, by))
            who = str(getattr(decided, f"{deed.done}_by"))
            if (who, getattr(decided, f"{deed.done}_at")) != (by.signature, by.at):
                return _("%(who)s has decided it meanwhile.") % {"who": who}
            _note(row, deed, reason, by, batch)
    except Exception as refusal:
        if not is_refusal(refusal):
            raise
        return told(refusal.sentence)
    return ""


def _words(row: Waiting, verb: str, deed: Deed, reason: str, by: Doer) -> dict[str, Any]:
    """What the service is told."""
    words: dict[str, Any] = {"actor": by.signature, "now": by.at}
    words["tournament_id" if row.kind == PAYOUT else "request"] = row.pk
    if row.kind != PAYOUT and verb == "approve":
        words["actor_owner"] = owner_of(by.user)
    return words | ({deed.reason: reason} if deed.reason else {})


def _note(row: Waiting, deed: Deed, reason: str, by: Doer, batch: str) -> None:
    state = "put back" if row.put_back else "waiting"
    note(
        by=by,
        action=deed.action,
        subject=row.subject,
        reason=reason,
        before={"state": state, "asked_by": row.asked_by, "reason": row.reason},
        after={"state": deed.state, "amount": row.amount},
        batch=batch,
    )
