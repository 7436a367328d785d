"""Steps for many tournaments picked in the list: a page that asks once more, then all or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.text import format_lazy
from django.utils.translation import gettext as _

from staff.desk import show
from staff.services.audit import doer_of
from tournaments.access import RUN, organised_by
from tournaments.admin.base import reason_of
from tournaments.admin.steps.table import BY_NAME, MANY, SomeRefused, run_many
from tournaments.models import Tournament
from tournaments.refusals import sentence_of

MOST: Final = 100
Action = Callable[[Any, HttpRequest, QuerySet[Tournament]], HttpResponseBase | None]


def actions() -> list[Action]:
    """An action of the list for each step that can be done to many."""
    return [_action(name) for name in MANY]


def _action(name: str) -> Action:
    def run(
        desk: Any, request: HttpRequest, picked: QuerySet[Tournament]
    ) -> HttpResponseBase | None:
        return _many(request, name, picked)

    made: Any = run
    made.__name__ = f"many_{name}"
    made.short_description = format_lazy("{}…", BY_NAME[name].words)
    action: Action = made
    return action


def may(request: HttpRequest) -> bool:
    """Whether a user leads tournaments at all."""
    return bool(request.user.has_perm(RUN))


def _many(request: HttpRequest, name: str, picked: QuerySet[Tournament]) -> HttpResponseBase | None:
    """Ask for a reason; then do it, or say for which of them it cannot be done."""
    own = list(picked.filter(organised_by(request.user)).order_by("pk")[: MOST + 1])
    step, problem = BY_NAME[name], ""
    reason = reason_of(request)
    if not 0 < len(own) <= MOST:
        messages.error(request, _("Pick 1 to %(n)d tournaments of your own.") % {"n": MOST})
        return None
    if "_do" in request.POST:
        if step.asks_reason and not reason:
            problem = _("Say why; the players read it.")
        else:
            problem = _done(request, name, own, reason)
            if not problem:
                said = _("Done: %(what)s, %(n)d tournaments.")
                messages.success(request, said % {"what": step.words, "n": len(own)})
                return None
    context = {"step": step, "own": own, "action": f"many_{name}", "problem": problem}
    return show(request, "admin/tournaments/many.html", str(step.words), context)


def _done(request: HttpRequest, name: str, own: list[Tournament], reason: str) -> str:
    try:
        run_many(doer_of(request), name, own, reason)
    except SomeRefused as some:
        sentence = sentence_of(some.refusal)
        words = {"name": some.tournament.name, "why": sentence}
        return _("Nothing was done. %(name)s: %(why)s") % words
    return ""
