"""The value of a ticket: it lies in an account of its own until it is used or paid out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from ledger import selectors, services
from ledger.services import Line, Rule
from tournaments.models import Ticket
from tournaments.money.accounts import post, wallet_of

PURPOSE: Final = "ticket"


def ticket_accounts(asset: str, payment_ids: Sequence[int]) -> dict[int, int]:
    """The accounts in which tickets' values lie, by the payments that gave the tickets."""
    accounts = services.open_accounts(
        asset=asset,
        owners=[owner_of(payment) for payment in payment_ids],
        purpose=PURPOSE,
        rule=Rule.NEVER_NEGATIVE,
    )
    return {payment: accounts[owner_of(payment)].pk for payment in payment_ids}


def owner_of(payment_id: int) -> str:
    """How the ledger names the ticket that a payment gave."""
    return f"ticket:{payment_id}"


def value_of_ticket(ticket: Ticket) -> int:
    """What lies in the ledger for a ticket; the ticket comes with its payment and tournament."""
    payment = ticket.payment
    account = ticket_accounts(payment.tournament.asset, [payment.pk])[payment.pk]
    return selectors.balance_of(account).posted


def free_ticket(*, ticket: Ticket, player_id: int, actor: str, now: datetime) -> None:
    """Move a ticket's value into its player's wallet: to enter with it, or for want of a use."""
    tournament = ticket.payment.tournament
    account = ticket_accounts(tournament.asset, [ticket.payment_id])[ticket.payment_id]
    value = selectors.balance_of(account).posted
    if value:
        wallet = wallet_of(tournament.asset, player_id)
        lines = [Line.post(debit=account, credit=wallet, amount=value)]
        post(tournament, "ticket_used", f"ticket_used:{ticket.pk}", lines, actor=actor, now=now)
