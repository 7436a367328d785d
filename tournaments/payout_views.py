"""The pages of payouts: a list, the audit of one tournament, what is behind a figure.

For whoever may look at everybody's money; of his own tournaments an organiser reads the audits too.
Nothing here moves any but *pay again*, which makes the payments that were approved and could not be
made.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from staff.desk import desk_page, say_done, show
from staff.saving import to_be_saved
from staff.services.audit import Subject, acting, doer_of, note
from staff.sheets import MEDIA, Sheet
from tournaments import services
from tournaments.access import RUN, SEES_MONEY, audited_by
from tournaments.amounts import in_unit
from tournaments.auditing import picture_of, subject_of
from tournaments.models import Payout, PayoutState, Tournament
from tournaments.money import auditing
from tournaments.money.auditing import Figure
from tournaments.money.sheets import amount_cell
from tournaments.payout_audit import picture, report_of, words
from tournaments.payout_audit.checks import SHOWN
from tournaments.payout_audit.report import PrizeLine, Report
from tournaments.selectors import tournament_by_id
from tournaments.selectors.payouts import PaymentRow, payment_rows, payouts
from wording.typed import read_key

APPROVE: Final = "ledger.approve_payouts"
PAYOUTS_A_PAGE: Final = 50

_IN: Final = (Figure.ENTRIES, Figure.REJOINS, Figure.RE_ENTRIES, Figure.REBUYS, Figure.TOP_UP)
_POOL: Final = (Figure.PRIZES, Figure.TICKETS, Figure.SURPLUS)


def tournament_of(public_id: str) -> Tournament:
    """A tournament by its public id, drafts too. Raises `Http404`."""
    return _there(tournament_by_id(public_id))


def _audited(user: Any, public_id: str) -> Tournament:
    """The same, if this user may look at its payouts."""
    return _there(Tournament.objects.filter(audited_by(user), public_id=public_id).first())


def _there(found: Tournament | None) -> Tournament:
    if found is None:
        raise Http404(_("There is no such tournament."))
    return found


# The list, and what is saved of it


@desk_page(SEES_MONEY)
@require_safe
def payout_list(request: HttpRequest) -> HttpResponseBase:
    """Payouts, filtered by state and name."""
    state, named = request.GET.get("state", ""), request.GET.get("q", "").strip()
    found = payouts(state=state, named=named)
    page: Any = Paginator(found, PAYOUTS_A_PAGE).get_page(request.GET.get("page"))
    kept = urlencode({name: said for name, said in (("state", state), ("q", named)) if said})
    choices = [row for row in PayoutState.choices if row[0] != PayoutState.NONE]
    context = {
        "page": page,
        "rows": [_row(payout) for payout in page],
        "states": [(value, words.state_of(value)[0]) for value, _name in choices],
        "state": state,
        "q": named,
        "kept": f"&{kept}" if kept else "",
    }
    return show(request, "payouts/list.html", _("Payouts"), context)


def _row(payout: Any) -> dict[str, Any]:
    state, colour = words.state_words(payout)
    amount = in_unit(payout.amount, payout.tournament.asset)
    return {"payout": payout, "state": state, "colour": colour, "amount": amount}


@desk_page(SEES_MONEY, RUN)
@require_safe
def export(request: HttpRequest, form: str) -> HttpResponse:
    """The payments of the payouts that the list shows, or of one tournament, as a file.

    For an organiser, of his own tournaments. Saving it leaves a line in the audit log.
    """
    if form not in MEDIA:
        raise Http404(_("There is no such form."))
    asked = request.GET
    found = payouts(
        state=asked.get("state", ""),
        named=asked.get("q", "").strip(),
        tournament=asked.get("tournament", ""),
    ).filter(tournament__in=Tournament.objects.filter(audited_by(request.user)))
    rows = [_cells(row) for row in payment_rows(found)]
    note(
        by=doer_of(request),
        action="payouts.export",
        subject=Subject("payouts", form, f"{len(rows)} payments"),
        after={"payments": len(rows), "filters": asked.dict()},
    )
    return to_be_saved(Sheet("payouts", {}, PaymentRow._fields, rows), "payouts", form)


def _cells(row: PaymentRow) -> PaymentRow:
    """A payment with its amounts as numbers of their unit."""
    amount, kept = (amount_cell(one, row.asset) for one in (row.amount, row.kept))
    return row._replace(amount=amount, kept=kept)  # type: ignore[arg-type]


# The audit of one tournament


@desk_page(SEES_MONEY, RUN)
@require_safe
def audit(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """All about one tournament's money on one page; `?page=` of its prizes."""
    tournament = _audited(request.user, public_id)
    report = report_of(tournament, page=request.GET.get("page", 1))
    state, colour = words.state_words(report.payout)
    context = {
        "report": report,
        "state": state,
        "colour": colour,
        "shown_discrepancies": report.discrepancies[:SHOWN],
        "more_discrepancies": max(0, len(report.discrepancies) - SHOWN),
        "steps": tuple(_steps(report.payout)),
        "drawing": picture.picture_of(report),
        "sentence": picture.sentence_of(report),
        "rows": tuple(_account(report)),
        "prizes": [_prize(line, report.tournament.asset) for line in report.prizes],
        "may_approve": request.user.has_perm(APPROVE),
    }
    return show(request, "payouts/audit.html", _("Payout audit"), context)


