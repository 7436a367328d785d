"""Keys of programs: made, told once, bounded by scope and time, ended by revoking and passwords."""

from __future__ import annotations

import re
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from players.errors import PlayerCode, PlayerRefusal
from players.models import Key
from players.selectors.keys import key_of, player_by_key, still_held
from players.services import tokens
from tests.pages import logged_in, page_of, text_of
from tests.programs import key_for, program

pytestmark = pytest.mark.django_db

KEYS = "/api/tokens/"
PASSWORD = "long enough 7"


@pytest.fixture
def asha() -> User:
    return User.objects.create_user("asha", password=PASSWORD)


@pytest.fixture
def bilal() -> User:
    return User.objects.create_user("bilal", password=PASSWORD)


def wanted(**changes: Any) -> dict[str, Any]:
    """What is said to make a key."""
    return {"name": "Bot", "scopes": ["read", "play"], "days": 30} | changes


def test_a_key_is_made_told_once_and_listed_without_itself(asha: User) -> None:
    mine = program(key_for(asha, "read", "account", "play"))
    made = mine.post(KEYS, wanted())
    assert made.status_code == 201
    text = made.json()["token"]
    assert (made.json()["name"], made.json()["scopes"]) == ("Bot", ["read", "play"])
    listed = mine.get(KEYS)
    assert [row["name"] for row in listed.json()] == ["Bot", "Test"]
    assert text not in listed.content.decode()
    assert program(text).get("/api/me/").json()["username"] == "asha"


def test_the_database_has_no_key_in_it(asha: User) -> None:
    text = key_for(asha)
    assert not any(text in str(value) for row in Key.objects.values() for value in row.values())


@pytest.mark.parametrize(
    ("scope", "method", "address", "said"),
    [
        ("read", "get", "/api/me/", None),
        ("account", "patch", "/api/me/settings/", {"sounds": False}),
        ("play", "post", "/api/quick/", {"seats": 3}),
    ],
)
def test_a_key_does_what_its_scope_says_and_nothing_else(
    asha: User, scope: str, method: str, address: str, said: Any
) -> None:
    for own in ("read", "play", "account", "staff"):
        answer = getattr(program(key_for(asha, own)), method)(address, said)
        if own == scope:
            assert answer.status_code in (200, 201)
        else:
            assert (answer.status_code, answer.json()["code"]) == (403, "out_of_scope")
            assert scope in answer.json()["detail"]


def test_no_key_makes_one_that_may_do_more(asha: User) -> None:
    mine = program(key_for(asha, "account"))
    answer = mine.post(KEYS, wanted(scopes=["account", "play"]))
    assert (answer.status_code, answer.json()["field"]) == (400, "scopes")
    assert mine.post(KEYS, wanted(scopes=["account"])).status_code == 201


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"scopes": []}, "scopes"),
        ({"scopes": ["everything"]}, "scopes"),
        ({"scopes": "read"}, "scopes"),
        ({"days": 0}, "days"),
        ({"days": 10**9}, "days"),
        ({"days": "soon"}, "days"),
        ({"name": "x" * 61}, "name"),
        ({"name": ["a"]}, "name"),
    ],
)
def test_a_wish_that_is_wrong_is_refused_with_its_field(
    asha: User, said: dict[str, Any], field: str
) -> None:
    answer = program(key_for(asha)).post(KEYS, wanted(**said))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert answer.json()["field"] == field


def test_a_key_expires(asha: User) -> None:
    text = key_for(asha, days=1)
    now = timezone.now()
    assert key_of(text, now) is not None
    assert still_held([text], now + timedelta(hours=23)) == {text}
    assert still_held([text], now + timedelta(days=1)) == set()
    Key.objects.update(expires_at=now)
    answer = program(text).get("/api/me/")
    assert answer.status_code == 403
    assert answer.json()["detail"] == "This key does not hold, or not any more."


def test_a_new_password_ends_all_keys(asha: User) -> None:
    text = key_for(asha)
    asha.set_password("another one 8")
    asha.save()
    assert program(text).get("/api/me/").status_code == 403
    assert "It holds no more." in text_of(page_of(logged_in(asha), "/account/tokens/"))
    assert program(key_for(asha)).get("/api/me/").status_code == 200
    assert Key.objects.count() == 1


def test_who_may_not_log_in_any_more_has_no_key(asha: User) -> None:
    text = key_for(asha)
    User.objects.update(is_active=False)
    assert program(text).get("/api/me/").status_code == 403


def test_a_key_is_revoked_by_its_owner_only(asha: User, bilal: User) -> None:
    text = key_for(asha, "read")
    key = key_of(text, timezone.now())
    assert key is not None
    refused = program(key_for(bilal)).delete(f"{KEYS}{key.pk}/")
    assert (refused.status_code, refused.json()["code"]) == (404, "unknown_key")
    assert program(text).get("/api/me/").status_code == 200
    other = program(key_for(asha))
    assert other.delete(f"{KEYS}{key.pk}/").status_code == 204
    assert other.delete(f"{KEYS}{key.pk}/").status_code == 404
    assert program(text).get("/api/me/").status_code == 403


