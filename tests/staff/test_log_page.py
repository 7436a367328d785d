"""The page of the audit log: found, read, saved; never changed."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags
from openpyxl import load_workbook

from rummy_site.roles import ARBITERS, OPERATORS, ORGANISERS, SUPPORT
from staff import log_admin
from staff.models import StaffAction
from staff.services.audit import Doer, Subject, acting_on_many, note
from tests.staff.helpers import cup, doer, member

pytestmark = pytest.mark.django_db

LIST = reverse("admin:staff_staffaction_changelist")


@pytest.fixture
def operator(client: Client) -> Client:
    """An operator's browser; his own log-in stands in the log."""
    client.force_login(member("opal", OPERATORS))
    return client


def text_of(html: str) -> str:
    """What a reader reads; the admin's pages have no main part."""
    return " ".join(unescape(strip_tags(html.replace("<", " <"))).split())


def _say(action: str = "tournaments.pause", key: str = "abc", **more: Any) -> StaffAction:
    """A line that says so; the last one."""
    by = doer()
    at, name = more.pop("at", by.at), more.pop("name", f"Cup {key}")
    note(
        by=Doer(by.user, by.origin, at),
        action=action,
        subject=Subject("tournament", key, name),
        **more,
    )
    return StaffAction.objects.order_by("-id")[0]


def _keys(client: Client, **asked: str) -> list[str]:
    """Subjects that a list shows, by the names of their links."""
    answer = client.get(LIST, asked)
    assert answer.status_code == 200
    return [line.subject for line in answer.context["cl"].result_list]


def test_operators_and_superusers_read_the_log_and_nobody_else() -> None:
    """Neither organisers nor arbiters nor support."""
    line, root = _say(), User.objects.create_superuser("root")
    people = {name: member(name, name) for name in (ORGANISERS, ARBITERS, OPERATORS, SUPPORT)}
    one = reverse("admin:staff_staffaction_change", args=[line.pk])
    for name, user in (*people.items(), ("root", root)):
        client = Client()
        client.force_login(user)
        expected = 200 if name in (OPERATORS, "root") else 403
        for address in (LIST, one, reverse("admin:staff_staffaction_export", args=["csv"])):
            assert client.get(address).status_code == expected, (name, address)


def test_nobody_adds_changes_or_deletes_a_line_in_the_admin(client: Client) -> None:
    """The superuser neither, neither singly nor many at once."""
    line = _say()
    client.force_login(User.objects.create_superuser("root"))
    sent = {"reason": "forged", "post": "yes"}
    assert client.post(reverse("admin:staff_staffaction_add"), sent).status_code == 403
    for verb in ("change", "delete"):
        address = reverse(f"admin:staff_staffaction_{verb}", args=[line.pk])
        assert client.post(address, sent).status_code == 403
    bulk = {"action": "delete_selected", "_selected_action": [line.pk], "post": "yes"}
    client.post(LIST, bulk)
    assert StaffAction.objects.get(pk=line.pk).reason == ""


def test_a_line_shows_what_was_and_what_is_side_by_side(operator: Client) -> None:
    """Only what differs."""
    line = _say(
        before={"state": "running", "seats": 6, "staff": ["a", "b"]},
        after={"state": "paused", "seats": 6, "staff": ["b", "c"]},
        reason="Fire alarm",
    )
    page = operator.get(reverse("admin:staff_staffaction_change", args=[line.pk]))
    text = text_of(page.content.decode())
    assert "staff a c state running paused" in text
    assert "seats" not in text
    assert "Fire alarm" in text
    assert "192.0.2.7" in text
    listed = text_of(operator.get(LIST).content.decode())
    assert "state: running → paused" in listed


def test_what_somebody_typed_runs_in_no_page(operator: Client) -> None:
    """Names and reasons are escaped, in the list and on the line."""
    evil = "<script>alert(1)</script>"
    line = _say(name=evil, reason=evil, before={evil: evil}, after={})
    for address in (LIST, reverse("admin:staff_staffaction_change", args=[line.pk])):
        html = operator.get(address).content.decode()
        assert evil not in html
        assert "&lt;script&gt;alert(1)" in html


