"""The sweep that moves running tournaments on."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime

import pytest
from django.db import OperationalError

from tests.tournaments.helpers import NOW, finish, started
from tournaments import services, tasks
from tournaments.models import Shape, Tournament
from tournaments.services import progress
from tournaments.structure.lifecycle import State

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_is_put_aside() -> Iterator[None]:
    tasks._put_aside.clear()
    yield
    tasks._put_aside.clear()


def _finish_round(tournament: Tournament) -> None:
    for table in tournament.rounds.get(closed_at=None).tables.all():
        finish(table)


def test_a_started_tournament_is_played_round_by_round_to_its_paid_prizes() -> None:
    tournament = started(Shape.HEADS_UP, 4)
    for number in (1, 2):
        assert tasks.run_tournaments() == 1
        assert tasks.run_tournaments() == 0
        assert tournament.rounds.count() == number
        _finish_round(tournament)
    assert tasks.run_tournaments() == 1
    assert tasks.run_tournaments() == 0
    tournament.refresh_from_db()
    assert tournament.state == State.COMPLETED
    assert tournament.rounds.count() == 2
    assert sum(entry.prize for entry in tournament.entries.all()) == 4 * 500


def test_a_tournament_whose_round_is_being_played_is_left_alone() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    assert progress.waiting_to_go_on() == [tournament.pk]
    tasks.run_tournaments()
    assert progress.waiting_to_go_on() == []
    assert not progress.go_on(tournament_id=tournament.pk, now=NOW)
    assert tournament.rounds.count() == 1


def test_a_tournament_that_does_not_run_is_not_moved() -> None:
    tournament = started(Shape.HEADS_UP, 2)
    Tournament.objects.filter(pk=tournament.pk).update(state=State.REGISTERING)
    assert progress.waiting_to_go_on() == []
    assert not progress.go_on(tournament_id=tournament.pk, now=NOW)


def test_one_that_fails_stops_no_other_and_is_not_tried_at_each_sweep(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sick, sound = (started(Shape.HEADS_UP, 2) for _ in range(2))

    def moody(*, tournament_id: int, now: datetime) -> object:
        if tournament_id == sick.pk:
            raise ZeroDivisionError
        return services.open_due(tournament_id=tournament_id, now=now)

    monkeypatch.setattr(progress, "open_due", moody)
    with caplog.at_level(logging.ERROR):
        assert [tasks.run_tournaments() for _ in range(3)] == [1, 0, 0]
    assert sound.rounds.count() == 1
    messages = [record.getMessage() for record in caplog.records]
    assert messages == ["a tournament does not go on"]


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_gone_is_one_line_and_no_fault(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def gone() -> list[int]:
        raise OperationalError("the server closed the connection\nunexpectedly")

    monkeypatch.setattr(progress, "waiting_to_go_on", gone)
    with caplog.at_level(logging.ERROR):
        assert tasks.run_tournaments() == 0
    [record] = caplog.records
    assert record.getMessage() == "tournaments cannot reach the database"
    assert record.exc_info is None
