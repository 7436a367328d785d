"""Changing a tournament in its form: what may be changed when, conflicts, and whose it is."""

from __future__ import annotations

import pytest
from django.test import Client

from staff.models import StaffAction
from tests.pages import logged_in, page_of
from tests.tournaments.desk_helpers import (
    LIST,
    change_of,
    form_of,
    in_charge,
    organiser,
    page,
)
from tests.tournaments.helpers import a_tournament, close_and_start, join, players, terms
from tournaments import play
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

ADD = f"{LIST}add/"


@pytest.fixture
def olga() -> Client:
    """The browser of an organiser who runs nothing yet."""
    return logged_in(organiser())


def test_a_draft_is_changed_whole(olga: Client) -> None:
    """With a line that says what it was and what it is."""
    made = a_tournament(opened=False)
    client = in_charge(organiser("omar"), made)
    data = form_of(made, name="Autumn cup", entry_fee="600", capacity="12")
    assert client.post(change_of(made), data).status_code == 302
    made.refresh_from_db()
    assert (made.name, made.entry_fee, made.capacity) == ("Autumn cup", 600, 12)
    line = StaffAction.objects.get(action="tournaments.edit")
    assert (line.before["entry_fee"], line.after["entry_fee"]) == (500, 600)


def test_saving_without_a_change_writes_nothing(olga: Client) -> None:
    """Neither a version nor a line."""
    made = a_tournament(opened=False)
    client = in_charge(organiser("omar"), made)
    assert client.post(change_of(made), form_of(made)).status_code == 302
    assert not StaffAction.objects.filter(action="tournaments.edit").exists()
    assert Tournament.objects.get().version == made.version


def test_a_form_opened_before_the_start_and_saved_after_it_changes_nothing() -> None:
    """It is said plainly, and the answer is a conflict."""
    made = a_tournament(capacity=4)
    join(made, *players(4))
    client = in_charge(organiser(), made)
    data = form_of(Tournament.objects.get(pk=made.pk), name="Other", capacity="40")
    page_of(client, change_of(made))
    close_and_start(made)
    before = Tournament.objects.filter(pk=made.pk).values().get()
    answer = client.post(change_of(made), data)
    assert answer.status_code == 409
    assert "opened before the tournament was changed" in answer.content.decode()
    assert Tournament.objects.filter(pk=made.pk).values().get() == before
    assert not StaffAction.objects.filter(action="tournaments.edit").exists()


def test_while_players_enter_the_price_is_text_and_the_seats_are_a_field() -> None:
    """What they did not pay for may still be changed, with a reason."""
    made = a_tournament()
    join(made, *players(1))
    client = in_charge(organiser(), made)
    html = page_of(client, change_of(made))
    assert 'name="entry_fee"' not in html
    assert 'name="capacity"' in html
    assert 'name="no_show_keeps_fee"' not in html
    assert 'name="waitlist_moves_up"' in html
    assert "What cannot be changed any more" in html
    made.refresh_from_db()
    data = form_of(made, capacity="30", code="abc", reason="A larger hall", entry_fee="1")
    data["no_show_keeps_fee"] = "on"
    assert client.post(change_of(made), data).status_code == 302
    made.refresh_from_db()
    assert (made.capacity, made.entry_fee) == (30, 500)
    entering = play.terms_of(made).entering
    assert (entering.conditions.code, entering.no_show_keeps_fee) == ("abc", False)
    line = StaffAction.objects.get(action="tournaments.edit")
    assert line.reason == "A larger hall"
    assert line.after["terms"]["entering"]["conditions"]["code"] == "set"


def test_after_the_start_only_the_name_is_a_field() -> None:
    """The rest is read."""
    made = a_tournament(capacity=4)
    join(made, *players(4))
    close_and_start(made)
    client = in_charge(organiser(), made)
    html = page_of(client, change_of(made))
    assert 'name="name"' in html
    assert not [name for name in ("capacity", "entry_fee", "starts_at") if f'"{name}"' in html]
    made.refresh_from_db()
    assert client.post(change_of(made), form_of(made, name="Renamed")).status_code == 302
    made.refresh_from_db()
    assert made.name == "Renamed"


def test_fewer_seats_than_are_taken_need_a_second_word() -> None:
    """Nobody loses his seat by it."""
    made = a_tournament(capacity=6)
    join(made, *players(4))
    client = in_charge(organiser(), made)
    made.refresh_from_db()
    refused = client.post(change_of(made), form_of(made, capacity="3")).content.decode()
    assert "4 have a seat" in refused
    assert 'name="force"' in refused
    assert client.post(change_of(made), form_of(made, capacity="3", force="on")).status_code == 302
    assert Tournament.objects.get(pk=made.pk).capacity == 3


def test_a_form_for_what_is_like_another_starts_from_it(olga: Client) -> None:
    """Its own tournaments only."""
    made = a_tournament(opened=False, name="Model", terms=terms("pool201"))
    client = in_charge(organiser("omar"), made)
    assert 'value="Model"' in page_of(client, f"{ADD}?like={made.pk}")
    assert olga.get(f"{ADD}?like={made.pk}").status_code == 404


def test_the_form_of_somebody_elses_tournament_is_not_there(olga: Client) -> None:
    """Neither to read nor to send, nor its parts."""
    made = a_tournament(opened=False)
    for address in (change_of(made), page(made, "preview/"), page(made, "redraw/")):
        assert olga.post(address, form_of(made)).status_code in (302, 403, 404), address
    assert olga.get(change_of(made)).status_code == 302
    assert made.name not in page_of(olga, LIST)
    assert Tournament.objects.get().name == made.name
