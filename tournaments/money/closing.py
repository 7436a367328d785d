"""What has to be nothing once a tournament is over: chips in play, and money in escrow."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from ledger import selectors
from ledger.services import Line, Purpose
from tournaments.models import Tournament
from tournaments.money.accounts import batches, books_of, chips_asset, post, reference_of
from tournaments.money.chips import chips_issuer
from tournaments.money.fees import earn_fees


class Remains(NamedTuple):
    """What still lies about for a tournament, in the smallest units."""

    pool: int
    fees: int
    held: int
    chips: int


def remains_of(tournament: Tournament) -> Remains:
    """What lies in the tournament's escrows, is set aside for them, and is in play as chips."""
    books = books_of(tournament)
    views = selectors.balances_of([books.escrow, books.fee_escrow])
    return Remains(
        pool=views[books.escrow].posted,
        fees=views[books.fee_escrow].posted,
        held=views[books.escrow].incoming + views[books.fee_escrow].incoming,
        chips=sum(_stacks(tournament).values()),
    )


def _stacks(tournament: Tournament) -> dict[int, int]:
    return selectors.accounts_with_something(asset=chips_asset(tournament), purpose=Purpose.STACK)


def retire_all_chips(*, tournament: Tournament, now: datetime) -> None:
    """Take every stack out of play: the tournament is over or called off."""
    stacks = _stacks(tournament)
    if not stacks:
        return
    issuer = chips_issuer(tournament)
    for number, batch in batches(list(stacks.items())):
        lines = [Line.post(debit=stack, credit=issuer, amount=left) for stack, left in batch]
        post(tournament, "retire", f"retire:{tournament.pk}:all:{number}", lines, now=now)


def earn_fees_before_refund(*, tournament: Tournament, now: datetime) -> None:
    """Make the organiser's part his, so that all of it is given back from one place."""
    earn_fees(tournament, f"fees:{tournament.pk}:abort", now)


def leave_to_house(*, tournament: Tournament, now: datetime) -> None:
    """What belongs to nobody any more goes to the house, after everybody has his fee back."""
    books = books_of(tournament)
    left = selectors.balance_of(books.escrow).posted
    if left:
        lines = [Line.post(debit=books.escrow, credit=books.fees, amount=left)]
        post(tournament, "surplus", f"surplus:{reference_of(tournament)}:left", lines, now=now)
