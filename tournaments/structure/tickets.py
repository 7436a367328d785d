"""Tickets: prizes that are an entry into another tournament, worth a stated amount of the pool.

Tickets are taken out of the pool first, from the best rank down, as far as the pool reaches; what
is left is divided as the structure says. Tied ranks all have their tickets if everybody of the
group gets the same one; otherwise the tickets' worth is added and shared in money.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from ledger.money import WHOLE, split
from tournaments.structure.checks import MAX_AMOUNT, MAX_ENTRANTS, how_many, whole
from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.prizes import PrizeStructure, prize_pool, prize_table

MAX_TICKETS: Final = 1_000
MAX_NAME: Final = 24


class TicketPrize(msgspec.Struct, frozen=True):
    """What a rank gets beside its share: a ticket for `target` (its public id), worth `value`."""

    rank: int
    target: str
    value: int

    def __post_init__(self) -> None:
        whole(self.rank, "rank", 1, MAX_ENTRANTS)
        whole(self.value, "value", 1, MAX_AMOUNT)
        how_many(len(self.target), "target", 1, MAX_NAME)


class TicketAwards(msgspec.Struct, frozen=True):
    """Tickets by entrant, and what entrants get in money in place of tickets."""

    tickets: dict[int, TicketPrize]
    in_money: dict[int, int]

    @property
    def worth(self) -> int:
        """All of it together."""
        tickets = sum(ticket.value for ticket in self.tickets.values())
        return tickets + sum(self.in_money.values())


def check_tickets(tickets: Sequence[TicketPrize]) -> None:
    """Raise `StructureError` unless at most 1,000 tickets stand at different ranks, rising."""
    how_many(len(tickets), "tickets", 0, MAX_TICKETS)
    ranks = [ticket.rank for ticket in tickets]
    if ranks != sorted(set(ranks)):
        raise StructureError(
            StructureCode.BAD_TICKETS,
            "Name one ticket for a rank, in the order of the ranks.",
            field="tickets",
        )


def tickets_within(
    tickets: Sequence[TicketPrize], *, pool: int, entries: int
) -> tuple[TicketPrize, ...]:
    """The tickets that a pool can give with so many entries, from the best rank down."""
    check_tickets(tickets)
    whole(pool, "pool", 0, MAX_AMOUNT)
    given: list[TicketPrize] = []
    for ticket in tickets:
        pool -= ticket.value
        if pool < 0 or ticket.rank > entries:
            break
        given.append(ticket)
    return tuple(given)


class Funds(msgspec.Struct, frozen=True):
    """A prize pool: all of it, what the house adds to it, its tickets, and the money for shares."""

    pool: int
    overlay: int
    given: tuple[TicketPrize, ...]
    cash: int


def funds_of(
    structure: PrizeStructure,
    tickets: Sequence[TicketPrize],
    *,
    entries: int,
    received: int,
    guarantee: int,
) -> Funds:
    """What there is to be won by so many entries who put in `received`, the fee left out.

    The guarantee is one of the whole pool, tickets included; fixed amounts that are guaranteed
    come on top of the tickets. Raises `StructureError`: amounts out of range.
    """
    whole(guarantee, "guarantee", 0, MAX_AMOUNT)
    most = max(whole(received, "received", 0, MAX_AMOUNT), guarantee)
    given = tickets_within(tickets, pool=most, entries=entries)
    worth = sum(ticket.value for ticket in given)
    cash = prize_pool(structure, entries=entries, received=most - worth, shrink=True).amount
    return Funds(cash + worth, cash + worth - received, given, cash)


class PrizeRow(msgspec.Struct, frozen=True):
    """What a rank gets: money, a share of the pool in basis points, the target of a ticket.

    The share counts the ticket's worth; shares of all ranks sum to 10,000 where nothing of the pool
    goes to the house.
    """

    rank: int
    amount: int
    share: int
    ticket: str = ""
    ticket_value: int = 0


def prize_rows(structure: PrizeStructure, funds: Funds, entries: int) -> tuple[PrizeRow, ...]:
    """The prize table with its tickets, best rank first. Raises as `prize_table`."""
    table = prize_table(structure, funds.cash, entries, shrink=True)
    tickets = {ticket.rank: ticket for ticket in funds.given}
    ranks = sorted({prize.rank for prize in table.prizes} | set(tickets))
    values = [tickets[rank].value if rank in tickets else 0 for rank in ranks]
    worth = [table.amount_of(rank) + value for rank, value in zip(ranks, values, strict=True)]
    shares = split(WHOLE, [*worth, table.to_house]) if funds.pool else (0,) * (len(ranks) + 1)
    return tuple(
        PrizeRow(
            rank,
            table.amount_of(rank),
            share,
            tickets[rank].target if rank in tickets else "",
            value,
        )
        for rank, value, share in zip(ranks, values, shares[:-1], strict=True)
    )


def award_tickets(given: Sequence[TicketPrize], ranking: Sequence[Sequence[int]]) -> TicketAwards:
    """Who gets which ticket; `ranking` has tied entrants together, best first.

    Raises `StructureError(RANKS_MISSING)` where a ticket's rank is nobody's.
    """
    by_rank = {ticket.rank: ticket for ticket in given}
    awards, rank = TicketAwards({}, {}), 1
    for group in ranking:
        ranks = range(rank, rank + len(group))
        rank += len(group)
        won = [by_rank.pop(place) for place in ranks if place in by_rank]
        if won:
            _award(awards, sorted(group), won)
    if by_rank:
        raise StructureError(
            StructureCode.RANKS_MISSING,
            "Name somebody for every rank that has a ticket.",
            field="ranking",
        )
    return awards


def _award(awards: TicketAwards, group: Sequence[int], won: Sequence[TicketPrize]) -> None:
    kinds = Counter((ticket.target, ticket.value) for ticket in won)
    if len(won) == len(group) and len(kinds) == 1:
        awards.tickets.update(zip(group, won, strict=True))
        return
    shares = split(sum(ticket.value for ticket in won), [1] * len(group))
    awards.in_money.update(zip(group, shares, strict=True))
