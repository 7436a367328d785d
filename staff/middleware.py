"""What staff send to a library's pages is one transaction with the audit line of it.

Our own edges open theirs with `acting`. django-allauth writes row by row and tells afterwards; a
line that could not be written would leave a change that nobody knows of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.db import transaction
from django.http import HttpRequest, HttpResponseBase

_SAFE: Final = ("GET", "HEAD", "OPTIONS", "TRACE")
_LIBRARIES: Final = ("allauth.account.", "allauth.mfa.", "allauth.usersessions.")


class StaffMiddleware:
    """Stands last: everything before it has agreed to the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass it on."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Open the transaction around a library's page, for staff who change something."""
        if request.method in _SAFE or not view.__module__.startswith(_LIBRARIES):
            return None
        if not getattr(request.user, "is_staff", False):
            return None
        with transaction.atomic():
            response: HttpResponseBase = view(request, *args, **kwargs)
        return response
