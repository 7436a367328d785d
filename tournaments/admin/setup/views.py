"""The pages of the form: setting up, changing, and what is drawn anew while it is filled in."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from staff.desk import show
from staff.services.audit import doer_of
from tournaments import selectors
from tournaments.access import RUN
from tournaments.admin.base import own_tournament, reason_of
from tournaments.admin.setup import saving
from tournaments.admin.setup.choices import choices_for, templates_for
from tournaments.admin.setup.draft import draft_from, shown_of, usual_draft
from tournaments.admin.setup.form import Choices, Setup, Shown
from tournaments.admin.setup.parts import AFTER_START, EVERY_PART, WHILE_PLAYERS_ENTER
from tournaments.admin.setup.preview import Preview, preview_of, words_of
from tournaments.admin.setup.sections import BASICS, PRIZES, REDRAWS, field_of, fields_of, folded
from tournaments.admin.setup.sent import as_sent, shown_again
from tournaments.admin.steps.table import steps_of
from tournaments.models import Shape, Tournament
from tournaments.refusals import sentence_of
from tournaments.services.drafting import Draft, draft_of
from tournaments.structure.lifecycle import State, may_change_terms, may_staff_seat

ADD: Final = "tournaments.add_tournament"
AFTERWARDS: Final = {"_publish": "announce", "_open": "open_registration"}
"""Buttons beside Save, and the step that follows on it."""
_STALE: Final = gettext_lazy(
    "This form was opened before the tournament was changed, or before it went on. Nothing of it "
    "was saved. Open the page again and make your change there."
)


class Opened(NamedTuple):
    """What a form is opened for: a tournament, or None for a new one, and what stands in it."""

    tournament: Tournament | None
    base: Draft | None
    parts: frozenset[str]
    choices: Choices
    shown: Shown

    def setup(self, data: Any = None) -> Setup:
        """The form, empty or as it was sent."""
        times = None if self.base is None else self.base.times
        return Setup(
            shown=self.shown, choices=self.choices, data=data, parts=self.parts, times=times
        )

    def again(self, request: HttpRequest, changed: str) -> Opened:
        """The same with what was typed, and what goes with the field that was changed."""
        return self._replace(shown=shown_again(request.POST, self.shown, changed))


def may_add(user: Any) -> bool:
    """Whether a user may set up tournaments."""
    return bool(user.is_staff and user.has_perm(ADD) and user.has_perm(RUN))


def parts_of(tournament: Tournament) -> frozenset[str]:
    """The parts of the form that may still be changed."""
    state = State(tournament.state)
    if may_change_terms(state):
        return EVERY_PART
    return WHILE_PLAYERS_ENTER if may_staff_seat(state) else AFTER_START


def _opened(request: HttpRequest, tournament: Tournament | None) -> Opened:
    """Raises `PermissionDenied`, or `Http404` for a model that is not one's own."""
    if tournament is None:
        if not may_add(request.user):
            raise PermissionDenied
        return Opened(None, None, EVERY_PART, choices_for(request.user), _new(request))
    base = draft_of(tournament)
    choices = choices_for(request.user, tournament.pk)
    return Opened(tournament, base, parts_of(tournament), choices, shown_of(base))


def _new(request: HttpRequest) -> Shown:
    """What a new form starts from: the usual of a shape, or a tournament of one's own."""
    like = request.GET.get("like", "")
    if like.isdecimal():
        return shown_of(draft_of(own_tournament(request.user, int(like))))
    wanted = request.GET.get("shape", "")
    shape = Shape(wanted) if wanted in Shape.values else Shape.KNOCKOUT
    return shown_of(usual_draft(shape), is_new=True)


def add(request: HttpRequest) -> HttpResponseBase:
    """A new tournament; the form has usual values for everything but name, fee and start."""
    opened = _opened(request, None)
    if request.method != "POST":
        return _page(request, opened, opened.setup())
    if (changed := _to_be_drawn(request)) is not None:
        opened = opened.again(request, changed)
        return _page(request, opened, opened.setup())
    setup = opened.setup(request.POST)
    if setup.is_valid():
        try:
            made = saving.create(doer_of(request), draft_from(setup, None))
        except Exception as refusal:
            setup.refuse(getattr(refusal, "field", None), sentence_of(refusal))
        else:
            return _saved_new(request, made)
    return _page(request, opened, setup)


