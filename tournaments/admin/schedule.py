"""Tournaments that come again, in the admin: set up with their next dates in sight, and stopped."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext as _

from staff.desk import desk_page, say_done, show
from staff.services.audit import Doer, Subject, acting, doer_of, fields_of
from tournaments import services
from tournaments.access import RUN, organised_by
from tournaments.admin.base import TournamentsAdmin, reason_of
from tournaments.admin.schedule_form import ScheduleForm
from tournaments.admin.setup.choices import OFFERED
from tournaments.models import Schedule, Tournament
from tournaments.refusals import sentence_of
from tournaments.services.schedules import rule_of
from tournaments.structure.schedules import check_hours, instants
from wording import moment_text

ADD: Final = "tournaments.add_schedule"
DATES: Final = 10
_CALLED: Final[dict[str | None, str]] = {
    "ahead_minutes": "ahead_days",
    "opens_minutes_before": "opens_hours",
}
"""What services call the fields of the form."""
_PICTURED: Final = ("name", "rule", "is_stopped", "next_at")


def subject_of(schedule: Schedule) -> Subject:
    """A schedule as something that is acted on."""
    return Subject("schedule", schedule.public_id, schedule.name)


def may_add(user: Any) -> bool:
    """Whether a user may let tournaments come again."""
    return bool(user.is_staff and user.has_perm(ADD) and user.has_perm(RUN))


def _templates(user: Any) -> list[tuple[int, str]]:
    """The tournaments of one's own that can be copied, the latest first."""
    rows = Tournament.objects.filter(organised_by(user)).order_by("-pk")[:OFFERED]
    return list(rows.values_list("pk", "name"))


def add(request: HttpRequest) -> HttpResponseBase:
    """A new schedule; it is saved only after its next ten dates were looked at."""
    if not may_add(request.user):
        raise PermissionDenied
    sent = request.POST if request.method == "POST" else None
    initial = ScheduleForm.usual() | {"template": request.GET.get("like", "")}
    form = ScheduleForm(sent, templates=_templates(request.user), initial=initial)
    dates: list[str] = []
    if sent is not None and form.is_valid():
        doer = doer_of(request)
        try:
            dates = _dates(form, doer)
            if request.POST.get("seen") == "|".join(dates) and "_save" in request.POST:
                made = _make(form, doer)
                messages.success(request, _("The schedule runs."))
                return redirect("admin:tournaments_schedule_change", made.pk)
        except Exception as refusal:
            field = _CALLED.get(named := getattr(refusal, "field", None), named)
            form.add_error(field if field in form.fields else None, sentence_of(refusal))
    context = {
        "form": form,
        "dates": dates,
        "seen": "|".join(dates),
        "opts": Schedule._meta,
    }
    title = _("Let a tournament come again")
    return show(request, "admin/tournaments/schedule.html", title, context)


def _dates(form: ScheduleForm, doer: Doer) -> list[str]:
    """The next ten dates, written out; raises what a schedule of this rule would be refused for."""
    rule = form.rule
    check_hours(rule, doer.at)
    return [moment_text(date.at) for date in islice(instants(rule, doer.at), DATES)]


def _make(form: ScheduleForm, doer: Doer) -> Schedule:
    read = form.cleaned_data
    with acting(by=doer, action="tournaments.schedule") as line:
        made = services.schedule(
            name=read["name"],
            template_id=int(read["template"]),
            rule=form.rule,
            opens_minutes_before=read["opens_hours"] * 60,
            ahead_minutes=read["ahead_days"] * 24 * 60,
            actor=doer.signature,
            now=doer.at,
        )
        line.subject = subject_of(made)
        line.after = fields_of(made, *_PICTURED)
    return made


def change(request: HttpRequest, schedule: Schedule) -> HttpResponseBase:
    """What comes next of a schedule, and the button that stops it or lets it go on.

    What was sent says which of the two it is: the page may be older than what somebody else did.
    """
    doer = doer_of(request)
    if request.method == "POST":
        if request.POST.get("do") not in ("stop", "resume"):
            raise SuspiciousOperation
        stops = request.POST.get("do") == "stop"
        is_done = _switch(doer, schedule, reason_of(request), stops=stops)
        say_done(request, _("Done."), is_done=is_done)
        return redirect("admin:tournaments_schedule_change", schedule.pk)
    dates = services.next_dates(schedule, DATES, now=doer.at)
    context = {
        "schedule": schedule,
        "rule": rule_of(schedule),
        "dates": [moment_text(date.at) for date in dates],
        "made": schedule.tournaments.order_by("-pk")[:DATES],
        "opts": Schedule._meta,
        "original": schedule,
    }
    return show(request, "admin/tournaments/schedule_now.html", schedule.name, context)


def _switch(doer: Doer, schedule: Schedule, reason: str, *, stops: bool) -> bool:
    """Stop it or let it go on; whether that was anything new."""

    def picture() -> Any:
        return fields_of(Schedule.objects.get(pk=schedule.pk), *_PICTURED)

    with acting(
        by=doer,
        action="tournaments.stop_schedule" if stops else "tournaments.resume_schedule",
        subject=subject_of(schedule),
        reason=reason,
        picture=picture,
    ) as line:
        if stops:
            is_new = services.stop_schedule(schedule_id=schedule.pk)
        else:
            is_new = services.resume_schedule(schedule_id=schedule.pk, now=doer.at)
        if not is_new:
            line.leave_out()
    return is_new


@admin.register(Schedule)
class ScheduleAdmin(TournamentsAdmin):
    """Tournaments that come again."""

    tournament_path = "template"
    list_display = ["name", "template", "next_at", "is_stopped", "actor"]
    list_filter = ["is_stopped"]
    search_fields = ["name", "=public_id"]
    ordering = ["-id"]

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        """Organisers let tournaments come again."""
        return may_add(request.user)

    def get_urls(self) -> list[URLPattern]:
        """The form in place of the admin's own."""
        own = path("add/", desk_page(RUN)(add), name="tournaments_schedule_add")
        return [own, *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponseBase:
        """What comes next, for who organises its template; for others the row, to look at."""
        own = Tournament.objects.filter(organised_by(request.user))
        rows = Schedule.objects.filter(template__in=own)
        found = rows.filter(pk=object_id).first() if object_id.isdecimal() else None
        if found is not None:
            return change(request, found)
        answer: HttpResponseBase = super().change_view(request, object_id, form_url, extra_context)
        return answer
