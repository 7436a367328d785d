"""What can be won: with all seats taken, and with the real entries, rejoins and re-buys.

Nothing of this is stored, so nothing can be out of date: the expected table follows from the terms,
the actual one from what lies in the ledger.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from tournaments import money, play
from tournaments.models import HOLDS_A_SEAT, Tournament
from tournaments.structure.tickets import PrizeRow, funds_of, prize_rows


class PrizeTable(NamedTuple):
    """The prizes of a pool by rank, amounts in the asset's smallest unit.

    `overlay` is what the house adds of the pool. The rows' amounts, tickets and what fixed prizes
    leave to the house sum to exactly the pool.
    """

    entries: int
    pool: int
    overlay: int
    rows: tuple[PrizeRow, ...]

    @property
    def to_house(self) -> int:
        """What fixed prizes leave."""
        return self.pool - sum(row.amount + row.ticket_value for row in self.rows)


class PrizeTables(NamedTuple):
    """The table for all seats taken, and from the start on the real one."""

    expected: PrizeTable
    actual: PrizeTable | None


def prize_tables(
    tournament: Tournament, *, entries: int | None = None, received: int | None = None
) -> PrizeTables:
    """Both tables. Four queries at most. Raises `TournamentRefusal(BAD_TERMS)`.

    Who has counted the entries that hold a seat may give their number, and who knows it what the
    pool has received.
    """
    terms = play.terms_of(tournament)
    each = tournament.entry_fee - tournament.house_fee
    expected = _table(terms, tournament.capacity, tournament.capacity * each)
    if tournament.started_at is None:
        return PrizeTables(expected, None)
    if entries is None:
        entries = tournament.entries.filter(state__in=HOLDS_A_SEAT).count()
    if received is None:
        received = money.pool_received(tournament)
    return PrizeTables(expected, _table(terms, entries, received))


def prize_preview(
    terms: play.TournamentTerms, *, entries: int, entry_fee: int, house_fee: int
) -> PrizeTable:
    """The table that these terms and fees would give with so many entries; no query."""
    return _table(terms, entries, entries * (entry_fee - house_fee))


def pool_now(
    tournament: Tournament,
    terms: play.TournamentTerms | None,
    *,
    entries: int,
    received: int | None,
) -> int:
    """The prize pool as it stands, guarantees included: of the entries so far, or `received`."""
    if received is None:
        received = entries * (tournament.entry_fee - tournament.house_fee)
    return received if terms is None else _table(terms, entries, received).pool


def _table(terms: play.TournamentTerms, entries: int, received: int) -> PrizeTable:
    entries = max(entries, 1)
    funds = funds_of(
        terms.prizes,
        terms.tickets,
        entries=entries,
        received=received,
        guarantee=terms.guarantee,
    )
    return PrizeTable(entries, funds.pool, funds.overlay, prize_rows(terms.prizes, funds, entries))


def names_of(public_ids: Collection[str]) -> dict[str, str]:
    """Names of tournaments by their public ids; no query for none."""
    if not public_ids:
        return {}
    found = Tournament.objects.filter(public_id__in=public_ids)
    return dict(found.values_list("public_id", "name"))
