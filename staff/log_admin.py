"""The audit log: who did what to what, when, from where, how it was and is, and why.

Looked at, searched, saved to a file; never changed, by superusers neither.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Final

from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from staff import sheets
from staff.admin_base import ReadOnlyAdmin
from staff.log_filters import ActionFilter, DaysFilter, KindFilter, PeriodFilter, WhoFilter
from staff.log_words import action_word, kind_word
from staff.models import StaffAction
from staff.saving import to_be_saved
from staff.selectors.differences import differences, text_of
from staff.services.audit import Subject, doer_of, note

MOST: Final = 50_000
"""Lines in one file."""
SHOWN: Final = 3
"""Changes told in a row of the list."""
FORMS: Final = ("csv", "xlsx", "json")


@admin.register(StaffAction)
class StaffActionAdmin(ReadOnlyAdmin):
    """The lines, the newest first."""

    list_display = ("at", "actor_name", "deed", "what", "changed", "reason", "origin")
    list_filter: ClassVar[Any] = [
        PeriodFilter,
        ("at", DaysFilter),
        WhoFilter,
        ActionFilter,
        KindFilter,
    ]
    list_filter_submit = True
    search_fields = ("subject_name", "=subject", "actor_name", "reason", "=batch", "=origin")
    search_help_text = _("Subject, its key, who, reason, batch or address")
    ordering = ("-id",)
    change_list_template = "staff/log.html"
    fields = (
        "at",
        "actor_name",
        "origin",
        "deed_and_code",
        "kind_and_code",
        "subject",
        "subject_name",
        "difference",
        "reason",
        "batch_lines",
        "subject_lines",
    )
    readonly_fields = fields

    @admin.display(description=_("action"), ordering="action")
    def deed(self, line: StaffAction) -> str:
        """What was done, in words."""
        return action_word(line.action)

    @admin.display(description=_("action"))
    def deed_and_code(self, line: StaffAction) -> SafeString:
        """What was done, with the code that files and the API have for it."""
        return _with_code(action_word(line.action), line.action)

    @admin.display(description=_("kind"))
    def kind_and_code(self, line: StaffAction) -> SafeString:
        """The kind of subject, with its code."""
        return _with_code(kind_word(line.subject_kind), line.subject_kind)

    @admin.display(description=_("subject"))
    def what(self, line: StaffAction) -> str:
        """What was acted on, as people call it."""
        return f"{line.subject_name} ({kind_word(line.subject_kind)})"

    @admin.display(description=_("changes"))
    def changed(self, line: StaffAction) -> str:
        """The first changes in a few words."""
        found = differences(line.before, line.after)
        told = [
            f"{one.name}: {one.before or '–'} → {one.after or '–'}"[:80] for one in found[:SHOWN]
        ]
        return "; ".join([*told, "…"] if len(found) > SHOWN else told)

    @admin.display(description=_("changes"))
    def difference(self, line: StaffAction) -> SafeString:
        """What was and what is, side by side."""
        found = differences(line.before, line.after)
        return render_to_string("staff/difference.html", {"found": found})

    @admin.display(description=_("batch"))
    def batch_lines(self, line: StaffAction) -> SafeString | str:
        """The way to the other lines of a bulk action."""
        return _way({"q": line.batch}, line.batch) if line.batch else "–"

    @admin.display(description=_("everything about it"))
    def subject_lines(self, line: StaffAction) -> SafeString:
        """The way to the other lines of the subject."""
        return _way({"kind": line.subject_kind, "q": line.subject}, line.subject_name)

    def get_urls(self) -> list[URLPattern]:
        """The lists, and the files made of them."""
        saved = self.admin_site.admin_view(self.export)
        own = [path("export.<str:form>", saved, name="staff_staffaction_export")]
        return [*own, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """The list, with the ways to the files for who may have them."""
        forms = FORMS if self._may_export(request) else ()
        return super().changelist_view(request, {**(extra_context or {}), "forms": forms})

    def _may_export(self, request: HttpRequest) -> bool:
        user: Any = request.user
        return bool(user.has_perm("staff.export_staffaction"))

    def export(self, request: HttpRequest, form: str) -> HttpResponse:
        """The lines of a list, as it is filtered, as a file. Saving it is a deed, too."""
        if not self._may_export(request):
            raise PermissionDenied
        if form not in FORMS:
            raise Http404("There is no such form of file.")
        try:
            lines = self.get_changelist_instance(request).queryset[: MOST + 1]
        except IncorrectLookupParameters:
            return redirect(f"{reverse('admin:staff_staffaction_changelist')}?e=1")
        rows = [_row(line) for line in lines]
        if len(rows) > MOST:
            sentence = _("These are more than %(most)s lines. Choose a shorter time.")
            messages.error(request, sentence % {"most": f"{MOST:,}"})
            asked = request.GET.urlencode()
            return redirect(f"{reverse('admin:staff_staffaction_changelist')}?{asked}")
        by = doer_of(request)
        note(
            by=by,
            action="staff.export_log",
            subject=Subject("audit_log", form, f"{len(rows)} lines"),
            after={"lines": len(rows), "filters": request.GET.dict()},
        )
        return to_be_saved(_sheet(rows, by.at), "audit-log", form)


def _way(query: dict[str, str], text: str) -> SafeString:
    """A link to the list, filtered."""
    address = f"{reverse('admin:staff_staffaction_changelist')}?{urlencode(query)}"
    return format_html('<a href="{}">{}</a>', address, text)


def _with_code(word: str, code: str) -> SafeString:
    return format_html("{} <code>{}</code>", word, code)


_COLUMNS: Final = (
    "at", "who", "from", "action", "kind", "key", "subject", "before", "after", "reason", "batch",
)  # fmt: skip


def _row(line: StaffAction) -> tuple[sheets.Cell, ...]:
    return (
        line.at,
        line.actor_name,
        line.origin,
        line.action,
        line.subject_kind,
        line.subject,
        line.subject_name,
        text_of(line.before),
        text_of(line.after),
        line.reason,
        line.batch,
    )


def _sheet(rows: list[tuple[sheets.Cell, ...]], at: datetime) -> sheets.Sheet:
    return sheets.Sheet("Audit log", {"made at": at, "lines": len(rows)}, _COLUMNS, rows)
