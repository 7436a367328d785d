"""Asking a player for a fee, and telling him in his own words why it cannot be had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from tournaments import money
from tournaments.amounts import in_unit
from tournaments.models import Entry, Tournament

CANNOT_PAY: Final = (money.InsufficientFunds, money.AccountClosed)


def hold_fee(tournament: Tournament, entry: Entry, *, actor: str, now: datetime) -> None:
    """Set the fee aside. Raises `InsufficientFunds` or `AccountClosed` in a player's words."""
    with asking_player(tournament):
        money.hold_fee(tournament=tournament, entry=entry, actor=actor, now=now)


@contextmanager
def asking_player(tournament: Tournament, *, rebuy: int | None = None) -> Iterator[None]:
    """Around what takes the entry fee, or the whole fee of a re-buy, from a player's wallet.

    The ledger's refusals come out in a player's words: they name no account and, as he sent no
    lines, no field. Raises `InsufficientFunds` or `AccountClosed`.
    """
    try:
        yield
    except money.InsufficientFunds as short:
        missing = _missing_of(tournament.entry_fee if rebuy is None else rebuy, short)
        raise money.InsufficientFunds(
            _told_missing(tournament, missing, rebuy),
            account=short.account,
            missing=missing,
            field=None,
        ) from short
    except money.AccountClosed as refusal:
        raise money.AccountClosed(
            "The fee cannot be paid: the wallet is frozen. Ask the operator of this site.",
            account=refusal.account,
            field=None,
        ) from refusal


def _missing_of(price: int, short: money.InsufficientFunds) -> int | None:
    """What lacks of the whole price; the ledger names what lacks for the first part of it."""
    if short.account is None:
        return short.missing
    return price - money.balances([short.account])[short.account].available


def _told_missing(tournament: Tournament, missing: int | None, rebuy: int | None = None) -> str:
    lack = "Something" if missing is None else in_unit(missing, tournament.asset)
    if rebuy is not None:
        whole = in_unit(rebuy, tournament.asset)
        return f"{lack} of the {whole} for a re-buy are missing; come back with that much more."
    fee = in_unit(tournament.entry_fee, tournament.asset)
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
        player: _told_missing(tournament, tournament.entry_fee - has)
        for player, has in available.items()
        if has < tournament.entry_fee
    }
