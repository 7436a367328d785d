"""How the site signs people up and logs them in: what differs from django-allauth's own ways."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.utils.translation import gettext_lazy as _


class AccountAdapter(DefaultAccountAdapter):
    """The site's words where the library's would tell less than a player needs."""

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
