"""An account: its statement, amounts put in and taken out by hand, freezing; an entry and undoing.

Each that changes something is a form with a reason; above the limit it waits for a second person.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple, TypedDict
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from ledger import selectors, services
from ledger.amounts import of_asset
from ledger.api import owner_of
from ledger.desk.books import ADJUST, ROWS_A_PAGE, VIEW
from ledger.desk.forms import CashForm, FreezeForm, ReasonForm
from ledger.errors import LedgerError
from ledger.models import Account, Entry
from ledger.selectors.balances import view_of
from ledger.services.four_eyes import limit_of
from ledger.wallet import kind_words, line_in_words, mode_words, period_of, purpose_words
from staff.desk import desk_page, show
from staff.services.audit import Doer, Line, Subject, acting, doer_of
from wording import told
from wording.typed import read_key


def subject_of(account: Account) -> Subject:
    """An account as something that is acted on."""
    return Subject("account", str(account.pk), str(account))


def entry_subject(entry: Entry) -> Subject:
    """An entry of the ledger as something that is acted on."""
    return Subject("ledger entry", str(entry.pk), f"{entry.journal.code} #{entry.seq} {entry.kind}")


def _account(pk: int) -> Account:
    found = Account.objects.select_related("asset", "balance").filter(pk=pk).first()
    if found is None:
        raise Http404(_("There is no such account."))
    return found


@desk_page(VIEW)
@require_safe
def search(request: HttpRequest) -> HttpResponseBase:
    """Accounts by owner (`player:17`, `tournament:7`, `house`) or number."""
    text = request.GET.get("q", "").strip()
    found = selectors.accounts_found(text)
    page: Any = Paginator(found, ROWS_A_PAGE).get_page(request.GET.get("page"))
    rows = [{"account": a, "posted": of_asset(view_of(a.balance).posted, a.asset)} for a in page]
    kept = f"&{urlencode({'q': text})}" if text else ""
    context = {"page": page, "rows": rows, "q": text, "kept": kept}
    return show(request, "books/accounts.html", _("Accounts"), context)


@desk_page(VIEW)
@require_safe
def statement(request: HttpRequest, pk: int) -> HttpResponseBase:
    """What stands on an account, and what moved, the newest first."""
    account, asked = _account(pk), request.GET
    period = period_of(asked.get("since", ""), asked.get("until", ""))
    page = selectors.statement_page(
        pk,
        since=period.since,
        until=period.until,
        before=read_key(asked.get("before", "")),
        after=read_key(asked.get("after", "")),
    )
    view = view_of(account.balance)
    moments = {"since": period.since, "until": period.until}
    days = {"since": period.first, "until": period.last}
    context = {
        "account": account,
        "balance": {
            name: of_asset(getattr(view, name), account.asset)
            for name in ("posted", "held", "available", "incoming")
        },
        "lines": [(line, line_in_words(line, account)) for line in page.lines],
        "newer": page.newer,
        "older": page.older,
        "period": period,
        "kept": urlencode({name: day.isoformat() for name, day in days.items() if day}),
        "export": urlencode({name: at.isoformat() for name, at in moments.items() if at}),
        "changes": selectors.changes_of(pk)[:10],
        "may_adjust": request.user.has_perm(ADJUST),
    }
    title = f"{account.owner}: {purpose_words(account.purpose)} ({account.asset_id})"
    return show(request, "books/statement.html", title, context)


@desk_page(ADJUST)
@require_http_methods(["GET", "POST"])
def adjust(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Put an amount into an account or take it out, with a reason."""
    account, by = _account(pk), doer_of(request)
    form = CashForm(account, request.POST or None)

    def work(line: Line) -> str:
        asked = services.request_cash(account=pk, **_signed(by), **form.said)
        return _answered(asked, line, by, _("It has been carried out."))

    deed = Deed(
        by,
        "ledger.adjust",
        subject_of(account),
        _standing(pk),
        ("account", pk),
        _("Adjust an account"),
    )
    limit = of_asset(limit_of(account.asset_id), account.asset)
    return _form(request, form, work, deed, account=account, limit=limit)


