"""Limits that players set themselves, and that registration keeps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from players.errors import PlayerCode, PlayerRefusal
from players.models import Limits, Profile, Spending
from players.selectors.profiles import limits_of
from players.services import limits, profiles
from tests.tournaments.helpers import FEE, NOW, a_tournament, players, terms, wallet
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Shape, Tournament
from tournaments.services import tables
from tournaments.structure.conditions import Conditions, EntryRules

pytestmark = pytest.mark.django_db


def join(tournament: Tournament, person: User, now: datetime = NOW) -> Entry:
    return services.register(tournament_id=tournament.pk, player_id=person.pk, actor="x", now=now)


def refusal_of(tournament: Tournament, person: User, now: datetime = NOW) -> TournamentCode:
    before = wallet(person).available
    with pytest.raises(TournamentRefusal) as refusal:
        join(tournament, person, now)
    assert wallet(person).available == before
    assert not Entry.objects.filter(tournament=tournament, player=person).exists()
    return refusal.value.code


def set_to(person: User, name: limits.Name, value: int | None, now: datetime = NOW) -> Limits:
    return limits.set_limit(player_id=person.pk, name=name, value=value, now=now)


def test_entries_beyond_the_daily_limit_are_refused_and_cost_nothing() -> None:
    [person] = players(1)
    set_to(person, "entries", 1)
    join(a_tournament(), person)
    assert refusal_of(a_tournament(), person) is TournamentCode.ENTRIES_USED


def test_joining_twice_counts_once() -> None:
    [person] = players(1)
    set_to(person, "entries", 1)
    tournament = a_tournament()
    assert join(tournament, person) == join(tournament, person)


def test_points_beyond_the_daily_limit_are_refused() -> None:
    [person] = players(1)
    set_to(person, "points", 2 * FEE - 1)
    join(a_tournament(), person)
    assert refusal_of(a_tournament(), person) is TournamentCode.POINTS_USED


def test_withdrawing_before_the_start_gives_the_allowance_back() -> None:
    [person] = players(1)
    set_to(person, "entries", 1)
    first = a_tournament()
    join(first, person)
    services.withdraw(tournament_id=first.pk, player_id=person.pk, actor="x", now=NOW)
    assert join(a_tournament(), person).state == EntryState.ENTERED


def test_lowering_holds_at_once_and_raising_after_72_hours() -> None:
    [person] = players(1)
    set_to(person, "entries", 5)
    assert set_to(person, "entries", 2).value("entries", NOW) == 2
    raised = set_to(person, "entries", 9)
    assert raised.next_entries_at == NOW + timedelta(hours=72)
    assert raised.value("entries", NOW + timedelta(hours=72, seconds=-1)) == 2
    assert raised.value("entries", NOW + timedelta(hours=72)) == 9


def test_a_limit_goes_away_after_72_hours_unless_kept() -> None:
    [person] = players(1)
    later = NOW + timedelta(hours=72)
    set_to(person, "points", 10)
    assert set_to(person, "points", None).value("points", NOW) == 10
    assert limits_of(person.pk).value("points", later) is None
    limits.keep_limit(player_id=person.pk, name="points", now=NOW)
    assert limits_of(person.pk).value("points", later) == 10


def test_lowering_forgets_a_raise_that_waits() -> None:
    [person] = players(1)
    set_to(person, "entries", 5)
    set_to(person, "entries", 9)
    set_to(person, "entries", 3)
    assert limits_of(person.pk).value("entries", NOW + timedelta(days=9)) == 3


@pytest.mark.parametrize("value", [-1, 10**12 + 1])
def test_impossible_limits_are_refused_at_their_field(value: int) -> None:
    [person] = players(1)
    with pytest.raises(PlayerRefusal) as refusal:
        set_to(person, "entries", value)
    assert (refusal.value.code, refusal.value.field) == (PlayerCode.BAD_LIMIT, "entries")
    assert not Limits.objects.exists()


def test_a_time_out_stops_joining_until_its_end_and_is_not_shortened() -> None:
    [person] = players(1)
    limits.take_time_out(player_id=person.pk, span="week", now=NOW)
    limits.take_time_out(player_id=person.pk, span="day", now=NOW)
    assert limits_of(person.pk).away_until == NOW + timedelta(days=7)
    assert refusal_of(a_tournament(), person) is TournamentCode.TIMED_OUT
    with pytest.raises(PlayerRefusal):
        limits.check_present(player_id=person.pk, now=NOW + timedelta(days=7, seconds=-1))
    limits.check_present(player_id=person.pk, now=NOW + timedelta(days=7))


@pytest.mark.parametrize("span", ["half", "year", "ever"])
def test_nobody_lets_an_excluded_player_in(span: str) -> None:
    [person] = players(1)
    limits.exclude(player_id=person.pk, span=span, now=NOW)
    tournament = a_tournament()
    assert refusal_of(tournament, person) is TournamentCode.EXCLUDED
    with pytest.raises(PlayerRefusal):
        limits.check_present(player_id=person.pk, by_staff=True, now=NOW)


def test_staff_may_enter_who_takes_a_time_out() -> None:
    [person] = players(1)
    limits.take_time_out(player_id=person.pk, span="day", now=NOW)
    limits.check_present(player_id=person.pk, by_staff=True, now=NOW)


def test_a_player_on_time_out_is_passed_over_on_the_waitlist() -> None:
    one, two, away, next_one = players(4)
    tournament = a_tournament(capacity=2)
    for person in (one, two, away, next_one):
        join(tournament, person)
    limits.take_time_out(player_id=away.pk, span="day", now=NOW)
    services.withdraw(tournament_id=tournament.pk, player_id=one.pk, actor="x", now=NOW)
    states = {
        person.pk: Entry.objects.get(tournament=tournament, player=person).state
        for person in (away, next_one)
    }
    assert states == {away.pk: EntryState.WAITING, next_one.pk: EntryState.ENTERED}


def test_an_unknown_span_is_refused() -> None:
    [person] = players(1)
    for asked in (limits.take_time_out, limits.exclude):
        with pytest.raises(PlayerRefusal) as refusal:
            asked(player_id=person.pk, span="minute", now=NOW)
        assert refusal.value.code is PlayerCode.BAD_SPAN


def test_a_day_begins_at_midnight_of_the_players_zone() -> None:
    [person] = players(1)
    Profile.objects.create(user=person, zone="Asia/Kolkata")
    set_to(person, "entries", 1)
    midnight = datetime(2027, 3, 4, 18, 30, tzinfo=UTC)
    Spending.objects.create(
        player=person, about="x", at=midnight - timedelta(seconds=1), points=0, is_entry=True
    )
    with pytest.raises(PlayerRefusal):
        limits.admit(
            player_id=person.pk,
            about="y",
            points=0,
            is_entry=True,
            now=midnight - timedelta(seconds=1),
        )
    limits.admit(player_id=person.pk, about="y", points=0, is_entry=True, now=midnight)


def move_to(person: User, zone: str, now: datetime) -> None:
    """Choose another zone, and nothing else."""
    said: dict[str, Any] = {
        "language": "",
        "lead_minutes": 10,
        "sounds": True,
        "four_colours": False,
        "mail_calls": False,
    }
    profiles.change(
        player_id=person.pk, zone=zone, is_of_age=False, today=now.date(), now=now, **said
    )


def may_enter(person: User, now: datetime) -> bool:
    """Whether one more entry is within his limit of the day; it is not kept."""
    before = transaction.savepoint()
    try:
        limits.admit(player_id=person.pk, about="z", points=0, is_entry=True, now=now)
    except PlayerRefusal:
        return False
    finally:
        transaction.savepoint_rollback(before)
    return True


def test_who_chooses_another_zone_ends_the_day_that_runs_first() -> None:
    """18:00 UTC: in Kolkata it is half past eleven at night, and the day ends at 18:30."""
    [person] = players(1)
    set_to(person, "entries", 1)
    join(a_tournament(), person)
    tomorrow = NOW.replace(hour=0) + timedelta(days=1)
    move_to(person, "Asia/Kolkata", NOW)
    assert not may_enter(person, NOW + timedelta(minutes=31))
    move_to(person, "Pacific/Kiritimati", NOW + timedelta(minutes=32))
    assert not may_enter(person, tomorrow - timedelta(seconds=1))
    assert may_enter(person, tomorrow + timedelta(hours=10))


def test_a_zone_whose_day_began_earlier_takes_over_at_the_end_of_the_old_day() -> None:
    """Until then the day is one of UTC, although in Kiritimati it began at 10:00 UTC."""
    [person] = players(1)
    morning = NOW.replace(hour=9)
    set_to(person, "entries", 1, morning)
    Spending.objects.create(player=person, about="x", at=morning, points=0, is_entry=True)
    move_to(person, "Pacific/Kiritimati", morning)
    assert not may_enter(person, morning.replace(hour=23))
    assert may_enter(person, NOW.replace(hour=0) + timedelta(days=1))


def test_a_limit_of_points_counts_whole_units_of_each_asset_for_itself() -> None:
    """Five rupees are 500 of their smallest unit, and no play points."""
    [person] = players(1)
    set_to(person, "points", 5)
    paid: dict[str, Any] = {"player_id": person.pk, "about": "x", "is_entry": True, "now": NOW}
    limits.admit(points=500, asset="INR", decimals=2, **paid)
    with pytest.raises(PlayerRefusal) as refusal:
        limits.admit(points=1, asset="INR", decimals=2, **paid)
    assert "you have spent 5." in refusal.value.sentence
    limits.admit(points=5, **paid)
    with pytest.raises(PlayerRefusal):
        limits.admit(points=1, **paid)


def test_a_day_of_25_hours_is_one_day() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    late = datetime(2027, 10, 31, 22, 59, tzinfo=UTC)
    assert limits.day_begin(late, berlin).astimezone(UTC) == datetime(2027, 10, 30, 22, tzinfo=UTC)


def test_who_confirms_to_be_18_may_join_where_18_is_asked_but_not_21() -> None:
    [person] = players(1)
    Profile.objects.create(user=person, of_age_since=NOW.date())
    asked = [
        a_tournament(terms=terms(entering=EntryRules(conditions=Conditions(min_age=age))))
        for age in (18, 21)
    ]
    assert join(asked[0], person).state == EntryState.ENTERED
    assert refusal_of(asked[1], person) is TournamentCode.NOT_ELIGIBLE


def test_a_rejoin_counts_against_the_points_of_the_day() -> None:
    pool = a_tournament(Shape.SINGLE, terms=terms("pool101", prizes="winner"), capacity=3)
    limited, *others = players(3, 5 * FEE)
    set_to(limited, "points", 2 * FEE)
    for person in (limited, *others):
        join(pool, person)
    owner = money.reference_of(pool)
    tables.rejoined(owner=owner, player_id=limited.pk, number=1, now=NOW)
    before = wallet(limited).available
    with pytest.raises(TournamentRefusal) as refusal:
        tables.rejoined(owner=owner, player_id=limited.pk, number=2, now=NOW)
    assert refusal.value.code is TournamentCode.POINTS_USED
    assert wallet(limited).available == before
    assert Entry.objects.get(player=limited).rejoins == 1
