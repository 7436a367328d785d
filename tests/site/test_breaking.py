"""Trying to break pages: NULs, endless queries, ways out of the site, names that are code."""

from __future__ import annotations

from typing import Any, Final

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Notice, NoticeKind
from players.services.inbox import News, tell
from tests.pages import logged_in
from tests.programs import api
from tests.showcase import Showcase, make_showcase, url_names
from tests.tournaments.helpers import a_tournament, join, players
from tournaments.calendars import token_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

EVIL: Final = "<script>alert(1)</script>'\"><img src=x onerror=alert(2)>"
AWAY: Final = (
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "javascript:alert(1)",
)
PASSWORD: Final = "open-deck-7"


@pytest.fixture
def showcase() -> Showcase:
    return make_showcase()


def pages_of(showcase: Showcase) -> list[str]:
    """The address of everything that is no API and no admin."""
    return [
        showcase.address_of(name, *parts)
        for name, parts in url_names().items()
        if not name.startswith(("admin", "staff")) and "api" not in name
    ]


def test_a_nul_in_an_address_a_query_or_a_cookie_is_refused_everywhere(showcase: Showcase) -> None:
    """400 on whatever page, also escaped in the cookie of a session."""
    client = logged_in(showcase.people["player"])
    for address in pages_of(showcase):
        assert client.get(f"{address}?page=%00").status_code == 400, address
    for address in ("/tournaments/%00/", "/players/a%00b/", "/deals/%00/replay/", "/%00"):
        assert client.get(address).status_code == 400, address
    for name in ("sessionid", "csrftoken", "django_language"):
        visitor = Client()
        visitor.cookies[name] = "\x00aaaaaaaa"
        assert visitor.get("/").status_code == 400, name


def test_a_nul_in_any_form_is_refused(showcase: Showcase) -> None:
    """Fields that are asked for, and others too."""
    client = logged_in(showcase.people["player"])
    for address in pages_of(showcase):
        answer = client.post(address, {"name": "a\x00b", "next": "/\x00"})
        assert answer.status_code in (400, 403, 405), address


def test_endless_queries_and_strange_texts_break_no_page(showcase: Showcase) -> None:
    """For a visitor and for a player."""
    said = ("x" * 20_000, "-1", "9" * 400, "\u202e", "%ff%fe", "[]", "1e999", "' OR 1=1 --")
    names = ("page", "q", "month", "step", "account", "before", "since", "sort", "after", "section")
    wrong = []
    for client in (Client(), logged_in(showcase.people["player"])):
        client.raise_request_exception = False
        for address in pages_of(showcase):
            for text in said:
                status = client.get(address, dict.fromkeys(names, text)).status_code
                if status >= 500:
                    wrong.append((address, text[:20], status))
    assert wrong == []


@pytest.mark.parametrize("away", AWAY)
def test_no_next_leads_out_of_the_site(away: str) -> None:
    """After a log-in, a log-out, a sign-up and a change of language."""
    User.objects.create_user("ravi", password=PASSWORD)
    said = {"login": "ravi", "password": PASSWORD, "next": away}
    new = {"username": "usha", "email": "u@club.example", "password1": PASSWORD, "next": away}
    client = Client()
    answers = [
        client.post("/login/", said),
        client.post("/language/", {"language": "hi", "next": away}),
        client.post("/logout/", {"next": away}),
        client.post(reverse("account_signup"), new),
    ]
    for answer in answers:
        assert answer.status_code == 302
        assert answer["Location"].startswith("/")
        assert not answer["Location"].startswith(("//", "/\\"))


def named_evilly() -> tuple[User, Tournament]:
    """Somebody and something with code for names, who know one another."""
    person, other = players(2)
    User.objects.filter(pk=person.pk).update(first_name=EVIL[:100], last_name=EVIL[:100])
    made = a_tournament(name=EVIL, capacity=6)
    join(made, User.objects.get(pk=person.pk), other)
    return User.objects.get(pk=person.pk), made