def _saved_new(request: HttpRequest, made: Tournament) -> HttpResponseBase:
    messages.success(request, _("Saved as a draft. Nobody else sees it before you publish it."))
    for button, step in AFTERWARDS.items():
        if button in request.POST:
            return redirect("admin:tournaments_step", made.pk, step)
    return redirect("admin:tournaments_tournament_change", made.pk)


def change(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """A tournament of one's own: what may still be changed as a form, the rest as text."""
    opened = _opened(request, tournament)
    if request.method != "POST":
        return _page(request, opened, opened.setup())
    if (changed := _to_be_drawn(request)) is not None:
        opened = opened.again(request, changed)
        return _page(request, opened, opened.setup())
    setup = opened.setup(request.POST)
    if request.POST.get("version") != str(tournament.version):
        setup.refuse("version", str(_STALE))
        return _page(request, opened, setup, status=409)
    if not setup.is_valid():
        return _page(request, opened, setup)
    try:
        saved = saving.change(
            doer_of(request),
            tournament,
            draft_from(setup, opened.base),
            version=tournament.version,
            reason=reason_of(request),
            force="force" in request.POST,
        )
    except Exception as refusal:
        setup.refuse(getattr(refusal, "field", None), sentence_of(refusal))
        is_stale = getattr(refusal, "code", "") == "changed_meanwhile"
        return _page(request, opened, setup, status=409 if is_stale else 200)
    is_same = saved.version == tournament.version
    messages.success(request, _("Nothing was changed.") if is_same else _("Saved."))
    return redirect("admin:tournaments_tournament_change", tournament.pk)


def _to_be_drawn(request: HttpRequest) -> str | None:
    """What was changed since the fields were drawn, so that others have to be drawn for it.

    Empty where only a look at it was asked for, None where the fields are those of the choice.
    """
    shape, _colon, name = request.POST.get("drawn", "").partition(":")
    for field, drawn in (("shape", shape), ("format", name)):
        if drawn and request.POST.get(field, drawn) != drawn:
            messages.warning(request, _("Other fields came with your choice; look, and save it."))
            return field
    return "" if "_preview" in request.POST else None


@require_POST
def redraw(request: HttpRequest, tournament: Tournament | None = None) -> HttpResponseBase:
    """The fields again, after one was changed that others depend on; nothing is saved."""
    changed = request.POST.get("changed", "")
    opened = _opened(request, tournament).again(request, changed if changed in REDRAWS else "")
    context = _context(opened, opened.setup(), _preview(opened, None))
    return TemplateResponse(request, "admin/tournaments/setup/_redrawn.html", context)


@require_POST
def preview(request: HttpRequest, tournament: Tournament | None = None) -> HttpResponseBase:
    """What the form as it stands would give; nothing is saved."""
    opened = _opened(request, tournament)
    context = {"preview": _preview(opened, request.POST), "is_part": True}
    return TemplateResponse(request, "admin/tournaments/setup/_preview.html", context)


def _preview(opened: Opened, sent: Any) -> Preview:
    """Of what was sent, or of what stands in the form."""
    data = as_sent(opened.shown) if sent is None else sent
    return preview_of(opened.setup(data), opened.base, data.get("preview_entries", ""))


def _page(
    request: HttpRequest, opened: Opened, setup: Setup, *, status: int = 200
) -> TemplateResponse:
    found = _preview(opened, request.POST if setup.form.is_bound else None)
    tournament, base = opened.tournament, opened.base
    title = _("Set up a tournament") if tournament is None else tournament.name
    context = _context(opened, setup, found) | {
        "original": tournament,
        "opts": Tournament._meta,
        "here": "setup",
        "templates": templates_for(request.user) if tournament is None else (),
        "steps": [] if tournament is None else steps_of(tournament),
        "state": "" if tournament is None else selectors.state_words(tournament),
        "agreed": None if base is None or "rules" in setup.parts else words_of(base),
    }
    return show(request, "admin/tournaments/setup/page.html", title, context, status=status)


def _context(opened: Opened, setup: Setup, found: Preview) -> dict[str, Any]:
    return {
        "tournament": opened.tournament,
        "setup": setup,
        "basics": fields_of(setup, BASICS),
        "prize_fields": fields_of(setup, PRIZES),
        "prize_kind": field_of(setup, "prize_kind"),
        "sections": folded(setup),
        "redraws": REDRAWS,
        "preview": found,
    }
