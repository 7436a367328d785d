"""What an auditor asks about one tournament's money: its figures, and the transfers behind each.

What came in and did not go back is the prize pool, the organiser's fee, or still set aside:

    entries + rejoins + re-entries + re-buys + top-up − refunds + kept = pool + fee + set aside
    pool + other = prizes + tickets + surplus + what lies in the pool's escrow

The left side is added up by kinds of entries, the right one by accounts; both sides from the
transfers themselves. *Other* is what fits no kind of ours, or was posted under another reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from ledger import selectors
from ledger.services import Mode, Purpose
from tournaments.models import PaymentKind, Tournament
from tournaments.money.accounts import books_of, player_owner, reference_of
from tournaments.money.tickets import PURPOSE as TICKET
from tournaments.money.tickets import owner_of

LINES_A_PAGE: Final = 50
_POOL: Final[frozenset[str]] = frozenset({Purpose.ESCROW})
_FEES: Final[frozenset[str]] = frozenset({Purpose.FEE_ESCROW, Purpose.FEES})
_ESCROWS: Final[frozenset[str]] = frozenset({Purpose.ESCROW, Purpose.FEE_ESCROW})
_FOR_GOOD: Final = (Mode.POST, Mode.CAPTURE)
_OUT_OF_THE_POOL: Final = ("payout", "ticket", "surplus")
_KNOWN: Final = (
    *("entry_fee", "start", "rejoin", "rebuy", "overlay", "refund", "fee_back", "charge", "fee"),
    *("ticket_used", *_OUT_OF_THE_POOL),
)


class Figure(StrEnum):
    """The figures of an audit, in the order of the two equations above."""

    ENTRIES = "entries"
    REJOINS = "rejoins"
    RE_ENTRIES = "re_entries"
    REBUYS = "rebuys"
    TOP_UP = "top_up"
    REFUNDS = "refunds"
    KEPT = "kept"
    POOL = "pool"
    FEE = "fee"
    SET_ASIDE = "set_aside"
    PRIZES = "prizes"
    TICKETS = "tickets"
    SURPLUS = "surplus"
    OTHER = "other"


_BY_KIND: Final[Mapping[Figure, tuple[str, ...]]] = {
    Figure.ENTRIES: ("entry_fee",),
    Figure.REJOINS: ("rejoin",),
    Figure.RE_ENTRIES: ("rejoin",),
    Figure.REBUYS: ("rebuy",),
    Figure.TOP_UP: ("overlay",),
    Figure.REFUNDS: ("refund", "fee_back"),
    Figure.KEPT: ("charge",),
    Figure.PRIZES: ("payout",),
    Figure.TICKETS: ("ticket",),
    Figure.SURPLUS: ("surplus",),
}
_MARKED: Final = {Figure.REJOINS: False, Figure.RE_ENTRIES: True}


class Sum(NamedTuple):
    """A figure in the asset's smallest unit, and how many transfers are behind it."""

    amount: int
    transfers: int


class Behind(NamedTuple):
    """A transfer behind a figure; `amount` is what it adds to the figure, or takes from it."""

    line: selectors.MovedLine
    amount: int


class Lines(NamedTuple):
    """Transfers behind a figure, the newest first; `older` is the key that older ones end at."""

    behind: tuple[Behind, ...]
    older: int | None


def figures_of(tournament: Tournament) -> dict[Figure, Sum]:
    """All figures of a tournament. Two queries for any number of transfers."""
    found = dict.fromkeys(Figure, Sum(0, 0))
    for moved in selectors.sums_about(_about(tournament)):
        for figure in Figure:
            sign = _sign(figure, moved)
            if sign is not None:
                was = found[figure]
                amount = was.amount + sign * moved.amount
                found[figure] = Sum(amount, was.transfers + moved.transfers)
    return found


def lines_behind(tournament: Tournament, figure: Figure, *, before: int | None = None) -> Lines:
    """The transfers behind a figure. Two queries at most for a page."""
    about = _about(tournament)
    rows = selectors.lines_about(
        about, _wanted(figure, tournament), before=before, limit=LINES_A_PAGE + 1
    )
    behind = []
    for row in rows[:LINES_A_PAGE]:
        moved = selectors.MovedSum(
            kind=row.kind,
            mode=row.mode,
            source=row.debit_purpose,
            target=row.credit_purpose,
            is_marked=figure is Figure.RE_ENTRIES,
            is_elsewhere=row.reference != about.reference,
            amount=row.amount,
            transfers=1,
        )
        behind.append(Behind(row, (_sign(figure, moved) or 0) * row.amount))
    return Lines(
        tuple(behind), rows[LINES_A_PAGE - 1].transfer if len(rows) > LINES_A_PAGE else None
    )


