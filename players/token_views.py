"""The page of a player's keys for programs: each is shown once, when it is made; revoked here."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players import key_lines
from players.account_forms import KeyForm
from players.errors import PlayerRefusal
from players.models import Scope
from players.selectors.keys import holds, keys_of
from players.services import tokens as services
from wording.typed import read_key


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """The keys; making one shows it on the answer and never again."""
    player: Any = request.user.pk
    if request.method == "POST" and "revoke" in request.POST:
        return _revoke(request, request.POST["revoke"])
    form = KeyForm(request.POST or None, initial={"scopes": [Scope.READ, Scope.PLAY]})
    if not request.user.is_staff:
        form.without_duties()
    made = _make(form, request) if request.method == "POST" and form.is_valid() else None
    now = timezone.now()
    scopes = dict(Scope.choices)
    rows = [
        {
            "key": key,
            "scopes": [scopes[scope] for scope in key.scopes],
            "is_over": not holds(key, now),
        }
        for key in keys_of(player)
    ]
    status = 400 if form.is_bound and not form.is_valid() else 200
    context = {"form": form, "made": made, "rows": rows}
    return render(request, "players/tokens.html", context, status=status)


def _make(form: KeyForm, request: HttpRequest) -> services.Made | None:
    try:
        return key_lines.make(request, **form.cleaned_data)
    except PlayerRefusal as refusal:
        form.add_error(refusal.field, refusal.sentence)
        return None


def _revoke(request: HttpRequest, wanted: str) -> HttpResponse:
    try:
        key_lines.revoke(request, read_key(wanted) or 0)
    except PlayerRefusal as refusal:
        messages.error(request, refusal.sentence)
    else:
        messages.success(request, _("The key holds no more; programs that use it are out."))
    return redirect("players:tokens")
