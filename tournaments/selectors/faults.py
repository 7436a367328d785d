"""What is wrong with one tournament: its money, its chips, its entries. Nothing in a sound one."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Sum

from tournaments import money
from tournaments.models import EntryState, PaymentKind, Payout, PayoutState, Placing, Tournament
from tournaments.selectors.payouts import unpaid_of
from tournaments.structure.lifecycle import State, is_over

_LIVE = (
    EntryState.APPLIED,
    EntryState.WAITING,
    EntryState.ENTERED,
    EntryState.PLAYING,
    EntryState.OUT,
)


def faults_of(tournament: Tournament) -> tuple[str, ...]:
    """Sentences about what cannot be, and about who could not be paid.

    What was received, less what went back, plus what the house added, is paid, kept as a fee, or
    still there; once everything is paid nothing is still there. Chips are retired, everybody has
    one final state, and ranks have no gap. A fixed number of queries.
    """
    return (
        *_about_money(tournament),
        *_about_payments(tournament),
        *_about_entries(tournament),
        *_about_tables(tournament),
    )


def _about_money(tournament: Tournament) -> Iterator[str]:
    totals, left = money.totals_of(tournament), money.remains_of(tournament)
    came_in = totals.received - totals.refunded + totals.overlay
    went_out = totals.paid + totals.fee
    there = left.pool + left.fees + left.held
    if came_in != went_out + there:
        yield (
            f"{came_in:,} came in, {went_out:,} went out and {there:,} is there; "
            f"{came_in - went_out - there:,} is unaccounted for."
        )
    if not is_over(State(tournament.state)):
        return
    if left.chips:
        yield f"{left.chips:,} chips are still in play."
    if there and not tournament.payments.filter(paid_at__isnull=True).exists():
        yield f"Everything is paid, and {there:,} is left in escrow."


def _about_payments(tournament: Tournament) -> Iterator[str]:
    payments = tournament.payments
    owed = payments.filter(kind=PaymentKind.PRIZE).aggregate(n=Sum("amount", default=0))["n"]
    won = tournament.entries.aggregate(won=Sum("prize", default=0))["won"]
    if won != owed:
        yield f"The entries won {won:,}, {owed:,} is owed for it."
    given = payments.exclude(kind=PaymentKind.REFUND).filter(paid_at__isnull=False)
    total, paid = given.aggregate(n=Sum("amount", default=0))["n"], money.totals_of(tournament).paid
    if total != paid:
        yield f"{total:,} is marked as paid in prizes, the ledger paid {paid:,}."
    for payment in unpaid_of(tournament):
        if payment.fault:
            yield f"{payment.entry.player} could not be paid {payment.amount:,}: {payment.fault}"
    payout = Payout.objects.filter(tournament=tournament).first()
    if tournament.state == State.COMPLETED and payout is None:
        yield "It is completed, and nobody has settled it."
    if payout is not None and payout.state == PayoutState.PAID and unpaid_of(tournament):
        yield "The prizes are said to be paid, and some are not."


def _about_entries(tournament: Tournament) -> Iterator[str]:
    if not is_over(State(tournament.state)):
        return
    entries = tournament.entries
    for entry in entries.filter(state__in=_LIVE).order_by("number"):
        yield f"Entry {entry.number} is {entry.get_state_display()}, and the tournament is over."
    ranks = entries.filter(rank__isnull=False).order_by("rank").values_list("rank", flat=True)
    expected, above = 1, 0
    for number, rank in enumerate(ranks, 1):
        expected = expected if rank == above else number
        if rank != expected:
            yield f"Rank {rank} stands where rank {expected} belongs."
            return
        above = rank


def _about_tables(tournament: Tournament) -> Iterator[str]:
    seated = Placing.objects.filter(
        table__round__tournament=tournament, table__is_over=False
    ).exclude(table__match__status="void")
    twice = seated.order_by().values("entry__number").annotate(n=Count("table")).filter(n__gt=1)
    for row in twice.order_by("entry__number"):
        yield f"Entry {row['entry__number']} sits at {row['n']} tables."
