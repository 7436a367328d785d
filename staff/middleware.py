"""What staff send to a library's pages is one transaction with the audit line of it.

Our own edges open theirs with `acting`. django-allauth writes row by row and tells afterwards; a
line that could not be written would leave a change that nobody knows of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve

FAULT: Final = 500
_SAFE: Final = ("GET", "HEAD", "OPTIONS", "TRACE")
_LIBRARIES: Final = ("allauth.account.", "allauth.mfa.", "allauth.usersessions.")


class StaffMiddleware:
    """Stands last: what it is answered is the page's own answer, faults among it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass it on, and undo what a page has written that ended in a fault."""
        if not _is_theirs(request):
            return self.get_response(request)
        with transaction.atomic():
            response = self.get_response(request)
            if response.status_code >= FAULT:
                transaction.set_rollback(True)
        return response


def _is_theirs(request: HttpRequest) -> bool:
    """Whether staff ask a library's page to change something."""
    if request.method in _SAFE or not getattr(request.user, "is_staff", False):
        return False
    try:
        view = resolve(request.path_info).func
    except Resolver404:
        return False
    return view.__module__.startswith(_LIBRARIES)
