"""The only door from tournaments to the ledger: what each step of a tournament posts.

A tournament has a journal and two escrow accounts: one for the prize pool, one for the organiser's
part of the fees, which is his only once the tournament has started. Idempotency keys are made of
what is paid for, so a step that is repeated posts nothing new.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from ledger import selectors, services
from ledger.audit import check_books
from ledger.errors import InsufficientFunds
from ledger.money import split
from ledger.services import AssetKind, Line, Purpose, Rule
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, Tournament

__all__ = ["AssetKind", "InsufficientFunds", "split"]

T = TypeVar("T")

PLAY_POINTS: Final = "PLAY"
HOUSE: Final = "house"
_LINES_AT_ONCE: Final = 2_000
SYSTEM: Final = "system"


class Books(NamedTuple):
    """Ids of a tournament's accounts."""

    escrow: int
    fee_escrow: int
    fees: int
    promotion: int
    issuance: int


class Totals(NamedTuple):
    """What moved for a tournament so far, in the asset's smallest unit."""

    received: int
    refunded: int
    paid: int
    fee: int
    overlay: int


def reference_of(tournament: Tournament) -> str:
    """How the ledger names a tournament; also the code of its journal."""
    return f"tournament:{tournament.pk}"


def player_owner(player_id: int) -> str:
    """How the ledger names a player."""
    return f"player:{player_id}"


def chips_asset(tournament: Tournament) -> str:
    """The asset of a tournament's chips; they can be used nowhere else."""
    return f"CHIPS:{tournament.pk}"


def open_asset(*, code: str, online: bool = True) -> None:
    """Make sure an asset exists; currencies only where the site allows play for money.

    Raises `TournamentRefusal(MONEY_PLAY_OFF)` or `LedgerError(BAD_ASSET)`.
    """
    asset = services.ensure_asset(code=code, kind=_kind_of(code))
    if online and not services.online_allowed(asset):
        raise TournamentRefusal(
            TournamentCode.MONEY_PLAY_OFF,
            f"Online tournaments are not played for {code} on this site; use {PLAY_POINTS}.",
            field="asset",
        )


def _kind_of(code: str) -> AssetKind:
    if code == PLAY_POINTS:
        return AssetKind.PLAY
    return AssetKind.PRACTICE if code == "PRACTICE" else AssetKind.CURRENCY


def books_of(tournament: Tournament) -> Books:
    """The tournament's accounts, opened when they are new."""
    return _books(tournament.public_id, reference_of(tournament), tournament.asset)


@lru_cache(maxsize=1024)
def _books(public_id: str, own: str, asset: str) -> Books:
    """Accounts never change, so a process asks once; the public id is never given twice."""
    services.open_journal(code=own)

    def account(owner: str, purpose: Purpose, rule: Rule) -> int:
        opened = services.open_account(asset=asset, owner=owner, purpose=purpose, rule=rule)
        return opened.pk

    return Books(
        escrow=account(own, Purpose.ESCROW, Rule.NEVER_NEGATIVE),
        fee_escrow=account(own, Purpose.FEE_ESCROW, Rule.NEVER_NEGATIVE),
        fees=account(HOUSE, Purpose.FEES, Rule.NEVER_NEGATIVE),
        promotion=account(HOUSE, Purpose.PROMOTION, Rule.UNBOUNDED),
        issuance=account(HOUSE, Purpose.ISSUANCE, Rule.UNBOUNDED),
    )


def wallet_of(asset: str, player_id: int) -> int:
    """A player's wallet account."""
    return services.open_account(
        asset=asset,
        owner=player_owner(player_id),
        purpose=Purpose.WALLET,
        rule=Rule.NEVER_NEGATIVE,
    ).pk


def wallets_of(asset: str, player_ids: Sequence[int]) -> dict[int, int]:
    """Players' wallet accounts by player, in a fixed number of statements."""
    accounts = services.open_accounts(
        asset=asset,
        owners=[player_owner(player) for player in player_ids],
        purpose=Purpose.WALLET,
        rule=Rule.NEVER_NEGATIVE,
    )
    return {player: accounts[player_owner(player)].pk for player in player_ids}


