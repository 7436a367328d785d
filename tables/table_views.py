"""The page where people play: the frame of a table, and all that its viewer may know at first.

What he may know is the socket's own first frame, made by the same door (`snapshots`). The table
is drawn into the page from it, so the cards lie there before a script runs.
"""

from __future__ import annotations

import json
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from tables import hints, snapshots, store
from tables.errors import TableCode, TableRefusal
from tables.frames import write_frame
from tables.models import Match, MatchStatus
from tables.prices import prices_of, shares_of
from tables.reading import reading_of
from tables.replay import results_of
from tables.rules.formats import AwaitSplit
from tables.table_drawing import drawing_of
from tables.table_texts import texts_as_json
from tables.words import format_title, profile_title
from wording import told

FINISHED: Final = (MatchStatus.OVER, MatchStatus.VOID)
MODULES: Final = tuple(
    f"rummy_site/table/{name}.js"
    for name in (
        "state", "socket", "hand", "moves", "parts", "rack", "board", "input", "dialogs",
    )
)  # fmt: skip
"""What the page's script imports, so that a browser fetches all of it at once."""


def match_played_here(request: HttpRequest, table: str) -> Match | None:
    """The table's match if this visitor is to see it played; None if the sheet of its deals is.

    The sheet is for visitors who are not logged in, for real cards, and once all is over; who adds
    `?sheet` to the address has it any time.
    """
    if not request.user.is_authenticated or "sheet" in request.GET:
        return None
    matches = Match.objects.filter(table__public_id=table).select_related("table")
    match = matches.order_by("-number").first()
    if match is None or match.in_person or match.status in FINISHED:
        return None
    return match


@never_cache
@gzip_page
def live_table(request: HttpRequest, match: Match) -> HttpResponse:
    """The table with everything that its viewer may know now."""
    table = match.table
    opening: Any = store.load_game(match).opening
    viewer = snapshots.viewer_of(table=table.public_id, user_id=request.user.pk)
    may_ask = viewer.seat is not None and match.hints
    frame = snapshots.snapshot(viewer, timezone.now())
    shown = {
        "table": table,
        "plays": viewer.seat is not None,
        "played": f"{format_title(opening.format)}, {profile_title(opening.profile)}",
        "has_drop": opening.format.first_drop is not None,
        "has_split": getattr(opening.format, "manual_split", False),
        "snapshot": write_frame(frame),
        "drawn": drawing_of(frame),
        "texts": texts_as_json(get_language() or "en"),
        "prices": json.dumps(dict(prices_of(table.owner)), ensure_ascii=False),
        "modules": MODULES,
        "socket": f"/ws/tables/{table.public_id}/?language={get_language()}",
        "shares": reverse("tables:shares", args=[table.public_id]),
        "result": reverse("tables:result", args=["DEAL"]),
        "hint": reverse("tables:hint", args=[table.public_id]) if may_ask else "",
    }
    return render(request, "tables/table_live.html", shown)


@never_cache
@require_safe
def result(request: HttpRequest, public_id: str) -> HttpResponse:
    """A finished deal's hands and what each card of them counts, as a part of a page."""
    try:
        reading = reading_of(public_id, request.user.pk)
    except TableRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    if not reading.is_over:
        raise Http404("This deal is still being played.")
    state = store.load(reading.deal)
    hands = results_of(state, reading.events[-1], reading.names)
    return render(request, "tables/table_result.html", {"hands": hands, "reading": reading})


@never_cache
@require_safe
def hint(request: HttpRequest, public_id: str) -> HttpResponse:
    """The best groups of the asking player's own hand.

    404 for who holds no hand at this table, 403 where it gives no hints.
    """
    try:
        viewer = snapshots.viewer_of(table=public_id, user_id=request.user.pk)
        groups = hints.best_groups(viewer)
    except TableRefusal as refusal:
        if refusal.code == TableCode.NO_HINTS:
            return JsonResponse({"detail": told(refusal.sentence)}, status=403)
        raise Http404(refusal.sentence) from refusal
    return JsonResponse({"groups": groups})


@never_cache
@require_safe
def shares(request: HttpRequest, public_id: str) -> HttpResponse:
    """What everybody would get of the split that is offered now, by seat; empty without one."""
    matches = Match.objects.filter(table__public_id=public_id).select_related("table")
    match = matches.order_by("-number").first()
    if match is None:
        raise Http404("There is no such table.")
    step = store.load_game(match).next_step()
    weights = step.weights if isinstance(step, AwaitSplit) else ()
    amounts = shares_of(match.table.owner, [weight for _, weight in weights]) if weights else ()
    told_to = zip((seat for seat, _ in weights), amounts, strict=False)  # nobody may know amounts
    return JsonResponse({"shares": dict(told_to)})
