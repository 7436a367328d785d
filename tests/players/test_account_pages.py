"""The pages of settings and limits."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from players.models import Limits, Profile

pytestmark = pytest.mark.django_db

GIVEN = {"zone": "Asia/Kolkata", "language": "hi", "lead_minutes": "60", "sounds": "on"}


@pytest.fixture
def person(client: Client) -> User:
    made = User.objects.create_user("ann")
    client.force_login(made)
    return made


def test_settings_are_kept_and_hold_for_the_next_page(client: Client, person: User) -> None:
    client.post(reverse("players:settings"), GIVEN)
    profile = Profile.objects.get(user=person)
    assert (profile.zone, profile.lead_minutes, profile.sounds) == ("Asia/Kolkata", 60, True)
    assert '<html lang="hi"' in client.get(reverse("players:settings")).text


def test_a_confirmed_age_keeps_its_day(client: Client, person: User) -> None:
    client.post(reverse("players:settings"), {**GIVEN, "is_of_age": "on"})
    day = Profile.objects.get(user=person).of_age_since
    client.post(reverse("players:settings"), GIVEN)
    assert day is not None
    assert Profile.objects.get(user=person).of_age_since == day


def test_a_wrong_setting_is_told_beside_its_field(client: Client, person: User) -> None:
    answer = client.post(reverse("players:settings"), {**GIVEN, "zone": "Nowhere/Land"})
    assert answer.status_code == 400
    assert 'class="error" id="id_zone_error"' in answer.text
    assert not Profile.objects.filter(user=person).exists()


def test_times_are_in_the_players_zone_which_is_named(client: Client, person: User) -> None:
    Profile.objects.create(user=person, zone="Asia/Kolkata")
    away = datetime(2999, 1, 1, 0, 0, tzinfo=UTC)
    Limits.objects.create(user=person, away_until=away)
    client.force_login(person)
    assert "1 Jan 2999, 05:30 IST" in client.get(reverse("players:limits")).text


def test_limits_are_set_and_a_raise_that_waits_can_be_taken_back(
    client: Client, person: User
) -> None:
    page = reverse("players:limits")
    client.post(page, {"entries": "2", "points": ""})
    client.post(page, {"entries": "5", "points": ""})
    assert "Keep the limit as it is" in client.get(page).text
    client.post(reverse("players:keep-limit"), {"name": "entries"})
    found = Limits.objects.get(user=person)
    assert (found.entries, found.next_entries_at) == (2, None)


def test_a_negative_limit_is_told_beside_its_field(client: Client, person: User) -> None:
    answer = client.post(reverse("players:limits"), {"entries": "-1", "points": ""})
    assert answer.status_code == 400
    assert 'id="id_entries_error"' in answer.text
    assert not Limits.objects.filter(user=person).exists()


def test_of_two_limits_none_is_set_where_one_is_out_of_bounds(client: Client, person: User) -> None:
    answer = client.post(reverse("players:limits"), {"entries": "2", "points": str(10**13)})
    assert answer.status_code == 400
    assert 'id="id_points_error"' in answer.text
    assert not Limits.objects.filter(user=person).exists()


def test_an_exclusion_has_to_be_confirmed(client: Client, person: User) -> None:
    address = reverse("players:stay-away")
    client.post(address, {"span": "exclusion:ever"})
    assert not Limits.objects.filter(user=person).exists()
    client.post(address, {"span": "exclusion:ever", "sure": "on"})
    assert Limits.objects.get(user=person).excluded_for_ever


def test_a_visitor_is_led_to_the_log_in(client: Client) -> None:
    for name in ("settings", "limits"):
        assert client.get(reverse(f"players:{name}")).status_code == 302