def grant(
    *, asset: str, player_ids: Sequence[int], amount: int, key: str, actor: str, now: datetime
) -> None:
    """Give each player this amount of points, from nothing: practice play and demonstrations."""
    services.open_journal(code="cashier")
    issuance = services.open_account(
        asset=asset, owner=HOUSE, purpose=Purpose.ISSUANCE, rule=Rule.UNBOUNDED
    ).pk
    wallets = wallets_of(asset, player_ids)
    for number, batch in _batches(sorted(wallets.values())):
        services.post(
            journal="cashier",
            kind="grant",
            key=f"{key}:{number}",
            lines=[Line.post(debit=issuance, credit=wallet, amount=amount) for wallet in batch],
            actor=actor,
            now=now,
        )


def _batches(items: Sequence[T]) -> Iterator[tuple[int, Sequence[T]]]:
    for number, start in enumerate(range(0, len(items), _LINES_AT_ONCE), 1):
        yield number, items[start : start + _LINES_AT_ONCE]


# Entry fees


def _fee_parts(tournament: Tournament, books: Books) -> list[tuple[int, int]]:
    parts = [
        (books.escrow, tournament.entry_fee - tournament.house_fee),
        (books.fee_escrow, tournament.house_fee),
    ]
    return [(account, amount) for account, amount in parts if amount]


def hold_fee(*, tournament: Tournament, entry: Entry, actor: str, now: datetime) -> None:
    """Set an entry's fee aside. Raises `InsufficientFunds`, which says how much is missing."""
    books = books_of(tournament)
    wallet = wallet_of(tournament.asset, entry.player_id)
    lines = [
        Line.set_aside(debit=wallet, credit=account, amount=amount)
        for account, amount in _fee_parts(tournament, books)
    ]
    key = f"entry:{tournament.pk}:{entry.player_id}:{entry.attempt}"
    _post(tournament, "entry_fee", key, lines, actor=actor, now=now)


def release_fee(*, tournament: Tournament, entry: Entry, actor: str, now: datetime) -> None:
    """Give back whatever is set aside for an entry, whatever the fee is today."""
    wallet = wallet_of(tournament.asset, entry.player_id)
    holds = selectors.open_holds(reference=reference_of(tournament), account=wallet)
    lines = [Line.release(hold) for hold in holds]
    key = f"refund:{tournament.pk}:{entry.player_id}:{entry.attempt}"
    _post(tournament, "refund", key, lines, actor=actor, now=now)


def release_all(*, tournament: Tournament, actor: str, now: datetime) -> None:
    """Give every fee back that is set aside: the tournament was cancelled."""
    holds = list(selectors.open_holds(reference=reference_of(tournament)))
    for number, batch in _batches(holds):
        lines = [Line.release(hold) for hold in batch]
        key = f"cancel:{tournament.pk}:{number}:{batch[0].pk}"
        _post(tournament, "refund", key, lines, actor=actor, now=now)


def collect_fees(*, tournament: Tournament, actor: str, now: datetime) -> None:
    """Settle every fee that is set aside; the organiser's part becomes his."""
    holds = list(selectors.open_holds(reference=reference_of(tournament)))
    for number, batch in _batches(holds):
        lines = [Line.capture(hold) for hold in batch]
        key = f"start:{tournament.pk}:{number}:{batch[0].pk}"
        _post(tournament, "start", key, lines, actor=actor, now=now)
    _earn_fees(tournament, f"fees:{tournament.pk}:start", now)


def take_rejoin(*, tournament: Tournament, player_id: int, number: int, now: datetime) -> None:
    """A player's buy-in for his rejoin `number`. Raises `InsufficientFunds`."""
    books = books_of(tournament)
    wallet = wallet_of(tournament.asset, player_id)
    lines = [
        Line.post(debit=wallet, credit=account, amount=amount)
        for account, amount in _fee_parts(tournament, books)
    ]
    key = f"rejoin:{tournament.pk}:{player_id}:{number}"
    _post(tournament, "rejoin", key, lines, actor=player_owner(player_id), now=now)


def can_pay_fee(tournament: Tournament, player_id: int) -> bool:
    """Whether a player has another entry fee to spend."""
    available = selectors.balance_of(wallet_of(tournament.asset, player_id)).available
    return available >= tournament.entry_fee


def _earn_fees(tournament: Tournament, key: str, now: datetime) -> None:
    books = books_of(tournament)
    earned = selectors.balance_of(books.fee_escrow).posted
    if earned:
        lines = [Line.post(debit=books.fee_escrow, credit=books.fees, amount=earned)]
        _post(tournament, "fee", key, lines, now=now)


