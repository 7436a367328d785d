"""Timed levels with several people at once, each with a connection of his own, on PostgreSQL."""

from __future__ import annotations

from datetime import timedelta
from threading import Event
from time import sleep

import pytest
from django.db import connection, transaction
from django.db.models import F

from tables import services as at_tables
from tables.rules.errors import RuleViolation
from tables.rules.formats import AwaitRebuy, RejoinAnswered
from tables.selectors import game_of
from tables.services.heartbeat import beat
from tests.services.test_tables_postgresql import at_once
from tests.tournaments.helpers import NOW, wallet
from tests.tournaments.level_helpers import (
    begun,
    buy,
    end_level,
    entry_of,
    next_level,
    opened_level,
    score_deal,
    stacks,
)
from tournaments import money, services
from tournaments.models import Placing, Round, Tournament
from tournaments.services.levels import moment_of
from tournaments.structure.errors import StructureError

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def test_a_rebuy_clicked_eight_times_at_once_is_one_fee_and_one_stack() -> None:
    tournament, (first, second, _) = begun(3)
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    results = at_once([lambda: buy(tournament, second) for _ in range(8)])
    refused = [result for result in results if isinstance(result, StructureError)]
    assert len(refused) == 7
    assert {result.code for result in refused} == {"rebuy_not_needed"}
    assert wallet(second).posted == 1600
    assert stacks(tournament)[second.pk] == 1700
    assert entry_of(tournament, second).rejoins == 1
    assert money.faults(now=NOW) == ()


def test_a_yes_at_the_table_sent_eight_times_at_once_is_one_rebuy() -> None:
    tournament, _ = begun(3)
    table = opened_level(tournament).tables.get()
    score_deal(table, 0, {1: 80}, 60)
    person = Placing.objects.get(table=table, seat=1).entry.player
    results = at_once(
        [
            lambda: at_tables.answer(
                match_id=table.match_id,
                entry=RejoinAnswered(1, True),
                now=NOW + timedelta(seconds=65),
            )
            for _ in range(8)
        ]
    )
    assert sum(isinstance(result, RuleViolation) for result in results) == 7
    assert wallet(person).posted == 1600
    assert stacks(tournament)[person.pk] == 1600
    assert not isinstance(game_of(table.match_id).next_step(), AwaitRebuy)


def test_a_rebuy_and_the_opening_of_the_next_level_at_once_leave_the_player_in_or_out() -> None:
    """Bought in time he is seated with the chips; too late nothing is taken from him."""
    tournament, (first, second, _) = begun(3)
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    at_once([lambda: buy(tournament, second, 631)] + [lambda: next_level(tournament, 631)] * 3)
    level = Round.objects.get(tournament=tournament, number=2)
    is_seated = Placing.objects.filter(table__round=level, entry__player=second).exists()
    expected = (1600, 1700) if is_seated else (2000, 700)
    assert (wallet(second).posted, stacks(tournament)[second.pk]) == expected
    assert tournament.rounds.count() == 2


def test_a_level_asked_for_by_eight_workers_is_opened_by_one() -> None:
    tournament, _ = begun(13)
    results = at_once([lambda: next_level(tournament) for _ in range(8)])
    assert sum(isinstance(result, Round) for result in results) == 1
    assert not any(isinstance(result, Exception) for result in results)
    assert sum(stacks(tournament).values()) == 13_000


def test_a_table_told_to_stop_by_eight_clocks_ends_once_and_all_tables_without_a_deadlock() -> None:
    tournament, _ = begun(13)
    level = opened_level(tournament)
    late = NOW + timedelta(seconds=571)
    matches = list(level.tables.values_list("match_id", flat=True))
    results = at_once(
        [
            lambda match=match: at_tables.stop_if_due(match_id=match, now=late)  # type: ignore[misc]
            for match in matches * 3
        ]
    )
    assert sorted(map(str, results)) == ["False"] * 6 + ["True"] * 3
    assert Round.objects.get(pk=level.pk).closed_at == late


def _until_somebody_waits() -> None:
    """For a lock, in this database."""
    waiting = (
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    for _ in range(600):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees the first
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return
        sleep(0.05)
    raise TimeoutError("Nobody waits for a lock.")


def test_a_ruling_on_a_level_and_a_standstill_never_wait_for_one_another() -> None:
    """The ruling has written the level and comes to the tables while the clock tells of the gap."""
    tournament, _ = begun(2)
    level = opened_level(tournament)
    beat(now=NOW)
    has_written = Event()
    later = NOW + timedelta(seconds=60)

    def rule() -> None:
        with transaction.atomic():
            Tournament.objects.select_for_update().get(pk=tournament.pk)
            Round.objects.filter(pk=level.pk).update(number=F("number"))
            has_written.set()
            _until_somebody_waits()
            services.pause(tournament_id=tournament.pk, actor="arbiter", now=later)

    def stand_still() -> int | None:
        has_written.wait(30)
        return beat(now=later)

    assert at_once([rule, stand_still]) == [None, 0]
    level.refresh_from_db()
    left = moment_of(tournament, level, later).seconds_left
    assert left - 10 * 60 in (0, 1)
