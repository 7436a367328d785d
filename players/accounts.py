"""How the site signs people up and logs them in: what differs from django-allauth's own ways."""

from __future__ import annotations

from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from django.core.mail import EmailMessage
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.services import letters


class _Posted(EmailMessage):
    """An e-mail of the library's that is sent by a task, not while a visitor waits."""

    written: EmailMessage

    def send(self, fail_silently: bool = False) -> int:  # type: ignore[override]  # typed for Django 6
        """Post it; one letter is on its way."""
        written = self.written
        letters.post(
            letters.Letter(
                subject=str(written.subject),
                text=str(written.body),
                html=_html_of(written),
                sender=written.from_email,
                to=tuple(written.to),
            )
        )
        return 1


def _html_of(message: EmailMessage) -> str:
    """The message as HTML; empty where it has none."""
    if message.content_subtype == "html":
        return str(message.body)
    return next((str(one.content) for one in getattr(message, "alternatives", ())), "")


class AccountAdapter(DefaultAccountAdapter):
    """The site's words where the library's would tell less than a player needs."""

    def render_mail(self, *args: Any, **kwargs: Any) -> EmailMessage:
        """As the library writes it, in the language of the request."""
        posted = _Posted()
        posted.written = super().render_mail(*args, **kwargs)
        return posted

    def clean_email(self, email: str) -> str:
        """Refuse an address that no column holds; the library would cut it, or fail at it."""
        MaxLengthValidator(app_settings.EMAIL_MAX_LENGTH)(email)
        return str(super().clean_email(email))

    def get_http_user_agent(self, request: HttpRequest) -> str:
        """What the browser calls itself; a dash, which every language has, where it does not."""
        return request.headers.get("User-Agent") or "–"

    error_messages: dict[str, Any] = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _(
            "User name and password do not match. The password is case-sensitive."
        ),
        "too_many_login_attempts": _(
            "That was tried too often. Wait five minutes, or reset your password."
        ),
        "username_taken": _("This name is taken. Choose another."),
    }
