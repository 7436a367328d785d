"""Users, groups and log-ins in the admin: every change has its line, and few may make one."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group, Permission, User
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse

from rummy_site.roles import ARBITERS, ORGANISERS
from staff.models import StaffAction
from staff.selectors.differences import Difference, differences
from tests.staff.helpers import member

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(client: Client) -> Client:
    """A superuser's browser; his log-in has been written down already."""
    client.force_login(User.objects.create_superuser("root", password="secret"))
    return client


def _lines(action: str) -> list[StaffAction]:
    return list(StaffAction.objects.filter(action=action).order_by("id"))


def _changed(action: str) -> list[Difference]:
    [line] = _lines(action)
    assert (line.actor_name, line.origin) == ("root", "127.0.0.1")
    return differences(line.before, line.after)


def _form(user: User, **changes: Any) -> dict[str, Any]:
    """A user's form as the page sends it."""
    sent: dict[str, Any] = {
        "username": user.username,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "email": user.email,
        "is_active": "on",
        "is_staff": "on" if user.is_staff else "",
        "groups": [group.pk for group in user.groups.all()],
        "user_permissions": [],
        "date_joined_0": "2026-01-01",
        "date_joined_1": "10:00:00",
        "last_login_0": "",
        "last_login_1": "",
    }
    return {name: value for name, value in (sent | changes).items() if value != ""}


def _user_address(user: User) -> str:
    return reverse("admin:auth_user_change", args=[user.pk])


def test_a_user_who_is_made_staff_with_a_role_leaves_a_line(root: Client) -> None:
    """Groups are a related table, and stand in the same line."""
    user = User.objects.create_user("olga")
    role = Group.objects.get(name=ORGANISERS)
    sent = _form(user, is_staff="on", groups=[role.pk])
    assert root.post(_user_address(user), sent).status_code == 302
    found = {one.name: (one.before, one.after) for one in _changed("auth.change_user")}
    assert found["is_staff"] == ("no", "yes")
    assert found["groups"] == ("", "organisers")


def test_saving_a_form_that_changes_nothing_leaves_no_line(root: Client) -> None:
    """A line is a deed."""
    user = User.objects.create_user("olga")
    root.post(_user_address(user), _form(user))
    before = len(_lines("auth.change_user"))
    root.post(_user_address(user), _form(user))
    assert len(_lines("auth.change_user")) == before


def test_a_form_that_is_refused_leaves_no_line(root: Client) -> None:
    """Nothing was done."""
    user = User.objects.create_user("olga")
    assert root.post(_user_address(user), _form(user, username="a b c/")).status_code == 200
    assert _lines("auth.change_user") == []


def test_a_new_user_leaves_a_line_without_his_password(root: Client) -> None:
    """Neither the word nor its digest is in the log."""
    sent = {"username": "nina", "password1": "xk-19-words", "password2": "xk-19-words"}
    answer = root.post(reverse("admin:auth_user_add"), sent | {"usable_password": "true"})
    assert answer.status_code == 302
    [line] = _lines("auth.add_user")
    assert (line.subject_name, line.before) == ("nina", {})
    assert line.after["password"] == "(hidden)"
    assert "pbkdf2" not in str(line.after)


def test_a_password_that_is_set_for_somebody_leaves_a_line(root: Client) -> None:
    """It says that it was set, and not to what."""
    user = User.objects.create_user("olga", password="old-secret-7")
    address = reverse("admin:auth_user_password_change", args=[user.pk])
    wrong = {"password1": "xk-19-words", "password2": "another", "usable_password": "true"}
    assert root.post(address, wrong).status_code == 200
    assert _lines("auth.set_password_of_user") == []
    right = wrong | {"password2": "xk-19-words"}
    assert root.post(address, right).status_code == 302
    [line] = _lines("auth.set_password_of_user")
    assert (line.subject_name, line.after) == ("olga", {"has_password": True})


def test_users_are_not_deleted_neither_singly_nor_many_at_once(root: Client) -> None:
    """Accounts are closed; what others did with them stays."""
    user = User.objects.create_user("olga")
    address = reverse("admin:auth_user_delete", args=[user.pk])
    assert root.post(address, {"post": "yes"}).status_code == 403
    bulk = {"action": "delete_selected", "_selected_action": [user.pk], "post": "yes"}
    root.post(reverse("admin:auth_user_changelist"), bulk)
    assert User.objects.filter(pk=user.pk).exists()


def test_a_role_that_changes_leaves_a_line_with_what_it_gained_and_lost(root: Client) -> None:
    """Permissions by their names."""
    group = Group.objects.create(name="Helpers")
    old, new = Permission.objects.get(codename="mute"), Permission.objects.get(codename="arbitrate")
    group.permissions.add(old)
    address = reverse("admin:auth_group_change", args=[group.pk])
    assert root.post(address, {"name": "Helpers", "permissions": [new.pk]}).status_code == 302
    [change] = _changed("auth.change_group")
    assert (change.name, change.before, change.after) == ("permissions", str(old), str(new))


def test_roles_that_are_deleted_together_leave_a_line_each_of_one_batch(root: Client) -> None:
    """With who belonged to them."""
    groups = [Group.objects.create(name=f"Helpers {n}") for n in range(3)]
    member("olga").groups.add(groups[1])
    bulk = {
        "action": "delete_selected",
        "_selected_action": [group.pk for group in groups],
        "post": "yes",
    }
    root.post(reverse("admin:auth_group_changelist"), bulk)
    lines = _lines("auth.delete_group")
    assert [line.subject_name for line in lines] == ["Helpers 0", "Helpers 1", "Helpers 2"]
    assert [line.before["members"] for line in lines] == [[], ["olga"], []]
    assert len({line.batch for line in lines}) == 1
    assert not Group.objects.filter(name__startswith="Helpers").exists()


