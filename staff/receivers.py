"""What the log-in tells of staff: coming in, failing to, and changes of what they log in with.

These are other people's pages (django-allauth's); they tell by signals, and `staff.middleware`
sees to it that what they write and the line of it are one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from allauth.account import signals as account
from allauth.core import context
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.db.models import Q
from django.db.models.signals import post_delete, post_save
from django.dispatch import Signal
from django.http import HttpRequest

from staff.services.audit import Doer, Picture, Subject, doer_of, note, origin_of

LOGGED_IN: Final = "staff.log_in"
FAILED: Final = "staff.log_in_failed"

_CHANGES: Final[tuple[tuple[Signal, str], ...]] = (
    (account.password_changed, "staff.password_changed"),
    (account.password_set, "staff.password_set"),
    (account.password_reset, "staff.password_reset"),
    (account.email_added, "staff.email_added"),
    (account.email_changed, "staff.email_changed"),
    (account.email_removed, "staff.email_removed"),
)


def user_subject(user: Any) -> Subject:
    """A user as something that is acted on."""
    return Subject("user", str(user.pk), user.get_username())


def connect() -> None:
    """Begin to hear; once, when the apps are ready."""
    user_logged_in.connect(_logged_in, dispatch_uid=LOGGED_IN)
    user_login_failed.connect(_failed, dispatch_uid=FAILED)
    mfa.authentication_failed.connect(_failed_twice, dispatch_uid=FAILED)
    for signal, action in _CHANGES:
        signal.connect(_Changed(action), weak=False, dispatch_uid=action)
    # The library tells of these only when they are committed.
    post_save.connect(_factor_added, sender=Authenticator, dispatch_uid="staff.factors")
    post_delete.connect(_factor_removed, sender=Authenticator, dispatch_uid="staff.factors")


def _now() -> datetime:
    return datetime.now(UTC)


def _origin(request: HttpRequest | None) -> str:
    return "" if request is None else origin_of(request)


def _logged_in(user: User, request: HttpRequest | None = None, **_: Any) -> None:
    if user.is_staff:
        by = Doer(user, _origin(request), _now())
        note(by=by, action=LOGGED_IN, subject=user_subject(user))


def _failed(credentials: Mapping[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    """Somebody has tried a name of the staff with a wrong password; who, nobody knows."""
    name = str(credentials.get("username") or credentials.get("email") or "")
    asked = Q(username__iexact=name) | Q(email__iexact=name)
    user = User.objects.filter(asked, is_staff=True).first() if name else None
    if user is not None:
        _note_failure(user, name, request, "password")


def _failed_twice(user: User, request: HttpRequest, **_: Any) -> None:
    """The password was right, the second factor was not."""
    if user.is_staff:
        _note_failure(user, user.get_username(), request, "second factor")


def _note_failure(user: User, name: str, request: HttpRequest | None, wrong: str) -> None:
    by = Doer(None, _origin(request), _now(), name)
    note(by=by, action=FAILED, subject=user_subject(user), after={"wrong": wrong})


class _Changed:
    """Hears of one kind of change, made by a member of the staff to his own log-in."""

    def __init__(self, action: str) -> None:
        self.action = action

    def __call__(self, user: User, request: HttpRequest | None = None, **told: Any) -> None:
        if user.is_staff:
            by = Doer(user, _origin(request), _now())
            before, after = _pictures(told)
            subject = user_subject(user)
            note(by=by, action=self.action, subject=subject, before=before, after=after)


def _factor_added(instance: Authenticator, created: bool, **_: Any) -> None:
    if created:
        _note_factor(instance, "staff.second_factor_added", {}, {"kind": instance.type})


def _factor_removed(instance: Authenticator, **_: Any) -> None:
    _note_factor(instance, "staff.second_factor_removed", {"kind": instance.type}, {})


def _note_factor(factor: Authenticator, action: str, before: Picture, after: Picture) -> None:
    """Of one's own; what a superuser takes away is told by the admin."""
    request = context.request
    if request is not None and request.user == factor.user and factor.user.is_staff:
        by = doer_of(request)
        note(by=by, action=action, subject=user_subject(by.user), before=before, after=after)


def _pictures(told: Mapping[str, Any]) -> tuple[Picture, Picture]:
    """The address that was and the one that is, where it is about addresses."""
    old = told.get("from_email_address")
    new = told.get("to_email_address") or told.get("email_address")
    return (
        {} if old is None else {"email": old.email},
        {} if new is None else {"email": new.email},
    )
