"""A ticket is an entry into another tournament: paid for, used once, never lost."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    leave,
    next_round,
    players,
    started,
    terms,
    wallet,
)
from tournaments import money, services, tasks
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Shape, Ticket, TicketState, Tournament
from tournaments.selectors import prize_tables
from tournaments.structure.conditions import Conditions, EntryRules
from tournaments.structure.tickets import TicketPrize

pytestmark = pytest.mark.django_db


def _final(**changes: Any) -> Tournament:
    wanted: dict[str, Any] = {"entry_fee": 600, "name": "Final cup", "capacity": 3}
    return a_tournament(Shape.SINGLE, **(wanted | changes))


def _satellite(target: Tournament, ranks: tuple[int, ...] = (1, 2), value: int = 600) -> Tournament:
    """A table of four, its best ranks win tickets; played and settled."""
    prizes = tuple(TicketPrize(rank, target.public_id, value) for rank in ranks)
    tournament = started(
        Shape.SINGLE, 4, terms=terms("deals", prizes="60,40", tickets=prizes), house_fee=50
    )
    finish(next_round(tournament).tables.get())
    services.complete(tournament_id=tournament.pk, now=NOW)
    return tournament


def _ranked(tournament: Tournament) -> list[Entry]:
    return list(tournament.entries.order_by("rank").select_related("player"))


def _use(ticket: Ticket, entry: Entry) -> Entry:
    return services.use_ticket(
        ticket_id=ticket.pk, player_id=entry.player_id, actor="player", now=NOW
    )


def test_tickets_come_out_of_the_pool_and_their_worth_lies_in_the_ledger() -> None:
    tournament = _satellite(_final())
    first, second, third, _ = _ranked(tournament)
    assert [wallet(entry.player).posted for entry in (first, second, third)] == [360, 240, 0]
    tickets = list(Ticket.objects.order_by("pk"))
    assert [ticket.payment.entry for ticket in tickets] == [first, second]
    assert [money.value_of_ticket(ticket) for ticket in tickets] == [600, 600]
    assert "A ticket for another tournament, worth 600 play points." in first.prize_reason
    totals = money.totals_of(tournament)
    assert (totals.received, totals.paid, totals.fee) == (2000, 1800, 200)
    assert money.remains_of(tournament).pool == 0
    assert money.faults(now=NOW) == ()


def test_the_prize_table_shows_tickets_beside_the_money() -> None:
    target = _final()
    prizes = (TicketPrize(2, target.public_id, 600),)
    tournament = a_tournament(
        Shape.SINGLE, capacity=4, terms=terms("deals", prizes="60,40", tickets=prizes)
    )
    rows = prize_tables(tournament).expected.rows
    assert [(row.amount, row.ticket, row.ticket_value) for row in rows] == [
        (840, "", 0),
        (560, target.public_id, 600),
    ]


def test_a_ticket_enters_its_player_without_a_unit_of_his_own() -> None:
    target = _final()
    first = _ranked(_satellite(target))[0]
    ticket = Ticket.objects.get(payment__entry=first)
    entry = _use(ticket, first)
    assert (entry.tournament_id, entry.state) == (target.pk, EntryState.ENTERED)
    assert wallet(first.player).available == 360
    assert money.value_of_ticket(ticket) == 0
    ticket.refresh_from_db()
    assert ticket.state == TicketState.USED


def test_a_ticket_stands_for_the_entry_code() -> None:
    rules = EntryRules(conditions=Conditions(code="spade"))
    target = _final(terms=terms("deals", entering=rules))
    first = _ranked(_satellite(target))[0]
    entry = _use(Ticket.objects.get(payment__entry=first), first)
    assert (entry.tournament_id, entry.state) == (target.pk, EntryState.ENTERED)


def test_a_ticket_is_used_once() -> None:
    target = _final()
    first = _ranked(_satellite(target))[0]
    ticket = Ticket.objects.get(payment__entry=first)
    assert _use(ticket, first).pk == _use(ticket, first).pk
    assert target.entries.count() == 1
    assert wallet(first.player).available == 360


def test_nobody_uses_somebody_elses_ticket() -> None:
    target = _final()
    first, second, *_ = _ranked(_satellite(target))
    ticket = Ticket.objects.get(payment__entry=first)
    with pytest.raises(TournamentRefusal) as refusal:
        _use(ticket, second)
    assert refusal.value.code is TournamentCode.UNKNOWN_TICKET
    assert target.entries.count() == 0


def test_a_full_tournament_leaves_the_ticket_as_it_was() -> None:
    target = _final(capacity=2)
    first = _ranked(_satellite(target))[0]
    join(target, *players(2, points=600))
    ticket = Ticket.objects.get(payment__entry=first)
    with pytest.raises(TournamentRefusal) as refusal:
        _use(ticket, first)
    assert refusal.value.code is TournamentCode.FULL
    ticket.refresh_from_db()
    assert (ticket.state, money.value_of_ticket(ticket)) == (TicketState.UNUSED, 600)
    assert not target.entries.filter(player=first.player).exists()


def test_who_has_entered_already_keeps_his_ticket() -> None:
    target = _final()
    first = _ranked(_satellite(target))[0]
    money.grant(
        asset=target.asset,
        player_ids=[first.player_id],
        amount=600,
        key="more",
        actor="x",
        now=NOW,
    )
    join(target, first.player)
    with pytest.raises(TournamentRefusal) as refusal:
        _use(Ticket.objects.get(payment__entry=first), first)
    assert refusal.value.code is TournamentCode.TICKET_USED
    assert wallet(first.player).available == 360


def _use_refused(ticket: Ticket, entry: Entry) -> TournamentCode:
    """The ticket is refused and stays as it was."""
    points = wallet(entry.player).available
    with pytest.raises(TournamentRefusal) as refusal:
        _use(ticket, entry)
    ticket.refresh_from_db()
    assert (ticket.state, money.value_of_ticket(ticket)) == (TicketState.UNUSED, 600)
    assert wallet(entry.player).available == points
    return refusal.value.code


def test_who_waits_behind_nobody_moves_up_with_his_ticket_where_only_points_were_missing() -> None:
    target = _final(capacity=2)
    first, *_ = _ranked(_satellite(target))
    holder, waiting = players(1, points=600)[0], first.player
    join(target, holder, *players(1, points=600), waiting)
    assert target.entries.get(player=waiting).state == EntryState.WAITING
    ticket = Ticket.objects.get(payment__entry=first)
    assert _use_refused(ticket, first) is TournamentCode.FULL
    leave(target, holder)  # he has 360 points and is passed over
    assert target.entries.get(player=waiting).state == EntryState.WAITING
    assert _use(ticket, first).state == EntryState.ENTERED
    assert wallet(waiting).available == 360
    assert target.entries.count() == 3


@pytest.mark.parametrize("state", [EntryState.OUT, EntryState.APPLIED])
def test_a_ticket_brings_nobody_in_who_was_in_or_has_applied(state: EntryState) -> None:
    """Coming back has its own price and its own limit."""
    rules = EntryRules(needs_approval=state == EntryState.APPLIED)
    target = _final(terms=terms("deals", entering=rules))
    first, *_ = _ranked(_satellite(target))
    money.grant(
        asset=target.asset, player_ids=[first.player_id], amount=600, key="m", actor="x", now=NOW
    )
    join(target, first.player)
    target.entries.filter(player=first.player).update(state=state)
    ticket = Ticket.objects.get(payment__entry=first)
    assert _use_refused(ticket, first) is TournamentCode.TICKET_USED


def test_an_unused_ticket_is_paid_into_the_wallet_when_its_tournament_is_called_off() -> None:
    target = _final()
    first, second, *_ = _ranked(_satellite(target))
    _use(Ticket.objects.get(payment__entry=second), second)
    assert services.pay_out_unused(now=NOW) == 0
    services.cancel(tournament_id=target.pk, actor="Meera", reason="rain", now=NOW)
    assert [services.pay_out_unused(now=NOW) for _ in range(2)] == [1, 0]
    assert [wallet(entry.player).available for entry in (first, second)] == [960, 840]
    assert money.faults(now=NOW) == ()
    with pytest.raises(TournamentRefusal) as refusal:
        _use(Ticket.objects.get(payment__entry=first), first)
    assert refusal.value.code is TournamentCode.TICKET_USED


def test_the_sweep_pays_out_what_was_not_used_when_the_target_is_over() -> None:
    target = _final()
    first = _ranked(_satellite(target))[0]
    join(target, *players(3, points=600))
    close_and_start(target)
    finish(next_round(target).tables.get())
    services.complete(tournament_id=target.pk, now=NOW)
    tasks.run_tournaments()
    assert wallet(first.player).available == 960
    assert set(Ticket.objects.values_list("state", flat=True)) == {TicketState.PAID_OUT}


def test_withdrawing_puts_the_worth_of_a_used_ticket_into_the_wallet() -> None:
    target = _final()
    first = _ranked(_satellite(target))[0]
    _use(Ticket.objects.get(payment__entry=first), first)
    leave(target, first.player)
    assert wallet(first.player).available == 960


@pytest.mark.parametrize(
    ("target", "value", "words"),
    [
        ("nothing-like-it", 600, "There is no tournament nothing-like-it to come."),
        ("cup", 599, "is worth 600 at least"),
        ("cup", 2001, "does not reach"),
    ],
)
def test_tickets_that_cannot_be_promised(target: str, value: int, words: str) -> None:
    cup = _final()
    public_id = cup.public_id if target == "cup" else target
    prizes = (TicketPrize(1, public_id, value),)
    with pytest.raises(TournamentRefusal) as refusal:
        a_tournament(Shape.SINGLE, capacity=4, terms=terms("deals", "winner", tickets=prizes))
    assert (refusal.value.code, refusal.value.field) == (TournamentCode.BAD_TICKETS, "tickets")
    assert words in refusal.value.sentence


def test_a_ticket_for_a_tournament_that_is_over_cannot_be_promised() -> None:
    cup = _final()
    services.cancel(tournament_id=cup.pk, actor="Meera", reason="rain", now=NOW)
    prizes = (TicketPrize(1, cup.public_id, 600),)
    with pytest.raises(TournamentRefusal) as refusal:
        a_tournament(Shape.SINGLE, capacity=4, terms=terms("deals", "winner", tickets=prizes))
    assert refusal.value.code is TournamentCode.BAD_TICKETS


def test_a_smaller_field_than_hoped_for_gives_fewer_tickets() -> None:
    cup = _final()
    prizes = tuple(TicketPrize(rank, cup.public_id, 600) for rank in (1, 2, 3))
    tournament = a_tournament(
        Shape.SINGLE, capacity=4, terms=terms("deals", prizes="winner", tickets=prizes)
    )
    join(tournament, *players(3, points=FEE))
    close_and_start(tournament)
    finish(next_round(tournament).tables.get())
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert Ticket.objects.count() == 2
    assert _ranked(tournament)[0].prize == 3 * FEE - 2 * 600