# Prizes


def pool_of(tournament: Tournament) -> int:
    """What lies in the prize pool now."""
    return selectors.balance_of(books_of(tournament).escrow).posted


def top_up(*, tournament: Tournament, amount: int, now: datetime) -> None:
    """Bring the pool up to its guarantee from the house's promotion account."""
    if amount:
        books = books_of(tournament)
        lines = [Line.post(debit=books.promotion, credit=books.escrow, amount=amount)]
        _post(tournament, "overlay", f"overlay:{tournament.pk}", lines, now=now)


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
    for number, batch in _batches(lines):
        _post(tournament, "payout", f"payout:{tournament.pk}:{number}", batch, now=now)
    if to_house:
        rest = [Line.post(debit=books.escrow, credit=books.fees, amount=to_house)]
        _post(tournament, "surplus", f"surplus:{tournament.pk}", rest, now=now)
    _earn_fees(tournament, f"fees:{tournament.pk}:end", now)


# Chips


def issue_chips(
    *, tournament: Tournament, round_number: int, entry_ids: Sequence[int], each: int, now: datetime
) -> None:
    """Give each entry of a round its stack of chips."""
    if not each:
        return
    asset = chips_asset(tournament)
    services.ensure_asset(code=asset, kind=AssetKind.CHIPS)
    issuer, stacks = _issuer(tournament), _stacks(tournament, entry_ids)
    for number, batch in _batches(sorted(stacks.values())):
        lines = [Line.post(debit=issuer, credit=stack, amount=each) for stack in batch]
        key = f"issue:{tournament.pk}:{round_number}:{number}"
        _post(tournament, "issue", key, lines, now=now)


def settle_deal(
    *, tournament: Tournament, deal_id: int, changes: Mapping[int, int], now: datetime
) -> None:
    """Move a deal's chips from each loser's stack to the winner's; `changes` by entry."""
    won = [entry for entry, change in changes.items() if change > 0]
    if not won:
        return
    stacks = _stacks(tournament, list(changes))
    lines = [
        Line.post(debit=stacks[entry], credit=stacks[won[0]], amount=-change)
        for entry, change in changes.items()
        if change < 0
    ]
    _post(tournament, "deal", f"deal:{tournament.pk}:{deal_id}", lines, now=now)


def retire_chips(
    *, tournament: Tournament, match_id: int, entry_ids: Sequence[int], now: datetime
) -> None:
    """Take the stacks of a finished table out of play."""
    issuer, stacks = _issuer(tournament), _stacks(tournament, entry_ids)
    balances = selectors.balances_of(list(stacks.values()))
    lines = [
        Line.post(debit=stack, credit=issuer, amount=balances[stack].posted)
        for stack in stacks.values()
        if balances[stack].posted
    ]
    _post(tournament, "retire", f"retire:{tournament.pk}:{match_id}", lines, now=now)


def _issuer(tournament: Tournament) -> int:
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


# Reading


def totals_of(tournament: Tournament) -> Totals:
    """What moved for a tournament, added up from its transfers."""
    sums = selectors.moved_by_kind(reference_of(tournament))
    return Totals(
        received=sums.get("entry_fee", 0) + sums.get("rejoin", 0),
        refunded=sums.get("refund", 0),
        paid=sums.get("payout", 0),
        fee=sums.get("fee", 0) + sums.get("surplus", 0),
        overlay=sums.get("overlay", 0),
    )


def balances(account_ids: Sequence[int]) -> dict[int, selectors.BalanceView]:
    """What accounts hold: posted, held, available."""
    return selectors.balances_of(account_ids)


def trial_balance() -> tuple[selectors.AssetTotals, ...]:
    """Debits and credits of every asset; equal where nothing was made or lost."""
    return selectors.trial_balance()


def faults(*, now: datetime) -> tuple[str, ...]:
    """What is wrong in the books, in sentences; nothing in sound ones."""
    return tuple(f"{fault.where}: {fault.sentence}" for fault in check_books(now=now).found)


def _post(
    tournament: Tournament,
    kind: str,
    key: str,
    lines: Sequence[Line],
    *,
    actor: str = SYSTEM,
    now: datetime,
) -> None:
    """Post an entry about the tournament; nothing for no lines."""
    if not lines:
        return
    own = reference_of(tournament)
    services.post(journal=own, kind=kind, key=key, lines=lines, actor=actor, reference=own, now=now)
