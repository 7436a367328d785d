"""What the frame of every page needs to know; asks the database nothing."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest

from players.middleware import KEY

THEMES: Final = ("system", "light", "dark")
THEME_COOKIE: Final = "theme"


def frame(request: HttpRequest) -> dict[str, Any]:
    """`theme`: light or dark where the reader chose one, else empty; `here`: to come back to;
    `prefers`: what his session keeps of his profile."""
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return {
        "theme": theme if theme in THEMES[1:] else "",
        "here": request.get_full_path(),
        "prefers": request.session.get(KEY, {}) if hasattr(request, "session") else {},
    }
