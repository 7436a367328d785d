"""Calendars, codes to be photographed, and brackets drawn."""

from __future__ import annotations

import io
from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest
import segno
from django.template.loader import render_to_string
from django.test import Client
from icalendar import Calendar

from players.models.profiles import Profile
from tests.pages import page_of
from tests.tournaments.helpers import (
    NOW,
    a_tournament,
    finish,
    join,
    next_round,
    open_tables,
    players,
    started,
)
from tournaments import services
from tournaments.bracket_drawing import draw
from tournaments.calendars import calendar_of, token_of
from tournaments.models import Shape, Tournament
from tournaments.selectors.live_lines import LivePairing, Status
from tournaments.structure.bracket import open_bracket
from tournaments.structure.sections import section_of, sections_of

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"


def timed(name: str = "Evening cup") -> Tournament:
    tournament = a_tournament(name=name)
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=NOW + timedelta(days=2))
    tournament.refresh_from_db()
    return tournament


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/New_York"])
def test_a_calendar_says_the_same_moment_in_every_zone(zone: str) -> None:
    tournament = timed("Kite; cup, of, 'names'")
    text = calendar_of([tournament], address_of=lambda _: "https://x.example/", zone=zone, now=NOW)
    [event] = Calendar.from_ical(text).walk("VEVENT")
    assert event.decoded("dtstart") == tournament.starts_at
    assert str(event["summary"]) == tournament.name
    assert str(event["uid"]).startswith(tournament.public_id)


def test_what_was_called_off_is_cancelled_in_the_calendar(client: Client) -> None:
    tournament = timed()
    services.cancel(tournament_id=tournament.pk, actor="Meera", reason="storm", now=NOW)
    answer = client.get(f"/tournaments/{tournament.public_id}/calendar.ics")
    [event] = Calendar.from_ical(answer.content).walk("VEVENT")
    assert event["status"] == "CANCELLED"


def test_a_tournament_without_a_time_has_no_calendar(client: Client) -> None:
    tournament = a_tournament()
    assert client.get(f"/tournaments/{tournament.public_id}/calendar.ics").status_code == 404


def test_a_players_calendar_has_his_tournaments_and_a_new_password_ends_its_address(
    client: Client,
) -> None:
    [person] = players(1)
    join(timed("His"), person)
    timed("Not his")
    address = f"/calendar/{token_of(person)}.ics"
    events = Calendar.from_ical(client.get(address).content).walk("VEVENT")
    assert [str(event["summary"]) for event in events] == ["His"]
    for wrong in (f"{person.pk}-", f"{person.pk}-{'0' * 40}", "x", f"0{address[10:-4]}"):
        assert client.get(f"/calendar/{wrong}.ics").status_code == 404
    person.set_password("another-7")
    person.save()
    assert client.get(address).status_code == 404


def test_a_players_calendar_is_in_his_own_zone_whoever_asks_for_it(client: Client) -> None:
    [person] = players(1)
    Profile.objects.create(user=person, zone="Asia/Kolkata")
    tournament = timed()
    join(tournament, person)
    text = client.get(f"/calendar/{token_of(person)}.ics").content
    [event] = Calendar.from_ical(text).walk("VEVENT")
    assert event["dtstart"].params["TZID"] == "Asia/Kolkata"
    assert event.decoded("dtstart") == tournament.starts_at


def test_the_code_is_that_of_the_tournaments_address(client: Client) -> None:
    tournament = a_tournament()
    answer = client.get(f"/tournaments/{tournament.public_id}/qr.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    address = f"http://testserver/tournaments/{tournament.public_id}/"
    drawn = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        drawn, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False
    )
    assert answer.content == drawn.getvalue()


# Brackets


def rounds_of(entrants: int) -> list[tuple[LivePairing, ...]]:
    bracket = open_bracket(entrants)
    return [
        tuple(
            LivePairing(p.round, p.match_index + 1, Status.WAITING, False, None, None, None, "")
            for p in bracket.pairings(number)
        )
        for number in range(1, bracket.rounds + 1)
    ]


@pytest.mark.parametrize("entrants", [*range(2, 66), 100, 128, 500])
def test_every_pairing_stands_in_a_box_of_its_own_and_no_two_overlap(entrants: int) -> None:
    rounds = rounds_of(entrants)
    drawn: list[tuple[int, int]] = []
    for section in range(1, sections_of(len(rounds[0])) + 1):
        drawing = draw(section_of(rounds, section), len(rounds))
        boxes = [(box.x, box.y) for box in drawing.boxes]
        for x, y in boxes:
            assert 0 <= x <= drawing.width - 208
            assert 0 <= y <= drawing.height - 52
            assert not [1 for other, at in boxes if other == x and 0 < abs(at - y) < 52]
        assert len(set(boxes)) == len(boxes)
        drawn += [(box.pairing.round_number, box.pairing.number) for box in drawing.boxes]
    assert sorted(drawn) == sorted((p.round_number, p.number) for row in rounds for p in row)


@pytest.mark.parametrize("entrants", [2, 3, 7, 17, 33, 65, 500])
def test_the_drawn_bracket_is_xml_whose_boxes_and_texts_stand_inside_its_view(
    entrants: int,
) -> None:
    rounds = rounds_of(entrants)
    drawing = draw(section_of(rounds, sections_of(len(rounds[0]))), len(rounds))
    html = render_to_string("tournaments/_bracket.html", {"drawing": drawing})
    root = ET.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])  # noqa: S314
    left, top, width, height = map(int, root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    rects = list(root.iter(f"{SVG}rect"))
    assert len(rects) == len(drawing.boxes)
    for rect in rects:
        assert 0 <= int(rect.attrib["x"]) <= width - int(rect.attrib["width"])
        assert 0 <= int(rect.attrib["y"]) <= height - int(rect.attrib["height"])
    for text in root.iter(f"{SVG}text"):
        assert 0 <= int(text.attrib["x"]) <= width
        assert 0 <= int(text.attrib["y"]) <= height


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 13])
def test_the_drawn_bracket_is_well_formed_and_leads_to_its_tables(
    client: Client, entrants: int
) -> None:
    tournament = started(Shape.HEADS_UP, entrants)
    next_round(tournament)
    finish(open_tables(tournament)[0])
    html = page_of(client, f"/tournaments/{tournament.public_id}/rounds/")
    svg = html[html.index("<svg") : html.index("</svg>") + 6]
    root = ET.fromstring(svg)  # noqa: S314 - our own
    links = [one.get("href") for one in root.iter(f"{SVG}a")]
    for table in tournament.rounds.get(number=1).tables.select_related("match__table"):
        assert f"/tables/{table.match.table.public_id}/" in links
    assert "(wins)" in html


def test_the_wall_has_nothing_to_press(client: Client) -> None:
    html = page_of(client, f"/tournaments/{timed().public_id}/screen/")
    assert "<button" not in html
    assert "<nav" not in html
