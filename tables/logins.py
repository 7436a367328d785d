"""The log-ins behind open sockets. A socket is opened with a session or a token, and ends with it:
when its user logs out, changes his password, has his token revoked, or may not log in any more.

Tables do not know whose tokens are whose; the site says in `RUMMY_KEYS` who does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils.module_loading import import_string

Held = Callable[[Collection[str], datetime], set[str]]
"""From tokens to those of them that hold now."""


class Login(NamedTuple):
    """What a socket was opened with; nothing for a visitor, who needs no log-in to look on."""

    user_id: int | None = None
    token: str = ""
    session: str = ""
    stamp: str = ""
    """Of the user's password, as his sessions carry it."""


def login_of(scope: Mapping[str, Any]) -> Login:
    """The log-in of a socket that is being opened."""
    user = scope.get("user")
    if user is None or user.pk is None:
        return Login()
    if "token" in scope:
        return Login(user.pk, token=scope["token"])
    session = scope["session"].session_key or ""
    return Login(user.pk, session=session, stamp=user.get_session_auth_hash())


def ended(logins: Collection[Login], now: datetime) -> set[Login]:
    """Those that do not hold any more. Three queries for any number of them."""
    asked = {login for login in logins if login.user_id is not None}
    if not asked:
        return set()
    tokens = [login.token for login in asked if login.token]
    keys = [login.session for login in asked if not login.token]
    active = get_user_model().objects.filter(is_active=True)
    users = active.in_bulk({login.user_id for login in asked})
    held: Held = import_string(settings.RUMMY_KEYS)
    valid = held(tokens, now)
    running = Session.objects.filter(session_key__in=keys, expire_date__gt=now)
    valid.update(running.values_list("session_key", flat=True))

    def holds(login: Login) -> bool:
        user = users.get(login.user_id)
        if user is None or (login.token or login.session) not in valid:
            return False
        return bool(login.token) or user.get_session_auth_hash() == login.stamp

    return {login for login in asked if not holds(login)}
