"""A sound tournament has no faults, and each kind of fault is found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.tournaments.helpers import (
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    leave,
    next_round,
    players,
    run_out,
    started,
)
from tournaments import money, services
from tournaments.models import Entry, EntryState, Payment, Payout, Placing, Shape, Tournament
from tournaments.selectors import faults_of

pytestmark = pytest.mark.django_db


def _completed() -> Tournament:
    tournament = started(Shape.KNOCKOUT, 8, house_fee=50)
    run_out(tournament)
    return services.complete(tournament_id=tournament.pk, now=NOW)


def test_a_tournament_is_sound_at_every_stage() -> None:
    tournament, people = a_tournament(Shape.SINGLE, capacity=3, house_fee=50), players(4)
    assert faults_of(tournament) == ()
    join(tournament, *people)
    assert faults_of(tournament) == ()
    leave(tournament, people[0])
    assert faults_of(tournament) == ()
    close_and_start(tournament)
    table = next_round(tournament).tables.get()
    tournament.refresh_from_db()
    assert faults_of(tournament) == ()
    finish(table)
    services.complete(tournament_id=tournament.pk, now=NOW)
    tournament.refresh_from_db()
    assert faults_of(tournament) == ()


@pytest.mark.parametrize("end", ["cancel", "abort", "complete"])
def test_a_tournament_is_sound_however_it_ended(end: str) -> None:
    if end == "cancel":
        tournament = a_tournament()
        join(tournament, *players(3))
        services.cancel(
            tournament_id=tournament.pk, actor="x", reason="r", cancellation_fee=20, now=NOW
        )
    elif end == "abort":
        tournament = started(Shape.KNOCKOUT, 8, house_fee=50)
        next_round(tournament)
        services.abort(tournament_id=tournament.pk, actor="x", reason="r", now=NOW)
    else:
        tournament = _completed()
    tournament.refresh_from_db()
    assert faults_of(tournament) == ()


def _lost_prize(tournament: Tournament) -> None:
    Entry.objects.filter(tournament=tournament, rank=1).update(prize=1)


def _last(tournament: Tournament) -> Entry:
    return tournament.entries.order_by("-rank", "-pk")[0]


def _gap(tournament: Tournament) -> None:
    Entry.objects.filter(pk=_last(tournament).pk).update(rank=99)


def _still_playing(tournament: Tournament) -> None:
    Entry.objects.filter(pk=_last(tournament).pk).update(state=EntryState.OUT, rank=None)


def _unsettled(tournament: Tournament) -> None:
    Payout.objects.filter(tournament=tournament).delete()


def _unpaid(tournament: Tournament) -> None:
    Payment.objects.filter(tournament=tournament, entry__rank=2).update(
        paid_at=None, fault="the wallet is frozen"
    )


def _chips(tournament: Tournament) -> None:
    entry = tournament.entries.all()[0].pk
    money.issue_chips(tournament=tournament, round_number=9, entry_ids=[entry], each=80, now=NOW)


def _money(tournament: Tournament) -> None:
    player = tournament.entries.all()[0].player_id
    money.grant(
        asset=tournament.asset, player_ids=[player], amount=500, key="x", actor="x", now=NOW
    )
    money.take_rejoin(tournament=tournament, player_id=player, number=7, now=NOW)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_lost_prize, "The entries won"),
        (_gap, "Rank 99 stands where rank "),
        (_still_playing, "is knocked out, and the tournament is over."),
        (_unsettled, "nobody has settled it."),
        (_unpaid, "could not be paid"),
        (_unpaid, "marked as paid in prizes"),
        (_chips, "80 chips are still in play."),
        (_money, "Everything is paid, and 500 is left in escrow."),
    ],
)
def test_each_kind_of_fault_is_found(spoil: Callable[[Tournament], None], words: str) -> None:
    tournament = _completed()
    spoil(tournament)
    tournament.refresh_from_db()
    assert words in " ".join(faults_of(tournament))


def test_money_that_leaves_by_another_way_is_noticed() -> None:
    from ledger.services import Line, post

    tournament = started(Shape.SINGLE, 3)
    books = money.books_of(tournament)
    post(
        journal="cashier",
        kind="theft",
        key="theft",
        lines=[Line.post(debit=books.escrow, credit=books.fees, amount=7)],
        actor="nobody",
        now=NOW,
    )
    assert "7 is unaccounted for." in " ".join(faults_of(tournament))


def test_somebody_at_two_tables_is_found() -> None:
    tournament = started(Shape.KNOCKOUT, 8)
    first, second = next_round(tournament).tables.all()
    entry = first.placings.all()[0].entry
    Placing.objects.create(table=second, entry=entry, seat=5)
    assert f"Entry {entry.number} sits at 2 tables." in faults_of(tournament)
