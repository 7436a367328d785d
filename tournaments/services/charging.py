"""Asking a player for a fee, and telling him in his own words why it cannot be had."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from tournaments import money
from tournaments.amounts import in_unit
from tournaments.models import Entry, Tournament

CANNOT_PAY: Final = (money.InsufficientFunds, money.AccountClosed)


def hold_fee(tournament: Tournament, entry: Entry, *, actor: str, now: datetime) -> None:
    """Set the fee aside. Raises `InsufficientFunds` or `AccountClosed` in a player's words."""
    try:
        money.hold_fee(tournament=tournament, entry=entry, actor=actor, now=now)
    except CANNOT_PAY as refusal:
        raise told_to_player(tournament, refusal) from refusal


def told_to_player(
    tournament: Tournament, refusal: money.InsufficientFunds | money.AccountClosed
) -> money.InsufficientFunds | money.AccountClosed:
    """The same refusal with a sentence that names no account."""
    if isinstance(refusal, money.InsufficientFunds):
        return _told_what_is_missing(tournament, refusal)
    return money.AccountClosed(
        "The fee cannot be paid: the wallet is frozen. Ask the operator of this site.",
        account=refusal.account,
    )


def _told_what_is_missing(
    tournament: Tournament, short: money.InsufficientFunds
) -> money.InsufficientFunds:
    """The same refusal, saying to a player how much he lacks of the whole fee.

    The ledger names what lacks for the first part of it that he cannot pay.
    """
    fee, missing = in_unit(tournament.entry_fee, tournament.asset), short.missing
    if short.account is not None:
        has = money.balances([short.account])[short.account].available
        missing = tournament.entry_fee - has
    lack = "Something" if missing is None else in_unit(missing, tournament.asset)
    return money.InsufficientFunds(
        f"{lack} of the entry fee of {fee} is missing; come back with that much more.",
        account=short.account,
        missing=missing,
    )
