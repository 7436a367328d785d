"""Whether the tickets that a tournament promises can be given: their targets, their worth."""

from __future__ import annotations

from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Tournament
from tournaments.play import TournamentTerms
from tournaments.structure.lifecycle import State, is_over
from tournaments.structure.tickets import check_tickets, tickets_within


def check_promised(terms: TournamentTerms, *, asset: str, expected: int, capacity: int) -> int:
    """What the tickets are worth together, if all of `expected`, the pool, can give them.

    Each is for a tournament of the same asset that is not over, and worth its entry fee at least.
    Raises `TournamentRefusal(BAD_TICKETS)` or `StructureError(BAD_TICKETS)`.
    """
    check_tickets(terms.tickets)
    if len(tickets_within(terms.tickets, pool=expected, entries=capacity)) < len(terms.tickets):
        raise _bad("The prize pool of all seats does not reach for these tickets.")
    wanted = {ticket.target for ticket in terms.tickets}
    targets = {one.public_id: one for one in Tournament.objects.filter(public_id__in=wanted)}
    for ticket in terms.tickets:
        target = targets.get(ticket.target)
        if target is None or is_over(State(target.state)):
            raise _bad(f"There is no tournament {ticket.target} to come.")
        if target.asset != asset:
            raise _bad(f"{target.name} is played for {target.asset}, not for {asset}.")
        if ticket.value < target.entry_fee:
            raise _bad(f"A ticket for {target.name} is worth {target.entry_fee:,} at least.")
    return sum(ticket.value for ticket in terms.tickets)


def _bad(sentence: str) -> TournamentRefusal:
    return TournamentRefusal(TournamentCode.BAD_TICKETS, sentence, field="tickets")
