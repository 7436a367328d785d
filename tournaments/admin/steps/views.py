"""A page for each step: what it would do, a reason, and the button that does it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from staff.desk import say_done, show
from staff.services.audit import acting, doer_of
from tournaments import services
from tournaments.admin.base import MAX_REASON
from tournaments.admin.setup.choices import zones
from tournaments.admin.setup.fields import MomentField, TypedAmount, choice, text
from tournaments.admin.setup.form import on_the_wall
from tournaments.admin.setup.saving import picture
from tournaments.admin.steps.consequences import Consequences, consequences_of
from tournaments.admin.steps.table import BY_NAME, Step
from tournaments.amounts import read_amount
from tournaments.auditing import subject_of
from tournaments.models import Tournament
from tournaments.refusals import sentence_of
from tournaments.structure.errors import StructureError
from tournaments.structure.schedules import instant


class ReasonForm(forms.Form):
    """Why, and what is kept of each fee where a tournament is called off."""

    reason = text(gettext_lazy("Reason"), longest=MAX_REASON, required=False)
    kept = TypedAmount(
        label=gettext_lazy("Keep of what each player paid"),
        required=False,
        help_text=gettext_lazy("Empty: everybody gets all of it back."),
    )

    def __init__(self, data: Any, step: Step, asset: str) -> None:
        super().__init__(data, use_required_attribute=False)
        self.asset = asset
        self.fields["reason"].required = step.asks_reason
        if step.name == "cancel":
            self.fields["reason"].help_text = gettext_lazy("Players read it.")
        else:
            self.fields.pop("kept")

    def clean_kept(self) -> int:
        """In the smallest unit."""
        typed = self.cleaned_data["kept"]
        try:
            return read_amount(typed, self.asset) if typed else 0
        except ValueError as fault:
            raise forms.ValidationError(str(fault)) from fault


def step(request: HttpRequest, tournament: Tournament, name: str) -> HttpResponseBase:
    """What a step would do; sent, it is done, unless the tournament has changed meanwhile."""
    wanted = BY_NAME.get(name)
    if wanted is None:
        raise Http404
    sent = request.POST if request.method == "POST" else None
    form = ReasonForm(sent, wanted, tournament.asset)
    if request.method == "POST" and form.is_valid() and "_look" not in request.POST:
        problem = _done(request, tournament, wanted, form.cleaned_data)
        if not problem:
            return redirect("admin:tournaments_tournament_change", tournament.pk)
        form.add_error(None, problem)
    kept = form.cleaned_data.get("kept", 0) if form.is_bound and not form.errors else 0
    context = {
        "tournament": tournament,
        "step": wanted,
        "form": form,
        "consequences": _consequences(tournament, wanted, kept),
    }
    title = f"{tournament.name}: {wanted.words}"
    return show(request, "admin/tournaments/step.html", title, context)


def _consequences(tournament: Tournament, wanted: Step, kept: int) -> Consequences:
    if not wanted.is_possible(tournament):
        return Consequences((_("This cannot be done now; it has gone on meanwhile."),))
    return consequences_of(wanted.name, tournament, kept)


def _done(request: HttpRequest, tournament: Tournament, wanted: Step, read: Any) -> str:
    """Do it and say so; the sentence of a refusal, or nothing."""
    if request.POST.get("version") != str(tournament.version):
        return _("It has changed since you opened this page; look at the consequences again.")
    try:
        is_done = wanted.run(doer_of(request), tournament, read["reason"], read.get("kept", 0))
    except Exception as refusal:
        return sentence_of(refusal)
    say_done(request, _("Done: %(what)s.") % {"what": wanted.words}, is_done=is_done)
    return ""


class CopyForm(forms.Form):
    """What differs in the copy."""

    name = text(gettext_lazy("Name of the copy"))
    starts_at = MomentField(
        label=gettext_lazy("Start"),
        required=False,
        help_text=gettext_lazy("Its other times move along. Empty: you set them later."),
    )
    zone = choice(gettext_lazy("Time zone"), ())

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, use_required_attribute=False, **options)
        zone: Any = self.fields["zone"]
        zone.choices = zones()

    def clean(self) -> dict[str, Any]:
        """The start as an instant."""
        read: dict[str, Any] = super().clean() or {}
        typed = read.get("starts_at")
        if typed is not None and read.get("zone"):
            try:
                read["starts_at"] = instant(typed.date(), typed.time(), read["zone"])
            except StructureError as refusal:
                self.add_error("starts_at", refusal.sentence)
        return read


def copy(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """A new draft like this one, with its invitations and without its entries."""
    zone = timezone.get_current_timezone_name()
    at = tournament.starts_at
    initial = {
        "name": tournament.name,
        "zone": zone,
        "starts_at": "" if at is None else on_the_wall(at, zone),
    }
    sent = request.POST if request.method == "POST" else None
    form = CopyForm(sent, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            made = _copy(request, tournament, form.cleaned_data)
        except Exception as refusal:
            form.add_error(None, sentence_of(refusal))
        else:
            messages.success(request, _("This is the copy, a draft."))
            return redirect("admin:tournaments_tournament_change", made.pk)
    context = {"tournament": tournament, "form": form, "here": "copy"}
    title = _("%(name)s: copy") % {"name": tournament.name}
    return show(request, "admin/tournaments/copy.html", title, context)


def _copy(request: HttpRequest, tournament: Tournament, read: dict[str, Any]) -> Tournament:
    doer = doer_of(request)
    with acting(by=doer, action="tournaments.copy") as line:
        made = services.copy(
            tournament_id=tournament.pk,
            actor=doer.signature,
            name=read["name"],
            starts_at=read["starts_at"],
            organiser_id=None if doer.user is None else doer.user.pk,
            now=doer.at,
        )
        line.subject = subject_of(made)
        line.after = {**picture(made), "copy_of": tournament.public_id}
    return made
