"""Prizes are paid once each, whatever happens in between, and money only after a second look."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from pytest_django import Settings

from tests.ledger.by_nobody import freeze_account, reopen_account
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    next_round,
    players,
    started,
    terms,
    wallet,
)
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Payment, PaymentKind, Payout, PayoutState, Shape, Tournament
from tournaments.money import paying
from tournaments.selectors import payout_state
from tournaments.services import payments
from tournaments.structure.lifecycle import State

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(minutes=5)


class Killed(BaseException):
    """The worker dies."""


def _single(entrants: int = 3, prizes: str = "fixed:800,500,200", **changes: object) -> Tournament:
    tournament = started(Shape.SINGLE, entrants, terms=terms("deals", prizes=prizes), **changes)
    finish(next_round(tournament).tables.get())
    return tournament


def _paid_entries(tournament: Tournament) -> list[int]:
    """Wallets of the ranked players, best first."""
    ranked = tournament.entries.order_by("rank").select_related("player")
    return [wallet(entry.player).posted for entry in ranked]


def test_a_worker_that_dies_after_the_first_transfer_leaves_the_rest_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each is paid once, however often it is settled (case M2)."""
    tournament = _single()
    monkeypatch.setattr(payments, "BATCH", 1)
    real, calls = paying._pay, []

    def dying(*arguments: object) -> None:
        calls.append(arguments)
        if len(calls) == 2:
            raise Killed
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(paying, "_pay", dying)
    with pytest.raises(Killed):
        services.complete(tournament_id=tournament.pk, now=NOW)
    assert _paid_entries(tournament) == [800, 0, 0]
    assert payout_state(tournament) is PayoutState.APPROVED
    assert payments.waiting_to_be_paid() == [tournament.pk]
    for _ in range(3):
        services.complete(tournament_id=tournament.pk, now=LATER)
    assert _paid_entries(tournament) == [800, 500, 200]
    assert payout_state(tournament) is PayoutState.PAID
    assert payments.waiting_to_be_paid() == []
    assert money.pool_of(tournament) == 0
    assert money.faults(now=NOW) == ()


def test_a_frozen_wallet_keeps_nobody_else_from_his_prize_and_is_named() -> None:
    tournament = _single()
    second = tournament.entries.get(placings__place=2)
    account = money.wallet_of(money.PLAY_POINTS, second.player_id)
    freeze_account(account=account, actor="operator", reason="asked", now=NOW)
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert _paid_entries(tournament) == [800, 0, 200]
    assert payout_state(tournament) is PayoutState.APPROVED
    [failed] = services.pay_due(tournament_id=tournament.pk, now=LATER).failed
    assert (failed.player_id, failed.amount) == (second.player_id, 500)
    assert "frozen" in failed.reason
    assert "frozen" in Payment.objects.get(entry=second).fault
    assert payments.waiting_to_be_paid() == []


def test_once_the_wallet_is_open_again_the_prize_is_paid() -> None:
    tournament = _single()
    winner = tournament.entries.get(placings__place=1)
    account = money.wallet_of(money.PLAY_POINTS, winner.player_id)
    freeze_account(account=account, actor="operator", reason="asked", now=NOW)
    services.complete(tournament_id=tournament.pk, now=NOW)
    reopen_account(account=account, actor="operator", reason="clear", now=NOW)
    assert services.pay_due(tournament_id=tournament.pk, now=LATER) == (1, ())
    assert services.pay_due(tournament_id=tournament.pk, now=LATER) == (0, ())
    assert payout_state(tournament) is PayoutState.PAID
    assert Payment.objects.get(entry=winner).fault == ""


def for_rupees(settings: Settings, *, in_person: bool = False) -> Tournament:
    """A table played for rupees, completed by the organiser."""
    settings.RUMMY_MONEY_PLAY = not in_person
    money.open_asset(code="INR", online=not in_person)
    people = players(3, points=0)
    money.grant(
        asset="INR",
        player_ids=[person.pk for person in people],
        amount=FEE,
        key=f"inr:{people[0].pk}",
        actor="bank",
        now=NOW,
    )
    tournament = a_tournament(
        Shape.SINGLE,
        capacity=3,
        asset="INR",
        in_person=in_person,
        terms=terms("deals", prizes="60,40"),
    )
    join(tournament, *people)
    close_and_start(tournament)
    finish(next_round(tournament).tables.get())
    services.complete(tournament_id=tournament.pk, actor="organiser", now=NOW)
    return tournament


def _rupees(tournament: Tournament) -> list[int]:
    ranked = tournament.entries.order_by("rank")
    accounts = [money.wallet_of("INR", entry.player_id) for entry in ranked]
    balances = money.balances(accounts)
    return [balances[account].posted for account in accounts]


@pytest.mark.parametrize("in_person", [False, True], ids=["online", "in-person"])
def test_prizes_in_a_currency_wait_for_somebody_else_and_are_then_paid_once(
    settings: Settings, in_person: bool
) -> None:
    tournament = for_rupees(settings, in_person=in_person)
    assert payout_state(tournament) is PayoutState.AWAITING
    assert services.complete(tournament_id=tournament.pk, now=LATER).state == State.COMPLETED
    assert _rupees(tournament) == [0, 0, 0]
    assert money.pool_of(tournament) == 3 * FEE
    payout = services.approve_payout(tournament_id=tournament.pk, actor="Meera", now=LATER)
    assert (payout.state, payout.asked_by, payout.approved_by) == ("paid", "organiser", "Meera")
    services.approve_payout(tournament_id=tournament.pk, actor="Ravi", now=LATER)
    assert _rupees(tournament) == [900, 600, 0]
    assert money.pool_of(tournament) == 0


