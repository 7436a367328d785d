"""Pages of the staff's desk beside the admin's own: whom they are for, and how they are shown.

They stand under the admin's address, in its frame and behind its log-in, so that its policy of what
a browser may load holds for them too. A page is not kept by a browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

View = Callable[..., HttpResponseBase]


def desk_page(*permissions: str) -> Callable[[View], View]:
    """A page for staff who hold one of these permissions; others are refused, visitors log in."""

    def wrapped(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not holds_one(request.user, *permissions):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return admin.site.admin_view(guarded)

    return wrapped


def holds_one(user: Any, *permissions: str) -> bool:
    """Whether a user of the staff holds one of these permissions."""
    return bool(user.is_staff) and any(user.has_perm(permission) for permission in permissions)


def say_done(request: HttpRequest, sentence: str, *, is_done: bool = True) -> None:
    """Say on the next page what was done, or that there was nothing to do; it has no line then."""
    if is_done:
        messages.success(request, sentence)
    else:
        messages.info(request, _("Nothing was changed; there was nothing to do."))


def show(
    request: HttpRequest,
    template: str,
    title: str,
    context: Mapping[str, Any] | None = None,
    *,
    status: int = 200,
) -> TemplateResponse:
    """A page in the admin's frame."""
    found = {**admin.site.each_context(request), "title": title, **(context or {})}
    return TemplateResponse(request, template, found, status=status)
