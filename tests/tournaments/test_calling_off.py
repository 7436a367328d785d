"""Cancelled or aborted: everybody has back exactly what he put in, and it happens once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tables.models import MatchStatus
from tables.selectors import check_deal
from tables.services import deal_next
from tests.ledger.by_nobody import freeze_account, reopen_account
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    finish,
    join,
    leave,
    next_round,
    players,
    secret_for,
    started,
    terms,
    wallet,
)
from tests.tournaments.level_helpers import begun, buy, end_level, opened_level
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import EntryState, Payment, PayoutState, Shape, Tournament
from tournaments.selectors import payout_state
from tournaments.services import lifecycle, pausing, payments
from tournaments.structure.errors import StructureError
from tournaments.structure.lifecycle import State

LATER = NOW + timedelta(minutes=5)


def _abort(tournament: Tournament, *, by_standing: bool = False) -> Tournament:
    return services.abort(
        tournament_id=tournament.pk,
        actor="Meera",
        reason="power cut",
        by_standing=by_standing,
        now=NOW,
    )


def _wallets(tournament: Tournament) -> list[int]:
    entries = tournament.entries.order_by("number").select_related("player")
    return [wallet(entry.player).available for entry in entries]


def _nothing_left(tournament: Tournament) -> bool:
    totals = money.totals_of(tournament)
    came_in = totals.received - totals.refunded + totals.overlay
    return (
        came_in == totals.paid + totals.fee
        and money.remains_of(tournament) == (0, 0, 0, 0)
        and money.faults(now=NOW) == ()
    )


# Before the start


@pytest.mark.django_db
def test_a_cancellation_fee_keeps_what_was_received_up_to_it_and_never_more() -> None:
    """Received 200, 0 and 30, with 50 kept of each: back come 150, 0 and 0 (case M4)."""
    tournament, people = a_tournament(capacity=3), players(3, points=200)
    for person, fee in zip(people, (200, 0, 30), strict=True):
        Tournament.objects.filter(pk=tournament.pk).update(entry_fee=fee)
        join(tournament, person)
    Tournament.objects.filter(pk=tournament.pk).update(entry_fee=FEE)
    services.cancel(
        tournament_id=tournament.pk, actor="Meera", reason="rain", cancellation_fee=50, now=NOW
    )
    assert [wallet(person).posted for person in people] == [150, 200, 170]
    totals = money.totals_of(tournament)
    assert (totals.received, totals.refunded, totals.fee) == (230, 150, 80)
    assert _nothing_left(tournament)


@pytest.mark.django_db
@pytest.mark.parametrize("fee", [-1, True, 1.5, 10**12 + 1])
def test_refused_cancellation_fees(fee: int) -> None:
    tournament = a_tournament()
    with pytest.raises(TournamentRefusal) as refusal:
        services.cancel(
            tournament_id=tournament.pk, actor="x", reason="", cancellation_fee=fee, now=NOW
        )
    assert (refusal.value.code, refusal.value.field) == (
        TournamentCode.BAD_AMOUNT,
        "cancellation_fee",
    )


@pytest.mark.django_db
def test_three_entrants_are_refunded_once_however_often_it_is_asked() -> None:
    """Run again there is nothing to do; one who cannot be paid is reported (case M5)."""
    tournament, people = a_tournament(capacity=3), players(3)
    join(tournament, *people)
    account = money.wallet_of(money.PLAY_POINTS, people[1].pk)
    freeze_account(account=account, actor="operator", reason="asked", now=NOW)
    services.cancel(
        tournament_id=tournament.pk, actor="Meera", reason="rain", cancellation_fee=50, now=NOW
    )
    assert _wallets(tournament) == [450, 0, 450]
    assert payments.waiting_to_be_paid() == []
    Payment.objects.filter(entry__player=people[1]).update(fault="")
    assert payments.waiting_to_be_paid() == [tournament.pk]
    [failed] = services.pay_due(tournament_id=tournament.pk, now=LATER).failed
    assert (failed.player_id, failed.amount) == (people[1].pk, 450)
    reopen_account(account=account, actor="operator", reason="clear", now=LATER)
    assert services.pay_due(tournament_id=tournament.pk, now=LATER) == (1, ())
    assert services.pay_due(tournament_id=tournament.pk, now=LATER) == (0, ())
    assert _wallets(tournament) == [450, 450, 450]
    assert _nothing_left(tournament)


@pytest.mark.django_db
def test_what_was_given_back_on_withdrawal_is_not_given_back_again() -> None:
    tournament, people = a_tournament(capacity=3), players(2)
    join(tournament, *people)
    leave(tournament, people[0])
    services.cancel(tournament_id=tournament.pk, actor="Meera", reason="rain", now=NOW)
    assert [wallet(person).posted for person in people] == [FEE, FEE]
    assert money.totals_of(tournament).refunded == 2 * FEE
    assert set(tournament.entries.values_list("state", flat=True)) == {EntryState.WITHDRAWN}


# In the middle


@pytest.mark.django_db
def test_an_abort_gives_back_the_organisers_part_too_and_logs_who_did_it() -> None:
    tournament = started(Shape.KNOCKOUT, 7, house_fee=50)
    next_round(tournament)
    assert money.totals_of(tournament).fee == 7 * 50
    after = _abort(tournament)
    assert (after.state, after.over_at) == (State.ABORTED, NOW)
    assert _wallets(tournament) == [FEE] * 7
    totals = money.totals_of(tournament)
    assert (totals.received, totals.refunded, totals.fee, totals.paid) == (7 * FEE, 7 * FEE, 0, 0)
    assert _nothing_left(tournament)
    assert set(tournament.entries.values_list("state", flat=True)) == {EntryState.REFUNDED}
    line = tournament.log.last()
    assert line is not None
    assert (line.action, line.actor, line.reason) == ("abort", "Meera", "power cut")


@pytest.mark.django_db
def test_a_deal_that_was_cut_off_is_void_and_every_match_is_called_off() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    first, second = next_round(tournament).tables.all()
    dealt = deal_next(match_id=first.match_id, secret_for=secret_for, now=NOW).deal
    _abort(tournament)
    dealt.refresh_from_db()
    assert (dealt.over_at, dealt.result) == (NOW, "")
    for table in (first, second):
        table.match.refresh_from_db()
        assert table.match.status == MatchStatus.VOID
    assert not tournament.rounds.filter(closed_at__isnull=True).exists()


@pytest.mark.django_db
def test_a_paused_tournament_is_called_off_with_its_deals() -> None:
    tournament = started(Shape.SINGLE, 3)
    table = next_round(tournament).tables.get()
    deal = deal_next(match_id=table.match_id, secret_for=secret_for, now=NOW).deal
    pausing.pause(tournament_id=tournament.pk, actor="Meera", now=NOW)
    _abort(tournament)
    deal.refresh_from_db()
    match = table.match
    match.refresh_from_db()
    assert (deal.over_at, deal.paused_at, deal.deadline_at) == (NOW, None, None)
    assert (match.status, match.paused_at, match.due_at) == (MatchStatus.VOID, None, None)
    assert check_deal(deal).is_sound
    assert _wallets(tournament) == [FEE] * 3
    assert _nothing_left(tournament)


@pytest.mark.django_db
def test_rejoins_go_back_as_well_as_entries() -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("pool101", prizes="winner"), house_fee=50)
    [person] = players(1)
    player = tournament.entries.first()
    assert player is not None
    money.grant(
        asset=money.PLAY_POINTS,
        player_ids=[player.player_id],
        amount=FEE,
        key="more",
        actor="x",
        now=NOW,
    )
    money.take_rejoin(tournament=tournament, player_id=player.player_id, number=1, now=NOW)
    _abort(tournament)
    assert _wallets(tournament) == [2 * FEE, FEE, FEE]
    assert wallet(person).posted == FEE
    assert _nothing_left(tournament)


@pytest.mark.django_db
def test_an_abort_happens_once_and_its_payments_can_be_asked_for_again() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    next_round(tournament)
    _abort(tournament)
    with pytest.raises(StructureError) as refusal:
        _abort(tournament)
    assert refusal.value.code == "illegal_action"
    assert services.pay_due(tournament_id=tournament.pk, now=LATER) == (0, ())
    assert _wallets(tournament) == [FEE] * 7


@pytest.mark.django_db
def test_a_tournament_that_has_not_started_is_cancelled_and_not_aborted() -> None:
    tournament = a_tournament()
    for what in (lambda: _abort(tournament), lambda: _abort(tournament, by_standing=True)):
        with pytest.raises((StructureError, TournamentRefusal)):
            what()
    with pytest.raises(TournamentRefusal) as refusal:
        services.preview_abort(tournament_id=tournament.pk)
    assert refusal.value.code is TournamentCode.NOT_RUNNING


# By standing


@pytest.mark.django_db
def test_after_a_finished_round_the_pool_is_divided_by_the_standing() -> None:
    """Who is still in shares the best ranks; who is out follows in his order."""
    tournament = started(Shape.KNOCKOUT, 8, house_fee=50, terms=terms("deals"))
    first, second = next_round(tournament).tables.all()
    finish(first, 400, 100, 90, 50)
    finish(second, 400, 110, 70, 60)
    next_round(tournament)
    preview = services.preview_abort(tournament_id=tournament.pk, by_standing=True)
    _abort(tournament, by_standing=True)
    pool = 8 * (FEE - 50)
    ranked = tournament.entries.order_by("rank", "pk")
    shared = (pool * 50 // 100 + pool * 30 // 100) // 2
    assert [(entry.rank, entry.prize) for entry in ranked][:4] == [
        (1, shared),
        (1, shared),
        (3, pool // 5),
        (4, 0),
    ]
    third = tournament.entries.get(rank=3)
    assert third.placings.get().score == 110
    assert ranked[0].reason.startswith("Still in when the tournament was called off.")
    assert [(back.entry_id, back.amount) for back in preview] == [
        (entry.pk, entry.prize) for entry in ranked
    ]
    assert payout_state(tournament) is PayoutState.PAID
    assert money.totals_of(tournament).fee == 8 * 50
    assert _nothing_left(tournament)


@pytest.mark.django_db
def test_who_waits_for_the_match_for_third_place_is_behind_the_finalists() -> None:
    tournament = started(
        Shape.HEADS_UP, 4, terms=terms("heads_up", prizes="50,30,20", third_place=True)
    )
    first, second = next_round(tournament).tables.all()
    finish(first, 10, 90)
    finish(second, 10, 40)
    _abort(tournament, by_standing=True)
    ranked = tournament.entries.order_by("rank", "-prize")
    assert [(entry.rank, entry.prize) for entry in ranked] == [(1, 800), (1, 800), (3, 400), (3, 0)]
    assert _nothing_left(tournament)


@pytest.mark.django_db
def test_timed_levels_are_divided_by_the_chips_held_and_those_are_retired() -> None:
    tournament, (first, second, third) = begun(3)
    end_level(opened_level(tournament), {first.pk: 900, second.pk: 1100})
    opened_level(tournament, 700)
    _abort(tournament, by_standing=True)
    ranks = {entry.player_id: entry.rank for entry in tournament.entries.all()}
    assert [ranks[person.pk] for person in (second, third, first)] == [1, 2, 3]
    winner = tournament.entries.get(rank=1)
    assert winner.reason.endswith("Decided by chips: 1,100.")
    assert _nothing_left(tournament)


@pytest.mark.django_db
def test_a_rebuy_of_chips_goes_back_with_the_entry() -> None:
    tournament, (first, second, third) = begun(3, points=3000)
    end_level(opened_level(tournament), {first.pk: 700, second.pk: 1300})
    buy(tournament, first, 700)
    assert wallet(first).posted == 3000 - 500 - 400
    _abort(tournament)
    assert [wallet(person).posted for person in (first, second, third)] == [3000] * 3
    assert _nothing_left(tournament)


@pytest.mark.django_db
def test_without_a_finished_round_there_is_no_standing_to_go_by() -> None:
    tournament = started(Shape.KNOCKOUT, 8)
    next_round(tournament)
    for ask in (
        lambda: _abort(tournament, by_standing=True),
        lambda: services.preview_abort(tournament_id=tournament.pk, by_standing=True),
    ):
        with pytest.raises(TournamentRefusal) as refusal:
            ask()
        assert refusal.value.code is TournamentCode.NOT_DISTRIBUTABLE
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING


@pytest.mark.django_db
def test_a_preview_shows_what_goes_back_and_changes_nothing() -> None:
    tournament = started(Shape.KNOCKOUT, 7, house_fee=50)
    preview = services.preview_abort(tournament_id=tournament.pk)
    assert [back.amount for back in preview] == [FEE] * 7
    assert _wallets(tournament) == [0] * 7
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING


@pytest.mark.django_db
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.sampled_from([(Shape.KNOCKOUT, "deals"), (Shape.HEADS_UP, "heads_up")]),
    st.integers(2, 14),
    st.integers(0, 5),
    st.booleans(),
    st.integers(0, 400),
)
def test_money_is_conserved_whenever_a_tournament_is_aborted(
    kind: tuple[Shape, str], entrants: int, tables: int, by_standing: bool, house_fee: int
) -> None:
    """After any number of tables: either everybody has his fee again or the pool is divided."""
    shape, name = kind
    if shape is Shape.KNOCKOUT and entrants == 7:
        entrants = 8
    tournament = started(shape, entrants, house_fee=house_fee, terms=terms(name, prizes="winner"))
    _play(tournament, tables)
    tournament = lifecycle.lock(tournament.pk)
    distribute = by_standing and tournament.rounds.filter(closed_at__isnull=False).exists()
    _abort(tournament, by_standing=distribute)
    paid = sum(_wallets(tournament))
    assert paid == entrants * (FEE - house_fee if distribute else FEE)
    assert _nothing_left(tournament)
    final = EntryState.RANKED if distribute else EntryState.REFUNDED
    assert set(tournament.entries.values_list("state", flat=True)) == {final}


def _play(tournament: Tournament, tables: int) -> None:
    """Finish so many tables, round after round."""
    while opened := next_round(tournament):
        for table in opened.tables.all():
            if not tables:
                return
            finish(table)
            tables -= 1
