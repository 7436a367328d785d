"""The wallet: a player's own accounts and nobody else's, and the points that welcome him."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from ledger import services
from ledger.amounts import amount_text
from ledger.api import is_verified, owner_of
from ledger.errors import LedgerError
from ledger.terms import AssetKind
from ledger.wallet import period_of, wallet_of
from wording import told
from wording.typed import read_key


@login_required
@require_safe
@never_cache
def wallet(request: HttpRequest) -> HttpResponse:
    """Balances, and the statement of one account over a period."""
    asked = request.GET
    period = period_of(asked.get("since", ""), asked.get("until", ""))
    found = wallet_of(
        owner_of(request.user),
        account=read_key(asked.get("account", "")),
        period=period,
        before=read_key(asked.get("before", "")),
        after=read_key(asked.get("after", "")),
    )
    days = {"since": period.first, "until": period.last}
    kept: dict[str, Any] = {name: day.isoformat() for name, day in days.items() if day}
    if found.shown is not None:
        kept["account"] = found.shown.pk
    moments = {"since": period.since, "until": period.until}
    context = {
        "wallet": found,
        "period": period,
        "kept": urlencode(kept),
        "export": urlencode({name: at.isoformat() for name, at in moments.items() if at}),
        "welcome": _welcome(request.user),
        "forms": ("csv", "xlsx", "json"),
    }
    return render(request, "ledger/wallet.html", context)


def _welcome(user: Any) -> dict[str, Any] | None:
    """The points that wait for a player, and whether he may have them now."""
    points = services.welcome_points()
    if points <= 0 or services.had_welcome(owner_of(user)):
        return None
    text = amount_text(points, asset="PLAY", kind=AssetKind.PLAY, scale=0)
    return {"points": text, "is_verified": is_verified(user)}


@login_required
@require_POST
def claim_welcome(request: HttpRequest) -> HttpResponse:
    """Give a newcomer his play points, once."""
    if not is_verified(request.user):
        messages.error(request, _("Confirm your e-mail address first; then the points are yours."))
        return redirect("wallet")
    user: Any = request.user
    try:
        given = services.give_welcome(
            owner=owner_of(user), actor=owner_of(user), now=datetime.now(UTC)
        )
    except LedgerError as refusal:
        messages.error(request, told(refusal.sentence))
        return redirect("wallet")
    if given:
        messages.success(request, _("The points are in your wallet. Choose a tournament."))
    else:
        messages.error(request, _("You have had your welcome points."))
    return redirect("wallet")
