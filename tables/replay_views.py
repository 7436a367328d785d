"""Pages after play: a deal step by step, its shuffle computed again, hands to keep.

What a reader may see is decided in `tables.reading`; pages and files are made of nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from tables import history
from tables.errors import TableRefusal
from tables.reading import Reading, matches_at, reading_of
from tables.replay import frame_of
from tables.rules.errors import RuleViolation
from tables.selectors import check_deal
from tables.verification import checks_of

View = Callable[..., HttpResponse]
FORMS: Final = ("json", "txt")
_MEDIA: Final = {"json": "application/json", "txt": "text/plain; charset=utf-8"}


def _reading(request: HttpRequest, public_id: str) -> Reading:
    try:
        return reading_of(public_id, request.user.pk)
    except TableRefusal as refusal:
        raise Http404(refusal.sentence) from refusal


def _page(view: View) -> View:
    """A page to look at that is another one for another reader, and tomorrow."""
    return require_safe(never_cache(vary_on_headers("Cookie", "HX-Request")(view)))


@_page
def replay(request: HttpRequest, public_id: str) -> HttpResponse:
    """A deal at the step `?step=`, with all hands open by `?hands=all` where that is allowed."""
    reading, all_hands = _reading(request, public_id), request.GET.get("hands") == "all"
    found: dict[str, Any] = {"reading": reading, "all_hands": all_hands, "frame": None}
    if reading.may_read:
        try:
            found["frame"] = frame_of(reading, _number(request), all_hands=all_hands)
        except RuleViolation as fault:
            found["fault"] = str(fault)
    is_part = request.headers.get("HX-Request") == "true" and found["frame"] is not None
    return render(request, "tables/_replay_step.html" if is_part else "tables/replay.html", found)


def _number(request: HttpRequest) -> int | None:
    asked = request.GET.get("step", "")
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 9 else None


@_page
def verify(request: HttpRequest, public_id: str) -> HttpResponse:
    """The shuffle of a finished deal, with all that a browser needs to compute it again."""
    reading = _reading(request, public_id)
    checks = checks_of(reading)
    found = {
        "reading": reading,
        "checks": checks,
        "data": json.dumps(msgspec.to_builtins(checks)),
        "server": check_deal(reading.deal) if reading.is_over else None,
    }
    return render(request, "tables/verify.html", found)


@_page
def deal_history(request: HttpRequest, public_id: str, form: str) -> HttpResponse:
    """One deal as a file."""
    reading = _reading(request, public_id)
    if form not in FORMS or not reading.may_read:
        raise Http404("There is nothing to be read of this deal yet.")
    return file_of([reading], form, f"deal-{reading.deal.number}-{public_id}")


@login_required
@_page
def table_history(request: HttpRequest, public_id: str, form: str) -> HttpResponse:
    """All deals of a table at which the reader has played, as a file."""
    matches = matches_at(public_id, request.user.pk)
    if form not in FORMS or not matches:
        raise Http404("You have not played at this table.")
    user: Any = request.user
    return file_of(history.matches_history(matches, user.pk), form, f"table-{public_id}")


def file_of(found: Iterable[Reading], form: str, name: str) -> HttpResponse:
    """Deals as a file to be saved; `form` is `json` or `txt`."""
    content = history.as_json(found) if form == "json" else history.as_text(found)
    return HttpResponse(
        content,
        content_type=_MEDIA[form],
        headers={"Content-Disposition": f'attachment; filename="{name}.{form}"'},
    )
