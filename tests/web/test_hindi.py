"""Hindi in a real browser: chosen in the settings, played in, refused in, and never too wide."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.core import mail
from playwright.sync_api import Page, expect

from players.models import Profile
from players.services import inbox
from tests.showcase import make_showcase
from tests.site.hindi import english_in
from tests.tournaments.helpers import a_tournament, players
from tests.web.conftest import PHONE, Person
from tests.web.guard import Guard
from tests.web.test_table_page import Sit, hand, part, seats, sit
from tournaments.models import Entry

__all__ = ["sit"]

pytestmark = pytest.mark.django_db(transaction=True)

FORGED = """async () => {
    const at = new URL(document.querySelector('[data-socket]').dataset.socket, location.href);
    at.protocol = 'ws:';
    const socket = new WebSocket(at);
    await new Promise(done => socket.addEventListener('open', done));
    const told = new Promise(done => socket.addEventListener('message', ({ data }) => {
        const frame = JSON.parse(data);
        if (frame.type === 'refused') done(frame);
    }));
    socket.send(JSON.stringify({ type: 'discard', id: 'forged', seen: 1, card: 'JK' }));
    return await told;
}"""
"""Sends a move that the page itself would not send, by a socket of the page's own address."""


def choose_hindi(page: Page) -> None:
    """In the settings, as a player does."""
    page.goto("/account/settings/")
    page.locator("#id_language").select_option("hi")
    page.locator("#main form button, main form button").last.click()
    expect(page.locator("html")).to_have_attribute("lang", "hi")
    expect(page.get_by_text("आपकी सेटिंग सेव हो गईं।")).to_be_visible()


def test_a_player_switches_to_hindi_joins_plays_and_is_refused_in_hindi(
    person: Person, sit: Sit
) -> None:
    """The page of the table, a move or two, a refusal of the rules, and the e-mail."""
    place = seats(2)[0]
    User.objects.filter(pk=place.player.pk).update(email="asha@site.example")
    page = sit(place)
    choose_hindi(page)

    page.goto(place.address)
    expect(page.locator("html")).to_have_attribute("lang", "hi")
    expect(part(page, "sign")).to_have_text("कनेक्टेड")
    expect(part(page, "ask")).to_have_text("आपकी बारी: पत्ता खींचें")
    refused = page.evaluate(FORGED)
    assert refused["code"] in ("draw_first", "card_not_in_hand")
    assert english_in(refused["sentence"]) == []
    assert not refused["sentence"].isascii()
    page.keyboard.press("c")
    expect(hand(page)).to_have_count(14)
    expect(part(page, "ask")).to_have_text("पत्ता डिस्कार्ड करें, या फ़िनिश करें")
    page.get_by_role("button", name="डिस्कार्ड").click()
    expect(part(page, "notice")).to_have_text("पहले एक पत्ता चुनें।")
    hand(page).last.click()
    page.keyboard.press("d")
    expect(hand(page)).to_have_count(13)
    assert english_in(page.content()) == []


def test_the_email_about_joining_comes_in_hindi(person: Person) -> None:
    """Who joins by a button in Hindi is told by e-mail in Hindi, once the worker sends it."""
    [player] = players(1, points=5_000)
    user = User.objects.get(pk=player.pk)
    User.objects.filter(pk=player.pk).update(email="asha@site.example")
    cup = a_tournament(name="Cup")
    page = person(user)
    choose_hindi(page)
    page.goto(f"/tournaments/{cup.public_id}/")
    page.get_by_role("button", name=re.compile("में शामिल हों")).first.click()
    expect(page.get_by_text("आप शामिल हैं").first).to_be_visible()
    assert Entry.objects.filter(tournament=cup, player=user).exists()
    inbox.send_mail(now=datetime.now(UTC))
    [sent] = mail.outbox
    assert sent.subject == "आप शामिल हैं: Cup।"
    assert f"नमस्ते {user.username}" in str(sent.body)


def test_no_page_in_hindi_is_wider_than_a_phone(person: Person, guard: Guard) -> None:
    """Hindi words are longer in places; nothing may stick out at 360 px."""
    guard.allow("404", "403")
    showcase = make_showcase()
    user = showcase.people["player"]
    Profile.objects.update_or_create(user=user, defaults={"language": "hi"})
    page = person(user, **PHONE)
    wide = {}
    for name, address in showcase.pages.items():
        page.goto(address)
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if over > 0:
            wide[name] = over
        assert page.locator("html").get_attribute("lang") == "hi"
    assert wide == {}
