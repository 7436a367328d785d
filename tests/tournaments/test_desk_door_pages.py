"""The door and the hall: check-in by code, by name and by hand, and paper to be printed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from tests.pages import logged_in, page_of
from tests.tournaments.desk_helpers import OPENS, at_the_door, desk, lines, page, read
from tests.tournaments.helpers import (
    NOW,
    a_tournament,
    close_and_start,
    join,
    next_round,
    players,
    run_out,
    terms,
)
from tournaments import services
from tournaments.entry_codes import code_of, entry_of_code
from tournaments.models import Entry, Shape

pytestmark = pytest.mark.django_db


@pytest.fixture
def during() -> Any:
    """While check-in is open."""
    with time_machine.travel(OPENS + timedelta(minutes=5), tick=False):
        yield


def test_a_code_is_scanned_and_one_tap_checks_the_player_in(during: None) -> None:
    """The address in his code leads there."""
    made = at_the_door()
    [person] = players(1)
    [entry] = join(made, person)
    mine = logged_in(person)
    code = code_of(entry)
    assert code in page_of(mine, f"/tournaments/{made.public_id}/")
    drawn = mine.get(f"/tournaments/{made.public_id}/my-code.svg")
    assert drawn["Content-Type"] == "image/svg+xml"
    assert "no-store" in drawn["Cache-Control"]
    client = desk(made)
    html = page_of(client, page(made, f"check-in/{code}/"))
    assert person.username in html
    answer = client.post(page(made, f"check-in/{code}/"), follow=True)
    assert f"{person.username} is here." in answer.content.decode()
    assert Entry.objects.get(pk=entry.pk).checked_in_at is not None
    [line] = lines("check_in")
    assert (line.before["checked_in"], line.after["checked_in"]) == (False, True)
    assert code not in page_of(mine, f"/tournaments/{made.public_id}/")


def test_a_code_may_be_typed_as_it_is_read_out(during: None) -> None:
    """In small letters, with blanks, with O for 0 and I for 1."""
    made = at_the_door()
    [entry] = join(made, *players(1))
    client = desk(made)
    spoken = code_of(entry).lower().replace("-", " ").replace("0", "o").replace("1", "i")
    answer = client.get(page(made, "check-in/"), {"code": spoken}, follow=True)
    assert 'class="main" autofocus' in answer.content.decode()


def test_a_player_is_found_by_name_and_checked_in_by_hand(during: None) -> None:
    """Where he has left his phone at home."""
    made = at_the_door()
    entries = join(made, *players(2))
    client = desk(made)
    name = entries[0].player.username
    told = read(page_of(client, page(made, f"check-in/?q={name}")))
    assert name in told
    assert entries[1].player.username not in told
    client.post(page(made, f"check-in/{entries[0].pk}/here/"))
    assert "1 are here, 1 are missing." in read(page_of(client, page(made, "check-in/")))


def test_a_code_that_is_wrong_used_or_of_another_tournament_is_refused_in_words(
    during: None,
) -> None:
    """And nobody is checked in by it."""
    made, other = at_the_door(capacity=2), at_the_door("Elsewhere")
    people = players(3, points=1_000)
    entries = join(made, *people)
    [elsewhere] = join(other, people[0])
    client = desk(made)

    def said(code: str) -> str:
        return read(client.post(page(made, f"check-in/{code}/")).content.decode())

    right = code_of(entries[0])
    wrong = right[:-1] + ("2" if right[-1] != "2" else "3")
    assert "Nobody has the code" in said(wrong)
    assert "Nobody has the code" in said("hello")
    assert "another tournament: Elsewhere" in said(code_of(elsewhere))
    assert "has no seat: on the waitlist" in said(code_of(entries[2]))
    client.post(page(made, f"check-in/{right}/"))
    assert "has checked in already" in said(right)
    assert Entry.objects.filter(checked_in_at__isnull=False).count() == 1


@pytest.mark.parametrize("minutes", [-1, 61])
def test_who_comes_too_early_or_too_late_is_told_when_it_was(minutes: int) -> None:
    """With the hours of check-in."""
    made = at_the_door()
    [entry] = join(made, *players(1))
    client = desk(made)
    with time_machine.travel(OPENS + timedelta(minutes=minutes), tick=False):
        told = read(client.post(page(made, f"check-in/{code_of(entry)}/")).content.decode())
    assert "Check-in is from" in told
    assert "18:00 UTC" in told
    assert Entry.objects.get(pk=entry.pk).checked_in_at is None


def test_joining_again_gives_another_code() -> None:
    """The old one opens nothing any more."""
    made = at_the_door()
    [person] = players(1)
    [entry] = join(made, person)
    before = code_of(entry)
    services.withdraw(tournament_id=made.pk, player_id=person.pk, actor="x", now=NOW)
    [entry] = join(made, person)
    assert entry_of_code(before) is None
    assert entry_of_code(code_of(entry)) == entry


def test_a_code_is_shown_to_its_player_alone() -> None:
    """Others do not find it."""
    made = at_the_door()
    [person, other] = players(2)
    [entry] = join(made, person)
    address = f"/tournaments/{made.public_id}/my-code.svg"
    assert logged_in(other).get(address).status_code == 404
    assert code_of(entry) not in page_of(logged_in(other), f"/tournaments/{made.public_id}/")
    assert Client().get(address).status_code == 302


# --- paper --------------------------------------------------------------------------------------


def test_papers_name_everybody_who_has_a_seat() -> None:
    """Sign-in list, seating, sheets with a column a player, results."""
    made = a_tournament(capacity=4)
    people = players(4)
    join(made, *people)
    client = desk(made)
    signing = page_of(client, page(made, "print/sign-in/"))
    close_and_start(made)
    next_round(made)
    seating = page_of(client, page(made, "print/seating/"))
    sheets = page_of(client, page(made, "print/score-sheets/"))
    for person in people:
        assert person.username in signing
        assert person.username in seating
        assert f'<th scope="col">{person.username}</th>' in sheets
    assert "Ranks are settled when it is over." in page_of(client, page(made, "print/results/"))
    assert "/static/rummy_site/paper.css" in seating
    assert client.get(page(made, "print/poster/")).status_code == 404


def test_results_are_printed_with_prizes() -> None:
    """As they were settled."""
    made = a_tournament(Shape.HEADS_UP, capacity=2, terms=terms("heads_up", prizes="winner"))
    join(made, *players(2))
    close_and_start(made)
    run_out(made)
    services.complete(tournament_id=made.pk, now=NOW)
    html = page_of(desk(made), page(made, "print/results/"))
    assert "1,000 play points" in html
