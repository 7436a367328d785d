"""What came of a simulated tournament, as it is printed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tournaments import money
from tournaments.models import EntryState, Ticket, TicketState, Tournament
from tournaments.play import checks


class Line(msgspec.Struct, frozen=True):
    """One line of the final standings."""

    rank: int
    name: str
    prize_minor: int


class Report(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of it. Amounts are in the smallest unit of the asset."""

    entries: int
    standings: tuple[Line, ...]
    received_minor: int
    refunded_minor: int
    paid_minor: int
    fee_minor: int
    books_balanced: bool
    rounds: int
    tables: int
    deals: int
    commands: int
    seconds: float
    crashes: int = 0
    late: int = 0
    """Who entered after the start, and played."""
    tickets_used: int = 0
    tickets_paid_out: int = 0
    faults: tuple[str, ...] = ()


def report_of(
    tournament: Tournament,
    newcomers: Sequence[int],
    *,
    seconds: float,
    crashes: int,
    faults: tuple[str, ...],
) -> Report:
    """What came of a tournament that is over; `newcomers` are ids of players."""
    ranked = tournament.entries.filter(state=EntryState.RANKED).order_by("rank", "number")
    totals, tally = money.totals_of(tournament), checks.tally(tournament)
    tickets = Ticket.objects.filter(payment__tournament=tournament)
    return Report(
        entries=ranked.count(),
        standings=tuple(
            Line(entry.rank or 0, entry.player.get_full_name(), entry.prize)
            for entry in ranked.select_related("player")
        ),
        received_minor=totals.received,
        refunded_minor=totals.refunded,
        paid_minor=totals.paid,
        fee_minor=totals.fee,
        books_balanced=not faults,
        rounds=tournament.rounds.count(),
        tables=tally.matches,
        deals=tally.deals,
        commands=tally.commands,
        seconds=round(seconds, 3),
        crashes=crashes,
        late=ranked.filter(player__in=newcomers).count(),
        tickets_used=tickets.filter(state=TicketState.USED).count(),
        tickets_paid_out=tickets.filter(state=TicketState.PAID_OUT).count(),
        faults=faults,
    )