class Step(NamedTuple):
    """A step of a payout, done where it has a moment."""

    words: str
    who: str
    at: datetime | None
    note: str = ""


def _steps(payout: Payout | None) -> Iterator[Step]:
    if payout is None:
        yield Step(_("Prizes decided"), "", None)
        return
    yield Step(_("Prizes decided, held"), payout.asked_by, payout.asked_at)
    needs_nobody = (
        payout.state in (PayoutState.APPROVED, PayoutState.PAID) and not payout.approved_by
    )
    if needs_nobody:
        note = _("needs no second person: points are not money")
        yield Step(_("Approved"), "", payout.asked_at, note)
    else:
        yield Step(_("Approved"), payout.approved_by, payout.approved_at)
    yield Step(_("Paid"), "", payout.paid_at)


class Row(NamedTuple):
    """A line of the account; a figure has transfers to look at."""

    sign: str
    figure: str
    words: str
    amount: str
    transfers: int
    kind: str = ""


def _account(report: Report) -> Iterator[Row]:
    figures, asset = report.figures, report.tournament.asset

    def row(figure: Figure, sign: str) -> Row:
        amount = in_unit(figures[figure].amount, asset)
        name = words.figure_words(figure)
        return Row(sign, figure.value, name, amount, figures[figure].transfers)

    def total(name: str, amount: int) -> Row:
        return Row("=", "", name, in_unit(amount, asset), 0, "is-total")

    for number, figure in enumerate(_IN):
        yield row(figure, "+" if number else "")
    yield row(Figure.REFUNDS, "−")
    yield row(Figure.KEPT, "+")
    stayed = sum(figures[f].amount for f in (*_IN, Figure.KEPT)) - figures[Figure.REFUNDS].amount
    yield total(_("Came in and stayed"), stayed)
    yield row(Figure.POOL, "")
    yield row(Figure.FEE, "+")
    yield row(Figure.SET_ASIDE, "+")
    became = sum(figures[f].amount for f in (Figure.POOL, Figure.FEE, Figure.SET_ASIDE))
    yield total(_("Prize pool, fee, and what is set aside"), became)
    for number, figure in enumerate(_POOL):
        yield row(figure, "+" if number else "")
    yield Row("+", "", _("Lies in the pool's escrow now"), in_unit(report.remains.pool, asset), 0)
    given = sum(figures[f].amount for f in _POOL) + report.remains.pool
    yield total(_("Where the prize pool is"), given)
    if figures[Figure.OTHER].transfers:
        yield row(Figure.OTHER, "!")


def _prize(line: PrizeLine, asset: str) -> dict[str, Any]:
    return {
        **line._asdict(),
        "amount": in_unit(line.amount, asset) if line.amount or not line.ticket else "",
        "ticket": in_unit(line.ticket, asset) if line.ticket else "",
        "parts": [
            {
                "rule": part.rule,
                "name": words.rule_words(part.rule),
                "words": part.words,
                "amount": in_unit(part.amount, asset),
            }
            for part in line.parts
        ],
    }


@desk_page(SEES_MONEY, RUN)
@require_safe
def behind(request: HttpRequest, public_id: str, figure: str) -> HttpResponseBase:
    """The transfers behind a figure, the newest first; `?before=` a transfer's key."""
    tournament = _audited(request.user, public_id)
    wanted, before = _figure(figure), read_key(request.GET.get("before", ""))
    lines = auditing.lines_behind(tournament, wanted, before=before)
    found = auditing.figures_of(tournament)[wanted]
    context = {
        "tournament": tournament,
        "words": words.figure_words(wanted),
        "figure": found,
        "amount": in_unit(found.amount, tournament.asset),
        "lines": [_line(one, tournament.asset) for one in lines.behind],
        "older": lines.older,
    }
    return show(request, "payouts/behind.html", words.figure_words(wanted), context)


def _figure(name: str) -> Figure:
    try:
        return Figure(name)
    except ValueError:
        raise Http404(_("There is no such figure.")) from None


def _line(one: auditing.Behind, asset: str) -> dict[str, Any]:
    line = one.line
    return {
        "line": line,
        "mode": line.mode.label,
        "source": f"{line.debit_owner} {line.debit_purpose}",
        "target": f"{line.credit_owner} {line.credit_purpose}",
        "amount": in_unit(one.amount or line.amount, asset),
    }


@desk_page(APPROVE)
@require_POST
def pay(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Make the payments that are approved and could not be made."""
    tournament, by = tournament_of(public_id), doer_of(request)
    with acting(
        by=by,
        action="tournaments.pay_due",
        subject=subject_of(tournament),
        picture=lambda: _standing(tournament.pk),
    ) as line:
        paid = services.pay_due(tournament_id=tournament.pk, now=by.at)
        if paid == (0, ()) and line.before == _standing(tournament.pk):
            line.leave_out()
    for failure in paid.failed:
        messages.error(request, failure.reason)
    if not paid.failed:
        said = _("Everything that is owed has been paid.")
        say_done(request, said, is_done=not line.is_left_out)
    return redirect("payouts:audit", public_id)


def _standing(tournament_id: int) -> dict[str, Any]:
    """How the tournament and its payout stand."""
    states = Payout.objects.filter(tournament=tournament_id).values_list("state", flat=True)
    return picture_of(tournament_id) | {"payout": states.first() or ""}
