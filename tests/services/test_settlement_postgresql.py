"""Settling with several at once, each with a connection of his own, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from tables.rules.commands import DrawClosed
from tables.services import deal_next, play
from tests.services.test_tables_postgresql import at_once
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    next_round,
    players,
    run_out,
    secret_for,
    started,
    terms,
    wallet,
)
from tournaments import money, services
from tournaments.models import Entry, RatedMatch, Rating, Shape, Ticket, Tournament
from tournaments.selectors import faults_of
from tournaments.services import ratings
from tournaments.structure.lifecycle import State
from tournaments.structure.tickets import TicketPrize

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

EIGHT = range(8)


def _final(*people: User, **changes: Any) -> Tournament:
    """A single table whose final is over, not settled."""
    tournament = a_tournament(Shape.SINGLE, capacity=len(people), **changes)
    join(tournament, *people)
    close_and_start(tournament)
    finish(next_round(tournament).tables.get())
    return tournament


def _complete(tournament: Tournament) -> Callable[[], Tournament]:
    return lambda: services.complete(tournament_id=tournament.pk, now=NOW)


def test_eight_who_settle_at_once_pay_each_prize_once() -> None:
    tournament = started(Shape.KNOCKOUT, 12, house_fee=50)
    run_out(tournament)
    results = at_once([_complete(tournament) for _ in EIGHT])
    assert [getattr(result, "state", result) for result in results] == [State.COMPLETED] * 8
    assert money.totals_of(tournament).paid == 12 * 450
    paid = tournament.payments.filter(paid_at__isnull=False)
    assert paid.count() == tournament.entries.filter(prize__gt=0).count() >= 3
    tournament.refresh_from_db()
    assert faults_of(tournament) == ()
    assert money.faults(now=NOW) == ()


def test_eight_who_call_off_at_once_refund_once() -> None:
    tournament = started(Shape.KNOCKOUT, 7, house_fee=50)
    next_round(tournament)

    def abort() -> Tournament:
        return services.abort(tournament_id=tournament.pk, actor="x", reason="r", now=NOW)

    results = at_once([abort for _ in EIGHT])
    assert sum(isinstance(result, Tournament) for result in results) == 1
    assert money.totals_of(tournament).refunded == 7 * FEE
    tournament.refresh_from_db()
    assert faults_of(tournament) == ()


def test_settling_and_calling_off_at_once_is_one_of_the_two() -> None:
    tournament = _final(*players(4))

    def abort() -> Tournament:
        return services.abort(tournament_id=tournament.pk, actor="x", reason="r", now=NOW)

    at_once([_complete(tournament), abort] * 4)
    tournament.refresh_from_db()
    totals = money.totals_of(tournament)
    outcome = (tournament.state, totals.paid, totals.refunded)
    assert outcome in ((State.COMPLETED, 4 * FEE, 0), (State.ABORTED, 0, 4 * FEE))
    assert faults_of(tournament) == ()


def test_a_move_and_the_call_off_at_once_leave_a_deal_that_is_over() -> None:
    tournament = started(Shape.SINGLE, 3)
    table = next_round(tournament).tables.get()
    deal, state = deal_next(match_id=table.match_id, secret_for=secret_for, now=NOW)
    turn = state.turn or 0
    at_once(
        [
            lambda: play(deal_id=deal.pk, command=DrawClosed(turn), command_id="d", now=NOW),
            lambda: services.abort(tournament_id=tournament.pk, actor="x", reason="r", now=NOW),
        ]
    )
    deal.refresh_from_db()
    assert deal.over_at is not None
    assert list(deal.events.values_list("kind", flat=True))[-1] == "deal_voided"
    assert money.totals_of(tournament).refunded == 3 * FEE


def test_a_ticket_used_in_eight_windows_is_one_entry() -> None:
    target = a_tournament(Shape.SINGLE, entry_fee=600, capacity=3, name="Final cup")
    prizes = (TicketPrize(1, target.public_id, 600),)
    people = players(4)
    source = _final(*people, terms=terms("deals", prizes="winner", tickets=prizes))
    services.complete(tournament_id=source.pk, now=NOW)
    ticket = Ticket.objects.select_related("payment__entry__player").get()
    winner = ticket.payment.entry.player

    def use() -> object:
        return services.use_ticket(
            ticket_id=ticket.pk, player_id=winner.pk, actor="player", now=NOW
        )

    results = at_once([use for _ in EIGHT])
    assert len({getattr(result, "pk", None) for result in results}) == 1
    assert all(isinstance(result, Entry) for result in results)
    assert target.entries.count() == 1
    assert wallet(winner).available == 4 * FEE - 600
    assert money.faults(now=NOW) == ()


def test_tournaments_of_the_same_players_settled_at_once_lose_no_match_in_the_ratings() -> None:
    people = players(4, points=8 * FEE)
    tournaments = [_final(*people) for _ in EIGHT]
    at_once([_complete(tournament) for tournament in tournaments])
    assert RatedMatch.objects.count() == 8
    assert set(Rating.objects.values_list("matches", flat=True)) == {8}
    before = dict(Rating.objects.values_list("player_id", "mu"))
    assert ratings.rebuild() == 8
    assert dict(Rating.objects.values_list("player_id", "mu")) == before


def test_tickets_are_paid_out_once_by_eight_sweeps() -> None:
    target = a_tournament(Shape.SINGLE, entry_fee=600, capacity=3, name="Final cup")
    prizes = tuple(TicketPrize(rank, target.public_id, 600) for rank in (1, 2, 3))
    source = _final(*players(4), terms=terms("deals", prizes="winner", tickets=prizes))
    services.complete(tournament_id=source.pk, now=NOW)
    services.cancel(tournament_id=target.pk, actor="x", reason="r", now=NOW)
    later = NOW + timedelta(seconds=9)
    counts = at_once([lambda: services.pay_out_unused(now=later) for _ in EIGHT])
    assert sum(count for count in counts if isinstance(count, int)) == 3
    assert all(isinstance(count, int) for count in counts)
    ranked = source.entries.order_by("rank").select_related("player")
    assert [wallet(entry.player).posted for entry in ranked] == [800, 600, 600, 0]
