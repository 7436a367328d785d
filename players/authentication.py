"""Keys over HTTP: `Authorization: Token <key>`, and whether a key may do what is asked with it.

A view says what a key needs for it: `write_scope` for what changes something (`account` unless it
says so), `key_scope` for everything it does ("" for any key). Reading needs `read`. So a new view
is never open to a key that was not made for it. A session may do all that its user may.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from players.models import Key, Scope
from players.selectors.keys import key_of
from players.services.tokens import used


def scope_needed(view: Any, method: str) -> str:
    """The scope that a key needs for a method of a view; nothing where any key will do."""
    whole = getattr(view, "key_scope", None)
    if whole is not None:
        return str(whole)
    if method in SAFE_METHODS:
        return str(Scope.READ)
    return str(getattr(view, "write_scope", Scope.ACCOUNT))


class KeyAuthentication(TokenAuthentication):
    """`request.auth` is the `Key`."""

    def authenticate(self, request: Request) -> tuple[Any, Key] | None:
        """Raises `PermissionDenied` for a key of other scopes."""
        found: tuple[Any, Key] | None = super().authenticate(request)
        if found is None:
            return None
        view = (request.parser_context or {}).get("view")
        needed = scope_needed(view, request.method or "")
        if needed and needed not in found[1].scopes:
            sentence = _("This key may not do that; it needs the scope “%(scope)s”.")
            raise PermissionDenied(sentence % {"scope": needed}, code="out_of_scope")
        return found

    def authenticate_credentials(self, key: str) -> tuple[Any, Key]:
        """Raises `AuthenticationFailed` for what is no key, or not any more."""
        now = timezone.now()
        found = key_of(key, now)
        if found is None:
            raise AuthenticationFailed(_("This key does not hold, or not any more."))
        used(found, now=now)
        return found.user, found
