"""Asking a player for a fee, and telling him in his own words why it cannot be had."""

from __future__ import annotations

from collections.abc import Sequence
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
    missing = short.missing
    if short.account is not None:
        has = money.balances([short.account])[short.account].available
        missing = tournament.entry_fee - has
    return money.InsufficientFunds(
        _missing(tournament, missing), account=short.account, missing=missing
    )


def _missing(tournament: Tournament, missing: int | None) -> str:
    fee = in_unit(tournament.entry_fee, tournament.asset)
    lack = "Something" if missing is None else in_unit(missing, tournament.asset)
    return f"{lack} of the entry fee of {fee} is missing; come back with that much more."


def lacks_of(tournament: Tournament, entries: Sequence[Entry]) -> dict[int, str]:
    """What players lack of the entry fee, in words by player; only those who lack something.

    A fixed number of queries. A fee asked for afterwards may still be refused.
    """
    if not tournament.entry_fee:
        return {}
    wallets = money.wallets_of(tournament.asset, [entry.player_id for entry in entries])
    balances = money.balances(list(wallets.values()))
    available = {player: balances[wallet].available for player, wallet in wallets.items()}
    return {
        player: _missing(tournament, tournament.entry_fee - has)
        for player, has in available.items()
        if has < tournament.entry_fee
    }
