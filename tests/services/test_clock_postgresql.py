"""Several clocks at once, each with a connection of its own, on PostgreSQL."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from threading import Event, Thread

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from tables import services, store, tasks
from tables.models import ClockBeat, Deal, DealEvent, MatchStatus
from tables.rules import commands as cm
from tables.rules.bots import Strength
from tables.rules.evolve import replay
from tables.rules.state import DealState
from tables.selectors import check_deal
from tables.services import alarms, bot_turns, heartbeat
from tables.services.bot_turns import LONGEST
from tests.services.test_tables_postgresql import at_once
from tests.tables.helpers import NOW, a_match, dealt, secret_for, state_of
from tests.tournaments import helpers as event
from tournaments.models import EntryState, Shape

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

SECOND = timedelta(seconds=1)
TURN = 40 * SECOND
"""A turn of 30 s and 10 s of extra time."""


@pytest.fixture(autouse=True)
def _nothing_is_put_aside() -> Iterator[None]:
    yield
    for attempts in (alarms.attempts, bot_turns.attempts):
        attempts.bring_back(NOW + timedelta(days=9999))


def _missed(deal: Deal) -> int:
    return DealEvent.objects.filter(deal=deal, kind="turn_missed").count()


def test_one_alarm_delivered_eight_times_at_once_acts_once() -> None:
    deal, _ = dealt(a_match())
    rung = at_once([lambda: alarms.ring_deal(deal_id=deal.pk, now=NOW + TURN)] * 8)
    assert sorted(map(str, rung)) == ["False"] * 7 + ["True"]
    assert _missed(deal) == 1


@contextmanager
def _held(deal: Deal) -> Iterator[None]:
    """Somebody else holds the deal's row meanwhile."""
    holding, done = Event(), Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                Deal.objects.select_for_update().get(pk=deal.pk)
                holding.set()
                done.wait(30)
        finally:
            connection.close()

    holder = Thread(target=hold)
    holder.start()
    try:
        assert holding.wait(30)
        yield
    finally:
        done.set()
        holder.join()


def test_a_row_that_somebody_holds_is_left_out_without_waiting() -> None:
    held, free = (dealt(a_match()).deal for _ in range(2))
    with _held(held):
        assert alarms.act_on_due(now=NOW + TURN) == 1
        assert (_missed(held), _missed(free)) == (0, 1)
    assert alarms.act_on_due(now=NOW + TURN + SECOND) == 1
    assert _missed(held) == 1


def test_a_row_is_found_free_or_held_in_one_transaction_with_the_move() -> None:
    deal, state = dealt(a_match())
    ring = partial(alarms.ring_deal, deal_id=deal.pk, now=NOW + TURN, version=state.version)
    with _held(deal), CaptureQueriesContext(connection) as when_held:
        assert not ring()
    with CaptureQueriesContext(connection) as when_free:
        assert ring()
    assert [_first_word(query["sql"]) for query in when_held] == ["BEGIN", "SELECT", "ROLLBACK"]
    assert [_first_word(query["sql"]) for query in when_free] == [
        "BEGIN",
        "SELECT",
        "INSERT",
        "COMMIT",
    ]


def _first_word(statement: str) -> str:
    return statement.split(maxsplit=1)[0]


def test_an_alarm_that_would_end_a_held_deal_leaves_it_and_ends_it_later() -> None:
    """Such an alarm locks owner and match first; it waits for no deal there either."""
    deal, _ = dealt(a_match())
    moment = NOW
    while (row := Deal.objects.get(pk=deal.pk)).over_at is None:
        moment = row.deadline_at or moment
        with _held(deal):
            assert not alarms.ring_deal(deal_id=deal.pk, now=moment)
        assert Deal.objects.get(pk=deal.pk).version == row.version
        assert alarms.ring_deal(deal_id=deal.pk, now=moment)
    assert check_deal(row).is_sound


