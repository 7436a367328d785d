"""Sign-up, confirmed addresses, resets, second factors, sessions, and what they refuse."""

from __future__ import annotations

import re
import time
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tables.logins import Login, ended
from tests.pages import Addresses

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("letters_arrive")]

PASSWORD = "open-deck-7"
NEW = {"username": "asha", "email": "asha@club.example", "password1": PASSWORD}


@pytest.fixture
def person() -> User:
    made = User.objects.create_user("ravi", email="ravi@club.example", password=PASSWORD)
    EmailAddress.objects.create(user=made, email=made.email, verified=True, primary=True)
    return made


def sign_up(client: Client, **other: str) -> Any:
    return client.post(reverse("account_signup"), NEW | other)


def log_in(client: Client, password: str = PASSWORD, **other: str) -> Any:
    return client.post(reverse("login"), {"login": "ravi", "password": password, **other})


def link_in(mail: Any) -> str:
    """The path of the one link in an e-mail."""
    [link] = re.findall(r"https?://\S+", mail.body)
    return urlsplit(link).path


def is_logged_in(client: Client) -> bool:
    return client.get(reverse("players:settings")).status_code == 200


def code_now(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def test_a_newcomer_is_logged_in_at_once_and_confirms_his_address_by_a_link(
    client: Client, mailoutbox: list[Any]
) -> None:
    assert sign_up(client)["Location"] == "/"
    assert is_logged_in(client)
    [mail] = mailoutbox
    assert mail.to == ["asha@club.example"]
    page = link_in(mail)
    assert client.get(page).status_code == 200
    assert not EmailAddress.objects.get().verified, "Looking at the link confirms nothing."
    client.post(page)
    assert EmailAddress.objects.get().verified


def test_a_wrong_link_confirms_nothing_and_says_so(client: Client) -> None:
    sign_up(client)
    page = reverse("account_confirm_email", args=["no-such-key"])
    assert "expired or is invalid" in client.get(page).text
    assert client.post(page).status_code == 404
    assert not EmailAddress.objects.get().verified


def test_a_taken_name_is_refused_beside_its_field(client: Client, person: User) -> None:
    answer = sign_up(client, username="Ravi")
    assert 'id="id_username_error"' in answer.text
    assert "This name is taken" in answer.text
    assert 'aria-describedby="id_username_error"' in answer.text
    assert User.objects.count() == 1


def test_a_taken_address_tells_nobody_and_belongs_to_who_confirmed_it(
    client: Client, person: User, mailoutbox: list[Any]
) -> None:
    assert sign_up(client, email=person.email)["Location"] == "/"
    for mail in mailoutbox:
        for page in re.findall(r"/account/confirm-email/\S+", mail.body):
            client.post(page)
    assert list(EmailAddress.objects.filter(verified=True).values_list("user_id", flat=True)) == [
        person.pk
    ]


@pytest.mark.parametrize("password", ["short", "12345678901", "password", "asha-asha"])
def test_a_poor_password_is_refused(client: Client, password: str) -> None:
    assert (
        'id="id_password1_error"' in sign_up(client, username="asha-asha", password1=password).text
    )
    assert not User.objects.exists()


def test_a_forgotten_password_is_set_anew_once_by_a_link(
    client: Client, person: User, mailoutbox: list[Any]
) -> None:
    client.post(reverse("account_reset_password"), {"email": person.email})
    link = link_in(mailoutbox[0])
    form = client.get(link)["Location"]
    client.post(form, {"password1": "closed-deck-8", "password2": "closed-deck-8"})
    assert log_in(client, "closed-deck-8")["Location"] == "/"
    assert "invalid" in Client().get(link).text


def test_an_address_that_no_column_holds_is_refused_beside_its_field(
    client: Client, person: User
) -> None:
    long = f"{'a' * 242}@club.example"
    assert 'id="id_email_error"' in sign_up(client, email=long).text
    log_in(client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    for address, is_refused in ((long, True), (long[1:], False)):
        sent = {"action_add": "", "email": address}
        answer = client.post(reverse("account_email"), sent, follow=True)
        assert ('id="id_email_error"' in answer.text) == is_refused
    assert EmailAddress.objects.filter(user=person).count() == 2


def test_a_reset_tells_nobody_whether_an_address_has_an_account(
    client: Client, person: User, mailoutbox: list[Any]
) -> None:
    page = reverse("account_reset_password")
    known = client.post(page, {"email": person.email})
    unknown = client.post(page, {"email": "nobody@club.example"})
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert [mail.to for mail in mailoutbox] == [[person.email]]


def test_logging_in_asks_for_the_second_factor_where_there_is_one(
    client: Client, person: User
) -> None:
    secret = "JBSWY3DPEHPK3PXP"
    TOTP.activate(person, secret)
    asks = log_in(client)["Location"]
    assert asks == reverse("mfa_authenticate")
    assert not is_logged_in(client)
    assert 'id="id_code_error"' in client.post(asks, {"code": "000000"}).text
    assert client.post(asks, {"code": code_now(secret)})["Location"] == "/"
    assert is_logged_in(client)


def test_a_recovery_code_logs_in_once(person: User) -> None:
    TOTP.activate(person, "JBSWY3DPEHPK3PXP")
    code = RecoveryCodes.activate(person).get_unused_codes()[0]
    for client, is_let_in in ((Client(), True), (Client(), False)):
        client.post(log_in(client)["Location"], {"code": code})
        assert is_logged_in(client) == is_let_in


def test_the_admin_cannot_be_entered_past_the_second_factor(client: Client, person: User) -> None:
    User.objects.filter(pk=person.pk).update(is_staff=True, is_superuser=True)
    TOTP.activate(person, "JBSWY3DPEHPK3PXP")
    said = {"username": "ravi", "password": PASSWORD}
    assert client.post(reverse("admin:login"), said)["Location"].startswith(reverse("login"))
    assert client.get(reverse("admin:index")).status_code == 302


def test_a_second_factor_is_set_up_with_a_picture_that_the_page_holds(
    client: Client, person: User
) -> None:
    log_in(client)
    asked = client.get(reverse("mfa_activate_totp"))["Location"]
    assert asked.startswith(reverse("account_reauthenticate"))
    client.post(asked, {"password": PASSWORD})
    page = client.get(reverse("mfa_activate_totp"))
    assert 'src="data:image/svg+xml' in page.text
    secret = page.context["form"].secret
    client.post(reverse("mfa_activate_totp"), {"code": code_now(secret)})
    assert set(Authenticator.objects.values_list("type", flat=True)) == {"totp", "recovery_codes"}


def test_too_many_wrong_passwords_are_refused_with_a_sentence(
    client: Client, person: User, settings: Any
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    cache.clear()
    for _ in range(6):
        answer = log_in(client, "wrong")
    assert "tried too often" in answer.text
    log_in(client)
    assert not is_logged_in(client), "The right one is not tried either."
    cache.clear()


def test_too_many_sign_ups_are_refused_with_a_page(client: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/m/ip"}
    cache.clear()
    sign_up(client, username="x")
    answer = sign_up(client, username="x")
    assert answer.status_code == 429
    assert "Wait five minutes" in answer.text
    cache.clear()


def test_all_other_sessions_end_at_a_players_word(person: User) -> None:
    here, there = Client(), Client(headers={"User-Agent": "Phone"})
    log_in(there)
    log_in(here)
    stamp = person.get_session_auth_hash()
    sockets = [
        Login(person.pk, session=browser.session.session_key or "", stamp=stamp)
        for browser in (here, there)
    ]
    assert ended(sockets, timezone.now()) == set()
    assert "Phone" in here.get(reverse("usersessions_list")).text
    here.post(reverse("usersessions_list"))
    assert is_logged_in(here)
    assert not is_logged_in(there)
    assert ended(sockets, timezone.now()) == {sockets[1]}, "Its tables' sockets are closed."


@pytest.mark.parametrize("name", ["login", "account_signup"])
def test_nobody_is_led_to_another_site(client: Client, person: User, name: str) -> None:
    said = {**NEW, "login": "ravi", "password": PASSWORD, "next": "https://elsewhere.example/"}
    assert client.post(reverse(name), said)["Location"] == "/"


PAGES = [
    "account_signup",
    "account_reset_password",
    "account_reset_password_done",
    "account_email_verification_sent",
    "account_inactive",
]
OWN_PAGES = [
    "account_email",
    "account_change_password",
    "account_logout",
    "account_reauthenticate",
    "mfa_index",
    "mfa_activate_totp",
    "usersessions_list",
]


@pytest.mark.parametrize("name", [*PAGES, *OWN_PAGES])
def test_pages_of_accounts_hold_nothing_inline_and_look_like_the_site(
    client: Client, person: User, name: str
) -> None:
    if name in OWN_PAGES:
        log_in(client)
        client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    answer = client.get(reverse(name))
    assert answer.status_code == 200
    assert Addresses(answer.text).inline == []
    assert 'class="site-header"' in answer.text
    assert "account.css" in answer.text