def test_where_a_line_cannot_be_written_nothing_is_changed_or_deleted(
    root: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a form, by a bulk action, by setting a password."""

    def fails(*_: object, **__: object) -> None:
        raise DatabaseError("disk full")

    group = Group.objects.create(name="Helpers")
    user = User.objects.create_user("olga", password="old-secret-7")
    root.raise_request_exception = False
    monkeypatch.setattr(StaffAction.objects, "bulk_create", fails)
    bulk = {"action": "delete_selected", "_selected_action": [group.pk], "post": "yes"}
    word = {"password1": "xk-19-words", "password2": "xk-19-words", "usable_password": "true"}
    for address, sent in (
        (_user_address(user), _form(user, first_name="Olga")),
        (reverse("admin:auth_group_changelist"), bulk),
        (reverse("admin:auth_user_password_change", args=[user.pk]), word),
    ):
        assert root.post(address, sent).status_code == 500
    user.refresh_from_db()
    assert (user.first_name, user.check_password("old-secret-7")) == ("", True)
    assert Group.objects.filter(pk=group.pk).exists()


def test_staff_who_may_change_users_give_nobody_rights_and_touch_no_staff(client: Client) -> None:
    """Only superusers say who may do what, so nobody gives himself more than he has."""
    helper, other = member("helper"), member("other", ARBITERS)
    names = ("view_user", "change_user", "delete_user")
    helper.user_permissions.set(Permission.objects.filter(codename__in=names))
    client.force_login(helper)
    player = User.objects.create_user("asha")
    sent = _form(player, first_name="Asha", is_staff="on", is_superuser="on")
    sent["groups"] = [Group.objects.get(name=ORGANISERS).pk]
    assert client.post(_user_address(player), sent).status_code == 302
    player.refresh_from_db()
    assert (player.first_name, player.is_staff, player.is_superuser) == ("Asha", False, False)
    assert not player.groups.exists()
    for one in (other, helper):
        assert client.post(_user_address(one), _form(one, first_name="X")).status_code == 403
        word = reverse("admin:auth_user_password_change", args=[one.pk])
        assert client.post(word, {"password1": "a", "password2": "a"}).status_code == 403


# What belongs to a log-in


def test_a_second_factor_is_taken_away_with_a_line_and_its_secret_is_never_shown(
    root: Client,
) -> None:
    """For who has lost his telephone; the secret would let somebody else log in."""
    user = member("olga")
    factor = Authenticator.objects.create(user=user, type="totp", data={"secret": "SECRETKEY"})
    page = root.get(reverse("admin:mfa_authenticator_change", args=[factor.pk]))
    assert page.status_code == 200
    assert "SECRETKEY" not in page.content.decode()
    address = reverse("admin:mfa_authenticator_delete", args=[factor.pk])
    assert root.post(address, {"post": "yes"}).status_code == 302
    [line] = _lines("mfa.delete_authenticator")
    assert (line.subject_name, line.before["type"]) == ("olga", "totp")
    assert "SECRETKEY" not in str(line.before)
    assert not Authenticator.objects.exists()


def test_a_session_that_is_taken_away_is_ended(root: Client) -> None:
    """Whoever had it is logged out, and its key is not shown."""
    user, browser = member("olga"), Client()
    browser.force_login(user)
    key = browser.session.session_key
    assert key is not None
    session = UserSession.objects.create(user=user, session_key=key, ip="192.0.2.1", user_agent="x")
    page = root.get(reverse("admin:usersessions_usersession_change", args=[session.pk]))
    assert key not in page.content.decode()
    root.post(reverse("admin:usersessions_usersession_delete", args=[session.pk]), {"post": "yes"})
    assert len(_lines("usersessions.delete_usersession")) == 1
    assert browser.get("/my/").status_code == 302


def test_an_address_is_confirmed_with_a_line_and_otherwise_left_alone(root: Client) -> None:
    """One that is confirmed already has none."""
    user = User.objects.create_user("asha")
    made = [
        EmailAddress.objects.create(user=user, email=f"{n}@example.org", verified=bool(n))
        for n in range(2)
    ]
    bulk = {"action": "make_verified", "_selected_action": [one.pk for one in made]}
    root.post(reverse("admin:account_emailaddress_changelist"), bulk)
    [change] = _changed("account.confirm_emailaddress")
    assert (change.name, change.before, change.after) == ("verified", "no", "yes")
    assert not EmailAddress.objects.filter(verified=False).exists()
    one = made[0]
    change_page = reverse("admin:account_emailaddress_change", args=[one.pk])
    assert root.post(change_page, {"email": "x@example.org"}).status_code == 403
    delete_page = reverse("admin:account_emailaddress_delete", args=[one.pk])
    assert root.post(delete_page, {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("is_staff", [True, False])
def test_a_name_that_somebody_has_signed_with_is_not_changed(root: Client, is_staff: bool) -> None:
    """Under a new one he could approve what he asked for; who is no staff any more neither."""
    user = member("olga")
    Client().force_login(user)
    User.objects.filter(pk=user.pk).update(is_staff=is_staff)
    user.refresh_from_db()
    root.post(_user_address(user), _form(user, username="olga2", last_name="Neu"))
    user.refresh_from_db()
    assert (user.username, user.last_name) == ("olga", "Neu")


def test_a_player_who_has_signed_nothing_may_get_another_name(root: Client) -> None:
    """With a line of it."""
    user = User.objects.create_user("asha")
    root.post(_user_address(user), _form(user, username="usha"))
    assert ("username", "asha", "usha") in _changed("auth.change_user")
