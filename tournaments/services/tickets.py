"""Using a ticket: an entry into another tournament, paid for with what lies in the ledger for it.

A ticket that was not used before its tournament was over, or called off, is paid into the wallet.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.db import transaction

from tournaments import money, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import (
    HOLDS_A_SEAT,
    Entry,
    EntryState,
    Ticket,
    TicketState,
    Tournament,
)
from tournaments.services import seats
from tournaments.services.lifecycle import lock
from tournaments.services.registration import register
from tournaments.structure.lifecycle import State, is_over

_IS_OR_WAS_IN: Final = (*HOLDS_A_SEAT, EntryState.APPLIED)


def use_ticket(
    *, ticket_id: int, player_id: int, actor: str, bot: str = "", now: datetime
) -> Entry:
    """Enter the ticket's tournament with it; used already it gives the entry again.

    Who waits there moves up, if a seat is free and only points were missing. What the fee leaves of
    its worth stays in the wallet. Raises `TournamentRefusal`: `UNKNOWN_TICKET`, also for somebody
    else's; `TICKET_USED` once it was paid out, and for who is in, has applied or was in; `FULL`
    where there is only a place on the waitlist; and what `register` raises. Nothing is used up.
    """
    with transaction.atomic():
        ticket = _ticket(ticket_id, player_id)
        target = lock(ticket.target_id)
        ticket = _locked(ticket_id)
        if ticket.state == TicketState.PAID_OUT:
            raise TournamentRefusal(
                TournamentCode.TICKET_USED, "This ticket was paid into your wallet; enter with it."
            )
        before = target.entries.filter(player_id=player_id).first()
        if ticket.state == TicketState.USED and before is not None:
            return before
        if before is not None and before.state in _IS_OR_WAS_IN:
            raise TournamentRefusal(
                TournamentCode.TICKET_USED,
                f"You have entered {target.name} already; the ticket is paid out when it is over.",
            )
        _finish(ticket, TicketState.USED, player_id, actor, now)
        if before is not None and before.state == EntryState.WAITING:
            entry = _moved_up(target, before, now)
        else:
            # A ticket says as much as the entry code; its winner was never told that.
            code = play.terms_of(target).entering.conditions.code
            entry = register(
                tournament_id=target.pk,
                player_id=player_id,
                actor=actor,
                bot=bot,
                code=code,
                now=now,
            )
        if entry.state == EntryState.WAITING:
            raise TournamentRefusal(
                TournamentCode.FULL, f"{target.name} is full; use the ticket when a seat is free."
            )
    return entry


def _moved_up(target: Tournament, entry: Entry, now: datetime) -> Entry:
    """Who waits, with the seat that he can pay for now if one is free; the caller has the lock."""
    promoted = seats.promote(target, now=now)
    seats.seats_changed(target, seat_taken=bool(promoted), now=now)
    entry.refresh_from_db()
    return entry


def pay_out_unused(*, now: datetime) -> int:
    """Pay tickets whose tournament is over into their players' wallets; how many."""
    return sum(_pay_out(ticket_id, now) for ticket_id in _unused())


def _unused() -> Iterator[int]:
    """Tickets that lie in the ledger for a tournament that is over."""
    over = [state.value for state in State if is_over(state)]
    unused = Ticket.objects.filter(
        state=TicketState.UNUSED, target__state__in=over, payment__paid_at__isnull=False
    )
    return iter(unused.order_by("pk").values_list("pk", flat=True))


def _pay_out(ticket_id: int, now: datetime) -> bool:
    try:
        with transaction.atomic():
            ticket = _locked(ticket_id)
            if ticket.state != TicketState.UNUSED:
                return False
            player = ticket.payment.entry.player_id
            _finish(ticket, TicketState.PAID_OUT, player, money.SYSTEM, now)
    except money.LedgerError as refusal:
        if money.must_stop(refusal):
            raise
        return False
    return True


def _finish(ticket: Ticket, state: TicketState, player_id: int, actor: str, now: datetime) -> None:
    money.free_ticket(ticket=ticket, player_id=player_id, actor=actor, now=now)
    ticket.state, ticket.changed_at = state, now
    ticket.save(update_fields=["state", "changed_at"])


def _ticket(ticket_id: int, player_id: int) -> Ticket:
    ticket = Ticket.objects.filter(
        pk=ticket_id, payment__entry__player_id=player_id, payment__paid_at__isnull=False
    ).first()
    if ticket is None:
        raise TournamentRefusal(
            TournamentCode.UNKNOWN_TICKET, "You have no such ticket.", field="ticket"
        )
    return ticket


def _locked(ticket_id: int) -> Ticket:
    return (
        Ticket.objects.select_for_update(of=("self",))
        .select_related("payment__entry", "payment__tournament")
        .get(pk=ticket_id)
    )
