"""The page of a score sheet: a scorer looks, checks a deal, enters it, corrects it, answers.

Plain forms that work without any script. A deal is checked first, which shows what it would come
to, and entered with a second press; each is read and refused by the same rules.
"""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from staff.services.audit import Subject, acting, doer_of
from tables import services, sheet_forms, sheets
from tables.errors import TableCode, TableRefusal
from tables.models import Match
from tables.scorers import actor_of, is_scorer, may_enter_deals
from tables.sheets import DealToEnter

REFUSED: Final = 400
AUDITED: Final = {"enter": "tables.enter_deal", "correct": "tables.correct_deal"}
"""What a press of a button is called in the audit log; the others are answers."""


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, public_id: str) -> HttpResponse:
    """The sheet of a table with real cards; staff who may enter deals at it only."""
    if not is_scorer(request.user):
        raise PermissionDenied
    try:
        match = sheets.sheet_match(public_id)
    except TableRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    if not may_enter_deals(request.user, match.table.owner):
        raise PermissionDenied
    if request.method == "POST":
        return _Post(request, match).answer()
    fields: dict[str, str] = {}
    corrects = "correct" in request.GET
    if corrects:
        fields = sheet_forms.fields_of(*sheets.last_written(match))
    return _page(request, match, fields, corrects=corrects)


def _page(
    request: HttpRequest,
    match: Match,
    fields: sheet_forms.Fields,
    *,
    corrects: bool,
    refusal: Exception | None = None,
    preview: sheets.Preview | None = None,
) -> HttpResponse:
    shown = sheets.sheet_of(match)
    deal = shown.last if corrects else shown.deal
    form = None if deal is None else sheet_forms.filled(deal, fields, refusal)
    context = {
        "sheet": shown,
        "deal": deal,
        "form": form,
        "corrects": corrects and deal is not None,
        "preview": preview,
        "error": "" if refusal is None or form else getattr(refusal, "sentence", ""),
    }
    status = 200 if refusal is None else REFUSED
    return render(request, "tables/sheet.html", context, status=status)


class _Post:
    """One press of a button."""

    def __init__(self, request: HttpRequest, match: Match) -> None:
        self.request, self.match = request, match
        self.fields: dict[str, str] = {key: request.POST[key] for key in request.POST}
        self.do = self.fields.get("do", "")
        self.corrects = self.do in ("check-correction", "correct")
        self.doer = doer_of(request)
        version = self.fields.get("version", "")
        self.told: dict[str, Any] = {
            "match_id": match.pk,
            "actor": actor_of(request.user),
            "sheet_version": int(version) if version.isdecimal() and len(version) < 10 else -1,
            "now": self.doer.at,
        }

    def answer(self) -> HttpResponse:
        """Do it and show the sheet; what is refused is shown beside its field."""
        try:
            if self.do in ("check", "check-correction"):
                return self._check()
            said = self._audited()
        except Exception as refusal:
            # Whoever owns the table refuses in his own words; anything else is a fault.
            if not isinstance(getattr(refusal, "sentence", None), str):
                raise
            self.match.refresh_from_db()
            if getattr(refusal, "code", None) is TableCode.SHEET_MOVED_ON:
                # What was written was meant for another deal than is due now.
                self.fields, self.corrects = {}, False
            return _page(
                self.request, self.match, self.fields, corrects=self.corrects, refusal=refusal
            )
        messages.success(self.request, said)
        return redirect("tables:sheet", self.match.table.public_id)

    def _deal(self) -> DealToEnter:
        shown = sheets.sheet_of(self.match)
        deal = shown.last if self.corrects else shown.deal
        if deal is None:
            raise TableRefusal(TableCode.SHEET_MOVED_ON, "No deal is due now; look at the sheet.")
        return deal

    def _check(self) -> HttpResponse:
        rows = sheet_forms.written(self._deal(), self.fields)
        wild = sheet_forms.wild(self.fields)
        comes_to = sheets.preview(self.match, rows, wild, corrects=self.corrects)
        return _page(
            self.request, self.match, self.fields, corrects=self.corrects, preview=comes_to
        )

    def _audited(self) -> str:
        table = self.match.table
        with acting(
            by=self.doer,
            action=AUDITED.get(self.do, "tables.answer"),
            subject=Subject("table", table.public_id, table.label),
            reason=self.fields.get("reason", "") if self.corrects else "",
            picture=lambda: sheets.picture_of(self.match),
        ):
            return self._do()

    def _do(self) -> str:
        wild = sheet_forms.wild(self.fields)
        if self.do == "enter":
            deal = self._deal()
            rows = sheet_forms.written(deal, self.fields)
            services.enter_deal(rows=rows, wild=wild, **self.told)
            return f"Deal {deal.number} is entered."
        if self.do == "correct":
            deal = self._deal()
            rows = sheet_forms.written(deal, self.fields)
            reason = self.fields.get("reason", "")
            services.correct_last_deal(rows=rows, wild=wild, reason=reason, **self.told)
            return f"Deal {deal.number} is corrected."
        services.answer_on_sheet(entry=sheet_forms.answer(self.fields), **self.told)
        return "The answer is entered."
