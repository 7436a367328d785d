"""The tournament for which a simulated one gives tickets: a table to which its best ranks go.

It is open from the beginning. When the other one is over, whoever won a ticket enters with it, but
for every third, and two more pay for themselves. It is played to its paid prizes, and tickets that
were not used go into the wallets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

import msgspec

from tournaments import money, play, services
from tournaments.management.casting import ACTOR
from tournaments.models import Shape, Ticket, TicketState, Tournament
from tournaments.play import bots
from tournaments.structure.conditions import EntryRules
from tournaments.structure.rounds import BestOfTable
from tournaments.structure.tickets import TicketPrize

MOST_TICKETS: Final = 4
"""With the two who pay they fill a table."""
PAYING: Final = 2
_UNUSED_EVERY: Final = 3


def announce(like: play.TournamentTerms, *, label: str, now: datetime, **wanted: object) -> str:
    """Open the final of a tournament with these terms; gives its public id.

    `wanted` are name, fees and whether it is in person.
    """
    terms = msgspec.structs.replace(
        like,
        levels=None,
        advance=BestOfTable(),
        third_place=False,
        entering=EntryRules(),
        tickets=(),
    )
    shape = Shape.HEADS_UP if terms.seats == 2 else Shape.SINGLE
    made = services.create(
        shape=shape,
        terms=play.fitted(shape, terms),
        capacity=MOST_TICKETS + PAYING,
        draw_label=label,
        now=now,
        **wanted,  # type: ignore[arg-type]
    )
    services.open_registration(tournament_id=made.pk, actor=ACTOR, now=now)
    return made.public_id


def prizes(target: str, number: int, value: int) -> tuple[TicketPrize, ...]:
    """A ticket for each of the best ranks."""
    return tuple(TicketPrize(rank, target, value) for rank in range(1, number + 1))


def final_of(tournament: Tournament) -> Tournament | None:
    """The tournament that this one gives tickets for."""
    tickets = play.terms_of(tournament).tickets
    if not tickets:
        return None
    return Tournament.objects.filter(public_id=tickets[0].target).first()


def enter(
    final: Tournament, players: Sequence[int], strength: bots.Strength, *, now: datetime
) -> Iterator[bool]:
    """Winners with their tickets, and two of these players who won none."""
    tickets = list(
        Ticket.objects.filter(target=final)
        .order_by("payment__entry__rank", "pk")
        .values_list("pk", "payment__entry__player_id", "state")
    )
    for place, (ticket, player, state) in enumerate(tickets, 1):
        if state == TicketState.UNUSED and place % _UNUSED_EVERY:
            services.use_ticket(
                ticket_id=ticket,
                player_id=player,
                actor=money.player_owner(player),
                bot=strength,
                now=now,
            )
            yield False
    winners = {player for _, player, _ in tickets}
    for player in [player for player in players if player not in winners][-PAYING:]:
        services.register(
            tournament_id=final.pk,
            player_id=player,
            actor=money.player_owner(player),
            bot=strength,
            now=now,
        )
        yield False


def faults(tournament: Tournament) -> Iterator[str]:
    """Once both are over, every ticket was used or paid out, and nothing lies for it any more."""
    final = final_of(tournament)
    if final is None:
        return
    entered = set(final.entries.values_list("player_id", flat=True))
    tickets = Ticket.objects.filter(payment__tournament=tournament)
    for ticket in tickets.select_related("payment__tournament", "payment__entry").order_by("pk"):
        player = ticket.payment.entry.player_id
        if ticket.state == TicketState.UNUSED:
            yield f"The ticket of entry {ticket.payment.entry.number} was never used or paid out."
        elif ticket.state == TicketState.USED and player not in entered:
            yield f"Entry {ticket.payment.entry.number} used a ticket and has not entered."
        if left := money.value_of_ticket(ticket):
            yield f"{left} lie for the ticket of entry {ticket.payment.entry.number}."
