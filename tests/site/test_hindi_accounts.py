"""Accounts in Hindi: sign-up, log-in, addresses, passwords, second factors, and their e-mails.

Their pages are django-allauth's, which has no Hindi; `texts --update` collects what it says, and
these walks go to where it says it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.translation import trans_real

from players.models import Profile
from players.services import letters
from tests.site.hindi import NAMES, english_in, language_and_texts

pytestmark = pytest.mark.django_db

PASSWORD = "open-deck-7"
KNOWN = NAMES | {"asha", "ravi", "meera", "testserver", "club", "example"}

NAMED = {"हिन्दी"}
"""A language is called in its own words."""


class _Missed:
    """Stands behind the Hindi words and notes what they are asked for in vain."""

    def __init__(self, english: Any) -> None:
        self.english, self.texts = english, set[str]()

    def gettext(self, text: str) -> str:
        self.texts.add(text)
        return str(self.english.gettext(text))

    def ngettext(self, one: str, many: str, number: int) -> str:
        self.texts.add(one)
        return str(self.english.ngettext(one, many, number))


@pytest.fixture
def missed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Texts that somebody has asked for and that have no Hindi."""
    hindi: Any = trans_real.translation("hi")
    behind = _Missed(hindi._fallback)
    monkeypatch.setattr(hindi, "_fallback", behind)
    return behind.texts


@dataclass
class Walk:
    """Goes through pages as a Hindi reader and keeps what was English on them."""

    browser: Client = field(default_factory=lambda: Client(headers={"accept-language": "hi"}))
    english: dict[str, list[str]] = field(default_factory=dict)
    shown: int = 0

    def get(self, name: str, *parts: str) -> HttpResponse:
        """Look at a page."""
        return self._read(name, self.browser.get(_address(name, *parts), follow=True))

    def post(self, name: str, *parts: str, **sent: str) -> HttpResponse:
        """Send a form, and look at where it leads."""
        answer = self.browser.post(_address(name, *parts), sent, follow=True)
        return self._read(f"{name} {sent}", answer)

    def refused(self, name: str, *parts: str, **sent: str) -> None:
        """Send a form that is wrong, and read why."""
        answer = self.post(name, *parts, **sent)
        assert 'class="error"' in answer.text or "errorlist" in answer.text, (name, sent)

    def _read(self, what: str, answer: Any) -> Any:
        language, _texts = language_and_texts(answer.text)
        assert language == "hi", (what, answer.status_code)
        self.shown += 1
        if found := english_in(answer.text, KNOWN):
            self.english[what] = found
        return answer


def _address(name: str, *parts: str) -> str:
    return name if name.startswith("/") else reverse(name, args=parts)


@pytest.fixture
def walk(monkeypatch: pytest.MonkeyPatch) -> Walk:
    monkeypatch.setattr(letters, "post", letters.send)
    monkeypatch.setattr(transaction, "on_commit", lambda run, **_: run())
    return Walk()


@pytest.fixture
def person() -> User:
    made = User.objects.create_user("ravi", email="ravi@club.example", password=PASSWORD)
    EmailAddress.objects.create(user=made, email=made.email, verified=True, primary=True)
    Profile.objects.create(user=made, language="hi")
    return made


def _link_in(message: Any) -> str:
    [link] = re.findall(r"https?://\S+/\S+/\S+", message.body)
    return urlsplit(link).path


def _letters() -> Iterator[str]:
    for one in mail.outbox:
        yield f"{one.subject} {one.body}"


def _nothing_english(walk: Walk, missed: set[str]) -> None:
    written = [found for letter in _letters() if (found := english_in(letter, KNOWN))]
    assert (walk.english, written, missed - NAMED) == ({}, [], set())


def test_signing_up_and_its_refusals(walk: Walk, person: User, missed: set[str]) -> None:
    good = {"username": "asha", "email": "asha@club.example", "password1": PASSWORD}
    for wrong in (
        *({"username": name} for name in ("", "x", "ravi", "a b!", "a" * 151)),
        *({"email": address} for address in ("", "nobody", f"{'a' * 300}@club.example")),
        *({"password1": word} for word in ("", "short", "password", "12345678901")),
        {"username": "asha-asha", "password1": "asha-asha"},
    ):
        walk.refused("account_signup", **(good | wrong))
    walk.post("account_signup", **good)
    walk.get("account_signup")
    walk.get("login")
    page = _link_in(mail.outbox[0])
    walk.get(page)
    walk.post(page)
    walk.get(page)
    walk.get("account_confirm_email", "no-such-key")
    Walk(english=walk.english).post("account_signup", **(good | {"username": "meera"}))
    assert len(mail.outbox) == 2
    _nothing_english(walk, missed)


def test_logging_in_and_out_and_what_is_refused_there(
    walk: Walk, person: User, missed: set[str], settings: Any
) -> None:
    walk.refused("login")
    walk.refused("login", login="ravi", password="wrong")
    walk.get("players:settings")
    walk.post("login", login="ravi", password=PASSWORD, remember="on")
    walk.get("account_logout")
    walk.post("account_logout")
    User.objects.filter(pk=person.pk).update(is_active=False)
    walk.post("login", login="ravi", password=PASSWORD)
    settings.ACCOUNT_RATE_LIMITS = {}
    cache.clear()
    for _ in range(6):
        walk.refused("login", login="ravi", password="wrong")
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/m/ip"}
    for _ in range(2):
        answer = walk.post("account_signup", username="x")
    cache.clear()
    assert answer.status_code == 429
    _nothing_english(walk, missed)


