"""The organiser's button of a tournament in person: open what is next, or settle."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from tournaments import selectors
from tournaments.errors import TournamentRefusal
from tournaments.refusals import sentence_of
from tournaments.services import in_person

MAY_LEAD: Final = "tournaments.change_tournament"


@login_required
@require_POST
def go_on(request: HttpRequest, public_id: str) -> HttpResponse:
    """Open the tables that are due, or settle after the final; staff who may lead it only."""
    user: Any = request.user
    if not (user.is_staff and user.has_perm(MAY_LEAD)):
        raise PermissionDenied
    try:
        found = selectors.tournament_named(public_id)
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    try:
        went_on = in_person.next_step(
            tournament_id=found.pk, actor=user.get_username(), now=datetime.now(UTC)
        )
    except Exception as refusal:
        messages.error(request, sentence_of(refusal))
    else:
        said = "Done. The results before it stand." if went_on else _NOTHING
        messages.success(request, said)
    return redirect("tournaments:seating", public_id)


_NOTHING: Final = "Nothing is due: tables are still being played, or all is over."
