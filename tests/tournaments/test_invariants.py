"""Whatever is wrong with a tournament is named, and nothing is where nothing is wrong."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import F

from tables.models import Deal, Match
from tests.tournaments.helpers import NOW
from tests.tournaments.test_simulation import simulate
from tournaments import money
from tournaments.management.invariants import (
    faults_when_over,
    faults_while_running,
    snapshot_of,
)
from tournaments.models import Entry, Payment, Placing, Round, RoundTable, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    """One that is over and sound: two rounds of deals for chips, fees and prizes."""
    simulate(shape="knockout", format="deals", entrants=7, fee=1000, house_fee=100, seed="sound")
    return Tournament.objects.get()


def winner() -> Entry:
    return Entry.objects.get(rank=1)


def _seat_elsewhere() -> None:
    first, second = RoundTable.objects.filter(round__number=1).order_by("number")
    guest = first.placings.order_by("seat").first()
    assert guest is not None
    Placing.objects.filter(table=second, seat=0).update(entry=guest.entry_id)


def _bring_back() -> None:
    final = Round.objects.get(number=2).tables.get()
    out = Placing.objects.filter(table__round__number=1, goes_on=False).first()
    assert out is not None
    final.placings.filter(seat=0).update(entry=out.entry_id)


def _open_again() -> None:
    Match.objects.filter(pk=Match.objects.earliest("pk").pk).update(version=F("version") + 1)


def _another_result() -> None:
    first, second = Deal.objects.order_by("pk")[:2]
    Deal.objects.filter(pk=first.pk).update(result=second.result)


TAMPERED: list[tuple[str, Callable[[], object]]] = [
    ("Rank 3 follows where 2 should", lambda: Entry.objects.filter(rank=2).update(rank=3)),
    ("is ranked without a reason", lambda: Entry.objects.filter(rank=2).update(reason="")),
    ("Entries show prizes", lambda: Entry.objects.filter(rank=1).update(prize=F("prize") + 1)),
    (
        "sat at a table and is out",
        lambda: Entry.objects.filter(rank=7).update(state="out", rank=None),
    ),
    ("is still playing", lambda: Entry.objects.filter(rank=7).update(state="playing", rank=None)),
    ("1 payments are owed", lambda: Payment.objects.filter(entry=winner()).update(paid_at=None)),
    ("were owed in prizes", lambda: Payment.objects.filter(entry=winner()).update(amount=1)),
    ("sat down at", _seat_elsewhere),
    ("was out in round 1", _bring_back),
    ("chips and began with", lambda: Placing.objects.filter(seat=0).update(score=F("score") + 1)),
    ("The draw of round 1", lambda: Round.objects.filter(number=1).update(draw_secret="00" * 32)),
    ("has the seats", lambda: Placing.objects.filter(seat=0).update(seat=9)),
    ("entries, the row says", _open_again),
    ("The stored result is not", _another_result),
    (
        "came in after round 1 had begun",
        lambda: Entry.objects.filter(rank=2).update(joined_at=NOW),
    ),
    ("It is running, not over", lambda: Tournament.objects.update(state="running")),
]


def test_a_sound_tournament_has_no_fault(tournament: Tournament) -> None:
    assert faults_when_over(tournament, now=NOW) == ()


@pytest.mark.parametrize(("named", "tamper"), TAMPERED, ids=[name for name, _ in TAMPERED])
def test_each_fault_is_named(
    tournament: Tournament, named: str, tamper: Callable[[], object]
) -> None:
    tamper()
    tournament.refresh_from_db()
    found = faults_when_over(tournament, now=NOW)
    assert any(named in fault for fault in found), found


def test_money_that_left_a_tournament_behind_its_back_is_missed(tournament: Tournament) -> None:
    money.top_up(tournament=tournament, amount=5, now=NOW)
    found = faults_when_over(tournament, now=NOW)
    assert any("What came in is not what went out" in fault for fault in found)
    assert any("Something is left behind" in fault for fault in found)
    assert faults_while_running(tournament, now=NOW) == ()


def test_a_seat_too_many_is_named_while_a_tournament_runs(tournament: Tournament) -> None:
    Entry.objects.filter(rank__isnull=False).update(state="entered", rank=None)
    Tournament.objects.update(started_at=None)
    Tournament.objects.update(capacity=5)
    tournament.refresh_from_db()
    assert faults_while_running(tournament, now=NOW) == ("7 have a seat, there are 5.",)


def test_a_snapshot_shows_what_a_second_settle_would_change(tournament: Tournament) -> None:
    before = snapshot_of(tournament)
    assert snapshot_of(tournament) == before
    Payment.objects.filter(entry=winner()).update(paid_at=NOW + timedelta(days=1))
    assert snapshot_of(tournament)["payments"] != before["payments"]
