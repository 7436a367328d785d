"""What has to be true of every tournament, whatever happened to it; each fault is a sentence.

`faults_while_running` holds after every committed step, `faults_when_over` once it is over. Both
read everything there is about one tournament, so they are for simulations and for looking into a
doubt, not for pages.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Count, F, Sum

from tournaments import money, play
from tournaments.draws import check_draws
from tournaments.management.level_invariants import level_chip_faults
from tournaments.models import (
    HOLDS_A_SEAT,
    DecisionKind,
    Entry,
    EntryState,
    NoteKind,
    Payment,
    PaymentKind,
    Placing,
    Shape,
    TableKind,
    Tournament,
)
from tournaments.play import checks
from tournaments.structure.lifecycle import State, is_over

FINAL: Final = frozenset(
    {
        EntryState.RANKED,
        EntryState.WITHDRAWN,
        EntryState.NOT_SEATED,
        EntryState.NO_SHOW,
        EntryState.REFUSED,
        EntryState.REFUNDED,
    }
)
"""States of an entry in which nothing happens to it any more."""

_ALWAYS: Final = datetime.max.replace(tzinfo=UTC)


def faults_while_running(tournament: Tournament, *, now: datetime) -> tuple[str, ...]:
    """What must never be, not for a moment: lost money, a seat too many, two tables at once."""
    return (
        *_escrow_faults(tournament),
        *_seat_faults(tournament),
        *_two_tables_faults(tournament),
        *money.faults(now=now),
    )


def faults_when_over(tournament: Tournament, *, now: datetime) -> tuple[str, ...]:
    """All that, and everything paid, everybody ranked, every log and draw sound."""
    if not is_over(State(tournament.state)):
        return (f"It is {tournament.state}, not over.",)
    return (
        *faults_while_running(tournament, now=now),
        *_settlement_faults(tournament),
        *_entry_faults(tournament),
        *_rank_faults(tournament),
        *_advance_faults(tournament),
        *_newcomer_faults(tournament),
        *_chip_faults(tournament),
        *_draw_faults(tournament),
        *checks.table_faults(tournament),
    )


def snapshot_of(tournament: Tournament) -> dict[str, Any]:
    """All that settling could change, to be compared before and after settling once more."""
    rows = tournament.entries.order_by("pk").values_list(
        "pk", "state", "rank", "prize", "prize_reason", "reason"
    )
    owed = tournament.payments.order_by("pk").values_list("pk", "kind", "amount", "paid_at")
    return {
        "state": tournament.state,
        "entries": list(rows),
        "payments": list(owed),
        "log": tournament.log.count(),
        "totals": money.totals_of(tournament),
        "remains": money.remains_of(tournament),
        "books": money.trial_balance(),
    }


# Money


def _escrow_faults(tournament: Tournament) -> Iterator[str]:
    """What came in and has not gone out lies in the tournament's escrows."""
    totals, remains = money.totals_of(tournament), money.remains_of(tournament)
    came_in = totals.received - totals.refunded + totals.overlay
    inside = came_in - totals.paid - totals.fee
    lies = remains.pool + remains.fees + remains.held
    if inside != lies:
        yield f"{inside} should lie in its escrows by what moved, and {lies} do."


def _settlement_faults(tournament: Tournament) -> Iterator[str]:
    """Prizes + fee + refunds = received (+ overlay), each payment made once, nothing left."""
    totals, remains = money.totals_of(tournament), money.remains_of(tournament)
    if totals.received + totals.overlay != totals.paid + totals.fee + totals.refunded:
        yield f"What came in is not what went out: {totals}."
    if any(remains):
        yield f"Something is left behind: {remains}."
    if unpaid := tournament.payments.filter(paid_at__isnull=True).count():
        yield f"{unpaid} payments are owed and not made."
    prizes = tournament.payments.exclude(kind=PaymentKind.REFUND)
    written = prizes.aggregate(n=Sum("amount", default=0))["n"]
    if written != totals.paid:
        yield f"{written} were owed in prizes, {totals.paid} were paid."
    in_money = prizes.filter(kind=PaymentKind.PRIZE).aggregate(n=Sum("amount", default=0))["n"]
    on_entries = tournament.entries.aggregate(n=Sum("prize", default=0))["n"]
    if in_money != on_entries:
        yield f"Entries show prizes of {on_entries}, {in_money} were owed."
    yield from _paid_twice(tournament)


def _paid_twice(tournament: Tournament) -> Iterator[str]:
    """Payments whose player is not who the entry says, or more than one of a kind."""
    doubled = (
        Payment.objects.filter(tournament=tournament)
        .order_by()
        .values_list("entry__number", "kind")
        .annotate(n=Count("id"))
        .filter(n__gt=1)
    )
    for number, kind, times in doubled:
        yield f"Entry {number} has {times} payments of kind {kind}."


# Entries


def _seat_faults(tournament: Tournament) -> Iterator[str]:
    """Numbers and players once; nobody has a seat beyond the capacity unless staff forced it."""
    rows = list(tournament.entries.values_list("number", "player_id"))
    for what, values in zip(("number", "player"), zip(*rows, strict=True), strict=False):
        for value, times in Counter(values).items():
            if times > 1:
                yield f"{times} entries have the {what} {value}."
    forced = tournament.entries.filter(notes__kind=NoteKind.FORCED).distinct().count()
    seated = tournament.entries.filter(state__in=HOLDS_A_SEAT).count()
    if seated > tournament.capacity + forced:
        yield f"{seated} have a seat, there are {tournament.capacity}."


