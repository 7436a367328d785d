"""The page of a player's key for programs: shown once when it is made, renewed, revoked."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.services import tokens as services


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """Whether there is a key; making one shows it on the answer and never again."""
    player: Any = request.user.pk
    key = ""
    if request.method == "POST":
        if request.POST.get("do") == "revoke":
            services.revoke(player_id=player)
            messages.success(request, _("The key holds no more; programs that use it are out."))
            return redirect("players:tokens")
        key = services.renew(player_id=player)
    context = {"key": key, "made_at": services.made_at(player)}
    return render(request, "players/tokens.html", context)
