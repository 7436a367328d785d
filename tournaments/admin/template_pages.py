"""The pages of templates: keeping a tournament's set-up under a name, starting new ones from it.

Own templates are for who kept them, the site's for all organisers; those are kept and dropped by
who may run every tournament.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from staff.desk import desk_page, show
from staff.services.audit import Doer, Subject, acting, doer_of
from tournaments import services
from tournaments.access import RUN, may_drop, may_keep_for_all, templates_of
from tournaments.admin.setup.fields import switch, text
from tournaments.admin.setup.form import on_the_wall
from tournaments.admin.setup.parts import SHAPES
from tournaments.admin.setup.preview import words_of
from tournaments.admin.setup.saving import picture, picture_of_draft
from tournaments.admin.setup.views import may_add
from tournaments.admin.steps.views import CopyForm
from tournaments.amounts import in_unit
from tournaments.auditing import subject_of
from tournaments.models import Template, Tournament
from tournaments.refusals import sentence_of
from tournaments.services.drafting import Draft
from tournaments.services.templates import setup_of


class KeepForm(forms.Form):
    """What the template is called, and whom it is for."""

    name = text(gettext_lazy("Name of the template"))
    is_for_all = switch(
        gettext_lazy("For all organisers of this site"),
        meaning=gettext_lazy("Else you alone start from it."),
    )

    def __init__(self, data: Any, user: Any, **options: Any) -> None:
        super().__init__(data, use_required_attribute=False, **options)
        if not may_keep_for_all(user):
            self.fields.pop("is_for_all")


class StartForm(CopyForm):
    """What is said of each new one: its name, and when it starts."""

    name = text(gettext_lazy("Name"), meaning=gettext_lazy("As players read it in the lobby."))


def template_subject(template: Template) -> Subject:
    """A template as something that is acted on."""
    return Subject("template", template.public_id, template.name)


# Keeping one


def keep(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Keep the set-up of this tournament under a name."""
    sent = request.POST if request.method == "POST" else None
    form = KeepForm(sent, request.user, initial={"name": tournament.name})
    if sent is not None and form.is_valid():
        try:
            kept = _keep(doer_of(request), tournament, form.cleaned_data)
        except Exception as refusal:
            named = getattr(refusal, "field", None)
            form.add_error(named if named in form.fields else None, sentence_of(refusal))
        else:
            messages.success(request, _("Kept. Start new tournaments from it here."))
            return redirect("admin:tournaments_template", kept.pk)
    context = {"tournament": tournament, "form": form, "here": "keep"}
    title = _("%(name)s: keep as a template") % {"name": tournament.name}
    return show(request, "admin/tournaments/keep.html", title, context)


def _keep(doer: Doer, tournament: Tournament, read: dict[str, Any]) -> Template:
    owner = None if doer.user is None or read.get("is_for_all") else doer.user.pk
    with acting(by=doer, action="tournaments.keep_template") as line:
        kept = services.keep(
            tournament_id=tournament.pk, name=read["name"], owner_id=owner, now=doer.at
        )
        line.subject = template_subject(kept)
        line.after = {**_picture(kept), "kept_of": tournament.public_id}
    return kept


def _picture(template: Template) -> dict[str, Any]:
    """Whom it is for, and what is set in it as far as today's rules can read it."""
    shown = {"for": "all organisers" if template.owner is None else template.owner.get_username()}
    try:
        return shown | picture_of_draft(setup_of(template))
    except Exception as refusal:
        return shown | {"setup": sentence_of(refusal)}


# Starting from one, and dropping it


@desk_page(RUN)
def template(request: HttpRequest, pk: int) -> HttpResponseBase:
    """What is set in a template, a form to start a tournament from it, and the way to drop it."""
    found = Template.objects.filter(templates_of(request.user), pk=pk).select_related("owner")
    kept = found.first()
    if kept is None:
        raise Http404
    doer = doer_of(request)
    if request.method == "POST" and "_drop" in request.POST:
        return _dropped(request, doer, kept)
    sent = request.POST if request.method == "POST" else None
    form, draft, problem = _start_form(sent, kept)
    if sent is not None and form.is_valid():
        if not may_add(request.user):
            raise PermissionDenied
        try:
            made = _start(doer, kept, form.cleaned_data)
        except Exception as refusal:
            form.add_error(None, sentence_of(refusal))
        else:
            messages.success(request, _("This is the new one, a draft."))
            return redirect("admin:tournaments_tournament_change", made.pk)
    context = {
        "template": kept,
        "facts": () if draft is None else _facts(draft),
        "agreed": () if draft is None else words_of(draft),
        "problem": problem,
        "form": form,
        "may_drop": may_drop(request.user, kept),
        "opts": Template._meta,
        "original": kept,
    }
    return show(request, "admin/tournaments/template.html", kept.name, context)


def _start_form(sent: Any, kept: Template) -> tuple[StartForm, Draft | None, str]:
    """The form with what is known, the draft that is kept, or why it cannot be read."""
    zone = timezone.get_current_timezone_name()
    initial: dict[str, Any] = {"name": kept.name, "zone": zone}
    try:
        draft = setup_of(kept)
    except Exception as refusal:
        return StartForm(sent, initial=initial), None, sentence_of(refusal)
    at = draft.times.starts_at
    initial["starts_at"] = "" if at is None or at < timezone.now() else on_the_wall(at, zone)
    return StartForm(sent, initial=initial), draft, ""


def _facts(draft: Draft) -> list[tuple[Any, Any]]:
    """What is not among the rules: kind, seats, price."""
    kinds: dict[Any, Any] = dict(SHAPES)
    return [
        (_("Kind"), kinds[draft.shape]),
        (_("Seats"), draft.capacity),
        (_("Entry fee"), in_unit(draft.entry_fee, draft.asset)),
        (_("Of it for the house"), in_unit(draft.house_fee, draft.asset)),
    ]


def _start(doer: Doer, kept: Template, read: dict[str, Any]) -> Tournament:
    with acting(by=doer, action="tournaments.start_from_template") as line:
        made = services.start_from(
            template_id=kept.pk,
            name=read["name"],
            starts_at=read["starts_at"],
            organiser_id=None if doer.user is None else doer.user.pk,
            now=doer.at,
        )
        line.subject = subject_of(made)
        line.after = {**picture(made), "template": kept.public_id}
    return made


def _dropped(request: HttpRequest, doer: Doer, kept: Template) -> HttpResponseBase:
    if not may_drop(request.user, kept):
        raise PermissionDenied
    subject, before = template_subject(kept), _picture(kept)
    with acting(by=doer, action="tournaments.drop_template", subject=subject) as line:
        line.before = before
        services.drop(template_id=kept.pk)
    messages.success(request, _("Dropped. What was made from it stays."))
    return redirect("admin:tournaments_template_changelist")
