"""`run_clock` keeps the watch for about a second and is relieved by the next run without a gap."""

from __future__ import annotations

import logging
import threading
import time
from datetime import datetime, timedelta

import pytest
from django.db import OperationalError

from tables import services, tasks
from tables.models import ClockBeat, Deal
from tables.rules.terms import ClockTerms
from tables.services import alarms
from tables.tasks import SPAN_SECONDS, Watch, run_clock
from tests.tables import helpers
from tests.tables.helpers import a_match

pytestmark = pytest.mark.django_db

PATIENCE = 30
"""Seconds; only what hangs takes them."""


def _dealt(seconds_left: float) -> Deal:
    """A deal whose first turn runs out in so many seconds from now."""
    match = a_match()
    dealt_at = tasks.now() + timedelta(seconds=seconds_left) - timedelta(seconds=40)
    return services.deal_next(match_id=match.pk, secret_for=helpers.secret_for, now=dealt_at).deal


def test_a_deadline_within_its_second_is_met_by_the_run_of_that_second_and_not_before() -> None:
    deal = _dealt(0.7)
    due = Deal.objects.get(pk=deal.pk).deadline_at
    assert run_clock() == 1
    missed = deal.events.get(kind="turn_missed").at
    assert due is not None
    assert missed >= due


def test_each_run_beats() -> None:
    before = tasks.now()
    tasks.watch.relieve()
    run_clock()
    assert ClockBeat.objects.get().at >= before


def test_without_relief_a_run_ends_by_itself() -> None:
    started = time.monotonic()
    assert run_clock() == 0
    assert time.monotonic() - started >= SPAN_SECONDS


def test_the_next_run_relieves_the_one_before_and_waits_until_it_has_gone() -> None:
    watch, log = Watch(), []
    on_duty = threading.Event()

    def first() -> None:
        with watch.kept() as relieved:
            on_duty.set()
            assert relieved.wait(PATIENCE)
            time.sleep(0.05)
            log.append("first goes")

    thread = threading.Thread(target=first)
    thread.start()
    assert on_duty.wait(PATIENCE)
    with watch.kept() as relieved:
        log.append("second comes")
        assert not relieved.is_set()
    thread.join()
    assert log == ["first goes", "second comes"]


def test_runs_that_wait_for_one_that_hangs_do_not_pile_up() -> None:
    """The newest waits on; the others leave their threads to other work."""
    watch, gone = Watch(), threading.Semaphore(0)

    def wait() -> None:
        with watch.kept():
            gone.release()

    with watch.kept():
        threads = [threading.Thread(target=wait) for _ in range(4)]
        for thread in threads:
            thread.start()
        assert all(gone.acquire(timeout=PATIENCE) for _ in range(3))
        assert not gone.acquire(timeout=0.3)
    assert gone.acquire(timeout=PATIENCE)
    for thread in threads:
        thread.join()


def test_when_the_process_stops_the_watch_ends_at_once() -> None:
    watch = Watch()
    with watch.kept() as relieved:
        watch.relieve()
        assert relieved.is_set()


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_gone_is_one_line_and_the_next_run_tries_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def gone(*, now: datetime) -> int:
        raise OperationalError("the server closed the connection\nunexpectedly")

    with monkeypatch.context() as patched, caplog.at_level(logging.ERROR):
        patched.setattr(alarms, "act_on_due", gone)
        assert run_clock() == 0
    [record] = caplog.records
    assert record.getMessage() == "the clock cannot reach the database"
    assert record.exc_info is None
    _dealt(0.0)
    assert run_clock() == 1


def test_every_time_of_play_is_longer_than_the_clock_may_sleep() -> None:
    """A move may set a deadline while the clock sleeps; it wakes before the shortest there is."""
    assert ClockTerms().auto_move_seconds > tasks.LONGEST_SLEEP
