"""The organiser's button of a tournament in person: open what is next, or settle."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from staff.services.audit import Doer, acting, doer_of
from tournaments import selectors
from tournaments.access import may_organise
from tournaments.auditing import picture_of, subject_of
from tournaments.errors import TournamentRefusal
from tournaments.models import Tournament
from tournaments.refusals import sentence_of
from tournaments.services import in_person


@login_required
@require_POST
def go_on(request: HttpRequest, public_id: str) -> HttpResponse:
    """Open the tables that are due, or settle after the final; its organisers only."""
    try:
        found = selectors.tournament_named(public_id)
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    if not may_organise(request.user, found):
        raise PermissionDenied
    try:
        went_on = _next_step(doer_of(request), found)
    except Exception as refusal:
        messages.error(request, sentence_of(refusal))
    else:
        said = "Done. The results before it stand." if went_on else _NOTHING
        messages.success(request, said)
    return redirect("tournaments:seating", public_id)


def _next_step(doer: Doer, tournament: Tournament) -> bool:
    with acting(
        by=doer,
        action="tournaments.go_on",
        subject=subject_of(tournament),
        picture=lambda: picture_of(tournament.pk),
    ) as line:
        went_on = in_person.next_step(
            tournament_id=tournament.pk, actor=doer.signature, now=doer.at
        )
        if not went_on:
            line.leave_out()
    return went_on


_NOTHING: Final = "Nothing is due: tables are still being played, or all is over."
