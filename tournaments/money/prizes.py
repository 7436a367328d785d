"""The prize pool: what came into it, what lies in it, its guarantee, and what is left of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from ledger import selectors
from ledger.services import Line, Purpose
from tournaments.models import Tournament
from tournaments.money.accounts import books_of, post, reference_of
from tournaments.money.fees import earn_fees


def pool_of(tournament: Tournament) -> int:
    """What lies in the prize pool now."""
    return selectors.balance_of(books_of(tournament).escrow).posted


def pool_received(tournament: Tournament) -> int:
    """What players have put into the pool for good, less what they got back; no guarantee."""
    return pools_received([tournament])[tournament.pk]


def pools_received(tournaments: Sequence[Tournament]) -> dict[int, int]:
    """The same of many tournaments, by their ids. Two queries, and none for none."""
    owners = {tournament.pk: reference_of(tournament) for tournament in tournaments}
    moved = (
        selectors.moved_of_owners(purpose=Purpose.ESCROW, owners=list(owners.values()))
        if owners
        else {}
    )
    return {key: _received(moved.get(owner, {})) for key, owner in owners.items()}


def _received(moved: Mapping[str, tuple[int, int]]) -> int:
    came_in = sum(into for kind, (into, _) in moved.items() if kind != "overlay")
    went_back = ("refund", "reverse_rejoin")
    return came_in - sum(moved.get(kind, (0, 0))[1] for kind in went_back)


def top_up(*, tournament: Tournament, amount: int, now: datetime) -> None:
    """Bring the pool up to its guarantee from the house's promotion account."""
    if amount:
        books = books_of(tournament)
        lines = [Line.post(debit=books.promotion, credit=books.escrow, amount=amount)]
        post(tournament, "overlay", f"overlay:{tournament.pk}", lines, now=now)


def close_pool(*, tournament: Tournament, to_house: int, now: datetime) -> None:
    """After the prizes: what they leave goes to the house, and so do the organiser's fees."""
    books = books_of(tournament)
    if to_house:
        rest = [Line.post(debit=books.escrow, credit=books.fees, amount=to_house)]
        post(tournament, "surplus", f"surplus:{tournament.pk}", rest, now=now)
    earn_fees(tournament, f"fees:{tournament.pk}:end", now)