def test_lines_are_found_by_who_what_subject_reason_and_address(operator: Client) -> None:
    """By filters, and by a search."""
    _say("tournaments.pause", "one", reason="Fire alarm")
    _say("tournaments.abort", "two")
    assert _keys(operator, who="olg") == ["two", "one"]
    assert _keys(operator, action="tournaments.abort") == ["two"]
    assert _keys(operator, kind="tournament") == ["two", "one"]
    assert _keys(operator, q="fire") == ["one"]
    assert _keys(operator, q="two") == ["two"]
    assert _keys(operator, q="192.0.2.7") == ["two", "one"]
    assert _keys(operator, who="nobody") == []


def test_the_lines_of_a_bulk_action_lead_to_one_another(operator: Client) -> None:
    """By their batch."""
    with acting_on_many(by=doer(), action="x", subjects=[cup("a"), cup("b")]):
        pass
    line = StaffAction.objects.filter(action="x").order_by("-id")[0]
    page = operator.get(reverse("admin:staff_staffaction_change", args=[line.pk]))
    assert f"?q={line.batch}" in page.content.decode()
    assert sorted(_keys(operator, q=line.batch)) == ["a", "b"]


def test_days_are_counted_from_midnight_to_midnight_both_included(operator: Client) -> None:
    """In the reader's time zone."""
    midnight = datetime(2026, 6, 2, tzinfo=UTC)
    for key, moment in (("late", -1), ("first", 0), ("last", 86_399), ("next", 86_400)):
        _say(key=key, at=midnight + timedelta(seconds=moment))
    days = {"at_from": "2026-06-02", "at_to": "2026-06-02"}
    assert _keys(operator, **days) == ["last", "first"]
    assert _keys(operator, at_from="2026-06-03", at_to="2026-06-03") == ["next"]
    assert len(_keys(operator, at_from="yesterday", at_to="2026-99-99")) == 5


def test_periods_lead_from_years_to_months_to_days(operator: Client) -> None:
    """All that lie between the first line and the last, whether or not they hold one."""
    _say(key="old", at=datetime(2024, 11, 30, 12, tzinfo=UTC))
    _say(key="new", at=datetime(2025, 1, 2, 12, tzinfo=UTC))
    assert _keys(operator, period="2024") == ["old"]
    assert _keys(operator, period="2024-11") == ["old"]
    assert _keys(operator, period="2024-11-30") == ["old"]
    assert _keys(operator, period="2024-12") == []
    assert _keys(operator, period="2025-01-02") == ["new"]
    for nonsense in ("2024-13", "0", "2024-02-31", "x", "9999-12-31-1", "9999"):
        assert operator.get(LIST, {"period": nonsense}).status_code == 200
    months = operator.get(LIST, {"period": "2024"}).content.decode()
    assert "November 2024" in months
    assert "December 2024" in months
    assert "October 2024" not in months


# Files

NAMES = ["=1+1", "+1", "-1", "@x"]


def _saved(client: Client, form: str, **asked: str) -> bytes:
    answer = client.get(reverse("admin:staff_staffaction_export", args=[form]), asked)
    assert answer.status_code == 200
    assert f'filename="audit-log.{form}"' in answer["Content-Disposition"]
    return answer.content


def test_no_name_is_a_formula_in_a_file(operator: Client) -> None:
    """Names that a spreadsheet would run are text in CSV and in XLSX."""
    for number, name in enumerate(NAMES):
        _say(key=f"k{number}", name=name, reason=name, after={"name": name})
    rows = list(csv.reader(io.StringIO(_saved(operator, "csv", kind="tournament").decode())))
    start = rows.index([*log_admin._COLUMNS])
    subject = log_admin._COLUMNS.index("subject")
    assert [row[subject] for row in rows[start + 1 :]] == [f"'{name}" for name in reversed(NAMES)]
    for row in rows:
        assert [cell for cell in row if cell[:1] in "=+-@" and cell] == []
    page = load_workbook(io.BytesIO(_saved(operator, "xlsx", kind="tournament"))).worksheets[0]
    for cells in page.iter_rows():
        for cell in cells:
            assert cell.data_type != "f"
            assert str(cell.value or "")[:1] not in tuple("=+-@")


