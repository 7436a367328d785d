"""A player's wallet put together for a page: balances, and a statement line by line."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ledger import references, selectors
from ledger.amounts import of_asset
from ledger.models import Account
from ledger.references import Named
from ledger.terms import Mode, Purpose

_FIRST_DAY: Final = date(2000, 1, 1)
_KINDS: Final[Mapping[str, str | Promise]] = {
    "welcome": _("Welcome points"),
    "grant": _("Points given"),
    "entry_fee": _("Entry fee"),
    "start": _("Entry fee, due at the start"),
    "refund": _("Refund"),
    "fee_back": _("Refund of the organiser's fee"),
    "charge": _("Kept from a refund"),
    "payout": _("Prize"),
    "ticket": _("Ticket"),
    "ticket_used": _("Ticket used"),
    "rejoin": _("Buying in again"),
    "reverse_rejoin": _("Buying in again, taken back"),
    "rebuy": _("Chips bought"),
    "deal": _("Deal"),
    "deposit": _("Deposit"),
    "withdrawal": _("Withdrawal"),
    "adjustment": _("Adjustment"),
    "expire": _("Set aside, given back in time"),
}
_MODES: Final[Mapping[str, str | Promise]] = {
    Mode.HOLD.label: _("set aside"),
    Mode.CAPTURE.label: _("taken from what was set aside"),
    Mode.RELEASE.label: _("given back from what was set aside"),
}


class Period(NamedTuple):
    """Days of the reader's time zone, both included; None leaves that side open."""

    first: date | None = None
    last: date | None = None

    @property
    def since(self) -> datetime | None:
        """The beginning of the first day."""
        return None if self.first is None else _midnight(self.first)

    @property
    def until(self) -> datetime | None:
        """The end of the last day."""
        return None if self.last is None else _midnight(self.last + timedelta(days=1))


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


def period_of(first: str, last: str) -> Period:
    """The period of two dates as a form sends them; what is no date leaves its side open."""
    return Period(day_of(first), day_of(last))


def day_of(text: str) -> date | None:
    """A date as a form sends it; None for what is no date, or is far from now."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if _FIRST_DAY <= day <= date(9000, 1, 1) else None


def kind_words(kind: str) -> str:
    """What a kind of entries is called."""
    return str(_KINDS.get(kind, kind.replace("_", " ").capitalize()))


def mode_words(mode: int) -> str:
    """How an amount moved, empty where it simply did."""
    return str(_MODES.get(Mode(mode).label, ""))


def purpose_words(purpose: str) -> str:
    """What accounts of a purpose are for; a caller's own word as he wrote it."""
    return str(Purpose(purpose).label) if purpose in Purpose.values else purpose


class Purse(NamedTuple):
    """An account with its amounts written out."""

    account: Account
    posted: str
    held: str
    available: str
    has_held: bool
    is_shown: bool


class WalletLine(NamedTuple):
    """A line of the statement; `amount` is empty where nothing moved, `held` where nothing did."""

    at: datetime
    what: str
    how: str
    about: Named | None
    reason: str
    amount: str
    is_in: bool
    held: str
    balance: str


class Wallet(NamedTuple):
    """A player's purses, and a page of the statement of the one that is looked at."""

    purses: tuple[Purse, ...]
    shown: Account | None
    lines: tuple[WalletLine, ...]
    newer: int | None
    older: int | None


def wallet_of(
    owner: str,
    *,
    account: int | None = None,
    period: Period | None = None,
    before: int | None = None,
    after: int | None = None,
) -> Wallet:
    """An owner's wallet; without a number, or with one that is not his, his first account.

    As many queries for a long history as for a short one.
    """
    holdings = selectors.holdings_of(owner, Purpose.WALLET)
    shown = next((h.account for h in holdings if h.account.pk == account), None)
    if shown is None and holdings:
        shown = holdings[0].account
    purses = tuple(_purse(holding, shown) for holding in holdings)
    if shown is None:
        return Wallet(purses, None, (), None, None)
    period = period or Period()
    page = selectors.statement_page(
        shown.pk, since=period.since, until=period.until, before=before, after=after
    )
    names = references.named(line.reference for line in page.lines)
    lines = tuple(line_in_words(line, shown, names.get(line.reference)) for line in page.lines)
    return Wallet(purses, shown, lines, page.newer, page.older)


def _purse(holding: selectors.Holding, shown: Account | None) -> Purse:
    account, balance = holding
    return Purse(
        account=account,
        posted=of_asset(balance.posted, account.asset),
        held=of_asset(balance.held, account.asset),
        available=of_asset(balance.available, account.asset),
        has_held=balance.held != 0,
        is_shown=shown is not None and account.pk == shown.pk,
    )


def line_in_words(
    line: selectors.StatementLine, account: Account, about: Named | None = None
) -> WalletLine:
    """A line of a statement with its amounts written out."""
    return WalletLine(
        at=line.at,
        what=kind_words(line.kind),
        how=str(_MODES.get(line.mode, "")),
        about=about,
        reason=line.reason,
        amount=of_asset(line.amount, account.asset, signed=True) if line.amount else "",
        is_in=line.amount > 0,
        held=of_asset(line.held, account.asset, signed=True) if line.held else "",
        balance=of_asset(line.balance, account.asset),
    )
