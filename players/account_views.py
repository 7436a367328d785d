"""A player's settings, and the limits he sets himself."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from players.account_forms import LimitForm, SettingsForm
from players.errors import PlayerRefusal
from players.middleware import remember
from players.selectors.profiles import limits_of, profile_of
from players.services import limits as limiting
from players.services import profiles
from wording import told


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """Show and change how a player wants the site."""
    player: Any = request.user.pk
    profile = profile_of(player)
    shown = {
        name: getattr(profile, name) for name in SettingsForm.base_fields if name != "is_of_age"
    }
    shown["is_of_age"] = profile.of_age_since is not None
    form = SettingsForm(request.POST or None, initial=shown)
    if request.method == "POST" and form.is_valid():
        try:
            profile = profiles.change(
                player_id=player,
                today=timezone.localdate(),
                now=timezone.now(),
                **form.cleaned_data,
            )
        except PlayerRefusal as refusal:
            form.add_error(refusal.field, told(refusal.sentence))
        else:
            remember(request, profile)
            with translation.override(profile.language or get_language()):
                messages.success(request, _("Your settings are saved."))
            return redirect("players:settings")
    context = {"form": form, "profile": profile}
    return render(request, "players/settings.html", context, status=_status(form))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def limits(request: HttpRequest) -> HttpResponse:
    """Show the limits, and set those that were changed."""
    player: Any = request.user.pk
    now, found = timezone.now(), limits_of(request.user.pk or 0)
    names: tuple[limiting.Name, ...] = ("entries", "points")
    before: dict[str, Any] = {name: found.value(name, now) for name in names}
    form = LimitForm(request.POST or None, initial=before)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        changed = {name: said[name] for name in names if said[name] != before[name]}
        try:
            limiting.set_limits(player_id=player, values=changed, now=now)
        except PlayerRefusal as refusal:
            form.add_error(refusal.field, told(refusal.sentence))
        else:
            messages.success(request, _("Your limits are saved; a higher one holds in 72 hours."))
            return redirect("players:limits")
    context = {
        "form": form,
        "limits": found,
        "waits_entries": found.next_entries_at and found.next_entries_at > now,
        "waits_points": found.next_points_at and found.next_points_at > now,
        "is_away": found.away_until and found.away_until > now,
        "is_excluded": found.excluded_for_ever
        or (found.excluded_until and found.excluded_until > now),
    }
    return render(request, "players/limits.html", context, status=_status(form))


def _status(form: Form) -> int:
    return 400 if form.is_bound and form.errors else 200


@login_required
@require_POST
def keep_limit(request: HttpRequest) -> HttpResponse:
    """Take back a raise that waits."""
    player: Any = request.user.pk
    names: tuple[limiting.Name, ...] = ("entries", "points")
    for name in names:
        if request.POST.get("name") == name:
            limiting.keep_limit(player_id=player, name=name, now=timezone.now())
    return redirect("players:limits")


@login_required
@require_POST
def stay_away(request: HttpRequest) -> HttpResponse:
    """Begin a time-out or an exclusion, which has to be confirmed."""
    player: Any = request.user.pk
    kind, _sep, span = request.POST.get("span", "").partition(":")
    begin = limiting.exclude if kind == "exclusion" else limiting.take_time_out
    if kind == "exclusion" and not request.POST.get("sure"):
        messages.error(request, _("Tick that you are sure: an exclusion cannot be undone."))
        return redirect("players:limits")
    try:
        begin(player_id=player, span=span, now=timezone.now())
    except PlayerRefusal as refusal:
        messages.error(request, told(refusal.sentence))
    else:
        messages.success(request, _("Done. You cannot join anything until then."))
    return redirect("players:limits")
