"""Series of tournaments: made ahead, once each, at the same hour on the wall."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
import time_machine

from tests.tournaments.helpers import a_tournament, join, players, run_out, terms
from tournaments import services, tasks
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Schedule, Tournament
from tournaments.services import drafting, lifecycle, sweep
from tournaments.structure.conditions import Conditions, EntryRules
from tournaments.structure.due import StartKind, Times
from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.lifecycle import State
from tournaments.structure.schedules import Frequency, Rule

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 10, 17, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def weekend(**changes: Any) -> Rule:
    """Saturdays and Sundays at eight in the evening in Berlin."""
    wanted: dict[str, Any] = {
        "frequency": Frequency.WEEKLY,
        "zone": "Europe/Berlin",
        "hour": time(20),
        "first_day": date(2026, 10, 24),
        "weekdays": (5, 6),
    }
    return Rule(**(wanted | changes))


def a_series(rule: Rule | None = None, **changes: Any) -> Schedule:
    """Tournaments on the weekends, announced three days before."""
    template = changes.pop("template", None) or a_tournament(opened=False)
    wanted: dict[str, Any] = {
        "name": "Weekend cup",
        "template_id": template.pk,
        "rule": rule or weekend(),
        "ahead_minutes": 3 * 24 * 60,
        "actor": "organiser",
        "now": NOW,
    }
    return services.schedule(**(wanted | changes))


def made() -> list[Tournament]:
    """Tournaments of the series, by date."""
    return list(Tournament.objects.filter(schedule__isnull=False).order_by("occurrence"))


def test_eight_in_the_evening_is_another_instant_after_the_clocks_were_put_back() -> None:
    series = a_series()
    dates = services.next_dates(series, 10, now=NOW)
    assert len(dates) == 10
    assert [found.at for found in dates[:2]] == [
        datetime(2026, 10, 24, 18, tzinfo=UTC),
        datetime(2026, 10, 25, 19, tzinfo=UTC),
    ]


def test_each_is_made_its_days_ahead_and_repeating_makes_no_more() -> None:
    a_series()
    first = datetime(2026, 10, 21, 18, tzinfo=UTC)
    assert services.make_due(now=first - timedelta(seconds=1)) == 0
    assert [services.make_due(now=first) for _ in range(3)] == [1, 0, 0]
    assert services.make_due(now=first + DAY + timedelta(hours=1)) == 1
    assert [(event.name, event.state) for event in made()] == [
        ("Weekend cup, 24 October 2026", State.ANNOUNCED),
        ("Weekend cup, 25 October 2026", State.ANNOUNCED),
    ]


def test_what_is_made_opens_closes_and_starts_by_itself() -> None:
    a_series()
    services.make_due(now=datetime(2026, 10, 21, 18, tzinfo=UTC))
    [event] = made()
    start = datetime(2026, 10, 24, 18, tzinfo=UTC)
    assert event.times == Times(
        kind=StartKind.FIXED_TIME,
        opens_at=start - DAY,
        closes_at=start - timedelta(minutes=10),
        starts_at=start,
    )
    sweep.act_on_due(now=start - DAY)
    event.refresh_from_db()
    assert event.state == State.REGISTERING


def test_times_of_the_template_say_how_far_before_the_start() -> None:
    at = datetime(2026, 10, 1, 18, tzinfo=UTC)
    times = Times(
        kind=StartKind.FIXED_TIME,
        starts_at=at,
        closes_at=at - timedelta(hours=1),
        check_in_opens_at=at - timedelta(minutes=40),
        check_in_closes_at=at - timedelta(minutes=20),
    )
    a_series(template=a_tournament(opened=False, times=times))
    services.make_due(now=datetime(2026, 10, 22, 19, tzinfo=UTC))
    for event, hour in zip(made(), (18, 19), strict=True):
        start = event.starts_at
        assert start is not None
        assert start.hour == hour
        assert event.closes_at == start - timedelta(hours=1)
        assert event.check_in_closes_at == start - timedelta(minutes=20)


def test_dates_missed_while_nothing_ran_are_left_out_and_the_next_is_made() -> None:
    a_series()
    assert services.make_due(now=datetime(2026, 11, 5, 12, tzinfo=UTC)) == 1
    assert [event.occurrence for event in made()] == [date(2026, 11, 7)]


def test_a_series_ends_with_its_last_day() -> None:
    series = a_series(weekend(last_day=date(2026, 10, 25)))
    assert len(services.next_dates(series, 10, now=NOW)) == 2
    services.make_due(now=datetime(2026, 10, 23, 12, tzinfo=UTC))
    series.refresh_from_db()
    assert series.next_at is None
    assert len(made()) == 2


def test_a_stopped_series_makes_nothing_until_it_goes_on() -> None:
    series = a_series()
    services.stop_schedule(schedule_id=series.pk)
    later = datetime(2026, 11, 5, 12, tzinfo=UTC)
    assert services.make_due(now=later) == 0
    services.resume_schedule(schedule_id=series.pk, now=later)
    assert services.make_due(now=later) == 1
    assert [event.occurrence for event in made()] == [date(2026, 11, 7)]


@pytest.mark.parametrize(
    ("last_day", "code"),
    [(None, StructureCode.WHICH_HOUR), (date(2026, 10, 24), None)],
)
def test_an_hour_that_comes_twice_on_one_of_the_days_is_asked_about(
    last_day: date | None, code: StructureCode | None
) -> None:
    rule = weekend(hour=time(2, 30), last_day=last_day)
    if code is None:
        assert a_series(rule).next_at is not None
        return
    with pytest.raises(StructureError) as refusal:
        a_series(rule)
    assert (refusal.value.code, refusal.value.field) == (code, "fold")
    with pytest.raises(StructureError) as refusal:
        a_series(weekend(hour=time(2, 30), fold=1))
    assert (refusal.value.code, refusal.value.field) == (StructureCode.NO_SUCH_HOUR, "hour")
    assert not Schedule.objects.exists()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": " "}, "name"),
        ({"ahead_minutes": 0}, "ahead_minutes"),
        ({"ahead_minutes": 60}, "ahead_minutes"),
        ({"opens_minutes_before": 10**9}, "opens_minutes_before"),
        ({"template_id": 404}, "tournament"),
    ],
)
def test_a_series_that_cannot_be_is_refused_by_field(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        a_series(**changes)
    assert refusal.value.field == field


def test_an_unknown_series_is_refused() -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        services.stop_schedule(schedule_id=404)
    assert refusal.value.code is TournamentCode.UNKNOWN_SCHEDULE


def test_the_task_makes_what_is_due_and_a_series_that_fails_stops_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sick, _ = a_series(), a_series()
    make = drafting.make

    def moody(draft: Any, *, now: datetime) -> Tournament:
        if not Tournament.objects.filter(schedule=sick).exists() and len(made()) == 0:
            monkeypatch.setattr(drafting, "make", make)
            raise ZeroDivisionError
        return make(draft, now=now)

    monkeypatch.setattr(drafting, "make", moody)
    tasks._put_aside.clear()
    with time_machine.travel(datetime(2026, 10, 21, 18, tzinfo=UTC), tick=False):
        assert tasks.run_tournaments() == 1
        assert tasks.run_tournaments() == 0
        tasks._put_aside.clear()
        assert tasks.run_tournaments() == 1
    assert {event.schedule_id for event in made()} == set(
        Schedule.objects.values_list("pk", flat=True)
    )


def test_winners_of_a_series_may_enter_what_asks_for_them() -> None:
    series = a_series()
    services.make_due(now=datetime(2026, 10, 21, 18, tzinfo=UTC))
    [event] = made()
    start = datetime(2026, 10, 24, 18, tzinfo=UTC)
    sweep.act_on_due(now=start - DAY)
    people = players(2, points=5_000)
    join(event, *people)
    sweep.act_on_due(now=start)
    run_out(event)
    services.complete(tournament_id=event.pk, now=start)
    winner, loser = (event.entries.get(rank=rank).player for rank in (1, 2))
    rules = EntryRules(conditions=Conditions(winners_of=(series.public_id,)))
    final = a_tournament(terms=terms(entering=rules))
    assert join(final, winner)[0].state == "entered"
    with pytest.raises(TournamentRefusal) as refusal:
        join(final, loser)
    assert refusal.value.code is TournamentCode.NOT_ELIGIBLE
    assert lifecycle.lock(final.pk).entries.count() == 1
