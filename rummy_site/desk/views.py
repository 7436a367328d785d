"""The desk's pages that put the apps together."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from rummy_site.desk.approvals import APPROVE, decide, waiting_for
from rummy_site.desk.dashboard import LOG, LOOK_UP, MONEY
from rummy_site.desk.people import file_of, people_found
from staff.desk import desk_page, show
from staff.services.audit import doer_of
from tables.inspecting import deals_found, inspected, match_file

VERBS = ("approve", "refuse", "ask")
ROWS_A_PAGE = 50


@desk_page(*APPROVE.values())
@require_http_methods(["GET", "POST"])
def approvals(request: HttpRequest) -> HttpResponseBase:
    """The queue; a POST decides about the rows that are chosen."""
    rows = waiting_for(request.user)
    if request.method == "POST":
        chosen = set(request.POST.getlist("row"))
        verb, reason = request.POST.get("verb", ""), request.POST.get("reason", "").strip()
        picked = [row for row in rows if row.key in chosen]
        if verb not in VERBS or not picked:
            messages.error(request, _("Choose at least one row; it may have been decided already."))
        elif verb == "refuse" and not reason:
            messages.error(request, _("Give a reason for not approving it."))
        else:
            outcomes = decide(rows=picked, verb=verb, reason=reason, by=doer_of(request))
            _tell(request, [one.refusal for one in outcomes])
        return redirect("approvals")
    return show(request, "desk/approvals.html", _("Approvals"), {"rows": rows})


def _tell(request: HttpRequest, refusals: list[str]) -> None:
    done = sum(not refusal for refusal in refusals)
    if done:
        said = ngettext("%(number)d decided.", "%(number)d decided.", done) % {"number": done}
        messages.success(request, said)
    for refusal in filter(None, refusals):
        messages.error(request, refusal)


# Players


@desk_page(LOOK_UP)
@require_safe
def people(request: HttpRequest) -> HttpResponseBase:
    """Users, found by a piece of a name or address."""
    text = request.GET.get("q", "").strip()
    return show(request, "desk/people.html", _("Players"), _found(request, people_found(text)))


@desk_page(LOOK_UP)
@require_safe
def person(request: HttpRequest, username: str) -> HttpResponseBase:
    """One player's file."""
    found = file_of(username, with_money=request.user.has_perm(MONEY))
    if found is None:
        raise Http404(_("There is no such player."))
    context = {
        "file": found,
        "may_see_deals": request.user.has_perm(MONEY),
        "may_see_log": request.user.has_perm(LOG),
    }
    return show(request, "desk/person.html", username, context)


# Deals


@desk_page(MONEY)
@require_safe
def deals(request: HttpRequest) -> HttpResponseBase:
    """Deals, found by their id, their table, its owner or a player."""
    text = request.GET.get("q", "").strip()
    return show(request, "desk/deals.html", _("Deals"), _found(request, deals_found(text)))


@desk_page(MONEY)
@require_safe
def deal(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """A deal's log in words and the check of it, once it is over."""
    found = inspected(public_id)
    if found is None:
        raise Http404(_("There is no such deal."))
    title = _("Deal %(number)d") % {"number": found.reading.deal.number}
    return show(request, "desk/deal.html", title, {"found": found, "deal": found.reading.deal})


@desk_page(MONEY)
@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponseBase:
    """A match: who sat there, its deals, what was said, its log."""
    found = match_file(pk)
    if found is None:
        raise Http404(_("There is no such match."))
    return show(request, "desk/match.html", _("Match"), {"file": found})


def _found(request: HttpRequest, rows: Any) -> dict[str, Any]:
    """A page of what was looked for."""
    text = request.GET.get("q", "").strip()
    page = Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page"))
    return {"page": page, "q": text, "kept": f"&{urlencode({'q': text})}" if text else ""}
