"""Staff's coming in, failing to, and changing what they log in with are in the audit log."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.test import Client, override_settings

from staff.models import StaffAction
from tests.players.test_accounts import code_now
from tests.staff.helpers import member

pytestmark = pytest.mark.django_db


def _told() -> list[tuple[str, str, str]]:
    """Action, who and whom of every line."""
    rows = StaffAction.objects.order_by("id")
    return list(rows.values_list("action", "actor_name", "subject_name"))


def _log_in(client: Client, name: str, password: str, **more: Any) -> Any:
    return client.post("/login/", {"login": name, "password": password}, **more)


def test_a_member_of_the_staff_who_logs_in_leaves_a_line(client: Client) -> None:
    """With the address he comes from."""
    user = member("olga")
    _log_in(client, "olga", "secret", REMOTE_ADDR="192.0.2.44")
    line = StaffAction.objects.get()
    assert (line.action, line.actor, line.origin) == ("staff.log_in", user, "192.0.2.44")
    assert (line.subject_kind, line.subject) == ("user", str(user.pk))


@pytest.mark.parametrize(("proxies", "found"), [(0, "127.0.0.1"), (1, "198.51.100.9")])
def test_the_address_behind_a_proxy_is_the_one_the_proxy_adds(
    client: Client, proxies: int, found: str
) -> None:
    """As limits of attempts take it."""
    member("olga")
    with override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=proxies):
        _log_in(client, "olga", "secret", HTTP_X_FORWARDED_FOR="10.9.9.9, 198.51.100.9")
    assert StaffAction.objects.get().origin == found


@pytest.mark.parametrize("name", ["olga", "OLGA", "olga@example.org"])
def test_a_wrong_password_for_a_name_of_the_staff_leaves_a_line_of_nobody(
    client: Client, name: str
) -> None:
    """Who tried is not known; what he typed is kept, his password is not."""
    user = member("olga", email="olga@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    with override_settings(ACCOUNT_LOGIN_METHODS={"username", "email"}):
        _log_in(client, name, "guess-of-somebody")
    line = StaffAction.objects.order_by("id")[0]
    assert (line.action, line.actor, line.actor_name) == ("staff.log_in_failed", None, name)
    assert (line.subject, line.after) == (str(user.pk), {"wrong": "password"})
    assert "guess-of-somebody" not in str(StaffAction.objects.values())


def test_players_and_unknown_names_leave_no_line(client: Client) -> None:
    """The log is of staff; guesses at players are limited, not written down."""
    User.objects.create_user("asha", password="secret")
    _log_in(client, "asha", "wrong")
    _log_in(client, "nobody", "wrong")
    _log_in(client, "asha", "secret")
    assert _told() == []


def test_a_wrong_password_over_the_api_leaves_a_line_too(client: Client) -> None:
    """There is no way in that is not watched."""
    member("olga")
    sent = {"username": "olga", "password": "wrong"}
    assert client.post("/api/token/", sent, content_type="application/json").status_code == 403
    assert _told() == [("staff.log_in_failed", "olga", "olga")]


def test_a_wrong_second_factor_leaves_a_line(client: Client) -> None:
    """The password was right, so somebody knows it."""
    user = member("olga")
    totp.TOTP.activate(user, totp.generate_totp_secret())
    _log_in(client, "olga", "secret")
    client.post("/account/2fa/authenticate/", {"code": "000000"})
    line = StaffAction.objects.get()
    assert (line.action, line.after) == ("staff.log_in_failed", {"wrong": "second factor"})


def _totp(client: Client) -> Any:
    """Set up a second factor as the page does."""
    client.post("/account/reauthenticate/", {"password": "secret"})
    secret = client.get("/account/2fa/totp/activate/").context["form"].secret
    return client.post("/account/2fa/totp/activate/", {"code": code_now(secret)})


def test_a_second_factor_that_staff_set_up_leaves_a_line(client: Client) -> None:
    """So does taking it away; a player's does not."""
    member("olga")
    _log_in(client, "olga", "secret")
    assert _totp(client).status_code == 302
    client.post("/account/2fa/totp/deactivate/")
    actions = [action for action, _who, _whom in _told()]
    assert actions[0] == "staff.log_in"
    assert "staff.second_factor_added" in actions
    assert actions[-1] == "staff.second_factor_removed"


def test_a_password_that_staff_change_leaves_a_line(client: Client) -> None:
    """Not the word itself."""
    member("olga")
    _log_in(client, "olga", "secret")
    sent = {"oldpassword": "secret", "password1": "xk-19-words", "password2": "xk-19-words"}
    assert client.post("/account/password/change/", sent).status_code == 302
    assert _told()[-1] == ("staff.password_changed", "olga", "olga")
    assert "xk-19-words" not in str(StaffAction.objects.values())


def test_where_the_line_cannot_be_written_the_password_stays(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the library writes and the line of it are one transaction."""
    user = member("olga")
    _log_in(client, "olga", "secret")

    def fails(*_: object, **__: object) -> None:
        raise DatabaseError("disk full")

    monkeypatch.setattr(StaffAction.objects, "bulk_create", fails)
    client.raise_request_exception = False
    sent = {"oldpassword": "secret", "password1": "xk-19-words", "password2": "xk-19-words"}
    assert client.post("/account/password/change/", sent).status_code == 500
    user.refresh_from_db()
    assert user.check_password("secret")


def test_the_admins_own_page_for_passwords_leads_to_the_sites(client: Client) -> None:
    """Which asks for the old one, tells the address on file, and is in the log."""
    member("olga")
    _log_in(client, "olga", "secret")
    sent = {"old_password": "secret", "new_password1": "xk-19", "new_password2": "xk-19"}
    for answer in (
        client.get("/admin/password_change/"),
        client.post("/admin/password_change/", sent),
    ):
        assert (answer.status_code, answer["Location"]) == (302, "/account/password/change/")
    assert not Authenticator.objects.exists()
    assert User.objects.get(username="olga").check_password("secret")