def test_states_read_while_people_move_are_never_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the moves are undone; two processes' worth of threads read without locks."""
    tables = [dealt(a_match()) for _ in range(4)]
    monkeypatch.setattr(store, "states", store.StateCache(size=2))
    stop = Event()

    def arrange(deal: Deal, state: DealState) -> bool:
        seat = state.seats[0]
        for turn in range(30):
            with transaction.atomic():
                command = cm.Arrange(seat.seat, (seat.hand[: 3 + turn % 5],))
                services.play(deal_id=deal.pk, command=command, command_id=f"{turn}", now=NOW)
                transaction.set_rollback(turn % 2 == 1)
        return True

    def read() -> bool:
        while not stop.is_set():
            for row in Deal.objects.all():
                log = store.events_of(row, until=row.version)
                assert store.load(row) == replay(log)
        return True

    def move_all() -> list[bool | Exception]:
        try:
            return at_once([partial(arrange, *table) for table in tables])
        finally:
            stop.set()

    moved, *read_through = at_once([move_all, read, read])
    assert moved == [True] * 4
    assert read_through == [True, True]
    for deal, state in tables:
        row = Deal.objects.get(pk=deal.pk)
        assert row.version == state.version + 15
        assert store.load(row) == state_of(row)


@pytest.mark.parametrize("_attempt", range(5))
def test_a_move_and_the_alarm_at_the_same_moment_act_one_after_the_other(_attempt: int) -> None:
    """Whichever comes first; the alarm leaves the row alone while the move holds it."""
    deal, state = dealt(a_match())
    draw, just_before = cm.DrawClosed(state.turn or 0), NOW + TURN - timedelta(milliseconds=10)
    at_once(
        [
            lambda: alarms.ring_deal(deal_id=deal.pk, now=NOW + TURN),
            lambda: (
                services.play(
                    deal_id=deal.pk, command=draw, command_id="draw", now=just_before
                ).version
            ),
        ]
    )
    alarms.ring_deal(deal_id=deal.pk, now=NOW + TURN)
    row = Deal.objects.get(pk=deal.pk)
    happened = list(row.events.values_list("kind", flat=True))[state.version :]
    assert happened[-2:] == ["turn_missed", "turn_started"]
    assert happened[:-2] in ([], ["card_drawn", "card_discarded"])
    assert check_deal(row).is_sound


def test_four_clocks_at_once_act_on_every_deadline_once() -> None:
    deals = [dealt(a_match(), NOW + n * timedelta(milliseconds=1)).deal for n in range(24)]

    def clock() -> int:
        return sum(alarms.act_on_due(now=NOW + TURN + n * SECOND, limit=8) for n in range(1, 5))

    acted = at_once([clock] * 4)
    while alarms.act_on_due(now=NOW + TURN + 9 * SECOND):
        acted.append(1)
    assert sum(count for count in acted if isinstance(count, int)) >= 24
    assert not any(isinstance(count, Exception) for count in acted)
    assert {_missed(deal) for deal in deals} == {1}