def test_a_forgotten_password(walk: Walk, person: User, missed: set[str]) -> None:
    for wrong in ("", "nobody"):
        walk.refused("account_reset_password", email=wrong)
    walk.post("account_reset_password", email="ravi@club.example")
    page = _link_in(mail.outbox[0])
    asked = walk.browser.get(page)["Location"]
    walk.get(page)
    walk.refused(asked, password1="", password2="")
    walk.refused(asked, password1="short", password2="other")
    walk.refused(asked, password1="closed-deck-8", password2="closed-deck-9")
    walk.post(asked, password1="closed-deck-8", password2="closed-deck-8")
    walk.get(page)
    assert len(mail.outbox) == 2
    _nothing_english(walk, missed)


def test_a_password_is_changed_or_set(walk: Walk, person: User, missed: set[str]) -> None:
    walk.browser.force_login(person)
    change, good = "account_change_password", {"password1": "closed-deck-8"}
    walk.refused(change)
    walk.refused(change, oldpassword="wrong", password2="closed-deck-8", **good)
    walk.refused(change, oldpassword=PASSWORD, password2="closed-deck-9", **good)
    walk.refused(change, oldpassword=PASSWORD, password1="ravi@club.ex", password2="ravi@club.ex")
    walk.refused(change, oldpassword=PASSWORD, password1="password", password2="password")
    walk.refused(change, oldpassword=PASSWORD, password1="1234567890", password2="1234567890")
    walk.post(change, oldpassword=PASSWORD, password2="closed-deck-8", **good)
    person.refresh_from_db()
    person.set_unusable_password()
    person.save()
    walk.browser.force_login(person)
    walk.get("account_set_password")
    walk.refused("account_set_password", password1="short", password2="other")
    walk.post("account_set_password", password1=PASSWORD, password2=PASSWORD)
    assert len(mail.outbox) == 2
    _nothing_english(walk, missed)


def test_addresses_come_and_go(walk: Walk, person: User, missed: set[str]) -> None:
    walk.browser.force_login(person)
    _prove(walk)
    addresses, second = "account_email", "second@club.example"
    for wrong in ("", "nobody", "ravi@club.example"):
        walk.refused(addresses, action_add="", email=wrong)
    walk.post(addresses, action_add="", email=second)
    walk.post(addresses, action_send="", email=second)
    walk.post(addresses, action_primary="", email=second)
    walk.post(addresses, action_remove="", email="ravi@club.example")
    walk.post(_link_in(mail.outbox[0]))
    walk.post(addresses, action_primary="", email=second)
    for more in ("third", "fourth"):
        walk.post(addresses, action_add="", email=f"{more}@club.example")
    walk.post(addresses, action_add="", email="fifth@club.example")
    walk.post(addresses, action_remove="", email="third@club.example")
    assert len(mail.outbox) > 4
    EmailAddress.objects.all().delete()
    walk.get(addresses)
    _nothing_english(walk, missed)


def _prove(walk: Walk) -> None:
    """Say once more who one is."""
    walk.refused("account_reauthenticate")
    walk.refused("account_reauthenticate", password="wrong")
    walk.post("account_reauthenticate", password=PASSWORD)


def _code(secret: str, later: int = 0) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later))


def test_a_second_factor_is_set_up_used_and_taken_away(
    walk: Walk, person: User, missed: set[str]
) -> None:
    walk.browser.force_login(person)
    _prove(walk)
    walk.get("mfa_index")
    page: Any = walk.get("mfa_activate_totp")
    secret = page.context["form"].secret
    for wrong in ("", "000000", "letters"):
        walk.refused("mfa_activate_totp", code=wrong)
    walk.post("mfa_activate_totp", code=_code(secret))
    for name in ("mfa_index", "mfa_view_recovery_codes", "mfa_generate_recovery_codes"):
        walk.get(name)
    walk.post("mfa_generate_recovery_codes")
    walk.post("account_email", action_add="", email="second@club.example")
    walk.get("mfa_activate_totp")
    walk.browser.logout()
    walk.post("login", login="ravi", password=PASSWORD)
    for wrong in ("", "000000"):
        walk.refused("mfa_authenticate", code=wrong)
    cache.clear()
    walk.post("mfa_authenticate", code=_code(secret, 1))
    session = walk.browser.session
    session["account_authentication_methods"] = []
    session.save()
    walk.get("mfa_reauthenticate")
    for wrong in ("", "000000"):
        walk.refused("mfa_reauthenticate", code=wrong)
    _prove(walk)
    walk.get("mfa_deactivate_totp")
    walk.post("mfa_deactivate_totp")
    walk.get("mfa_view_recovery_codes")
    assert len(mail.outbox) > 2
    _nothing_english(walk, missed)


def test_log_ins_elsewhere_are_ended(walk: Walk, person: User, missed: set[str]) -> None:
    elsewhere = Walk()
    for one in (elsewhere, walk):
        one.post("login", login="ravi", password=PASSWORD)
    walk.get("usersessions_list")
    walk.post("usersessions_list")
    assert SESSION_KEY in walk.browser.session
    assert SESSION_KEY not in elsewhere.browser.session
    _nothing_english(walk, missed)
