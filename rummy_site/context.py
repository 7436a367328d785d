"""What the frame of every page needs to know; asks the database nothing."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest

THEMES: Final = ("system", "light", "dark")
THEME_COOKIE: Final = "theme"


def frame(request: HttpRequest) -> dict[str, Any]:
    """`theme`: light or dark where the reader chose one, else empty; `path`: to come back to."""
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return {"theme": theme if theme in THEMES[1:] else "", "here": request.get_full_path()}
