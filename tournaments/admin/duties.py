"""Who runs a tournament and who is called to it as an arbiter: the page on which they are named."""

from __future__ import annotations

from typing import Final

from django import forms
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from staff.desk import say_done, show
from staff.services.audit import acting, doer_of
from tournaments.admin.setup.fields import UserField
from tournaments.auditing import subject_of
from tournaments.models import StaffRole, Tournament
from tournaments.refusals import sentence_of
from tournaments.services import duties

PAGE: Final = "admin/tournaments/duties.html"


class DutyForm(forms.Form):
    """A member of the staff and a duty."""

    username = UserField(
        label=gettext_lazy("User name"),
        help_text=gettext_lazy("Of a member of the staff; the site's administrators make those."),
        missing=gettext_lazy("There is no user of that name; look how it is spelt."),
        closed_too=True,  # whose account is closed can have his duty taken away
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Duty"),
        choices=[
            (StaffRole.ORGANISER, gettext_lazy("organiser")),
            (StaffRole.ARBITER, gettext_lazy("arbiter")),
        ],
        initial=StaffRole.ARBITER,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "An organiser may do everything here; an arbiter keeps score sheets, gives results, "
            "calls players and mutes."
        ),
    )


def staff_of(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Appoint and dismiss; each is one service and a line in the audit log."""
    form = DutyForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            is_done = _change(request, tournament, form)
        except Exception as refusal:
            field = "username" if getattr(refusal, "field", None) == "user" else None
            form.add_error(field, sentence_of(refusal))
        else:
            say_done(request, _("Saved."), is_done=is_done)
            return redirect("admin:tournaments_staff", tournament.pk)
    people = tournament.staff.select_related("user").order_by("role", "user__username")
    context = {"tournament": tournament, "here": "staff", "form": form, "people": people}
    return show(request, PAGE, _("Staff of %(name)s") % {"name": tournament.name}, context)


def _change(request: HttpRequest, tournament: Tournament, form: DutyForm) -> bool:
    """Appoint or dismiss; whether that was anything new."""
    doer, user = doer_of(request), form.cleaned_data["username"]
    role, leaves = StaffRole(form.cleaned_data["role"]), "_dismiss" in request.POST
    with acting(
        by=doer,
        action="tournaments.dismiss" if leaves else "tournaments.appoint",
        subject=subject_of(tournament),
        picture=lambda: _picture(tournament),
    ) as line:
        change = duties.dismiss if leaves else duties.appoint
        if not change(tournament_id=tournament.pk, user_id=user.pk, role=role):
            line.leave_out()
    return not line.is_left_out


def _picture(tournament: Tournament) -> dict[str, list[str]]:
    """Names by duty."""
    found: dict[str, list[str]] = {role.value: [] for role in StaffRole}
    rows = tournament.staff.order_by("user__username").values_list("role", "user__username")
    for role, name in rows:
        found[role].append(name)
    return found
