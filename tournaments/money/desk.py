"""What the desk's decisions post: a player's own payments given back, a stack handed over."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from ledger import selectors
from ledger.services import Line
from tournaments.models import Entry, Tournament
from tournaments.money.accounts import books_of, post, wallet_of
from tournaments.money.chips import chips_issuer, stack_of, stacks_of
from tournaments.money.fees import earn_fees
from tournaments.money.paying import put_in


def give_back_entry(*, tournament: Tournament, entry: Entry, actor: str, now: datetime) -> int:
    """Give a player back all that he put into a running tournament; how much that was."""
    books, wallet = books_of(tournament), wallet_of(tournament.asset, entry.player_id)
    inside = put_in(tournament, [entry.player_id])[entry.player_id]
    named = f"substituted:{tournament.pk}:{entry.player_id}:{entry.attempt}"
    if inside.pool:
        pool = [Line.post(debit=books.escrow, credit=wallet, amount=inside.pool)]
        post(tournament, "refund", f"refund:{named}", pool, actor=actor, now=now)
    if inside.fee:
        earn_fees(tournament, f"fees:{named}", now)
        fee = [Line.post(debit=books.fees, credit=wallet, amount=inside.fee)]
        post(tournament, "fee_back", f"fee_back:{named}", fee, actor=actor, now=now)
    return inside.total


def give_back_reentry(*, tournament: Tournament, entry: Entry, now: datetime) -> None:
    """Give a player the fee of his latest coming back again, which he need not have paid.

    Raises `AccountClosed` for a frozen wallet.
    """
    books, wallet = books_of(tournament), wallet_of(tournament.asset, entry.player_id)
    named = f"reentry:{tournament.pk}:{entry.player_id}:{entry.attempt}:{entry.reentries}"
    own = tournament.entry_fee - tournament.house_fee
    if own:
        pool = [Line.post(debit=books.escrow, credit=wallet, amount=own)]
        post(tournament, "refund", f"refund:{named}", pool, now=now)
    if tournament.house_fee:
        earn_fees(tournament, f"fees:{named}", now)
        fee = [Line.post(debit=books.fees, credit=wallet, amount=tournament.house_fee)]
        post(tournament, "fee_back", f"fee_back:{named}", fee, now=now)


def hand_over_stack(
    *, tournament: Tournament, entry: Entry, to: Entry, actor: str, now: datetime
) -> None:
    """Move an entry's chips to the entry that takes its seat."""
    before = stack_of(tournament=tournament, entry_id=entry.pk)
    after = stack_of(tournament=tournament, entry_id=to.pk)
    chips = selectors.balance_of(before).posted
    if chips:
        lines = [Line.post(debit=before, credit=after, amount=chips)]
        key = f"handed_over:{tournament.pk}:{entry.pk}:{to.pk}:{to.attempt}"
        post(tournament, "handed_over", key, lines, actor=actor, now=now)


def renew_stacks(
    *, tournament: Tournament, chips: Mapping[int, int], named: str, actor: str, now: datetime
) -> None:
    """Give entries (by id) so many chips instead of those they have left; `named` does it once."""
    issuer, held = chips_issuer(tournament), stacks_of(tournament=tournament, entry_ids=list(chips))
    stacks = {entry: stack_of(tournament=tournament, entry_id=entry) for entry in chips}
    old = [
        Line.post(debit=stacks[entry], credit=issuer, amount=left)
        for entry, left in held.items()
        if left
    ]
    new = [
        Line.post(debit=issuer, credit=stacks[entry], amount=amount)
        for entry, amount in chips.items()
        if amount
    ]
    post(tournament, "retire", f"retire:{tournament.pk}:{named}", old, actor=actor, now=now)
    post(tournament, "issue", f"issue:{tournament.pk}:{named}", new, actor=actor, now=now)
