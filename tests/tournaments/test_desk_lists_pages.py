"""Lists at the organisers' desk: many tournaments at once, and tournaments that come again."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from django.test import Client

from staff.models import StaffAction
from tests.pages import logged_in, page_of, queries_of
from tests.tournaments.desk_helpers import LIST, in_charge, organiser
from tests.tournaments.helpers import NOW, a_tournament
from tournaments.models import Schedule, StaffRole, Tournament, TournamentStaff
from tournaments.services import schedules

pytestmark = pytest.mark.django_db

SCHEDULES = "/admin/tournaments/schedule/"


def drafts(number: int, client_of: Any = None) -> tuple[Client, list[Tournament]]:
    """Drafts of one organiser, and his browser."""
    user = client_of or organiser()
    made = [a_tournament(opened=False, name=f"Cup {n}") for n in range(number)]
    TournamentStaff.objects.bulk_create(
        TournamentStaff(tournament=one, user=user, role=StaffRole.ORGANISER) for one in made
    )
    return logged_in(user), made


def do(client: Client, name: str, picked: list[Tournament], **typed: str) -> Any:
    """Choose an action for picked rows of the list."""
    keys = [one.pk for one in picked]
    return client.post(LIST, {"action": f"many_{name}", "_selected_action": keys, **typed})


def states() -> list[str]:
    """Where all tournaments stand."""
    return list(Tournament.objects.order_by("pk").values_list("state", flat=True))


def test_many_are_announced_at_once_with_a_line_for_each_of_one_batch() -> None:
    """First it is asked, then it is done."""
    client, made = drafts(3)
    asked = do(client, "announce", made)
    assert "All of these, or none" in asked.content.decode()
    assert states() == ["draft"] * 3
    do(client, "announce", made, _do="")
    assert states() == ["announced"] * 3
    lines = StaffAction.objects.filter(action="tournaments.announce")
    assert {line.subject for line in lines} == {one.public_id for one in made}
    assert len({line.batch for line in lines}) == 1
    assert all(
        (line.before["state"], line.after["state"]) == ("draft", "announced") for line in lines
    )


def test_one_that_cannot_be_done_keeps_the_others_as_they_are() -> None:
    """It is named, and nothing stands in the log."""
    client, made = drafts(2)
    do(client, "announce", made[:1], _do="")
    answer = do(client, "announce", made, _do="").content.decode()
    assert "Nothing was done. Cup 0: " in answer
    assert states() == ["announced", "draft"]
    assert StaffAction.objects.filter(action="tournaments.announce").count() == 1


def test_many_are_called_off_with_a_reason_only() -> None:
    """Which their players read."""
    client, made = drafts(2)
    assert "Say why" in do(client, "cancel", made, _do="").content.decode()
    assert states() == ["draft"] * 2
    do(client, "cancel", made, _do="", reason="The hall is closed")
    assert states() == ["cancelled"] * 2
    lines = StaffAction.objects.filter(action="tournaments.cancel")
    assert [line.reason for line in lines] == ["The hall is closed"] * 2


def test_picked_rows_of_others_are_left_alone() -> None:
    """Keys in a form prove nothing."""
    _client, made = drafts(1)
    stranger = logged_in(organiser("omar"))
    do(stranger, "cancel", made, _do="", reason="x")
    assert states() == ["draft"]


def test_the_list_shows_an_organiser_his_own_and_the_head_all_of_them() -> None:
    """And who only looks sees all, too."""
    client, [mine] = drafts(1)
    other = a_tournament(opened=False, name="Elsewhere")
    assert other.name not in page_of(client, LIST)
    assert mine.name in page_of(client, LIST)
    head = organiser("head")
    head.is_superuser = True
    head.save()
    html = page_of(logged_in(head), LIST)
    assert mine.name in html
    assert other.name in html


def test_the_list_takes_as_many_queries_for_5000_rows_as_for_10() -> None:
    """It comes in pages."""
    client, made = drafts(10)
    page_of(client, LIST)
    few = len(queries_of(client, LIST))
    fields = [
        field.attname
        for field in Tournament._meta.concrete_fields
        if field.attname not in ("id", "public_id", "draw_label")
    ]
    values = {name: getattr(made[0], name) for name in fields}
    rows = Tournament.objects.bulk_create(Tournament(**values) for _ in range(4_990))
    user = made[0].staff.get().user
    TournamentStaff.objects.bulk_create(
        TournamentStaff(tournament=one, user=user, role=StaffRole.ORGANISER) for one in rows
    )
    assert len(queries_of(client, LIST)) == few


# --- again and again ----------------------------------------------------------------------------


def fridays(template: Tournament, **typed: Any) -> dict[str, Any]:
    """The form of a schedule as it is sent."""
    return {
        "name": "Friday pool",
        "template": template.pk,
        "frequency": "weekly",
        "weekdays": ["4"],
        "every": "1",
        "hour": "20:00",
        "zone": "Europe/Berlin",
        "fold": "",
        "first_day": "2026-03-06",
        "last_day": "",
        "opens_hours": "24",
        "ahead_days": "7",
        **typed,
    }


@pytest.fixture
def model() -> tuple[Client, Tournament]:
    """An organiser's browser, and a tournament that is to come again."""
    made = a_tournament(opened=False)
    return in_charge(organiser(), made), made


