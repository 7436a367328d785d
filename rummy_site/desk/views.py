"""The desk's pages that put the apps together."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from rummy_site.desk.approvals import APPROVE, decide, waiting_for
from staff.desk import desk_page, show
from staff.services.audit import doer_of

VERBS = ("approve", "refuse", "ask")


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
