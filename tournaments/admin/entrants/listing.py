"""The list of entrants: narrowed, searched, in pages; and what is done with those picked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from staff.desk import say_done, show
from staff.services.audit import doer_of
from tournaments import play
from tournaments.admin.base import reason_of
from tournaments.admin.entrants import doing
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Tournament
from tournaments.refusals import sentence_of
from tournaments.selectors.desk import GROUPS, Wanted, desk_entrants
from tournaments.structure.lifecycle import State, is_live, may_staff_seat
from wording.typed import read_key

WORDS: Final = {
    "all": gettext_lazy("All"),
    "seated": gettext_lazy("With a seat"),
    "absent": gettext_lazy("Not checked in"),
    "waiting": gettext_lazy("On the waitlist"),
    "applied": gettext_lazy("To be approved"),
    "gone": gettext_lazy("Out before the start"),
}
Act = Callable[..., int]
ACTS: Final[dict[str, tuple[Act, tuple[str, ...]]]] = {
    "remove": (
        doing.remove,
        (EntryState.ENTERED, EntryState.WAITING, EntryState.APPLIED),
    ),
    "approve": (doing.approve, (EntryState.APPLIED,)),
    "refuse": (doing.refuse, (EntryState.APPLIED,)),
}
"""What can be done with picked entries, and in which states they may be for it."""
NEED_REASON: Final = ("remove", "refuse")


def wanted_of(request: HttpRequest) -> Wanted:
    """What a list was asked for; what is unknown counts as nothing."""
    group = request.GET.get("show", "all")
    return Wanted(
        group=group if group in GROUPS else "all",
        search=request.GET.get("q", "").strip()[:100],
        page=request.GET.get("page", "1"),
    )


def entrants(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Everybody who entered or wanted to."""
    wanted = wanted_of(request)
    found = desk_entrants(tournament, wanted)
    state = State(tournament.state)
    context = {
        "tournament": tournament,
        "here": "entrants",
        "found": found,
        "wanted": wanted,
        "groups": [(name, WORDS[name], found.counts[name]) for name in WORDS],
        "may_seat": may_staff_seat(state),
        "may_add": may_staff_seat(state) or is_live(state),
        "has_check_in": tournament.check_in_opens_at is not None,
        "asks_approval": play.terms_of(tournament).entering.needs_approval,
    }
    title = _("%(name)s: entrants") % {"name": tournament.name}
    return show(request, "admin/tournaments/entrants.html", title, context)


@require_POST
def act(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Do something with the picked entries, with all of them or with none."""
    wanted = ACTS.get(request.POST.get("do", ""))
    reason = reason_of(request)
    entries = picked(tournament, request.POST.getlist("pick"))
    problem = ""
    if wanted is None or not entries:
        problem = _("Pick players in the list first.")
    elif request.POST["do"] in NEED_REASON and not reason:
        problem = _("Say why; the players read it.")
    else:
        problem = _done(request, tournament, wanted, entries, reason)
    if problem:
        messages.error(request, problem)
    return back_to(request, tournament)


def _done(
    request: HttpRequest,
    tournament: Tournament,
    wanted: tuple[Act, tuple[str, ...]],
    entries: Sequence[Entry],
    reason: str,
) -> str:
    run, states = wanted
    unfit = [entry for entry in entries if entry.state not in states]
    if unfit:
        words = {"name": unfit[0].player.get_username(), "state": unfit[0].get_state_display()}
        return _("Nothing was done: %(name)s is %(state)s.") % words
    try:
        number = run(doer_of(request), tournament, entries, reason)
    except Exception as refusal:
        return sentence_of(refusal)
    said = ngettext("Done for %(n)d player.", "Done for %(n)d players.", number)
    messages.success(request, said % {"n": number})
    return ""


def picked(tournament: Tournament, keys: Sequence[str]) -> list[Entry]:
    """The entries of these keys that belong to the tournament, by number."""
    ids = {read_key(key) or 0 for key in keys[: doing.MOST_AT_ONCE]}
    rows = tournament.entries.filter(pk__in=ids).select_related("player", "tournament")
    return list(rows.order_by("number"))


@require_POST
def add(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Enter players by their names, all or none."""
    try:
        players = players_named(request.POST.get("names", ""))
        entries = doing.add(
            doer_of(request),
            tournament,
            players,
            reason_of(request),
            force="force" in request.POST,
        )
    except Exception as refusal:
        messages.error(request, sentence_of(refusal))
    else:
        waiting = sum(entry.state == EntryState.WAITING for entry in entries)
        words = _("%(n)d entered, %(waiting)d of them on the waitlist.")
        said = words % {"n": len(entries), "waiting": waiting}
        say_done(request, said, is_done=bool(entries))
    return back_to(request, tournament)


def players_named(text: str) -> list[User]:
    """Players by names with commas, blanks or lines between them, in that order.

    Raises `TournamentRefusal(NOT_ENTERED)` naming those that nobody has, and for no names at all.
    """
    names = list(dict.fromkeys(name for name in re.split(r"[\s,;]+", text) if name))
    if not 0 < len(names) <= doing.MOST_AT_ONCE:
        sentence = _("Write the names of 1 to %(n)d players.") % {"n": doing.MOST_AT_ONCE}
        raise TournamentRefusal(TournamentCode.NOT_ENTERED, sentence, field="names")
    found = {user.username: user for user in User.objects.filter(username__in=names)}
    missing = [name for name in names if name not in found]
    if missing:
        sentence = _("There is no player %(names)s; nobody was entered.")
        told = sentence % {"names": ", ".join(missing[:5])}
        raise TournamentRefusal(TournamentCode.NOT_ENTERED, told, field="names")
    return [found[name] for name in names]


def back_to(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """The list again, as it was narrowed."""
    answer = redirect("admin:tournaments_entrants", tournament.pk)
    kept = request.POST.get("kept", "")
    if re.fullmatch(r"[\w=&%.+-]*", kept) and kept:
        answer["Location"] += f"?{kept}"
    return answer