def _entry_faults(tournament: Tournament) -> Iterator[str]:
    """Every entry has one final state; who paid and played is ranked or has his fee back."""
    for entry in tournament.entries.exclude(state__in=FINAL):
        yield f"Entry {entry.number} is still {entry.state}."
    wrong = {State.COMPLETED: EntryState.REFUNDED, State.CANCELLED: EntryState.RANKED}
    state = wrong.get(State(tournament.state))
    for entry in tournament.entries.filter(state=state):
        yield f"Entry {entry.number} is {entry.state} in a tournament that is {tournament.state}."


def _rank_faults(tournament: Tournament) -> Iterator[str]:
    """Ranks count like 1, 2, 2, 4; whoever played and nobody else has one, with a reason."""
    ranks = Counter(
        tournament.entries.filter(state=EntryState.RANKED).values_list("rank", flat=True)
    )
    expected = 1
    for rank in sorted(rank for rank in ranks if rank is not None):
        if rank != expected:
            yield f"Rank {rank} follows where {expected} should."
            return
        expected += ranks[rank]
    for entry in tournament.entries.filter(state=EntryState.RANKED, reason=""):
        yield f"Entry {entry.number} is ranked without a reason."
    seated = Entry.objects.filter(placings__table__round__tournament=tournament)
    for entry in seated.exclude(state__in=(EntryState.RANKED, EntryState.REFUNDED)).distinct():
        yield f"Entry {entry.number} sat at a table and is {entry.state}."


# Rounds


def _seatings(tournament: Tournament) -> Any:
    return (
        Placing.objects.filter(table__round__tournament=tournament)
        .select_related("table__match", "table__round", "entry")
        .order_by("entry_id", "table__match__opened_at", "table_id")
    )


def _two_tables_faults(tournament: Tournament) -> Iterator[str]:
    """Nobody sits at a table while another of his is being played."""
    before: dict[int, Placing] = {}
    for placing in _seatings(tournament):
        last = before.get(placing.entry_id)
        if last is not None:
            until = last.table.match.over_at or _ALWAYS
            if placing.table.match.opened_at < until:
                yield (
                    f"Entry {placing.entry.number} sat down at {placing.table.match} while "
                    f"{last.table.match} was being played."
                )
        before[placing.entry_id] = placing


def _advance_faults(tournament: Tournament) -> Iterator[str]:
    """Who plays in a round had gone on from the table he sat at before; seats are whole."""
    earlier: dict[int, Placing] = {}
    tables: dict[int, set[int]] = defaultdict(set)
    for placing in _seatings(tournament):
        tables[placing.table_id].add(placing.seat)
        last = earlier.get(placing.entry_id)
        if last is not None and _is_back(last, placing):
            yield (
                f"Entry {placing.entry.number} plays in round {placing.table.round.number} "
                f"and was out in round {last.table.round.number}."
            )
        earlier[placing.entry_id] = placing
    for table, seats in tables.items():
        if seats != set(range(len(seats))):
            yield f"Table {table} has the seats {sorted(seats)}."


def _newcomer_faults(tournament: Tournament) -> Iterator[str]:
    """Who entered after the start plays from the next round on, unless he took another's seat."""
    late = Placing.objects.filter(
        table__round__tournament=tournament,
        table__kind=TableKind.PLAY,
        entry__joined_at__gt=F("table__round__opened_at"),
    )
    substitutes = tournament.decisions.filter(kind=DecisionKind.SUBSTITUTED).values("entry")
    seats = late.exclude(entry__in=substitutes).order_by("entry__number", "table__round__number")
    for number, round_number in seats.values_list("entry__number", "table__round__number"):
        yield f"Entry {number} came in after round {round_number} had begun, and sits in it."


def _is_back(last: Placing, now: Placing) -> bool:
    """Whether somebody who was out plays again and has not paid for that."""
    both = {last.table.kind, now.table.kind}
    was_out = not last.goes_on and last.table.round.number < now.table.round.number
    return was_out and both == {TableKind.PLAY} and not now.entry.reentries


def _chip_faults(tournament: Tournament) -> Iterator[str]:
    """Where everybody sits down with the same chips, a table ends with what it was given."""
    each = play.starting_chips(play.terms_of(tournament))
    if not each or tournament.state != State.COMPLETED:
        return
    if tournament.shape == Shape.LEVELS:
        yield from level_chip_faults(tournament)
        return
    sums = (
        Placing.objects.filter(table__round__tournament=tournament, table__kind=TableKind.PLAY)
        .order_by()
        .values_list("table__match_id")
        .annotate(chips=Sum("score", default=0), players=Count("id"))
    )
    for match, chips, players in sums:
        if chips != each * players:
            yield f"Match {match} ended with {chips} chips and began with {each * players}."


def _draw_faults(tournament: Tournament) -> Iterator[str]:
    """Every draw is what its revealed secret gives."""
    rounds = list(tournament.rounds.order_by("number"))
    for check in check_draws(tournament, rounds):
        if not check.is_good:
            yield f"The draw of round {check.round.number}: {check.verdict}."