def test_names_that_are_code_stay_text_on_every_page() -> None:
    """Of a tournament and of a player, on pages, parts of pages, and in files."""
    person, made = named_evilly()
    client, looked_at = logged_in(person), 0
    parts = ("", "entrants/", "prizes/", "log/", "rounds/", "live/", "you/", "screen/", "seating/")
    own = ("/", "/lobby/tiles/", "/my/", "/inbox/", "/wallet/", "/account/settings/")
    public = (f"/players/{person.username}/", f"/tournaments/{made.public_id}/qr.svg")
    addresses = [f"/tournaments/{made.public_id}/{part}" for part in parts]
    for address in (*addresses, *own, *public):
        answer = client.get(address)
        assert answer.status_code in (200, 204), address
        content = answer.content.decode()
        assert "<script>alert" not in content, address
        assert "<img src=x" not in content, address
        looked_at += "&lt;script&gt;" in content
    assert looked_at > 6


def test_the_api_says_names_as_they_are_and_lets_no_browser_run_them() -> None:
    """As JSON, which no browser takes for a page."""
    _person, made = named_evilly()
    answer = api().get(f"/api/tournaments/{made.public_id}/")
    assert answer.json()["name"] == EVIL
    assert answer["Content-Type"] == "application/json"
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_name_with_lines_in_it_makes_no_line_of_a_calendar_or_of_an_e_mails_head() -> None:
    """Line breaks are escaped in files, and blanks in the head of a letter."""
    [person] = players(1)
    User.objects.filter(pk=person.pk).update(email="p@club.example")
    name = "Cup\r\nBEGIN:VALARM\r\nBcc: all@evil.example"
    made = a_tournament(name=name)
    join(made, person)
    Tournament.objects.filter(pk=made.pk).update(starts_at=timezone.now())
    for address in (
        f"/tournaments/{made.public_id}/calendar.ics",
        f"/calendar/{token_of(User.objects.get(pk=person.pk))}.ics",
    ):
        text = Client().get(address).content.decode()
        assert "BEGIN:VCALENDAR" in text
        assert not any(
            line.startswith(("BEGIN:VALARM\r\nBcc", "Bcc")) for line in text.splitlines()
        )
    for letter in mail.outbox:
        assert "\n" not in letter.subject
        assert list(letter.to) == ["p@club.example"]


def test_somebody_elses_notice_is_no_way_anywhere(showcase: Showcase) -> None:
    """Neither to follow nor to mark, by page and by API."""
    player, other = showcase.people["player"], showcase.people["other"]
    news = News(player_id=player.pk, kind=NoticeKind.REGISTERED, key="k", facts={"name": "Cup"})
    tell([news], now=timezone.now())
    notice = Notice.objects.get(player=player, key="k")
    assert logged_in(other).get(f"/inbox/{notice.pk}/").status_code == 404
    assert api(other).post("/api/me/inbox/read/", {"notice": notice.pk}).json() == {"marked": 0}
    logged_in(other).post("/inbox/mark/", {"notice": notice.pk})
    notice.refresh_from_db()
    assert notice.read_at is None


def test_a_session_gets_a_new_name_when_its_visitor_logs_in_and_out() -> None:
    """So that nobody has planted the one he logs in with."""
    User.objects.create_user("ravi", password=PASSWORD)
    client = Client()
    client.post("/language/", {"language": "hi"})
    client.session["planted"] = True
    planted = client.session
    planted.save()
    client.cookies["sessionid"] = str(planted.session_key)
    client.post("/login/", {"login": "ravi", "password": PASSWORD})
    inside = client.cookies["sessionid"].value
    assert inside != planted.session_key
    client.post("/logout/")
    assert client.cookies["sessionid"].value != inside


@pytest.mark.parametrize("where", ["page", "api"])
def test_an_unknown_name_costs_as_much_and_says_as_little_as_a_wrong_password(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same answer, and the same number of passwords hashed."""
    User.objects.create_user("ravi", password=PASSWORD)
    hashed: list[str] = []

    hashing = MD5PasswordHasher.encode

    def encode(self: Any, password: str, salt: str) -> str:
        hashed.append(password)
        return hashing(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", encode)
    seen = []
    for name in ("ravi", "nobody"):
        hashed.clear()
        if where == "page":
            answer = Client().post("/login/", {"login": name, "password": "a guess"})
            text = answer.content.decode().partition("<main")[2].replace(name, "NAME")
            text = text.partition("csrfmiddlewaretoken")[0]
        else:
            answer = Client().post(
                "/api/token/",
                {"username": name, "password": "a guess"},
                content_type="application/json",
            )
            text = answer.content.decode()
        seen.append((answer.status_code, text, len(hashed)))
    assert seen[0] == seen[1]
    assert seen[0][2] == 1