def test_a_key_of_any_scope_gives_itself_up_and_leaves_the_others(asha: User) -> None:
    text, other = key_for(asha, "read"), key_for(asha)
    assert program(text).post("/api/token/revoke/").status_code == 204
    assert program(text).get("/api/me/").status_code == 403
    assert program(other).get("/api/me/").status_code == 200
    browser = logged_in(asha)
    assert browser.post("/api/token/revoke/").status_code == 204
    assert not Key.objects.exists()


def test_a_player_has_twenty_keys_and_a_log_in_ends_the_oldest_of_its_kind(asha: User) -> None:
    now = timezone.now()
    first = tokens.make(player_id=asha.pk, name="Log-in", by_password=True, now=now)
    for number in range(tokens.MOST - 1):
        tokens.make(player_id=asha.pk, name=str(number), now=now)
    with pytest.raises(PlayerRefusal) as refused:
        tokens.make(player_id=asha.pk, name="one more", now=now)
    assert refused.value.code == PlayerCode.TOO_MANY_KEYS
    said = {"username": "asha", "password": PASSWORD}
    text = program("").post("/api/token/", said).json()["token"]
    assert key_of(first.text, now) is None
    assert key_of(text, now) is not None
    assert Key.objects.count() == tokens.MOST


def test_keys_that_have_expired_make_room(asha: User) -> None:
    now = timezone.now()
    for number in range(tokens.MOST):
        tokens.make(player_id=asha.pk, name=str(number), days=1, now=now)
    tokens.make(player_id=asha.pk, name="new", now=now + timedelta(days=2))
    assert [key.name for key in Key.objects.all()] == ["new"]


def test_a_log_in_by_password_chooses_scopes_and_days(asha: User) -> None:
    said = {
        "username": "asha",
        "password": PASSWORD,
        "scopes": ["read"],
        "days": 2,
        "name": "Stats",
    }
    made = program("").post("/api/token/", said).json()
    assert (made["scopes"], made["name"], made["by_password"]) == (["read"], "Stats", True)
    assert program(made["token"]).post("/api/quick/", {"seats": 3}).status_code == 403


def test_a_socket_is_opened_by_a_key_that_may_play(asha: User) -> None:
    now = timezone.now()
    assert player_by_key(key_for(asha, "play"), now) == asha
    assert player_by_key(key_for(asha, "read", "account"), now) is None


def test_the_day_of_use_is_kept_once_a_day(asha: User, django_assert_num_queries: Any) -> None:
    mine = program(key_for(asha))
    mine.get("/api/me/")
    assert Key.objects.get().last_used == timezone.now().date()
    with django_assert_num_queries(1):
        mine.get("/api/me/")


def test_the_page_makes_a_key_shows_it_once_and_revokes_it(asha: User) -> None:
    browser = logged_in(asha)
    assert "You have no key." in text_of(page_of(browser, "/account/tokens/"))
    page = browser.post("/account/tokens/", wanted()).content.decode()
    [text] = re.findall(r"rk_\w{40}", page)
    assert program(text).get("/api/me/").status_code == 200
    again = page_of(browser, "/account/tokens/")
    assert text not in again
    assert "Bot" in text_of(again)
    browser.post("/account/tokens/", {"revoke": str(Key.objects.get().pk)})
    assert not Key.objects.exists()


def test_the_page_revokes_nobody_elses_key(asha: User, bilal: User) -> None:
    key_for(asha)
    for said in (str(Key.objects.get().pk), "", "x", "9" * 5000):
        browser = logged_in(bilal)
        assert browser.post("/account/tokens/", {"revoke": said}).status_code == 302
    assert Key.objects.count() == 1


def test_the_page_says_what_is_wrong_and_offers_duties_to_staff_only(asha: User) -> None:
    browser = logged_in(asha)
    answer = browser.post("/account/tokens/", {"name": "", "scopes": ["staff"], "days": "7"})
    assert answer.status_code == 400
    assert not Key.objects.exists()
    assert "what your duties allow" not in answer.content.decode()
    User.objects.update(is_staff=True)
    assert "what your duties allow" in page_of(browser, "/account/tokens/")


def test_the_page_of_keys_is_for_who_has_logged_in() -> None:
    assert Client().get("/account/tokens/").status_code == 302


def test_keys_of_the_older_kind_go_on_and_their_table_goes() -> None:
    """Which held them readably."""
    asha = User.objects.create_user("asha", password=PASSWORD)
    migration: Any = import_module("players.migrations.0003_keys")
    with connection.cursor() as cursor:
        editor = SimpleNamespace(connection=connection, execute=cursor.execute)
        cursor.execute("CREATE TABLE authtoken_token (key varchar(40), user_id bigint)")
        cursor.execute("INSERT INTO authtoken_token VALUES ('0123456789abcdef', %s)", [asha.pk])
        migration.take_over(apps, editor)
        migration.drop_old(apps, editor)
        migration.drop_old(apps, editor)
    assert program("0123456789abcdef").get("/api/me/").json()["username"] == "asha"
    assert "authtoken_token" not in connection.introspection.table_names()
