"""A player's own things over HTTP: key, settings, limits, inbox."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils import timezone
from rest_framework.test import APIClient
from rest_framework.throttling import ScopedRateThrottle, SimpleRateThrottle

from players.models import Key, Notice, NoticeKind
from players.services.inbox import News, tell
from players.services.limits import MOST, Name
from tests.programs import key_for

pytestmark = pytest.mark.django_db

OWN = (
    "/api/me/",
    "/api/me/settings/",
    "/api/me/limits/",
    "/api/me/inbox/",
)


@pytest.fixture
def asha() -> User:
    return User.objects.create_user("asha", password="long enough 7")


def api(user: User | None = None) -> APIClient:
    """A program with somebody's key, or a visitor's."""
    found = APIClient()
    if user is not None:
        found.credentials(HTTP_AUTHORIZATION=f"Token {key_for(user)}")
    return found


def notice(user: User, key: str) -> Notice:
    news = News(player_id=user.pk, kind=NoticeKind.REGISTERED, key=key, facts={"name": "Cup"})
    tell([news], now=timezone.now())
    return Notice.objects.get(player=user, key=key)


def test_a_key_is_had_for_name_and_password_and_holds_until_it_is_revoked(asha: User) -> None:
    said = {"username": "asha", "password": "long enough 7"}
    key = api().post("/api/token/", said).json()["token"]
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    assert program.get("/api/me/").json()["username"] == "asha"
    assert program.post("/api/token/revoke/").status_code == 204
    refused = program.get("/api/me/")
    assert refused.status_code in (401, 403)
    assert set(refused.json()) == {"code", "detail", "field"}


@pytest.mark.parametrize("password", ["wrong", "long enough 8"])
def test_a_wrong_password_is_refused_with_a_code_and_a_sentence(asha: User, password: str) -> None:
    answer = api().post("/api/token/", {"username": "asha", "password": password})
    assert (answer.status_code, answer.json()["code"]) == (403, "bad_login")
    assert answer.json()["detail"].endswith(".")
    assert not Key.objects.exists()


def test_who_may_not_log_in_gets_no_key(asha: User) -> None:
    User.objects.filter(pk=asha.pk).update(is_active=False)
    said = {"username": "asha", "password": "long enough 7"}
    assert api().post("/api/token/", said).status_code == 403


def test_passwords_cannot_be_guessed_quickly(asha: User, monkeypatch: Any) -> None:
    cache.clear()
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"token": "5/min"})
    said = {"username": "asha", "password": "wrong"}
    codes = [
        api().post("/api/token/", said, HTTP_X_FORWARDED_FOR=f"10.0.0.{n}").json()["code"]
        for n in range(6)
    ]
    assert codes == ["bad_login"] * 5 + ["too_many_requests"]
    cache.clear()


@pytest.mark.parametrize(("scope", "method"), [("reads", "get"), ("writes", "patch")])
def test_reads_and_writes_are_counted_apart(
    asha: User, monkeypatch: Any, scope: str, method: str
) -> None:
    cache.clear()
    rates = {"reads": None, "writes": None, "token": None, scope: "2/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    program = api(asha)
    answers = [getattr(program, method)("/api/me/settings/", {}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1].json()["code"] == "too_many_requests"
    assert int(answers[-1]["Retry-After"]) > 0
    other = "patch" if method == "get" else "get"
    assert getattr(program, other)("/api/me/settings/", {}).status_code == 200
    cache.clear()


@pytest.mark.parametrize("address", OWN)
def test_a_visitor_has_nothing_of_his_own(address: str) -> None:
    answer = api().get(address)
    assert answer.status_code in (401, 403)
    assert answer.json()["code"] == "not_authenticated"


def test_a_session_may_change_something_only_with_the_csrf_token(asha: User) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(asha)
    assert browser.get("/api/me/settings/").status_code == 200
    answer = browser.patch("/api/me/settings/", {"sounds": False})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_settings_are_changed_one_by_one(asha: User) -> None:
    program = api(asha)
    program.patch("/api/me/settings/", {"zone": "Asia/Kolkata"})
    found = program.patch("/api/me/settings/", {"sounds": False, "is_of_age": True}).json()
    assert (found["zone"], found["sounds"]) == ("Asia/Kolkata", False)
    assert found["of_age_since"]


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"zone": "Mars/North"}, "zone"),
        ({"lead_minutes": 7}, "lead_minutes"),
        ({"sounds": 9}, "sounds"),
    ],
)
def test_a_bad_setting_is_refused_with_its_field(asha: User, said: Any, field: str) -> None:
    answer = api(asha).patch("/api/me/settings/", said)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_a_limit_falls_at_once_and_rises_later(asha: User) -> None:
    program = api(asha)
    assert program.patch("/api/me/limits/", {"entries": 3}).json()["entries"] == 3
    found = program.patch("/api/me/limits/", {"entries": None}).json()
    assert (found["entries"], found["next_entries"]) == (3, None)
    assert found["next_entries_at"]


@pytest.mark.parametrize("name", ["entries", "points"])
def test_the_highest_limit_is_kept_and_one_more_is_refused(asha: User, name: Name) -> None:
    program, most = api(asha), MOST[name]
    assert program.patch("/api/me/limits/", {name: most}).json()[name] == most
    answer = program.patch("/api/me/limits/", {name: most + 1})
    assert (answer.status_code, answer.json()["field"]) == (400, name)


def test_time_outs_and_exclusions_are_asked_for_and_exclusions_confirmed(asha: User) -> None:
    program = api(asha)
    assert program.post("/api/me/limits/time-out/", {"span": "day"}).json()["away_until"]
    unsure = program.post("/api/me/limits/exclusion/", {"span": "half", "sure": False})
    assert (unsure.status_code, unsure.json()["field"]) == (400, "sure")
    sure = program.post("/api/me/limits/exclusion/", {"span": "half", "sure": True})
    assert sure.json()["excluded_until"]


def test_the_inbox_is_the_players_own_and_marked_by_him_alone(asha: User) -> None:
    bilal = User.objects.create_user("bilal")
    mine = notice(asha, "one")
    assert api(bilal).get("/api/me/inbox/").json()["results"] == []
    assert api(bilal).post("/api/me/inbox/read/", {"notice": mine.pk}).json()["marked"] == 0
    (found,) = api(asha).get("/api/me/inbox/").json()["results"]
    assert "Cup" in found["sentence"]
    assert api(asha).post("/api/me/inbox/read/", {"notice": None}).json()["marked"] == 1


def test_an_inbox_comes_in_pages_of_a_bounded_size(
    asha: User, django_assert_num_queries: Any
) -> None:
    wanted = [notice(asha, f"n{number}").pk for number in range(7)][::-1]
    program, address, seen = api(asha), "/api/me/inbox/?limit=3", []
    program.get("/api/me/")  # keeps the day on which the key was used
    while address:
        with django_assert_num_queries(2):
            page = program.get(address).json()
        seen += [row["id"] for row in page["results"]]
        address = page["next"]
    assert seen == wanted