def _about(tournament: Tournament) -> selectors.About:
    books = books_of(tournament)
    return selectors.About(
        reference=reference_of(tournament),
        asset=tournament.asset,
        accounts=(books.escrow, books.fee_escrow),
        mark=f"late:{tournament.pk}:",
    )


def _sign(figure: Figure, moved: selectors.MovedSum) -> int | None:
    """Whether a movement adds to a figure (1), takes from it (-1), is of it (0), or is not."""
    base = moved.kind.removeprefix(selectors.REVERSED)
    back = -1 if base != moved.kind else 1
    is_ours = base in _KNOWN and not moved.is_elsewhere
    if figure is Figure.OTHER:
        return None if is_ours else _net(moved, _ESCROWS)
    if not is_ours:
        return None
    if figure is Figure.SET_ASIDE:
        return {Mode.HOLD: 1, Mode.POST: None}.get(moved.mode, -1)
    if figure is Figure.POOL:
        return None if base in _OUT_OF_THE_POOL else _net(moved, _POOL) or None
    if figure is Figure.FEE:
        return None if base in _OUT_OF_THE_POOL else _net(moved, _FEES) or None
    if figure is Figure.ENTRIES and moved.kind == f"{selectors.REVERSED}start":
        return -1
    is_of_it = base in _BY_KIND[figure] and _MARKED.get(figure, moved.is_marked) == moved.is_marked
    return back if is_of_it else None


def _net(moved: selectors.MovedSum, inside: frozenset[str]) -> int:
    if moved.mode not in _FOR_GOOD:
        return 0
    return (moved.target in inside) - (moved.source in inside)


def _wanted(figure: Figure, tournament: Tournament) -> selectors.Wanted:
    books = books_of(tournament)
    match figure:
        case Figure.OTHER:
            return selectors.Wanted(other_than=_both(_KNOWN), elsewhere=True)
        case Figure.SET_ASIDE:
            return selectors.Wanted(modes=(Mode.HOLD, Mode.CAPTURE, Mode.RELEASE))
        case Figure.POOL:
            out = _both(_OUT_OF_THE_POOL)
            return selectors.Wanted(other_than=out, modes=_FOR_GOOD, touching=(books.escrow,))
        case Figure.FEE:
            out = _both((*_OUT_OF_THE_POOL, "fee"))
            touching = (books.fee_escrow, books.fees)
            return selectors.Wanted(other_than=out, modes=_FOR_GOOD, touching=touching)
    kinds = _both(_BY_KIND[figure])
    if figure is Figure.ENTRIES:
        kinds = (*kinds, f"{selectors.REVERSED}start")
    return selectors.Wanted(kinds=kinds, is_marked=_MARKED.get(figure))


def _both(kinds: Sequence[str]) -> tuple[str, ...]:
    return (*kinds, *(selectors.REVERSED + kind for kind in kinds))


# What was paid to whom


def paid_in_prizes(tournament: Tournament) -> dict[str, int]:
    """What the ledger paid in prizes, less what was taken back, by owner. Two queries."""
    return selectors.net_to_owners(_about(tournament), kinds=["payout"], purpose=Purpose.WALLET)


def given_in_tickets(tournament: Tournament) -> dict[str, int]:
    """What the ledger put into tickets' accounts, by owner. Two queries."""
    return selectors.net_to_owners(_about(tournament), kinds=["ticket"], purpose=TICKET)


def given_back(tournament: Tournament) -> dict[str, int]:
    """What written-down refunds gave back, by owner; withdrawals are not among them. Two queries.

    What was kept of a refund is taken off.
    """
    kinds = ("refund", "fee_back", "charge")
    return selectors.net_to_owners(
        _about(tournament),
        kinds=kinds,
        purpose=Purpose.WALLET,
        keys=[f"{kind}:{tournament.pk}:from-" for kind in kinds],
    )


def put_in_by_owner(tournament: Tournament) -> dict[str, int]:
    """What players paid for taking part and have not got back, by owner. Two queries."""
    kinds = ("entry_fee", "start", "rejoin", "rebuy", "refund", "fee_back")
    net = selectors.net_to_owners(
        _about(tournament), kinds=kinds, purpose=Purpose.WALLET, for_good=True
    )
    return {owner: -amount for owner, amount in net.items()}


def owner_paid(kind: PaymentKind, *, payment_id: int, player_id: int) -> str:
    """To whom the ledger pays a payment: a ticket's own account, or its player."""
    return owner_of(payment_id) if kind is PaymentKind.TICKET else player_owner(player_id)
