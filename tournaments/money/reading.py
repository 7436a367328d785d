"""Reading what moved for a tournament, and whether the books are sound."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from ledger import selectors
from ledger.audit import check_books
from ledger.services import AssetKind, Purpose
from tournaments.models import Tournament
from tournaments.money.accounts import kind_of, player_of, player_owner, reference_of

RECEIVED: Final = ("entry_fee", "rejoin", "rebuy")
"""Kinds of entries by which players pay for taking part."""


class Totals(NamedTuple):
    """What moved for a tournament so far, in the asset's smallest unit."""

    received: int
    refunded: int
    paid: int
    fee: int
    overlay: int


def totals_of(tournament: Tournament) -> Totals:
    """What moved for a tournament, added up from its transfers."""
    sums = selectors.moved_by_kind(reference_of(tournament))

    def moved(*kinds: str) -> int:
        return sum(sums.get(kind, 0) for kind in kinds)

    return Totals(
        received=moved(*RECEIVED) - moved("reverse_rejoin"),
        refunded=moved("refund", "fee_back") - moved("charge"),
        paid=moved("payout", "ticket"),
        fee=moved("fee", "surplus", "charge") - moved("fee_back"),
        overlay=moved("overlay"),
    )


def is_currency(asset: str) -> bool:
    """Whether an asset is money, so that paying it out needs a second pair of eyes."""
    return kind_of(asset) is AssetKind.CURRENCY


def gains(tournaments: Sequence[Tournament], asset: str) -> dict[int, int]:
    """What each player (by id) won less what he put in, in these tournaments, by wallets."""
    owners = selectors.net_by_owner(
        asset=asset,
        purpose=Purpose.WALLET,
        references=[reference_of(tournament) for tournament in tournaments],
    )
    return {player_of(owner): net for owner, net in owners.items()}


def net_of_player(player_id: int, tournaments: Sequence[Tournament]) -> dict[int, int]:
    """What a player won less what he put in, by tournament (id); 0 where nothing moved."""
    named = {reference_of(tournament): tournament.pk for tournament in tournaments}
    net = selectors.net_by_reference(
        owner=player_owner(player_id), purpose=Purpose.WALLET, references=list(named)
    )
    return {pk: net.get(reference, 0) for reference, pk in named.items()}


def balances(account_ids: Sequence[int]) -> dict[int, selectors.BalanceView]:
    """What accounts hold: posted, held, available."""
    return selectors.balances_of(account_ids)


def trial_balance() -> tuple[selectors.AssetTotals, ...]:
    """Debits and credits of every asset; equal where nothing was made or lost."""
    return selectors.trial_balance()


def faults(*, now: datetime) -> tuple[str, ...]:
    """What is wrong in the books, in sentences; nothing in sound ones."""
    return tuple(f"{fault.where}: {fault.sentence}" for fault in check_books(now=now).found)