def test_a_file_holds_what_the_list_is_filtered_to_and_its_saving_is_a_line(
    operator: Client,
) -> None:
    """Who took which lines away is known, too."""
    _say("tournaments.abort", "gone")
    _say("tournaments.pause", "kept")
    text = _saved(operator, "csv", action="tournaments.abort").decode()
    assert "gone" in text
    assert "kept" not in text
    line = StaffAction.objects.order_by("-id")[0]
    assert (line.action, line.actor_name) == ("staff.export_log", "opal")
    assert line.after == {"lines": 1, "filters": {"action": "tournaments.abort"}}


def test_more_lines_than_a_file_takes_are_asked_to_be_fewer(
    operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And there is no form of file but those offered."""
    monkeypatch.setattr(log_admin, "MOST", 2)
    for key in ("one", "two", "three"):
        _say(key=key)
    address = reverse("admin:staff_staffaction_export", args=["csv"])
    answer = operator.get(address, {"kind": "tournament"}, follow=True)
    assert "Choose a shorter time" in text_of(answer.content.decode())
    assert operator.get(address, {"q": "two", "kind": "tournament"}).status_code == 200
    pdf = reverse("admin:staff_staffaction_export", args=["pdf"])
    assert operator.get(pdf).status_code == 404


# Cost


def _queries(client: Client, address: str, **asked: str) -> int:
    with CaptureQueriesContext(connection) as seen:
        assert client.get(address, asked).status_code == 200
    return len(seen)


def test_the_list_and_the_file_take_as_many_queries_for_5000_lines_as_for_10(
    operator: Client,
) -> None:
    """However it is filtered."""
    address = reverse("admin:staff_staffaction_export", args=["csv"])
    asked: list[dict[str, str]] = [{}, {"q": "cup"}, {"period": "2026-06"}, {"action": "x"}]

    def counted() -> list[int]:
        lists = [_queries(operator, LIST, **one) for one in asked]
        return [*lists, _queries(operator, address, kind="tournament")]

    by, subjects = doer(), [cup(f"k{n}") for n in range(5_000)]
    with acting_on_many(by=by, action="x", subjects=subjects[:10]):
        pass
    few = counted()
    with acting_on_many(by=by, action="x", subjects=subjects):
        pass
    assert counted() == few


# What is asked strangely


@pytest.mark.parametrize(
    "asked", [{"page": "1"}, {"at__gte": "x"}, {"actor": "9" * 19}, {"actor__password": "x"}]
)
def test_a_file_of_what_no_list_can_be_asked_for_is_refused_and_no_fault(
    operator: Client, asked: dict[str, str]
) -> None:
    """The list says so; nothing is saved."""
    operator.raise_request_exception = False
    answer = operator.get(reverse("admin:staff_staffaction_export", args=["csv"]), asked)
    assert answer.status_code in (302, 400)
    assert not StaffAction.objects.filter(action="staff.export_log").exists()


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_ends_of_the_calendar_leave_no_line_out(operator: Client, day: str) -> None:
    """From there, and up to there."""
    _say(key="one")
    side = "at_from" if day < "2000" else "at_to"
    assert "one" in _keys(operator, **{side: day})


def test_characters_that_no_workbook_can_hold_break_no_file(operator: Client) -> None:
    """Whoever types one into a field would keep everybody from the log."""
    _say(key="one", after={"name": "a\x01b\x0b\ufffe"})
    page = load_workbook(io.BytesIO(_saved(operator, "xlsx", kind="tournament"))).worksheets[0]
    found = [str(cell.value) for cells in page.iter_rows() for cell in cells]
    assert "name: a\ufffdb\ufffd\ufffd" in found
