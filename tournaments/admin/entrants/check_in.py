"""The desk at the door: a code that is scanned or typed, one tap, and the player is there.

Everything runs on the laptop that serves the site; a phone of the staff only has to reach it.
"""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from staff.desk import show
from staff.services.audit import doer_of
from tournaments.admin.entrants import doing
from tournaments.admin.entrants.entry import entry_of
from tournaments.entry_codes import entry_of_code
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, Tournament
from tournaments.refusals import sentence_of
from tournaments.selectors.desk import Wanted, desk_entrants

MAX_CODE: Final = 30


def desk(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Type or scan a code, or find a name among those who are not there yet."""
    code = request.GET.get("code", "").strip()[:MAX_CODE]
    if code:
        return redirect("admin:tournaments_check_in_code", tournament.pk, code)
    return _page(request, tournament)


def _page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    entry: Entry | None = None,
    problem: str = "",
) -> HttpResponseBase:
    search = request.GET.get("q", "").strip()[:100]
    wanted = Wanted(group="absent", search=search, page=request.GET.get("page", "1"))
    context = {
        "tournament": tournament,
        "here": "check-in",
        "entry": entry,
        "problem": problem,
        "search": search,
        "wanted": wanted,
        "found": desk_entrants(tournament, wanted),
    }
    title = _("%(name)s: check-in") % {"name": tournament.name}
    return show(request, "admin/tournaments/check_in.html", title, context)


def by_code(request: HttpRequest, tournament: Tournament, code: str) -> HttpResponseBase:
    """Whose code it is, with one button; sent, he is there. What is wrong is said in words."""
    try:
        entry = _entry_of(tournament, code[:MAX_CODE])
    except TournamentRefusal as refusal:
        return _page(request, tournament, problem=sentence_of(refusal))
    if request.method != "POST":
        return _page(request, tournament, entry=entry)
    return _checked_in(request, tournament, entry)


def _entry_of(tournament: Tournament, code: str) -> Entry:
    entry = entry_of_code(code)
    if entry is None:
        sentence = _("Nobody has the code %(code)s; read it again, sign by sign.")
        raise TournamentRefusal(
            TournamentCode.UNKNOWN_ENTRY, sentence % {"code": code}, field="code"
        )
    if entry.tournament_id != tournament.pk:
        sentence = _("This code is for another tournament: %(name)s.")
        raise TournamentRefusal(
            TournamentCode.UNKNOWN_ENTRY, sentence % {"name": entry.tournament.name}, field="code"
        )
    return entry


@require_POST
def by_hand(request: HttpRequest, tournament: Tournament, key: int) -> HttpResponseBase:
    """Somebody whom the desk knows by his face."""
    return _checked_in(request, tournament, entry_of(tournament, key))


def _checked_in(request: HttpRequest, tournament: Tournament, entry: Entry) -> HttpResponseBase:
    try:
        doing.check_in(doer_of(request), tournament, entry)
    except Exception as refusal:
        return _page(request, tournament, problem=sentence_of(refusal))
    said = _("%(name)s is here.") % {"name": entry.player.get_username()}
    messages.success(request, said)
    return redirect("admin:tournaments_check_in", tournament.pk)
