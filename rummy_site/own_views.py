"""The page on which a player takes his data along, or himself away."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from rummy_site.own_data import CannotClose, close_account, everything_about


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def own_data(request: HttpRequest) -> HttpResponse:
    """Say what is kept, and close the account of who gives his password."""
    if request.method != "POST":
        return render(request, "account/own_data.html")
    user: Any = request.user
    password = request.POST.get("password", "")[:1000]
    try:
        close_account(user_id=user.pk, password=password)
    except CannotClose as refusal:
        return render(request, "account/own_data.html", {"refusal": refusal}, status=409)
    logout(request)
    messages.success(request, _("Your account is closed. Good-bye."))
    return redirect("home")


@login_required
@require_safe
@never_cache
def download(request: HttpRequest) -> HttpResponse:
    """Everything about the player as one file."""
    user: Any = request.user
    return HttpResponse(
        everything_about(user),
        content_type="application/zip",
        headers={"Content-Disposition": 'attachment; filename="my-rummy-data.zip"'},
    )
