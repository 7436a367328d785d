"""Trying to break what is shown of deals: chat and names that are code, on staff's pages too."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tables import services as tables
from tables.models import ChatLine, Deal, Seat
from tables.rules.bots import Strength
from tables.rules.errors import Code, RuleViolation
from tests.pages import logged_in, page_of
from tests.site.test_breaking import EVIL
from tests.tables.helpers import a_match, play_out
from tests.tournaments.control_helpers import deed_at, organiser_of, room_of, seven
from tests.tournaments.helpers import open_tables

pytestmark = pytest.mark.django_db

RUNS: Final = ("<script>alert", "<img src=x")
ESCAPED: Final = "&lt;script&gt;alert"


def assert_stays_text(client: Client, address: str) -> None:
    """The page shows the code, and no browser runs it."""
    html = page_of(client, address)
    assert ESCAPED in html, address
    assert not any(code in html for code in RUNS), address


def evilly_named(seat: Seat) -> User:
    """Who sits there, with code for a name."""
    seat.player.first_name = EVIL
    seat.player.save()
    return seat.player


def test_chat_that_is_code_stays_text_in_the_control_room_and_at_the_desk() -> None:
    """On the page of a table's chat, before a mute, and in the files of a match and a player."""
    tournament = seven()
    table = open_tables(tournament)[0]
    seat = Seat.objects.select_related("player").get(match=table.match_id, number=0)
    player = evilly_named(seat)
    tables.say(seat_id=seat.pk, text=EVIL, now=datetime.now(UTC))
    organiser = organiser_of(tournament)
    for address in (
        f"{room_of(tournament)}chat/{table.pk}/",
        deed_at(tournament, "mute", table=table.pk, player=player.pk),
    ):
        assert_stays_text(organiser, address)
    root = logged_in(User.objects.create_superuser("root"))
    for address in (
        reverse("desk:match", args=[table.match_id]),
        reverse("desk:person", args=[player.username]),
        f"{reverse('desk:people')}?q={player.username}",
    ):
        assert_stays_text(root, address)


def test_names_that_are_code_stay_text_in_replays_and_files() -> None:
    """On pages they are escaped; files are saved, and taken for no page."""
    match = a_match(bot=Strength.STEADY)
    player = evilly_named(match.seats.select_related("player").get(number=0))
    play_out(match)
    deal = Deal.objects.get(match=match)
    client = logged_in(player)
    base = f"/deals/{deal.public_id}"
    for address in (f"{base}/", f"{base}/replay/?step=1", f"{base}/replay/?step=9999"):
        assert_stays_text(client, address)
    assert_stays_text(logged_in(User.objects.create_superuser("root")), f"/admin/desk{base}/")
    part = client.get(f"{base}/replay/?step=2", headers={"HX-Request": "true"}).content.decode()
    assert not any(code in part for code in RUNS)
    for form, media in (("json", "application/json"), ("txt", "text/plain; charset=utf-8")):
        file = client.get(f"{base}/history.{form}")
        assert file["Content-Type"] == media
        assert file["Content-Disposition"].startswith("attachment")
        assert file["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("text", ["श्रीमान्\u200c जी", "\U0001f469\u200d\U0001f680", "<3"])
def test_chat_takes_what_joins_letters_and_pictures(text: str) -> None:
    """Hindi and pictures are written with characters that are not seen alone."""
    seat = a_match().seats.order_by("number")[0]
    assert tables.say(seat_id=seat.pk, text=text, now=datetime.now(UTC)).text == text


@pytest.mark.parametrize(
    "text", ["", " \n ", "\u200d", "\u202ehcir", "a\x1b[2J", "a\x00b", "a" * 201]
)
def test_chat_takes_nothing_that_is_not_seen_or_turns_lines_round(text: str) -> None:
    """Nor what is too long; nothing is written."""
    seat = a_match().seats.order_by("number")[0]
    with pytest.raises(RuleViolation) as refusal:
        tables.say(seat_id=seat.pk, text=text, now=datetime.now(UTC))
    assert refusal.value.code is Code.BAD_FRAME
    assert not ChatLine.objects.exists()
