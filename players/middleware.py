"""Each request in its player's zone and language, which his session keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from players.models import Profile
from players.selectors.profiles import profile_of

KEY: Final = "player"


def remember(request: HttpRequest, profile: Profile) -> None:
    """Keep what pages are shown by in the session, so that no request has to look it up."""
    request.session[KEY] = {
        "zone": profile.zone,
        "language": profile.language,
        "four_colours": profile.four_colours,
        "sounds": profile.sounds,
    }


@receiver(user_logged_in)
def remember_at_login(request: HttpRequest, user: Any, **_: Any) -> None:
    """What was changed from elsewhere is known from the next log-in on."""
    if hasattr(request, "session"):
        remember(request, profile_of(user.pk))


class PlayerMiddleware:
    """Activates zone and language; asks the database nothing beside the session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in the player's zone; in UTC and the browser's language for a visitor."""
        cookie = request.session.is_empty() or KEY not in request.session
        kept = {} if cookie else request.session[KEY]
        with timezone.override(ZoneInfo(kept["zone"]) if kept else None):
            if not kept.get("language"):
                return self.get_response(request)
            translation.activate(kept["language"])
            request.LANGUAGE_CODE = translation.get_language()
            return self.get_response(request)
