"""The books as a whole: by asset, by account, by day; the last check, and proofs."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

import msgspec
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from ledger import selectors, tasks
from ledger.amounts import of_asset
from ledger.audit import Findings
from ledger.models import Asset, Transfer
from ledger.proving import proof_of
from ledger.selectors.balances import view_of
from ledger.wallet import day_of, kind_words
from staff.desk import desk_page, show
from staff.services.audit import Subject, acting, doer_of
from wording.typed import read_key

VIEW: Final = "ledger.view_money"
ADJUST: Final = "ledger.adjust"
ROWS_A_PAGE: Final = 50
DAYS: Final = 31


@desk_page(VIEW)
@require_safe
def overview(request: HttpRequest) -> HttpResponseBase:
    """The trial balance by asset, the last check of the books, the newest checkpoint."""
    assets = {asset.code: asset for asset in Asset.objects.order_by("code")}
    check = selectors.last_check()
    rows = [
        {
            "totals": totals,
            "debits": of_asset(totals.debits, assets[totals.asset]),
            "credits": of_asset(totals.credits, assets[totals.asset]),
            "held": of_asset(totals.debits_held, assets[totals.asset]),
        }
        for totals in selectors.trial_balance()
        if not totals.asset.startswith("CHIPS:") or request.GET.get("chips")
    ]
    context = {
        "rows": rows,
        "check": check,
        "findings": None if check is None else msgspec.json.decode(check.report, type=Findings),
        "checkpoint": selectors.newest_checkpoint(),
        "may_check": request.user.has_perm(ADJUST),
    }
    return show(request, "books/overview.html", _("Books"), context)


@desk_page(ADJUST)
@require_POST
def check_now(request: HttpRequest) -> HttpResponseBase:
    """Have the worker check the whole books; the page shows the result when it is there."""
    by, subject = doer_of(request), Subject("books", "books", "Books")
    with acting(by=by, action="ledger.check_books", subject=subject):
        pass
    tasks.check_books.delay()
    messages.success(request, _("The books are being checked; look again in a moment."))
    return redirect("books:overview")


@desk_page(VIEW)
@require_safe
def asset(request: HttpRequest, code: str) -> HttpResponseBase:
    """Every account of an asset with its totals; they add up to the trial balance."""
    found = get_object_or_404(Asset, code=code)
    purpose = request.GET.get("purpose", "")
    balances = selectors.balances_in(code, purpose=purpose)
    page: Any = Paginator(balances, ROWS_A_PAGE).get_page(request.GET.get("page"))
    rows = [
        {
            "account": balance.account,
            "debits": of_asset(balance.debits, found),
            "credits": of_asset(balance.credits, found),
            "posted": of_asset(view_of(balance).posted, found),
            "held": of_asset(balance.debits_held, found),
        }
        for balance in page
    ]
    kept = f"&purpose={purpose}" if purpose else ""
    context = {"asset": found, "page": page, "rows": rows, "kept": kept}
    title = _("Accounts in %(asset)s") % {"asset": code}
    return show(request, "books/asset.html", title, context)


@desk_page(VIEW)
@require_safe
def days(request: HttpRequest, code: str) -> HttpResponseBase:
    """What was posted on each of 31 days (UTC), up to `?until=`; `?day=` shows one by reason."""
    found = get_object_or_404(Asset, code=code)
    until = day_of(request.GET.get("until", "")) or timezone.now().astimezone(UTC).date()
    first = until - timedelta(days=DAYS - 1)
    totals = selectors.totals_by_day(code, since=_start(first), until=_end(until))
    chosen = day_of(request.GET.get("day", ""))
    context: dict[str, Any] = {
        "asset": found,
        "until": until,
        "before": first - timedelta(days=1),
        "rows": [
            {
                "total": total,
                "moved": of_asset(total.moved, found),
                "held": of_asset(total.held, found),
                "given_back": of_asset(total.given_back, found),
            }
            for total in totals
        ],
        "chosen": chosen,
    }
    if chosen is not None:
        kinds = selectors.totals_by_kind(since=_start(chosen), until=_end(chosen))
        context["kinds"] = [
            {"kind": kind_words(k.kind), "total": k, "amount": of_asset(k.amount, found)}
            for k in kinds
            if k.asset == code
        ]
    title = _("Days in %(asset)s") % {"asset": code}
    return show(request, "books/days.html", title, context)


def _start(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _end(day: date) -> datetime:
    return _start(day + timedelta(days=1))


@desk_page(VIEW)
@require_safe
def find(request: HttpRequest) -> HttpResponseBase:
    """To the proof of a transfer by its number."""
    number = read_key(request.GET.get("transfer", "").strip())
    if number is None:
        messages.error(request, _("Write the number of a transfer, as statements show it."))
        return redirect("books:overview")
    if not Transfer.objects.filter(pk=number).exists():
        messages.error(request, _("There is no transfer %(number)s.") % {"number": number})
        return redirect("books:overview")
    return redirect("books:proof", number)


@desk_page(VIEW)
@require_safe
def proof(request: HttpRequest, pk: int) -> HttpResponseBase:
    """A transfer's place in the chain, step by step, up to the sealed root."""
    found = proof_of(pk)
    if found is None:
        raise Http404(_("There is no such transfer."))
    title = _("Proof of transfer %(number)d") % {"number": pk}
    return show(request, "books/proof.html", title, {"proof": found})
