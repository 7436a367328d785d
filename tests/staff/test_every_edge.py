"""No member of the staff changes anything that the audit log does not know.

Every test is watched (see `watch`). Here is proven that the watch sees, that it looks at every
address only staff may send to, and that each of those is pressed by some test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.urls import reverse

from staff.services.audit import Line
from tests.showcase import Showcase, make_showcase, url_names
from tests.staff.watch import OUTSIDE_THE_ADMIN, UntoldDeed, Written, is_staff_only
from tests.tournaments.helpers import terms
from tests.tournaments.sheets import in_person
from tournaments import in_person_views
from tournaments.models import Shape

pytestmark = pytest.mark.django_db

HERE = Path(__file__).parent.parent

PRESSED: dict[str, str] = {
    "tables:sheet": "tables/test_sheet_pages.py",
    "tournaments:go-on": "tournaments/test_seating.py",
    "payouts:pay": "tournaments/test_payout_audit.py",
    "approvals": "site/test_approvals.py",
    "books:adjust": "ledger/test_desk.py",
    "books:check": "ledger/test_desk.py",
    "books:freeze": "ledger/test_desk.py",
    "books:reverse": "ledger/test_desk.py",
    "api-desk-approvals": "site/test_desk_api.py",
    "admin:tournaments_schedule_add": "tournaments/test_desk_lists_pages.py",
    **dict.fromkeys(
        (
            f"admin:tournaments_tournament_changelist#many_{step}"
            for step in ("announce", "open_registration", "close_registration", "cancel")
        ),
        "tournaments/test_desk_lists_pages.py",
    ),
    "admin:auth_user_add": "staff/test_people_admin.py",
    "admin:auth_user_change": "staff/test_people_admin.py",
    "admin:auth_user_password_change": "staff/test_people_admin.py",
    "admin:auth_group_add": "staff/test_every_edge.py",
    "admin:auth_group_change": "staff/test_people_admin.py",
    "admin:auth_group_delete": "staff/test_every_edge.py",
    "admin:auth_group_changelist#delete_selected": "staff/test_people_admin.py",
    "admin:mfa_authenticator_delete": "staff/test_people_admin.py",
    "admin:mfa_authenticator_changelist#delete_selected": "staff/test_every_edge.py",
    "admin:usersessions_usersession_delete": "staff/test_people_admin.py",
    "admin:usersessions_usersession_changelist#delete_selected": "staff/test_every_edge.py",
    "admin:account_emailaddress_changelist#make_verified": "staff/test_people_admin.py",
    "admin:tournaments_tournament_add": "tournaments/test_setup_form.py",
    "admin:tournaments_deed": "tournaments/test_control_deeds.py",
    "admin:tournaments_step": "tournaments/test_desk_steps_pages.py",
    "admin:tournaments_copy": "tournaments/test_desk_steps_pages.py",
    "admin:tournaments_keep": "tournaments/test_template_pages.py",
    "admin:tournaments_template": "tournaments/test_template_pages.py",
    "admin:tournaments_entrants_act": "tournaments/test_desk_entrants_pages.py",
    "admin:tournaments_entrants_add": "tournaments/test_desk_entrants_pages.py",
    "admin:tournaments_import": "tournaments/test_desk_entrants_pages.py",
    "admin:tournaments_entrant": "tournaments/test_desk_entrants_pages.py",
    "admin:tournaments_birth": "tournaments/test_desk_entrants_pages.py",
    "admin:tournaments_invitations": "tournaments/test_desk_entrants_pages.py",
    "admin:tournaments_staff": "tournaments/test_duty_pages.py",
    "admin:tournaments_check_in": "tournaments/test_desk_door_pages.py",
    "admin:tournaments_check_in_hand": "tournaments/test_desk_door_pages.py",
    "admin:tournaments_check_in_code": "tournaments/test_desk_door_pages.py",
}
"""What only staff may send to, and the file whose tests send to it."""

LOOKS = {
    "admin:index",
    "admin:search",
    "admin:app_list",
    "admin:autocomplete",
    "admin:jsi18n",
    "admin:view_on_site",
    "admin:login",
    "admin:logout",
    "admin:password_change",
    "admin:password_change_done",
    "admin:staff_staffaction_export",
    "admin:tournaments_preview",
    "admin:tournaments_new_preview",
    "admin:tournaments_redraw",
    "admin:tournaments_new_redraw",
    "admin:tournaments_control",
    "admin:tournaments_control_part",
    "admin:tournaments_control_chat",
    "admin:tournaments_entrants",
    "admin:tournaments_export",
    "admin:tournaments_paper",
}
"""Pages of the admin that answer to a form and change nothing."""

_PLAIN = re.compile(r"_(changelist|add|change|delete|history)$")


def _by_permission() -> Iterator[str]:
    """What a superuser may do to rows by Django's own pages."""
    request = RequestFactory().get("/")
    request.user = User(is_active=True, is_staff=True, is_superuser=True)
    for model, model_admin in admin.site._registry.items():
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        for verb in ("add", "change", "delete"):
            if getattr(model_admin, f"has_{verb}_permission")(request):
                yield f"{base}_{verb}"
        for action in model_admin.get_actions(request):
            yield f"{base}_changelist#{action}"


