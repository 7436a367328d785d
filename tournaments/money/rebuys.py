"""Re-buys of timed levels, and the chips of who comes in late: paid for, and issued once."""

from __future__ import annotations

from datetime import datetime

from ledger import selectors
from ledger.services import Line
from tournaments.models import Entry, Tournament
from tournaments.money.accounts import books_of, post, wallet_of
from tournaments.money.chips import chips_issuer, stack_of
from tournaments.structure.rebuys import Rebuy


def renew_stack(*, tournament: Tournament, entry: Entry, chips: int, now: datetime) -> None:
    """Give an entry so many chips instead of those it has left, once for each joining."""
    issuer, stack = _issuer_and_stack(tournament, entry)
    left = selectors.balance_of(stack).posted
    named = f"{tournament.pk}:entry:{entry.pk}:{entry.attempt}"
    old = [Line.post(debit=stack, credit=issuer, amount=left)] if left else []
    post(tournament, "retire", f"retire:{named}", old, now=now)
    new = [Line.post(debit=issuer, credit=stack, amount=chips)]
    post(tournament, "issue", f"issue:{named}", new, now=now)


def take_rebuy(
    *, tournament: Tournament, entry: Entry, number: int, offer: Rebuy, actor: str, now: datetime
) -> None:
    """An entry's re-buy `number`: the fee into the pool, the organiser's part aside, and the chips.

    Raises `InsufficientFunds`.
    """
    books, wallet = books_of(tournament), wallet_of(tournament.asset, entry.player_id)
    parts = [(books.escrow, offer.fee - offer.house_fee), (books.fee_escrow, offer.house_fee)]
    fee = [Line.post(debit=wallet, credit=to, amount=part) for to, part in parts if part]
    named = f"{tournament.pk}:{entry.player_id}:{number}"
    post(tournament, "rebuy", f"rebuy:{named}", fee, actor=actor, now=now)
    issuer, stack = _issuer_and_stack(tournament, entry)
    chips = [Line.post(debit=issuer, credit=stack, amount=offer.chips)]
    post(tournament, "issue", f"rebuy-chips:{named}", chips, actor=actor, now=now)


def can_pay_rebuy(tournament: Tournament, player_id: int, offer: Rebuy) -> bool:
    """Whether a player has the fee of a re-buy to spend."""
    return selectors.balance_of(wallet_of(tournament.asset, player_id)).available >= offer.fee


def _issuer_and_stack(tournament: Tournament, entry: Entry) -> tuple[int, int]:
    return chips_issuer(tournament), stack_of(tournament=tournament, entry_id=entry.pk)
