"""Entry fees: set aside, given back, collected; and buy-ins for a rejoin."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from ledger import selectors
from ledger.services import Line
from tournaments.models import Entry, Tournament
from tournaments.money.accounts import (
    Books,
    batches,
    books_of,
    player_owner,
    post,
    reference_of,
    wallet_of,
    wallets_of,
)


def _fee_parts(tournament: Tournament, books: Books) -> list[tuple[int, int]]:
    parts = [
        (books.escrow, tournament.entry_fee - tournament.house_fee),
        (books.fee_escrow, tournament.house_fee),
    ]
    return [(account, amount) for account, amount in parts if amount]


def hold_fee(*, tournament: Tournament, entry: Entry, actor: str, now: datetime) -> None:
    """Set an entry's fee aside. Raises `InsufficientFunds`, which says how much is missing.

    Nothing more is asked of a no-show who is let in again and whose fee was kept.
    """
    books = books_of(tournament)
    wallet = wallet_of(tournament.asset, entry.player_id)
    if entry.attempt > 1 and _holds_of(tournament, wallet).exists():
        return
    lines = [
        Line.set_aside(debit=wallet, credit=account, amount=amount)
        for account, amount in _fee_parts(tournament, books)
    ]
    key = f"entry:{tournament.pk}:{entry.player_id}:{entry.attempt}"
    post(tournament, "entry_fee", key, lines, actor=actor, now=now)


def release_fee(*, tournament: Tournament, entry: Entry, actor: str, now: datetime) -> None:
    """Give back whatever is set aside for an entry, whatever the fee is today."""
    wallet = wallet_of(tournament.asset, entry.player_id)
    lines = [Line.release(hold) for hold in _holds_of(tournament, wallet)]
    key = f"refund:{tournament.pk}:{entry.player_id}:{entry.attempt}"
    post(tournament, "refund", key, lines, actor=actor, now=now)


def _holds_of(tournament: Tournament, wallet: int) -> QuerySet[Any]:
    return selectors.open_holds(reference=reference_of(tournament), account=wallet)


def collect_fees(*, tournament: Tournament, actor: str, now: datetime) -> None:
    """Settle every fee that is set aside; the organiser's part becomes his."""
    holds = list(selectors.open_holds(reference=reference_of(tournament)))
    for number, batch in batches(holds):
        lines = [Line.capture(hold) for hold in batch]
        key = f"start:{tournament.pk}:{number}:{batch[0].pk}"
        post(tournament, "start", key, lines, actor=actor, now=now)
    earn_fees(tournament, f"fees:{tournament.pk}:start", now)


def release_fees(
    *, tournament: Tournament, entries: Sequence[Entry], actor: str, now: datetime
) -> None:
    """Give back whatever is set aside for many entries, in a fixed number of statements a batch."""
    wallets = wallets_of(tournament.asset, [entry.player_id for entry in entries])
    theirs = set(wallets.values())
    open_now = selectors.open_holds(reference=reference_of(tournament))
    holds = [hold for hold in open_now if hold.debit_id in theirs]
    for _, batch in batches(holds):
        lines = [Line.release(hold) for hold in batch]
        key = f"refunds:{tournament.pk}:{batch[0].pk}"
        post(tournament, "refund", key, lines, actor=actor, now=now)


def frozen_payers(tournament: Tournament) -> set[str]:
    """Whose fee is set aside in a wallet that an operator has frozen since, as the ledger's owners.

    Nothing can be taken from such a wallet; what is set aside can be given back.
    """
    holds = selectors.open_holds(reference=reference_of(tournament))
    return set(holds.filter(debit__is_open=False).values_list("debit__owner", flat=True))


def take_rejoin(*, tournament: Tournament, player_id: int, number: int, now: datetime) -> None:
    """A player's buy-in for his rejoin `number`. Raises `InsufficientFunds`."""
    books = books_of(tournament)
    wallet = wallet_of(tournament.asset, player_id)
    lines = [
        Line.post(debit=wallet, credit=account, amount=amount)
        for account, amount in _fee_parts(tournament, books)
    ]
    key = f"rejoin:{tournament.pk}:{player_id}:{number}"
    post(tournament, "rejoin", key, lines, actor=player_owner(player_id), now=now)


def take_late_fee(
    *, tournament: Tournament, entry: Entry, is_reentry: bool, actor: str, now: datetime
) -> None:
    """The fee of an entry in a tournament that runs, taken at once. Raises `InsufficientFunds`."""
    books = books_of(tournament)
    wallet = wallet_of(tournament.asset, entry.player_id)
    lines = [
        Line.post(debit=wallet, credit=account, amount=amount)
        for account, amount in _fee_parts(tournament, books)
    ]
    key = f"late:{tournament.pk}:{entry.player_id}:{entry.attempt}"
    kind = "rejoin" if is_reentry else "entry_fee"
    post(tournament, kind, key, lines, actor=actor, now=now)


def can_pay_fee(tournament: Tournament, player_id: int) -> bool:
    """Whether a player has another entry fee to spend."""
    available = selectors.balance_of(wallet_of(tournament.asset, player_id)).available
    return available >= tournament.entry_fee


def earn_fees(tournament: Tournament, key: str, now: datetime) -> None:
    books = books_of(tournament)
    earned = selectors.balance_of(books.fee_escrow).posted
    if earned:
        lines = [Line.post(debit=books.fee_escrow, credit=books.fees, amount=earned)]
        post(tournament, "fee", key, lines, now=now)
