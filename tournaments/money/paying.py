"""Paying what is owed to players: prizes out of the pool, tickets, refunds.

Many are paid by one entry of the ledger. Where one of them cannot be paid, each is paid by itself,
so that one frozen wallet keeps nobody else from his money. Keys are made of the payments' ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction

from ledger import selectors
from ledger.errors import LedgerBusy, LedgerError, StorageFailed
from ledger.services import Line
from tournaments.models import PaymentKind, Tournament
from tournaments.money.accounts import Books, batches, books_of, post, reference_of, wallets_of
from tournaments.money.tickets import ticket_accounts

KINDS: Final = {
    PaymentKind.PRIZE: "payout",
    PaymentKind.TICKET: "ticket",
    PaymentKind.REFUND: "refund",
}
"""Kinds of the ledger's entries."""


_NOT_PUT_IN: Final = ("payout", "charge")
"""Movements between players and the tournament that are no part of what they put in."""


FEW: Final = 1_000
"""Up to so many players are asked for by name; of more, all that moved is read at once."""


class Owed(NamedTuple):
    """A payment to be made; `kept` of a refund stays with the organiser."""

    payment_id: int
    kind: PaymentKind
    player_id: int
    amount: int
    kept: int = 0


class PutIn(NamedTuple):
    """What a player has in a tournament: set aside, in the pool, and as the organiser's part."""

    held: int
    pool: int
    fee: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.held + self.pool + self.fee


def put_in(tournament: Tournament, player_ids: Sequence[int]) -> dict[int, PutIn]:
    """What each player's own entries put in and has not got back, whatever the fee is today."""
    books, wallets = books_of(tournament), _wallets(tournament, player_ids)
    ours = list(wallets.values())
    few = ours if len(ours) <= FEW else None
    moved = selectors.moved_between(reference_of(tournament), without=_NOT_PUT_IN, accounts=few)
    held: dict[int, int] = {}
    for hold in _holds(tournament, few):
        held[hold.debit_id] = held.get(hold.debit_id, 0) + hold.amount

    def net(wallet: int, *accounts: int) -> int:
        return sum(
            moved.get((wallet, account), 0) - moved.get((account, wallet), 0)
            for account in accounts
        )

    return {
        player: PutIn(
            held=held.get(wallet, 0),
            pool=net(wallet, books.escrow),
            fee=net(wallet, books.fee_escrow, books.fees),
        )
        for player, wallet in wallets.items()
    }


def _holds(tournament: Tournament, wallets: Sequence[int] | None) -> Any:
    """What is set aside for a tournament, by these wallets or by all."""
    holds = selectors.open_holds(reference=reference_of(tournament))
    return holds if wallets is None else holds.filter(debit_id__in=wallets)


def pay_owed(*, tournament: Tournament, owed: Sequence[Owed], now: datetime) -> dict[int, str]:
    """Pay all of one kind; gives the payments that could not be made, with the reason."""
    try:
        with transaction.atomic():
            _pay(tournament, owed, f"{tournament.pk}:from-{owed[0].payment_id}", now)
    except LedgerError as refusal:
        if must_stop(refusal):
            raise
        if len(owed) == 1:
            return {owed[0].payment_id: str(refusal)[:300]}
        faults: dict[int, str] = {}
        for one in owed:
            faults |= pay_owed(tournament=tournament, owed=[one], now=now)
        return faults
    return {}


def must_stop(refusal: LedgerError) -> bool:
    """Whether a refusal is the ledger's own trouble, so that nothing can go on after it."""
    return isinstance(refusal, LedgerBusy | StorageFailed)


def _pay(tournament: Tournament, owed: Sequence[Owed], key: str, now: datetime) -> None:
    if owed[0].kind is PaymentKind.REFUND:
        _give_back(tournament, owed, key, now)
        return
    books, kind = books_of(tournament), KINDS[owed[0].kind]
    if owed[0].kind is PaymentKind.TICKET:
        accounts = ticket_accounts(tournament.asset, [one.payment_id for one in owed])
    else:
        wallets = _wallets(tournament, [one.player_id for one in owed])
        accounts = {one.payment_id: wallets[one.player_id] for one in owed}
    lines = [
        Line.post(debit=books.escrow, credit=accounts[one.payment_id], amount=one.amount)
        for one in owed
        if one.amount
    ]
    post(tournament, kind, f"{kind}:{key}", lines, now=now)


class _Back(NamedTuple):
    """Lines that give a player back what he put in, by kind of entry."""

    refund: list[Line]
    fee_back: list[Line]
    charge: list[Line]


def _give_back(tournament: Tournament, owed: Sequence[Owed], key: str, now: datetime) -> None:
    books = books_of(tournament)
    players = [one.player_id for one in owed]
    wallets, inside = _wallets(tournament, players), put_in(tournament, players)
    back = _Back([], [], [])
    for one in owed:
        _back_lines(back, books, wallets[one.player_id], inside[one.player_id], one.kept)
    holds = _holds(tournament, list(wallets.values()))
    back.refund.extend(Line.release(hold) for hold in holds)
    for kind, lines in back._asdict().items():
        post(tournament, kind, f"{kind}:{key}", lines, now=now)


def _back_lines(back: _Back, books: Books, wallet: int, inside: PutIn, kept: int) -> None:
    if inside.pool:
        back.refund.append(Line.post(debit=books.escrow, credit=wallet, amount=inside.pool))
    if inside.fee:
        back.fee_back.append(Line.post(debit=books.fees, credit=wallet, amount=inside.fee))
    if kept:
        back.charge.append(Line.post(debit=wallet, credit=books.fees, amount=kept))


def _wallets(tournament: Tournament, player_ids: Sequence[int]) -> Mapping[int, int]:
    found: dict[int, int] = {}
    for _, batch in batches(player_ids):
        found |= wallets_of(tournament.asset, batch)
    return found
