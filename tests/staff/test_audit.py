"""A line is written with what staff do, in one transaction: both happen or neither does."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection
from django.test import RequestFactory, override_settings
from django.test.utils import CaptureQueriesContext

from staff.models import MAX_NAME, MAX_REASON, StaffAction
from staff.services.audit import Subject, acting, acting_on_many, doer_of, fields_of, note
from tests.staff.helpers import NOW, cup, doer, member

pytestmark = pytest.mark.django_db


def _rename(user: User, name: str) -> None:
    User.objects.filter(pk=user.pk).update(first_name=name)


def _first_name(user: User) -> str:
    return User.objects.get(pk=user.pk).first_name


def test_a_line_says_who_when_from_where_what_to_what_before_after_and_why() -> None:
    """Everything that an auditor asks is on the line."""
    by = doer()
    player = User.objects.create_user("asha", first_name="Asha")
    with acting(
        by=by,
        action="players.rename",
        subject=Subject("player", "asha", "Asha"),
        reason="  asked for it ",
        picture=lambda: fields_of(User.objects.get(pk=player.pk), "first_name"),
    ):
        _rename(player, "Usha")
    line = StaffAction.objects.get()
    assert (line.actor, line.actor_name, line.origin, line.at) == (by.user, "olga", by.origin, NOW)
    assert (line.action, line.subject_kind, line.subject) == ("players.rename", "player", "asha")
    assert (line.subject_name, line.reason, line.batch) == ("Asha", "asked for it", "")
    assert (line.before, line.after) == ({"first_name": "Asha"}, {"first_name": "Usha"})


def test_what_the_service_refuses_leaves_no_line() -> None:
    """A refusal undoes what was done before it, and nothing is said to have happened."""
    player = User.objects.create_user("asha")

    def refuse() -> None:
        _rename(player, "Usha")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"), acting(by=doer(), action="x", subject=cup()):
        refuse()
    assert not StaffAction.objects.exists()
    assert _first_name(player) == ""


def test_where_the_line_cannot_be_written_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing that staff did and the log does not know."""
    player = User.objects.create_user("asha")
    by = doer()

    def fails(*_: object, **__: object) -> None:
        raise DatabaseError("disk full")

    monkeypatch.setattr(StaffAction.objects, "bulk_create", fails)
    with pytest.raises(DatabaseError), acting(by=by, action="x", subject=cup()):
        _rename(player, "Usha")
    assert _first_name(player) == ""


def test_a_line_without_a_subject_is_refused_and_nothing_is_done() -> None:
    """An edge that forgets to say what it made is found by its first use."""
    player = User.objects.create_user("asha")
    with pytest.raises(ValueError, match="names no subject"), acting(by=doer(), action="x"):
        _rename(player, "Usha")
    assert _first_name(player) == ""


def test_the_subject_may_be_known_only_after_it_was_made() -> None:
    """What is created is named once it is there."""
    with acting(by=doer(), action="tournaments.create") as line:
        line.subject, line.after = cup("new"), {"capacity": 12}
    written = StaffAction.objects.get()
    assert (written.subject, written.after, written.before) == ("new", {"capacity": 12}, {})


def test_a_line_may_be_left_out_where_nothing_was_to_be_done() -> None:
    """Pressing a button that finds nothing due is no deed."""
    with acting(by=doer(), action="x", subject=cup()) as line:
        line.leave_out()
    assert not StaffAction.objects.exists()


def test_a_bulk_action_writes_a_line_for_each_subject_of_one_batch_in_one_statement() -> None:
    """Ten rows at once are ten lines, and they know that they belong together."""
    by, subjects = doer(), [cup(f"key-{n}") for n in range(10)]
    counted = iter(range(2))

    def pictures() -> dict[str, dict[str, int]]:
        step = next(counted)
        return {one.key: {"step": step} for one in subjects}

    with (
        CaptureQueriesContext(
            connection,
        ) as seen,
        acting_on_many(by=by, action="x", subjects=subjects, pictures=pictures),
    ):
        pass
    assert len([q for q in seen if q["sql"].startswith("INSERT")]) == 1
    lines = StaffAction.objects.order_by("id")
    assert [line.subject for line in lines] == [one.key for one in subjects]
    assert {(line.before["step"], line.after["step"]) for line in lines} == {(0, 1)}
    assert len({line.batch for line in lines}) == 1
    assert lines[0].batch != ""


def test_a_bulk_action_leaves_out_what_nothing_happened_to() -> None:
    """Of two chosen, the one that was left alone has no line."""
    with acting_on_many(by=doer(), action="x", subjects=[cup("a"), cup("b")]) as lines:
        lines["a"].leave_out()
    assert StaffAction.objects.get().subject == "b"


def test_a_bulk_action_that_is_refused_leaves_no_line_at_all() -> None:
    """All or nothing, the log included."""
    with (
        pytest.raises(ValueError, match="no"),
        acting_on_many(by=doer(), action="x", subjects=[cup("a"), cup("b")]),
    ):
        raise ValueError("no")
    assert not StaffAction.objects.exists()


def test_texts_are_cut_to_their_columns_and_hold_no_nul() -> None:
    """What PostgreSQL cannot store is left out, on both databases alike."""
    name = "n\0" * 500
    note(
        by=doer(),
        action="x",
        subject=Subject("player", "k" * 500, name),
        reason="r" * 900,
        after={"na\0me": ["a\0", {"b": "\\u0000"}]},
    )
    line = StaffAction.objects.get()
    assert line.subject_name == "n" * MAX_NAME
    assert (len(line.reason), len(line.subject)) == (MAX_REASON, 120)
    assert line.after == {"name": ["a", {"b": "\\u0000"}]}


def test_nothing_in_a_text_turns_a_line_of_the_log_around_or_breaks_it() -> None:
    """Whoever writes a reason does not write what stands beside it; Hindi stays whole."""
    word = "श्रीमान्\u200c जी"
    note(by=doer(), action="x", subject=cup(), reason=f"\u202eyb devorppa\r\n\x1b[2J {word}")
    assert StaffAction.objects.get().reason == f"yb devorppa   [2J {word}"


def test_nobody_who_has_not_logged_in_is_a_doer() -> None:
    """A page without its log-in check cannot act for a visitor."""
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    with pytest.raises(PermissionDenied):
        doer_of(request)


@pytest.mark.parametrize(
    ("proxies", "sent", "found"),
    [
        (0, "198.51.100.9", "192.0.2.1"),
        (1, "198.51.100.9", "198.51.100.9"),
        (1, "10.0.0.1, 198.51.100.9", "198.51.100.9"),
    ],
)
def test_the_origin_is_the_connections_unless_one_proxy_is_trusted_to_add_it(
    proxies: int, sent: str, found: str
) -> None:
    """A header that anybody can send does not count; that of our proxy does, which adds it last."""
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1", HTTP_X_FORWARDED_FOR=sent)
    request.user = member()
    with override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=proxies):
        assert doer_of(request).origin == found


def test_an_origin_that_is_no_address_is_left_empty() -> None:
    """As over a socket file."""
    request = RequestFactory().get("/", REMOTE_ADDR="")
    request.user = member()
    assert doer_of(request).origin == ""
