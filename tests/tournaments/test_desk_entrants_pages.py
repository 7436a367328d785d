"""Entrants at the organisers' desk: in and out, from files and into files, through the door."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from staff.models import StaffAction
from tests.pages import logged_in, page_of, queries_of
from tests.tournaments.desk_helpers import at_the_door, desk, lines, organiser, page, read
from tests.tournaments.helpers import (
    NOW,
    a_tournament,
    close_and_start,
    join,
    players,
    run_out,
    terms,
    wallet,
)
from tournaments import services
from tournaments.admin.pages import organisers_pages
from tournaments.entry_codes import code_of
from tournaments.models import Entry, EntryState, PlayerFacts, Shape
from tournaments.structure.conditions import Conditions, EntryRules

pytestmark = pytest.mark.django_db


# --- in and out ---------------------------------------------------------------------------------


def test_the_waitlist_is_listed_in_its_order_with_places() -> None:
    """The first to join is the first to move up."""
    made = a_tournament(capacity=2)
    people = players(4)
    join(made, *people)
    told = read(page_of(desk(made), page(made, "entrants/?show=waiting")))
    assert f"{people[2].username} on the waitlist, place 1" in told
    assert f"{people[3].username} on the waitlist, place 2" in told
    assert people[0].username not in told


def test_players_are_added_and_taken_out_with_a_line_for_each_of_them() -> None:
    """All lines of one click have one batch, and say how it was before."""
    made = a_tournament(capacity=6)
    client = desk(made)
    people = players(3)
    names = "\n".join(person.username for person in people)
    client.post(page(made, "entrants/add/"), {"names": names})
    assert made.entries.filter(state=EntryState.ENTERED).count() == 3
    added = lines("add")
    assert [line.subject_name for line in added] == [person.username for person in people]
    assert len({line.batch for line in added}) == 1
    assert (added[0].before, added[0].after["state"]) == ({}, "entered")
    pick = list(made.entries.order_by("number").values_list("pk", flat=True)[:2])
    sent = {"do": "remove", "pick": pick, "reason": "Sent home"}
    client.post(page(made, "entrants/act/"), sent)
    assert made.entries.filter(state=EntryState.WITHDRAWN).count() == 2
    gone = lines("remove")
    assert [(line.reason, line.before["state"], line.after["state"]) for line in gone] == [
        ("Sent home", "entered", "withdrawn")
    ] * 2
    assert wallet(people[0]).available == 500


def test_nobody_is_taken_out_without_a_reason() -> None:
    """He will ask for it."""
    made = a_tournament()
    [entry] = join(made, *players(1))
    client = desk(made)
    answer = client.post(
        page(made, "entrants/act/"), {"do": "remove", "pick": entry.pk}, follow=True
    )
    assert "Say why" in answer.content.decode()
    assert Entry.objects.get(pk=entry.pk).state == EntryState.ENTERED
    assert lines("remove") == []


def test_names_that_nobody_has_are_said_and_nobody_is_entered() -> None:
    """The others wait for the correction."""
    made = a_tournament()
    [known] = players(1)
    client = desk(made)
    sent = {"names": f"{known.username}, nobody-1 nobody-2"}
    html = client.post(page(made, "entrants/add/"), sent, follow=True).content.decode()
    assert "nobody-1, nobody-2" in html
    assert not made.entries.exists()


def test_one_who_cannot_pay_keeps_the_others_out_too() -> None:
    """All or none, and nothing in the log."""
    made = a_tournament()
    [rich], [poor] = players(1), players(1, points=0)
    client = desk(made)
    client.post(page(made, "entrants/add/"), {"names": f"{rich.username} {poor.username}"})
    assert not made.entries.exists()
    assert lines("add") == []


def test_applications_are_approved_and_refused() -> None:
    """By the picked, whatever others wait for a decision."""
    asks = terms(entering=EntryRules(needs_approval=True))
    made = a_tournament(terms=asks)
    entries = join(made, *players(3))
    client = desk(made)
    assert "To be approved 3" in read(page_of(client, page(made, "entrants/")))
    client.post(page(made, "entrants/act/"), {"do": "approve", "pick": entries[0].pk})
    sent = {"do": "refuse", "pick": entries[1].pk, "reason": "Unknown at the club"}
    client.post(page(made, "entrants/act/"), sent)
    states = list(made.entries.order_by("number").values_list("state", flat=True))
    assert states == ["entered", "refused", "applied"]
    assert [line.reason for line in lines("refuse")] == ["Unknown at the club"]
    again = client.post(
        page(made, "entrants/act/"), {"do": "approve", "pick": entries[0].pk}, follow=True
    )
    assert "Nothing was done" in again.content.decode()


def test_a_pick_from_another_tournament_is_left_alone() -> None:
    """Keys in a form prove nothing."""
    made, other = a_tournament(), a_tournament(name="Other")
    [entry] = join(other, *players(1))
    client = desk(made)
    sent = {"do": "remove", "pick": entry.pk, "reason": "x"}
    client.post(page(made, "entrants/act/"), sent)
    assert Entry.objects.get(pk=entry.pk).state == EntryState.ENTERED


def test_players_are_invited_and_taken_off_the_list() -> None:
    """With a line for each."""
    asks = terms(entering=EntryRules(conditions=Conditions(invited_only=True)))
    made = a_tournament(opened=False, terms=asks)
    client = desk(made)
    people = players(2)
    names = " ".join(person.username for person in people)
    client.post(page(made, "invitations/"), {"names": names})
    assert made.invitations.count() == 2
    client.post(page(made, "invitations/"), {"names": people[0].username, "remove": ""})
    assert made.invitations.get().player == people[1]
    assert [line.after for line in lines("invite")] == [{"invited": True}] * 2
    assert [line.after for line in lines("uninvite")] == [{"invited": False}]


def test_a_date_of_birth_is_confirmed_and_the_log_does_not_repeat_it() -> None:
    """It says by whom, and that it was."""
    made = a_tournament()
    [entry] = join(made, *players(1))
    client = desk(made)
    future = {"born_on": "2999-01-01"}
    address = page(made, f"entrants/{entry.pk}/birth/")
    assert "in the past" in client.post(address, future).content.decode()
    assert client.post(address, {"born_on": "1980-05-06"}).status_code == 302
    assert PlayerFacts.objects.get().confirmed_by == "olga"
    [line] = lines("confirm_birth")
    assert (line.before, line.after) == ({"confirmed": False}, {"confirmed": True})


# --- files --------------------------------------------------------------------------------------


def chosen(text: str) -> dict[str, Any]:
    """A file as a browser sends it."""
    return {"file": SimpleUploadedFile("entrants.csv", text.encode())}


def test_thirty_entrants_come_from_a_file_that_was_looked_at_first() -> None:
    """The look changes nothing; the second click enters what was looked at."""
    made = a_tournament(capacity=36)
    people = players(30)
    client = desk(made)
    file = "username\n" + "\n".join(person.username for person in people)
    looked = client.post(page(made, "entrants/import/"), chosen(file)).content.decode()
    assert "30 players get a seat." in looked
    assert not made.entries.exists()
    kept = looked.partition('name="kept" value="')[2].partition('"')[0]
    answer = client.post(page(made, "entrants/import/"), {"kept": kept, "_enter": ""})
    assert answer.status_code == 302
    assert made.entries.filter(state=EntryState.ENTERED).count() == 30
    [line] = lines("import_entrants")
    assert line.after["entries"] == {"entered": 30}
    assert line.before["rows"][0] == [people[0].username, "entered", False]


def test_a_wrong_row_is_said_and_nothing_is_entered() -> None:
    """Also where the button is pressed all the same."""
    made = a_tournament()
    [known] = players(1)
    client = desk(made)
    file = f"username\n{known.username}\nnobody-9"
    html = client.post(page(made, "entrants/import/"), chosen(file)).content.decode()
    assert "There is no player nobody-9" in html
    assert 'name="_enter"' not in html
    forced = client.post(page(made, "entrants/import/"), chosen(file) | {"_enter": ""})
    assert "1 rows have errors" in forced.content.decode()
    assert not made.entries.exists()
    assert lines("import_entrants") == []


def test_what_is_no_file_is_refused_in_words() -> None:
    """Beside the field."""
    made = a_tournament()
    client = desk(made)
    for sent in ({}, {"kept": "%%%"}, chosen("\0")):
        assert (
            'class="field-error"'
            in client.post(page(made, "entrants/import/"), sent).content.decode()
        )


def test_names_are_exported_so_that_no_spreadsheet_runs_them_and_losses_stay_numbers() -> None:
    """An apostrophe before the former, nothing before the latter; in CSV and in XLSX."""
    made = a_tournament(Shape.HEADS_UP, capacity=4, terms=terms("heads_up", prizes="winner"))
    people = players(4)
    for person, name in zip(people, ("=1+1", "+1", "-1", "@x"), strict=True):
        User.objects.filter(pk=person.pk).update(first_name=name)
    join(made, *people)
    close_and_start(made)
    run_out(made)
    services.complete(tournament_id=made.pk, now=NOW)
    client = desk(made)
    answer = client.get(page(made, "entrants/export.csv"))
    rows = list(csv.DictReader(io.StringIO(answer.content.decode().lstrip("\r\n"))))
    assert {row["first_name"] for row in rows} == {"'=1+1", "'+1", "'-1", "'@x"}
    assert sorted(row["net"] for row in rows) == ["-500", "-500", "-500", "1500"]
    book = load_workbook(io.BytesIO(client.get(page(made, "entrants/export.xlsx")).content))
    cells = [row for row in book.active.iter_rows(values_only=True) if row[0] is not None]  # type: ignore[union-attr]
    nets: list[Any] = [row[-1] for row in cells[1:]]
    assert sorted(nets) == [-500, -500, -500, 1500]
    assert all(str(row[2]).startswith("'") for row in cells[1:])
    assert [line.after["rows"] for line in lines("export_entrants")] == [4, 4]
    assert client.get(page(made, "entrants/export.pdf")).status_code == 404


def test_an_exported_list_can_be_imported_again() -> None:
    """Whoever is in stays as he is."""
    made = a_tournament(capacity=4)
    join(made, *players(2))
    client = desk(made)
    file = client.get(page(made, "entrants/export.csv")).content.decode()
    html = client.post(page(made, "entrants/import/"), chosen(file)).content.decode()
    assert "2 are in already, and stay as they are." in html


# --- whose, and how much -------------------------------------------------------------------------


def test_no_page_of_a_tournament_is_there_for_an_organiser_of_others() -> None:
    """Every address, to read and to send."""
    made = at_the_door()
    [entry] = join(made, *players(1))
    client = logged_in(organiser())
    values = {
        "name": "announce",
        "key": entry.pk,
        "form": "csv",
        "code": code_of(entry),
        "what": "sign-in",
    }
    for one in organisers_pages():
        parts = {part: values[part] for part in one.pattern.converters if part != "pk"}
        address = reverse(f"admin:{one.name}", kwargs={"pk": made.pk, **parts})
        for answer in (client.get(address), client.post(address, {"names": "x", "do": "remove"})):
            assert answer.status_code == 404, (one.name, answer.status_code)
    assert not StaffAction.objects.filter(action__startswith="tournaments.").exists()


def test_who_is_no_organiser_is_refused() -> None:
    """A player is led to the log-in, other staff are told no."""
    made = a_tournament()
    [person] = players(1)
    staff = User.objects.create_user("sunil", is_staff=True)
    for rest in ("entrants/", "check-in/", "print/sign-in/", "do/start/"):
        assert Client().get(page(made, rest)).status_code == 302
        assert logged_in(person).get(page(made, rest)).status_code == 302
        assert logged_in(staff).get(page(made, rest)).status_code == 403


@pytest.mark.parametrize("rest", ["entrants/", "entrants/?show=waiting", "check-in/"])
def test_a_list_takes_as_many_queries_for_5000_entrants_as_for_10(rest: str) -> None:
    """It comes in pages."""
    made = at_the_door(capacity=6)
    client = desk(made)

    def fill(first: int, number: int) -> None:
        people = User.objects.bulk_create(
            User(username=f"many-{n}", password="!") for n in range(first, first + number)
        )
        Entry.objects.bulk_create(
            Entry(
                tournament=made,
                player=person,
                number=first + at,
                state=EntryState.ENTERED if at % 2 else EntryState.WAITING,
                joined_at=NOW + timedelta(seconds=at),
            )
            for at, person in enumerate(people)
        )

    fill(1, 10)
    page_of(client, page(made, rest))
    few = len(queries_of(client, page(made, rest)))
    fill(11, 4_990)
    assert len(queries_of(client, page(made, rest))) == few
