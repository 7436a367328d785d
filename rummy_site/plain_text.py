"""Text with NUL characters in it is refused at the door: PostgreSQL takes none, in no place.

Addresses, their queries, cookies (which may hold it escaped) and forms are looked at here, once for
the whole site. Bodies of the API are looked at by its parser (`rummy_site.parsers`). Frames of a
socket name nothing with a NUL in it: what they bring is chat and names of printable characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final
from urllib.parse import unquote_plus

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

NUL: Final = "\x00"
_FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")


def has_nul(*texts: str) -> bool:
    """Whether one of some texts has a NUL in it."""
    return any(NUL in text for text in texts)


class PlainTextMiddleware:
    """Answers 400: in the API's form below its address, else with the site's page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Before anything is read from the database."""
        query = unquote_plus(request.META.get("QUERY_STRING", ""))
        if not has_nul(request.path, query, *_both(request.COOKIES.items())):
            return self.get_response(request)
        sentence = _("There is a NUL character in what was sent.")
        if request.path.startswith("/api/"):
            body = {"code": "invalid", "detail": sentence, "field": None}
            return JsonResponse(body, status=400)
        raise BadRequest(sentence)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """Forms are read only where a view is to answer."""
        if request.method == "POST" and request.content_type in _FORMS:
            lists = request.POST.lists()
            if has_nul(*_both((name, value) for name, values in lists for value in values)):
                raise BadRequest(_("There is a NUL character in what was sent."))


def _both(pairs: Iterable[tuple[str, Any]]) -> Iterable[str]:
    for name, value in pairs:
        yield name
        yield str(value)