@pytest.mark.parametrize("actor", ["organiser", "Organiser ", "system", "", "winner", "owner"])
def test_nobody_approves_what_he_completed_or_wins(settings: Settings, actor: str) -> None:
    tournament = for_rupees(settings)
    winner = tournament.entries.select_related("player").get(rank=1)
    name = {"winner": winner.player.username, "owner": money.player_owner(winner.player_id)}
    with pytest.raises(TournamentRefusal) as refusal:
        services.approve_payout(
            tournament_id=tournament.pk, actor=name.get(actor, actor), now=LATER
        )
    assert refusal.value.code is TournamentCode.NEEDS_APPROVAL
    assert _rupees(tournament) == [0, 0, 0]
    assert payout_state(tournament) is PayoutState.AWAITING


def test_the_database_does_not_let_one_person_ask_and_approve(settings: Settings) -> None:
    tournament = for_rupees(settings)
    with pytest.raises(IntegrityError), transaction.atomic():
        Payout.objects.filter(tournament=tournament).update(approved_by="organiser")


def test_a_pool_divided_when_it_is_called_off_waits_for_approval_too(settings: Settings) -> None:
    """Fees that go back do not: they are the players' own."""
    tournament = for_rupees(settings, in_person=True)
    assert payout_state(tournament) is PayoutState.AWAITING
    for by_standing, left in ((True, 4 * FEE), (False, 0)):
        running = _runningfor_rupees()
        services.abort(
            tournament_id=running.pk,
            actor="organiser",
            reason="storm",
            by_standing=by_standing,
            now=NOW,
        )
        assert money.pool_of(running) == left


def _runningfor_rupees() -> Tournament:
    """Four in a bracket, in person, its first round over."""
    people = players(4, points=0)
    money.grant(
        asset="INR",
        player_ids=[person.pk for person in people],
        amount=FEE,
        key=f"inr:{people[0].pk}",
        actor="bank",
        now=NOW,
    )
    tournament = a_tournament(
        Shape.HEADS_UP,
        capacity=4,
        asset="INR",
        in_person=True,
        terms=terms("heads_up", prizes="60,40"),
    )
    join(tournament, *people)
    close_and_start(tournament)
    for table in next_round(tournament).tables.all():
        finish(table)
    return tournament


def test_there_is_nothing_to_approve_before_the_end() -> None:
    tournament = started(Shape.SINGLE, 3)
    assert payout_state(tournament) is PayoutState.NONE
    with pytest.raises(TournamentRefusal) as refusal:
        services.approve_payout(tournament_id=tournament.pk, actor="Meera", now=NOW)
    assert refusal.value.code is TournamentCode.NO_PAYOUT


def test_a_single_table_is_the_winners_alone_unless_said_otherwise() -> None:
    """Entry × buy-ins − fee."""
    tournament = _single(4, "winner", house_fee=50)
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert _paid_entries(tournament) == [4 * (FEE - 50), 0, 0, 0]
    assert money.totals_of(tournament).fee == 4 * 50


def test_what_is_owed_is_written_down_once_for_each_player_and_kind() -> None:
    tournament = _single()
    services.complete(tournament_id=tournament.pk, now=NOW)
    owed = tournament.payments.order_by("amount").values_list("kind", "amount", "paid_at")
    assert list(owed) == [(PaymentKind.PRIZE, amount, NOW) for amount in (200, 500, 800)]


def test_prizes_that_were_put_back_are_not_approved_until_somebody_asks_anew(
    settings: Settings,
) -> None:
    tournament = for_rupees(settings)
    services.put_back_payout(
        tournament_id=tournament.pk, actor="Meera", reason="The third deal is disputed.", now=NOW
    )
    with pytest.raises(TournamentRefusal, match="disputed") as refusal:
        services.approve_payout(tournament_id=tournament.pk, actor="Ravi", now=LATER)
    assert refusal.value.code is TournamentCode.PUT_BACK
    assert _rupees(tournament) == [0, 0, 0]
    assert payments.waiting_to_be_paid() == []
    services.ask_for_payout(tournament_id=tournament.pk, actor="Ravi", now=LATER)
    with pytest.raises(TournamentRefusal) as refusal:
        services.approve_payout(tournament_id=tournament.pk, actor="Ravi", now=LATER)
    assert refusal.value.code is TournamentCode.NEEDS_APPROVAL
    services.approve_payout(tournament_id=tournament.pk, actor="Meera", now=LATER)
    assert _rupees(tournament) == [900, 600, 0]


def test_prizes_are_put_back_with_a_reason_and_only_before_they_are_approved(
    settings: Settings,
) -> None:
    tournament = for_rupees(settings)
    with pytest.raises(TournamentRefusal) as refusal:
        services.put_back_payout(tournament_id=tournament.pk, actor="Meera", reason=" ", now=NOW)
    assert refusal.value.code is TournamentCode.BAD_REASON
    services.approve_payout(tournament_id=tournament.pk, actor="Meera", now=NOW)
    with pytest.raises(TournamentRefusal) as refusal:
        services.put_back_payout(tournament_id=tournament.pk, actor="Ravi", reason="no", now=NOW)
    assert refusal.value.code is TournamentCode.ALREADY_APPROVED