def test_two_clocks_that_see_the_same_rows_take_different_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second one looks while the first one holds what it took; none waits, none comes twice."""
    deals = [dealt(a_match(), NOW + n * timedelta(milliseconds=1)).deal for n in range(8)]
    now, held, read_all = NOW + TURN + SECOND, list[int](), store.load_all
    counts: list[int | Exception] = []

    def meet(rows: Sequence[Deal]) -> dict[int, DealState]:
        if not held:
            held.extend(row.pk for row in rows)
            counts.extend(at_once([lambda: alarms.act_on_due(now=now, limit=5)]))
        return read_all(rows)

    monkeypatch.setattr(store, "load_all", meet)
    counts.append(alarms.act_on_due(now=now, limit=5))
    assert held == [deal.pk for deal in deals[:5]]
    assert counts == [3, 5]
    assert {_missed(deal) for deal in deals} == {1}


def test_a_deal_is_dealt_once_by_eight_clocks() -> None:
    match = a_match()
    rung = at_once([lambda: alarms.ring_match(match_id=match.pk, now=NOW)] * 8)
    assert sorted(map(str, rung)) == ["False"] * 7 + ["True"]
    match.refresh_from_db()
    assert (match.status, match.deals.count()) == (MatchStatus.PLAYING, 1)


def test_a_standstill_is_made_good_once_by_eight_clocks() -> None:
    deals = [dealt(a_match()).deal for _ in range(5)]
    heartbeat.beat(now=NOW + 10 * SECOND)
    back = NOW + 70 * SECOND
    moved = at_once([lambda: heartbeat.beat(now=back)] * 8)
    assert sorted(map(str, moved)) == ["0"] * 7 + ["5"]
    for deal in deals:
        deadline = Deal.objects.get(pk=deal.pk).deadline_at
        assert deadline is not None
        assert timedelta(0) < deadline - (back + TURN - 10 * SECOND) < 2 * SECOND
    assert ClockBeat.objects.get().at >= back


def test_a_standstill_is_made_good_while_people_move_and_deals_end() -> None:
    tables = [dealt(a_match()) for _ in range(6)]
    heartbeat.beat(now=NOW)
    back = NOW + 60 * SECOND
    jobs = [lambda: heartbeat.beat(now=back)]
    for deal, state in tables:
        jobs.append(
            lambda deal=deal, seat=state.turn or 0: (
                services.play(  # type: ignore[misc]
                    deal_id=deal.pk, command=cm.Drop(seat), command_id="drop", now=back
                ).version
            )
        )
    results = at_once(jobs)
    assert not any(isinstance(result, Exception) for result in results), results
    assert all(check_deal(Deal.objects.get(pk=deal.pk)).is_sound for deal, _ in tables)
    assert not Deal.objects.filter(over_at__isnull=True).exists()


def test_alarms_that_end_every_table_of_a_round_at_once_do_not_deadlock() -> None:
    tournament = event.started(Shape.HEADS_UP, 8, terms=event.terms("points"))
    opened = event.next_round(tournament)
    match_ids = [table.match_id for table in opened.tables.all()]
    deals = [
        services.deal_next(match_id=match_id, secret_for=secret_for, now=NOW).deal
        for match_id in match_ids
    ]

    def play(deal: Deal) -> int:
        """Nobody moves; the alarm rings until the deal is over."""
        moment, rung = NOW, 0
        while True:
            row = Deal.objects.get(pk=deal.pk)
            if row.over_at is not None or row.deadline_at is None:
                return rung
            moment = row.deadline_at
            rung += alarms.ring_deal(deal_id=deal.pk, now=moment)

    results = at_once([lambda deal=deal: play(deal) for deal in deals * 2])  # type: ignore[misc]
    assert not any(isinstance(result, Exception) for result in results), results
    opened.refresh_from_db()
    assert opened.closed_at is not None
    assert tournament.entries.filter(state=EntryState.PLAYING).count() == 4


def test_a_bot_watched_by_eight_clocks_moves_once() -> None:
    deal, state = dealt(a_match(bot=Strength.STEADY))
    moved = at_once([lambda: bot_turns.move_bots(now=NOW + LONGEST)] * 8)
    assert not any(isinstance(count, Exception) for count in moved), moved
    drawn = DealEvent.objects.filter(deal=deal, seq__gt=state.version, kind="card_drawn")
    assert drawn.count() == 1


def test_two_runs_of_the_clock_in_two_processes_do_no_harm() -> None:
    """Each has a watch of its own, as two processes have."""
    start = tasks.now()
    deals = [
        dealt(a_match(), start - TURN + n * timedelta(milliseconds=50)).deal for n in range(1, 13)
    ]

    def run() -> int:
        with tasks.Watch().kept() as relieved:
            return tasks._keep(relieved, time.monotonic() + 3)

    acted = at_once([run, run])
    assert sum(count for count in acted if isinstance(count, int)) == 12, acted
    for deal in deals:
        assert _missed(deal) == 1
        assert check_deal(Deal.objects.get(pk=deal.pk)).is_sound


def test_a_clock_whose_connection_is_cut_says_so_and_works_at_its_next_run(
    caplog: pytest.LogCaptureFixture,
) -> None:
    deal, _ = dealt(a_match(), tasks.now() - 2 * TURN)

    def cut_then_run() -> list[int]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            [pid] = cursor.fetchone()
        at_once([lambda: _terminate(pid)])
        return [tasks.run_clock(), tasks.run_clock()]

    with caplog.at_level(logging.ERROR):
        [runs] = at_once([cut_then_run])
    assert runs == [0, 1]
    assert [record.getMessage() for record in caplog.records] == [
        "the clock cannot reach the database"
    ]
    assert _missed(deal) == 1
    assert store.load(Deal.objects.get(pk=deal.pk)).turn is not None


def _terminate(pid: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
