"""Chips of a tournament: issued, moved by deals, taken out of play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from ledger import selectors, services
from ledger.services import AssetKind, Line, Purpose, Rule
from tournaments.models import RoundTable, Tournament
from tournaments.money.accounts import batches, chips_asset, post, reference_of


def issue_chips(
    *,
    tournament: Tournament,
    round_number: int,
    first_match: int = 0,
    entry_ids: Sequence[int],
    each: int,
    now: datetime,
) -> None:
    """Give each entry of a round its stack of chips.

    Where a round opens little by little, the first match of each part tells the parts apart,
    and a round that is opened again from what it was before.
    """
    if not each:
        return
    asset = chips_asset(tournament)
    services.ensure_asset(code=asset, kind=AssetKind.CHIPS)
    issuer, stacks = chips_issuer(tournament), _stacks(tournament, entry_ids)
    for number, batch in batches(sorted(stacks.values())):
        lines = [Line.post(debit=issuer, credit=stack, amount=each) for stack in batch]
        key = f"issue:{tournament.pk}:{round_number}:{first_match}:{number}"
        post(tournament, "issue", key, lines, now=now)


def settle_deal(
    *, tournament: Tournament, deal: str, changes: Mapping[int, int], now: datetime
) -> None:
    """Move a deal's chips from the losers' stacks to the winner's; `changes` by entry.

    `deal` names what moved them: a deal, a departure, a correction.
    """
    moved = [entry for entry, change in changes.items() if change]
    if not moved:
        return
    stacks = _stacks(tournament, moved)
    lines = [
        Line.post(debit=stacks[loser], credit=stacks[winner], amount=amount)
        for loser, winner, amount in _moves(changes)
    ]
    post(tournament, "deal", f"deal:{tournament.pk}:{deal}", lines, now=now)


def _moves(changes: Mapping[int, int]) -> Iterator[tuple[int, int, int]]:
    """From whom to whom how many; a corrected deal with a departure may have two winners."""
    gains = {entry: change for entry, change in changes.items() if change > 0}
    for loser, change in changes.items():
        left = -change
        for winner in [entry for entry in gains if left > 0 and gains[entry]]:
            amount = min(left, gains[winner])
            if amount:
                gains[winner] -= amount
                left -= amount
                yield loser, winner, amount


def retire_chips(
    *, tournament: Tournament, match_id: int, entry_ids: Sequence[int], now: datetime
) -> None:
    """Take the stacks of a finished table out of play.

    A table whose result was taken back is finished again, by another name.
    """
    table = RoundTable.objects.get(match_id=match_id)
    issuer, stacks = chips_issuer(tournament), _stacks(tournament, entry_ids)
    balances = selectors.balances_of(list(stacks.values()))
    lines = [
        Line.post(debit=stack, credit=issuer, amount=balances[stack].posted)
        for stack in stacks.values()
        if balances[stack].posted
    ]
    post(tournament, "retire", retire_key(tournament, table), lines, now=now)


def retire_key(tournament: Tournament, table: RoundTable) -> str:
    """Names the taking out of play of a table's stacks; anew each time the table is over."""
    again = f":{table.reopened}" if table.reopened else ""
    return f"retire:{tournament.pk}:{table.match_id}{again}"


def chips_issuer(tournament: Tournament) -> int:
    """The account that a tournament's chips come from and go back to."""
    return services.open_account(
        asset=chips_asset(tournament),
        owner=reference_of(tournament),
        purpose=Purpose.ISSUANCE,
        rule=Rule.NEVER_POSITIVE,
    ).pk


def _stacks(tournament: Tournament, entry_ids: Sequence[int]) -> dict[int, int]:
    accounts = services.open_accounts(
        asset=chips_asset(tournament),
        owners=[f"entry:{entry}" for entry in entry_ids],
        purpose=Purpose.STACK,
        rule=Rule.NEVER_NEGATIVE,
    )
    return {entry: accounts[f"entry:{entry}"].pk for entry in entry_ids}


def stack_of(*, tournament: Tournament, entry_id: int) -> int:
    """The account of an entry's chips."""
    return _stacks(tournament, [entry_id])[entry_id]


def stacks_of(*, tournament: Tournament, entry_ids: Sequence[int]) -> dict[int, int]:
    """How many chips each entry holds now, in a fixed number of statements for any number."""
    services.ensure_asset(code=chips_asset(tournament), kind=AssetKind.CHIPS)
    stacks = _stacks(tournament, entry_ids)
    balances = selectors.balances_of(list(stacks.values()))
    return {entry: balances[stack].posted for entry, stack in stacks.items()}
