"""Steps of a tournament at the organisers' desk: consequences first, then one service, one line."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from staff.models import StaffAction
from tests.pages import logged_in, page_of, text_of
from tests.tournaments.desk_helpers import LIST, change_of, in_charge, organiser, page
from tests.tournaments.helpers import a_tournament, join, players, wallet
from tournaments import services
from tournaments.admin.steps.table import STEPS
from tournaments.models import EntryState, Tournament

pytestmark = pytest.mark.django_db


def said(client: Client, tournament: Tournament, step: str) -> str:
    """What a step says it would do."""
    html = page_of(client, page(tournament, f"do/{step}/"))
    assert 'name="reason"' in html
    inner = html.partition('class="desk"')[2]
    return text_of(f"<main>{inner}</main>")


def do(client: Client, tournament: Tournament, step: str, **typed: Any) -> Any:
    """Press the button of a step."""
    version = Tournament.objects.get(pk=tournament.pk).version
    return client.post(page(tournament, f"do/{step}/"), {"version": version, **typed})


def lines() -> list[str]:
    """What the audit log says was done to tournaments."""
    rows = StaffAction.objects.filter(action__startswith="tournaments.").order_by("pk")
    return list(rows.values_list("action", flat=True))


def state(tournament: Tournament) -> str:
    """Where it stands now."""
    return str(Tournament.objects.get(pk=tournament.pk).state)


def test_a_tournament_is_led_from_draft_to_play_with_a_line_for_each_step() -> None:
    """Announced, opened, closed, opened again, started."""
    made = a_tournament(opened=False, capacity=4, house_fee=50)
    client = in_charge(organiser(), made)
    assert "with all 4 seats taken the prize pool is 1,800" in said(client, made, "announce")
    do(client, made, "announce")
    assert "Nobody sees it" not in said(client, made, "retract")
    do(client, made, "open_registration")
    join(made, *players(3))
    do(client, made, "close_registration")
    do(client, made, "reopen_registration", reason="A late bus")
    told = said(client, made, "start")
    assert "3 players play." in told
    assert "1,500 play points of fees are taken; the prize pool is 1,350 play points." in told
    do(client, made, "start")
    assert state(made) == "running"
    assert lines() == [
        "tournaments.announce",
        "tournaments.open_registration",
        "tournaments.close_registration",
        "tournaments.reopen_registration",
        "tournaments.close_registration",
        "tournaments.start",
    ]
    line = StaffAction.objects.get(action="tournaments.reopen_registration")
    assert (line.reason, line.before["state"], line.after["state"]) == (
        "A late bus",
        "closed",
        "registering",
    )


def test_calling_off_shows_who_gets_back_what_before_it_is_done() -> None:
    """And then gives back just that."""
    made = a_tournament(capacity=4)
    people = players(2)
    join(made, *people)
    client = in_charge(organiser(), made)
    assert "2 players get back 1,000 play points in all." in said(client, made, "cancel")
    looked = client.post(page(made, "do/cancel/"), {"_look": "", "reason": "x", "kept": "20"})
    assert "2 players get back 960 play points in all." in looked.content.decode()
    assert state(made) == "registering"
    assert do(client, made, "cancel", reason="No hall", kept="20").status_code == 302
    assert state(made) == "cancelled"
    assert [wallet(person).available for person in people] == [480, 480]
    line = StaffAction.objects.get(action="tournaments.cancel")
    assert (line.reason, line.before["kept_of_each"]) == ("No hall", 20)


@pytest.mark.parametrize("step", ["cancel", "reopen_registration"])
def test_what_players_will_ask_about_needs_a_reason(step: str) -> None:
    """Without one nothing is done."""
    made = a_tournament()
    if step != "cancel":
        services.close_registration(tournament_id=made.pk, actor="x", now=made.created_at)
    before = state(made)
    client = in_charge(organiser(), made)
    assert "This field is required." in do(client, made, step).content.decode()
    assert state(made) == before


def test_a_step_that_is_not_possible_any_more_is_refused_in_words() -> None:
    """Both before and when it is pressed."""
    made = a_tournament(opened=False)
    client = in_charge(organiser(), made)
    assert "cannot be done now" in said(client, made, "reopen_registration")
    answer = do(client, made, "reopen_registration", reason="x").content.decode()
    assert "cannot reopen registration" in answer
    assert not lines()


def test_consequences_that_were_looked_at_before_a_change_are_looked_at_again() -> None:
    """Somebody else has changed the tournament meanwhile."""
    made = a_tournament(opened=False)
    client = in_charge(organiser(), made)
    answer = client.post(page(made, "do/announce/"), {"version": made.version + 1})
    assert "look at the consequences again" in answer.content.decode()
    assert state(made) == "draft"


@pytest.mark.parametrize("in_person", [True, False])
def test_the_start_says_when_the_tables_open(in_person: bool) -> None:
    made = a_tournament(capacity=4, in_person=in_person)
    join(made, *players(3))
    told = said(in_charge(organiser(), made), made, "start")
    assert ("Tables open when you let it go on." in told) is in_person
    assert ("Seats are drawn, and tables open." in told) is not in_person


def test_too_few_are_told_before_the_start_is_tried() -> None:
    """And nothing is taken."""
    made = a_tournament(capacity=6, min_entries=4)
    join(made, *players(2))
    client = in_charge(organiser(), made)
    assert "fewer than the 4 it needs" in said(client, made, "start")
    assert "2 of at least 4 have entered" in do(client, made, "start").content.decode()
    assert state(made) == "registering"
    assert not lines()


def test_who_waits_is_counted_before_registration_closes() -> None:
    """He gets no seat by it."""
    made = a_tournament(capacity=2)
    join(made, *players(4))
    client = in_charge(organiser(), made)
    assert "2 players on the waitlist get no seat." in said(client, made, "close_registration")
    do(client, made, "close_registration")
    assert made.entries.filter(state=EntryState.NOT_SEATED).count() == 2
    assert "2 players who got no seat wait again" in said(client, made, "reopen_registration")


def test_a_copy_is_a_draft_of_ones_own() -> None:
    """With the original in its line."""
    made = a_tournament(name="Model")
    client = in_charge(organiser(), made)
    html = page_of(client, page(made, "copy/"))
    assert 'value="Model"' in html
    sent = {"name": "Again", "zone": "Asia/Kolkata", "starts_at": "2026-12-24T18:00"}
    answer = client.post(page(made, "copy/"), sent)
    copied = Tournament.objects.get(name="Again")
    assert answer["Location"] == change_of(copied)
    assert copied.state == "draft"
    assert copied.starts_at is not None
    assert copied.starts_at.isoformat() == "2026-12-24T12:30:00+00:00"
    assert copied.staff.get().user.username == "olga"
    line = StaffAction.objects.get(action="tournaments.copy")
    assert (line.subject, line.after["copy_of"]) == (copied.public_id, made.public_id)


def test_the_next_step_stands_on_the_page_of_the_tournament() -> None:
    """The first is the one that usually comes next."""
    made = a_tournament(opened=False)
    client = in_charge(organiser(), made)
    html = page_of(client, change_of(made))
    assert html.index("do/announce/") < html.index("do/open_registration/")
    assert "do/start/" not in html


def test_the_history_of_a_tournament_is_what_players_read_of_it() -> None:
    """A draft has none. Rows are not changed in the admin, so its own histories stay empty."""
    made = a_tournament(opened=False, name="Quiet cup")
    client = in_charge(organiser(), made)
    log = f"/tournaments/{made.public_id}/log/"
    assert log not in page_of(client, change_of(made))
    client.post(page(made, "do/announce/"), {"version": made.version})
    assert log in page_of(client, change_of(made))
    assert "olga" in page_of(client, log)


def test_nobody_leads_a_tournament_that_is_not_his() -> None:
    """Neither by looking nor by pressing."""
    made = a_tournament(opened=False)
    client = logged_in(organiser())
    for step in STEPS:
        for answer in (
            client.get(page(made, f"do/{step.name}/")),
            do(client, made, step.name, reason="x"),
        ):
            assert answer.status_code == 404
    assert client.get(page(made, "copy/")).status_code == 404
    assert client.post(page(made, "copy/"), {"name": "x", "zone": "UTC"}).status_code == 404
    assert state(made) == "draft"
    assert Tournament.objects.count() == 1


def test_a_step_that_there_is_not_is_not_found() -> None:
    """Whatever is typed into the address."""
    made = a_tournament(opened=False)
    client = in_charge(organiser(), made)
    assert client.get(page(made, "do/explode/")).status_code == 404
    assert client.get(f"{LIST}999999/do/announce/").status_code == 404
