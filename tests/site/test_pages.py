"""Home, log in, log out, and what every page promises a browser."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import AsyncClient, Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


@pytest.fixture
def player() -> User:
    return User.objects.create_user("asha", password="open-deck-7")


class Addresses(HTMLParser):
    """Collects what a page loads or links to, and anything inline that its policy would block."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.inline: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"href", "src", "action"}:
                self.addresses.append(value or "")
            if name == "style" or name.startswith("on"):
                self.inline.append(f"{tag}[{name}]")
        if tag in {"style", "script"} and "src" not in dict(attrs):
            self.inline.append(tag)


def test_home_offers_a_visitor_to_sign_up_and_to_log_in(client: Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    main = page.content.decode().partition("<main")[2]
    assert "Log in to play" in main
    assert f'href="{reverse("account_signup")}"' in main


def test_home_greets_a_player_by_name_and_offers_to_log_out(client: Client, player: User) -> None:
    client.force_login(player)
    page = client.get("/").content.decode()
    assert "asha" in page
    assert "Log out" in page
    assert "Log in to play" not in page


def test_only_staff_see_the_way_to_the_admin(client: Client, player: User) -> None:
    client.force_login(player)
    assert "/admin/" not in client.get("/").content.decode()
    player.is_staff = True
    player.save()
    assert "/admin/" in client.get("/").content.decode()


def test_logging_in_leads_home(client: Client, player: User) -> None:
    answer = client.post("/login/", {"login": "asha", "password": "open-deck-7"})
    assert answer.status_code == 302
    assert answer["Location"] == "/"
    assert client.session["_auth_user_id"] == str(player.pk)


def test_logging_in_leads_back_to_the_page_that_asked(client: Client, player: User) -> None:
    page = client.get("/login/?next=/api/schema/").content.decode()
    assert 'name="next" value="/api/schema/"' in page
    answer = client.post(
        "/login/", {"login": "asha", "password": "open-deck-7", "next": "/api/schema/"}
    )
    assert answer["Location"] == "/api/schema/"


def test_logging_in_never_leads_to_another_site(client: Client, player: User) -> None:
    answer = client.post(
        "/login/",
        {"login": "asha", "password": "open-deck-7", "next": "https://elsewhere.example/"},
    )
    assert answer["Location"] == "/"


def test_a_wrong_password_is_said_and_the_name_is_kept(client: Client, player: User) -> None:
    page = client.post("/login/", {"login": "asha", "password": "wrong"}).content.decode()
    assert "do not match" in page
    assert 'value="asha"' in page
    assert "_auth_user_id" not in client.session


def test_a_name_with_markup_comes_back_as_text(client: Client) -> None:
    page = client.post("/login/", {"login": '"><b>', "password": "x"}).content.decode()
    assert '"><b>' not in page
    assert "&quot;&gt;&lt;b&gt;" in page


def test_logging_out_needs_a_post(client: Client, player: User) -> None:
    client.force_login(player)
    assert client.get("/logout/").status_code == 405
    assert client.post("/logout/")["Location"] == "/"
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("address", ["/", "/login/", "/no-such-page"])
def test_pages_load_nothing_from_elsewhere_and_nothing_inline(client: Client, address: str) -> None:
    found = Addresses(client.get(address).content.decode())
    assert found.addresses
    assert [a for a in found.addresses if not a.startswith(("/", "#"))] == []
    assert found.inline == []


@pytest.mark.parametrize("address", ["/", "/login/"])
def test_pages_forbid_the_browser_foreign_content(client: Client, address: str) -> None:
    answer = client.get(address)
    policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer["X-Frame-Options"] == "DENY"


def test_only_the_admin_may_read_expressions_and_colours_of_its_own(client: Client) -> None:
    policy = client.get("/admin/login/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src 'self' 'unsafe-eval'" in policy
    assert "style-src 'self' 'unsafe-inline'" in policy
    assert "unsafe-inline" not in policy.replace("style-src 'self' 'unsafe-inline'", "")


def test_the_style_sheet_names_no_address(client: Client) -> None:
    css = (settings.BASE_DIR / "rummy_site/static/rummy_site/site.css").read_text()
    assert re.findall(r"url\(|@import|https?:", css) == []
    answer = client.get("/static/rummy_site/site.css")
    assert answer.status_code == 200
    assert b"".join(answer) == css.encode()
    answer.close()


@pytest.mark.asyncio
async def test_static_files_are_sent_whole_under_asgi(async_client: AsyncClient) -> None:
    answer = await async_client.get("/static/rummy_site/site.css")
    assert answer.status_code == 200
    assert not answer.streaming
    assert int(answer["Content-Length"]) == len(answer.content)


@pytest.mark.asyncio
async def test_static_files_come_compressed_to_who_takes_it(async_client: AsyncClient) -> None:
    address = "/static/rummy_site/site.css"
    plain = await async_client.get(address)
    small = await async_client.get(address, headers={"accept-encoding": "br, gzip"})
    assert (small["Content-Encoding"], small["Vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(small.content) == plain.content
    assert int(small["Content-Length"]) == len(small.content) < len(plain.content)
    again = {"accept-encoding": "gzip", "if-none-match": small["ETag"]}
    assert (await async_client.get(address, headers=again)).status_code == 304
    part = {"accept-encoding": "gzip", "range": "bytes=0-999"}
    assert (await async_client.get(address, headers=part)).content == plain.content[:1000]


def test_the_page_for_a_fault_needs_nothing_but_its_file(client: Client) -> None:
    from django.template.loader import render_to_string

    assert "Something went wrong" in render_to_string("500.html")
