"""A tournament's journal and accounts, players' wallets, and posting to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from ledger import services
from ledger.services import AssetKind, Line, Purpose, Rule
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Tournament

T = TypeVar("T")

PLAY_POINTS: Final = "PLAY"
HOUSE: Final = "house"
SYSTEM: Final = "system"
LINES_AT_ONCE: Final = 2_000


class Books(NamedTuple):
    """Ids of a tournament's accounts."""

    escrow: int
    fee_escrow: int
    fees: int
    promotion: int
    issuance: int


def reference_of(tournament: Tournament) -> str:
    """How the ledger names a tournament; also the code of its journal."""
    return f"tournament:{tournament.pk}"


def player_owner(player_id: int) -> str:
    """How the ledger names a player."""
    return f"player:{player_id}"


def player_of(owner: str) -> int:
    """The player (id) whom the ledger names so."""
    return int(owner.partition(":")[2])


def chips_asset(tournament: Tournament) -> str:
    """The asset of a tournament's chips; they can be used nowhere else."""
    return f"CHIPS:{tournament.pk}"


def open_asset(*, code: str, online: bool = True) -> None:
    """Make sure an asset exists; currencies only where the site allows play for money.

    Raises `TournamentRefusal(MONEY_PLAY_OFF)` or `LedgerError(BAD_ASSET)`.
    """
    asset = services.ensure_asset(code=code, kind=kind_of(code))
    if online and not services.online_allowed(asset):
        raise TournamentRefusal(
            TournamentCode.MONEY_PLAY_OFF,
            f"Online tournaments are not played for {code} on this site; use {PLAY_POINTS}.",
            field="asset",
        )


def kind_of(code: str) -> AssetKind:
    """What the asset of a tournament is, by its code."""
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
    for number, batch in batches(sorted(wallets.values())):
        services.post(
            journal="cashier",
            kind="grant",
            key=f"{key}:{number}",
            lines=[Line.post(debit=issuance, credit=wallet, amount=amount) for wallet in batch],
            actor=actor,
            now=now,
        )


def batches(items: Sequence[T]) -> Iterator[tuple[int, Sequence[T]]]:
    for number, start in enumerate(range(0, len(items), LINES_AT_ONCE), 1):
        yield number, items[start : start + LINES_AT_ONCE]


def post(
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