@time_machine.travel(NOW, tick=False)
def test_a_schedule_is_saved_only_after_its_ten_next_dates_were_seen(model: Any) -> None:
    """The hour on the wall stays, though the clocks change in between."""
    client, made = model
    looked = client.post(f"{SCHEDULES}add/", fridays(made)).content.decode()
    assert looked.count("<li>") >= 10
    assert not Schedule.objects.exists()
    client.post(f"{SCHEDULES}add/", fridays(made, _save=""))
    assert not Schedule.objects.exists()
    seen = looked.partition('name="seen" value="')[2].partition('"')[0]
    assert len(seen.split("|")) == 10
    changed = fridays(made, seen=seen, _save="", hour="19:00")
    client.post(f"{SCHEDULES}add/", changed)
    assert not Schedule.objects.exists()
    client.post(f"{SCHEDULES}add/", fridays(made, seen=seen, _save=""))
    schedule = Schedule.objects.get()
    dates = schedules.next_dates(schedule, 10, now=NOW)
    assert [date.at.hour for date in dates] == [19, 19, 19, 19, 18, 18, 18, 18, 18, 18]
    [line] = StaffAction.objects.filter(action="tournaments.schedule")
    assert (line.subject, line.after["name"]) == (schedule.public_id, "Friday pool")


@time_machine.travel(NOW, tick=False)
@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"weekdays": ["6"], "hour": "02:30"}, "There is no 02:30"),
        ({"frequency": "daily", "first_day": "2026-10-01", "hour": "02:30"}, "comes twice"),
        ({"weekdays": []}, "Give 1 to 7"),
        ({"last_day": "2026-01-01"}, "must not lie before the first"),
        ({"opens_hours": "400"}, "no later than it opens"),
        ({"every": "0"}, "greater than or equal to 1"),
    ],
)
def test_hours_and_days_that_cannot_be_are_asked_about(
    model: Any, typed: dict[str, Any], words: str
) -> None:
    """Beside their field, before anything is saved."""
    client, made = model
    data = fridays(made, **typed)
    html = client.post(f"{SCHEDULES}add/", data).content.decode()
    if "no later" in words:
        seen = html.partition('name="seen" value="')[2].partition('"')[0]
        html = client.post(f"{SCHEDULES}add/", data | {"seen": seen, "_save": ""}).content.decode()
    assert words in html.partition('class="field-error"')[2]
    assert not Schedule.objects.exists()


@time_machine.travel(NOW, tick=False)
def test_a_schedule_is_stopped_and_goes_on_with_a_line_for_each(model: Any) -> None:
    """From its own page."""
    client, made = model
    seen = client.post(f"{SCHEDULES}add/", fridays(made)).content.decode()
    seen = seen.partition('name="seen" value="')[2].partition('"')[0]
    client.post(f"{SCHEDULES}add/", fridays(made, seen=seen, _save=""))
    schedule = Schedule.objects.get()
    address = f"{SCHEDULES}{schedule.pk}/change/"
    assert "Stop it" in page_of(client, address)
    for _the_page_is_old_the_second_time in range(2):
        client.post(address, {"do": "stop", "reason": "Summer"})
    assert Schedule.objects.get().is_stopped
    assert "Let it go on" in page_of(client, address)
    for _the_page_is_old_the_second_time in range(2):
        client.post(address, {"do": "resume"})
    assert "Nothing was changed" in page_of(client, address)
    assert not Schedule.objects.get().is_stopped
    assert client.post(address).status_code == 400
    lines = StaffAction.objects.filter(subject=schedule.public_id).order_by("pk")
    assert [(line.action, line.reason) for line in lines[1:]] == [
        ("tournaments.stop_schedule", "Summer"),
        ("tournaments.resume_schedule", ""),
    ]


def test_nobody_schedules_or_stops_what_is_not_his(model: Any) -> None:
    """Neither the tournament nor the series of others."""
    client, made = model
    stranger = logged_in(organiser("omar"))
    html = stranger.post(f"{SCHEDULES}add/", fridays(made)).content.decode()
    assert "is not one of the available choices" in html
    with time_machine.travel(NOW, tick=False):
        seen = client.post(f"{SCHEDULES}add/", fridays(made)).content.decode()
        seen = seen.partition('name="seen" value="')[2].partition('"')[0]
        client.post(f"{SCHEDULES}add/", fridays(made, seen=seen, _save=""))
    schedule = Schedule.objects.get()
    stranger.post(f"{SCHEDULES}{schedule.pk}/change/", {"reason": "x"})
    assert not Schedule.objects.get().is_stopped
    assert schedule.name not in page_of(stranger, SCHEDULES)