@desk_page(ADJUST)
@require_http_methods(["GET", "POST"])
def freeze(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Freeze an account, or open it again where it is frozen."""
    account, by = _account(pk), doer_of(request)
    form = FreezeForm(
        request.POST or None, initial={"wanted": "freeze" if account.is_open else "open"}
    )
    freezes = form["wanted"].value() != "open"

    def work(line: Line) -> str:
        act = services.freeze_account if freezes else services.reopen_account
        act(account=pk, reason=form.cleaned_data["reason"], **_signed(by))
        if not selectors.changes_of(pk).filter(at=by.at).exists():
            line.leave_out()
            return _("Nothing was changed; there was nothing to do.")
        return _("It is frozen.") if freezes else _("It is open again.")

    action = "ledger.freeze" if freezes else "ledger.open"
    words = _("Freeze an account") if freezes else _("Open an account again")
    deed = Deed(by, action, subject_of(account), _standing(pk), ("account", pk), words)
    return _form(request, form, work, deed, account=account)


@desk_page(VIEW)
@require_safe
def entry(request: HttpRequest, pk: int) -> HttpResponseBase:
    """An entry with its lines, and whether it was reversed."""
    found = _entry(pk)
    lines = [
        (line, mode_words(line.mode) or _("at once"), of_asset(line.amount, line.debit.asset))
        for line in sorted(found.transfers.all(), key=lambda line: line.line)
    ]
    context = {
        "entry": found,
        "hash": bytes(found.hash).hex(),
        "lines": lines,
        "waiting": selectors.reversal_requests(is_waiting=True).filter(entry=pk).first(),
        "may_adjust": request.user.has_perm(ADJUST),
    }
    return show(request, "books/entry.html", f"{kind_words(found.kind)} {found.key}", context)


@desk_page(ADJUST)
@require_http_methods(["GET", "POST"])
def reverse(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Ask to have an entry moved back, with a reason."""
    found, by = _entry(pk), doer_of(request)
    form = ReasonForm(request.POST or None)

    def work(line: Line) -> str:
        asked = services.ask_reversal(
            entry=pk,
            key=f"desk:{form.cleaned_data['key']}",
            reason=form.cleaned_data["reason"],
            **_signed(by),
        )
        return _answered(asked, line, by, _("It has been moved back."))

    words = _("Reverse an entry")
    deed = Deed(by, "ledger.reverse", entry_subject(found), None, ("entry", pk), words)
    return _form(request, form, work, deed, entry=found)


def _entry(pk: int) -> Entry:
    found = selectors.entry_named(pk)
    if found is None:
        raise Http404(_("There is no such entry."))
    return found


class Signed(TypedDict):
    """Who acts, whose accounts are his own, and when, as services take it."""

    actor: str
    actor_owner: str
    now: datetime


def _signed(by: Doer) -> Signed:
    return {"actor": by.signature, "actor_owner": owner_of(by.user), "now": by.at}


def _answered(asked: Any, line: Line, by: Doer, done: str) -> str:
    """What is said of a request; the same form sent again is no other deed."""
    if asked.asked_at != by.at:
        line.leave_out()
    if not asked.needs_second:
        return done
    return _("One person may not decide this alone; it waits for somebody else's approval.")


def _standing(pk: int) -> Callable[[], dict[str, Any]]:
    """How an account stands, for the audit log."""

    def picture() -> dict[str, Any]:
        account = Account.objects.select_related("balance").get(pk=pk)
        view = view_of(account.balance)
        return {"is_open": account.is_open, "posted": view.posted, "held": view.held}

    return picture


class Deed(NamedTuple):
    """What a form does: its audit line, and the page that comes after."""

    by: Doer
    action: str
    subject: Subject
    picture: Callable[[], dict[str, Any]] | None
    back: tuple[str, int]
    words: str


def _form(
    request: HttpRequest, form: ReasonForm, work: Callable[[Line], str], deed: Deed, **more: Any
) -> HttpResponseBase:
    """Show the form, or do what it asks for; a refusal stands above it."""
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            with acting(
                by=deed.by,
                action=deed.action,
                subject=deed.subject,
                reason=form.cleaned_data["reason"],
                picture=deed.picture,
            ) as line:
                said = work(line)
        except LedgerError as refusal:
            form.add_error(None, told(refusal.sentence))
            status = 409
        else:
            messages.success(request, said)
            return redirect(f"books:{deed.back[0]}", deed.back[1])
    context = {"form": form, "back": deed.back[0], "pk": deed.back[1], "words": deed.words, **more}
    return show(request, "books/form.html", deed.words, context, status=status)
