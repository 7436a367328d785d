"""Who gets what of the prize pool, with the grounds: shares, splits, tickets.

Decided here and written down as owed; `payments` pays it. Nothing here moves money but the top-up
of a guarantee.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

import msgspec

from tournaments import money, people, play
from tournaments.amounts import kept_in_unit
from tournaments.models import (
    EntryState,
    Payment,
    PaymentKind,
    Payout,
    PayoutState,
    RoundTable,
    Ticket,
    TicketState,
    Tournament,
)
from tournaments.models.rows import update_rows
from tournaments.services.standing import entries_of, margins_of
from tournaments.structure.awards import Award, distribute, explain
from tournaments.structure.prizes import PrizeTable
from tournaments.structure.standings import Standing, ranking
from tournaments.structure.tickets import TicketAwards, TicketPrize, award_tickets, funds_of


class Gets(NamedTuple):
    """What one entry gets in money, its ticket, and why."""

    amount: int
    reason: str
    ticket: TicketPrize | None = None
    award: Award | None = None
    """By which rank, tie or margin; None where the pool was split."""
    split: tuple[int, int] | None = None
    """His parts, and all parts, where the players split the pool."""
    in_money: int = 0
    """What stands in `amount` for tickets that a tie had to share."""


class Awarded(NamedTuple):
    """What every entry gets; the pool it was made of, its top-up, and what the house keeps."""

    pool: int
    overlay: int
    gets: dict[int, Gets]
    to_house: int
    table: PrizeTable | None = None
    """The prizes by rank; None where the pool was split."""


def award(
    tournament: Tournament, lines: Sequence[Standing], *, received: int | None = None
) -> Awarded:
    """Divide the prize pool by these standings; nothing is written.

    Fixed prizes that a smaller field cannot pay for shrink in proportion. What lies in the pool is
    divided; who asks after it was paid says what the pool had `received`, without its top-up.
    """
    terms, entries = play.terms_of(tournament), len(lines)
    if received is None:
        received = money.pool_of(tournament)
    funds = funds_of(
        terms.prizes,
        terms.tickets,
        entries=entries,
        received=received,
        guarantee=terms.guarantee,
    )
    shares = _split_shares(tournament)
    if shares:
        return Awarded(funds.pool, funds.overlay, _split(shares, funds.pool), 0)
    groups, write = ranking(lines), partial(kept_in_unit, asset=tournament.asset)
    shared = distribute(
        terms.prizes,
        pool=funds.cash,
        entries=entries,
        ranking=groups,
        margins=margins_of(tournament, groups),
        shrink=True,
    )
    gets = {
        award.entrant: Gets(award.amount, explain(award, write), award=award)
        for award in shared.awards
    }
    _add_tickets(gets, award_tickets(funds.given, groups), write)
    return Awarded(funds.pool, funds.overlay, gets, shared.table.to_house, shared.table)


def _add_tickets(gets: dict[int, Gets], tickets: TicketAwards, write: Callable[[int], str]) -> None:
    """Put tickets, and the money in place of tickets, to what the entries get."""
    for entrant, amount in tickets.in_money.items():
        was, words = gets[entrant], f"Tickets of tied ranks are shared in money: {write(amount)}."
        gets[entrant] = was._replace(
            amount=was.amount + amount, reason=f"{was.reason} {words}", in_money=amount
        )
    for entrant, ticket in tickets.tickets.items():
        was, words = gets[entrant], f"A ticket for another tournament, worth {write(ticket.value)}."
        reason = f"{was.reason} {words}" if was.amount else words
        gets[entrant] = was._replace(reason=reason, ticket=ticket)


def _split_shares(tournament: Tournament) -> list[tuple[int, int]]:
    """Entry and weight of each player who shares the pool, best placed first."""
    table = (
        RoundTable.objects.filter(round__tournament=tournament).exclude(split_weights="").first()
    )
    if table is None:
        return []
    weights = dict(msgspec.json.decode(table.split_weights, type=list[tuple[int, int]]))
    placings = table.placings.filter(seat__in=weights).order_by("place", "seat")
    return [(placing.entry_id, weights[placing.seat]) for placing in placings]


def _split(shares: Sequence[tuple[int, int]], pool: int) -> dict[int, Gets]:
    total = sum(weight for _, weight in shares)
    amounts = money.split(pool, [weight for _, weight in shares])
    return {
        entry: Gets(
            amount,
            f"The prize pool was split: {weight} parts of {total}.",
            split=(weight, total),
        )
        for (entry, weight), amount in zip(shares, amounts, strict=True)
    }


def owe_prizes(
    *, tournament: Tournament, lines: Sequence[Standing], actor: str, now: datetime
) -> None:
    """Enter final ranks and write down what is owed; the caller holds the tournament's lock.

    The guarantee is topped up. A currency waits for somebody else's approval, points do not.
    """
    awarded = award(tournament, lines)
    money.top_up(tournament=tournament, amount=awarded.overlay, now=now)
    entries = entries_of(lines)
    for line in lines:
        entry, gets = entries[line.entrant], awarded.gets.get(line.entrant)
        entry.rank, entry.reason, entry.state = line.rank, line.reason, EntryState.RANKED
        if gets is not None:
            entry.prize, entry.prize_reason = gets.amount, gets.reason
    update_rows(entries.values(), ["rank", "reason", "state", "prize", "prize_reason"])
    _write_payments(tournament, awarded, actor, now)
    ranks = {entry.pk: {"rank": entry.rank} for entry in entries.values()}
    people.tell_entries(
        tournament, people.NoticeKind.RESULT, entries.values(), what="end", facts=ranks, now=now
    )
    people.calls_over(tournament)
    needs_second = money.is_currency(tournament.asset)
    Payout.objects.create(
        tournament=tournament,
        state=PayoutState.AWAITING if needs_second else PayoutState.APPROVED,
        to_house=awarded.to_house,
        asked_by=actor,
        asked_at=now,
    )


def _write_payments(tournament: Tournament, awarded: Awarded, actor: str, now: datetime) -> None:
    def owed(entry: int, kind: PaymentKind, amount: int) -> Payment:
        return Payment(
            tournament=tournament,
            entry_id=entry,
            kind=kind,
            amount=amount,
            actor=actor,
            owed_at=now,
        )

    prizes = [
        owed(entry, PaymentKind.PRIZE, gets.amount)
        for entry, gets in awarded.gets.items()
        if gets.amount
    ]
    Payment.objects.bulk_create(prizes, batch_size=500)
    won = [(entry, gets.ticket) for entry, gets in awarded.gets.items() if gets.ticket]
    payments = Payment.objects.bulk_create(
        (owed(entry, PaymentKind.TICKET, ticket.value) for entry, ticket in won), batch_size=500
    )
    targets = dict(
        Tournament.objects.filter(public_id__in={ticket.target for _, ticket in won}).values_list(
            "public_id", "pk"
        )
    )
    Ticket.objects.bulk_create(
        Ticket(
            payment=payment,
            target_id=targets[ticket.target],
            state=TicketState.UNUSED,
            changed_at=now,
        )
        for payment, (_, ticket) in zip(payments, won, strict=True)
    )
