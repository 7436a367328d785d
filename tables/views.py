"""Pages of tables and deals, for everybody to look at. They change nothing."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tables.deal_sheet import deal_sheet
from tables.errors import TableRefusal
from tables.match_sheet import table_sheet
from tables.scorers import may_enter_deals
from tables.table_views import live_table, match_played_here


@require_safe
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """The table while a match is played and the visitor is logged in, else its scoreboard."""
    match = match_played_here(request, public_id)
    if match is not None:
        return live_table(request, match)
    try:
        sheet = table_sheet(public_id)
    except TableRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    keeps_score = sheet.in_person and may_enter_deals(request.user, sheet.table.owner)
    return render(request, "tables/table.html", {"sheet": sheet, "keeps_score": keeps_score})


@require_safe
def deal(request: HttpRequest, public_id: str) -> HttpResponse:
    """A finished deal with all its cards; of a running one only that it is being played."""
    try:
        sheet = deal_sheet(public_id)
    except TableRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    return render(request, "tables/deal.html", {"sheet": sheet})
