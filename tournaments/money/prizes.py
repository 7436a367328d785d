"""The prize pool: what lies in it, its guarantee, and paying it out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from ledger import selectors
from ledger.services import Line
from tournaments.models import Tournament
from tournaments.money.accounts import batches, books_of, post, wallets_of
from tournaments.money.fees import earn_fees


def pool_of(tournament: Tournament) -> int:
    """What lies in the prize pool now."""
    return selectors.balance_of(books_of(tournament).escrow).posted


def top_up(*, tournament: Tournament, amount: int, now: datetime) -> None:
    """Bring the pool up to its guarantee from the house's promotion account."""
    if amount:
        books = books_of(tournament)
        lines = [Line.post(debit=books.promotion, credit=books.escrow, amount=amount)]
        post(tournament, "overlay", f"overlay:{tournament.pk}", lines, now=now)


def pay_prizes(
    *, tournament: Tournament, prizes: Mapping[int, int], to_house: int, now: datetime
) -> None:
    """Pay the pool out: each player his prize, the house what the prizes leave. Pays once."""
    books = books_of(tournament)
    winners = {player: amount for player, amount in prizes.items() if amount}
    wallets = wallets_of(tournament.asset, list(winners))
    lines = [
        Line.post(debit=books.escrow, credit=wallets[player], amount=amount)
        for player, amount in winners.items()
    ]
    for number, batch in batches(lines):
        post(tournament, "payout", f"payout:{tournament.pk}:{number}", batch, now=now)
    if to_house:
        rest = [Line.post(debit=books.escrow, credit=books.fees, amount=to_house)]
        post(tournament, "surplus", f"surplus:{tournament.pk}", rest, now=now)
    earn_fees(tournament, f"fees:{tournament.pk}:end", now)