def _of_the_desk() -> Iterator[str]:
    """Pages under the admin's address that we or a library have added."""
    for name in url_names():
        if name.startswith("admin:") and not _PLAIN.search(name) and name not in LOOKS:
            yield name


def _answer(showcase: Showcase, role: str, name: str, parts: tuple[str, ...]) -> int:
    client = Client(raise_request_exception=False)
    client.force_login(showcase.people[role])
    before = transaction.savepoint()
    answer = client.post(showcase.address_of(name, *parts))
    transaction.savepoint_rollback(before)
    if answer.status_code == 302 and "login" in answer["Location"]:
        return 401
    return answer.status_code


def _by_answer(showcase: Showcase) -> Iterator[str]:
    """Other addresses that refuse a player and do not refuse a superuser."""
    for name, parts in url_names().items():
        if name.startswith(("admin:", "admin/", "account_", "mfa_", "usersessions_")):
            continue
        player = _answer(showcase, "other", name, parts)
        root = _answer(showcase, "superuser", name, parts)
        if player in (401, 403, 404) and player != root and root not in (403, 405):
            yield name


def test_every_address_that_only_staff_may_send_to_is_watched_and_pressed_by_a_test() -> None:
    """Whoever adds one says here which tests press it; they are watched then."""
    showcase = make_showcase()
    found = {*_by_permission(), *_of_the_desk(), *_by_answer(showcase)}
    assert found - PRESSED.keys() == set(), "Say in PRESSED which tests press these."
    outside = {name for name in found & url_names().keys() if not name.startswith("admin:")}
    for name in outside:
        address = showcase.address_of(name, *url_names()[name])
        assert is_staff_only(address), f"{name} is not watched; name it in the watch."


def test_the_files_that_press_them_send_something() -> None:
    """A file that is gone, or only looks, proves nothing."""
    for name, file in PRESSED.items():
        text = (HERE / file).read_text()
        assert ".post(" in text or "press(" in text, (name, file)


# The watch


@contextmanager
def _acting_without_a_line(**_: Any) -> Iterator[Line]:
    yield Line(subject=None)


def test_a_deed_without_a_line_fails_the_test_that_does_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edge whose author forgot the line is found by its own first test."""
    tournament = in_person(Shape.SINGLE, 3, terms=terms("points"))
    client.force_login(User.objects.create_superuser("root"))
    monkeypatch.setattr(in_person_views, "acting", _acting_without_a_line)
    with pytest.raises(UntoldDeed, match="go-on"):
        client.post(f"/tournaments/{tournament.public_id}/go-on/")


def test_what_was_rolled_back_was_not_written() -> None:
    """A refusal leaves nothing that needs a line."""
    written = Written()
    with connection.execute_wrapper(written):
        try:
            with transaction.atomic():
                Group.objects.create(name="Helpers")
                raise ValueError("no")
        except ValueError:
            pass
        assert written.tables == []
        Group.objects.create(name="Helpers")
    assert written.tables == ["auth_group"]


def test_what_stands_outside_the_admin_is_there() -> None:
    """A name that no address has watches nothing."""
    assert url_names().keys() >= OUTSIDE_THE_ADMIN


def test_roles_are_made_and_deleted_and_log_ins_taken_away_under_the_watch(client: Client) -> None:
    """What no other test presses: these leave their lines, or the watch fails this one."""
    from allauth.mfa.models import Authenticator
    from allauth.usersessions.models import UserSession

    root = User.objects.create_superuser("root")
    client.force_login(root)
    client.post(reverse("admin:auth_group_add"), {"name": "Helpers"})
    group = Group.objects.get(name="Helpers")
    client.post(reverse("admin:auth_group_delete", args=[group.pk]), {"post": "yes"})
    assert not Group.objects.filter(name="Helpers").exists()
    one = Authenticator.objects.create(user=root, type="totp", data={"secret": "x"})
    two = UserSession.objects.create(user=root, session_key="k", ip="192.0.2.1", user_agent="x")
    for row in (one, two):
        kind = f"{row._meta.app_label}_{row._meta.model_name}"
        bulk = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
        client.post(reverse(f"admin:{kind}_changelist"), bulk)
        assert not type(row).objects.filter(pk=row.pk).exists()
