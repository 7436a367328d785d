"""Single words that fill places of sentences and are not names: states, actions, months."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

_PARTS: Final[dict[str, Promise]] = {
    # What a tournament is.
    "draft": pgettext_lazy("part", "draft"),
    "announced": pgettext_lazy("part", "announced"),
    "registering": pgettext_lazy("part", "registering"),
    "closed": pgettext_lazy("part", "closed"),
    "running": pgettext_lazy("part", "running"),
    "paused": pgettext_lazy("part", "paused"),
    "completed": pgettext_lazy("part", "completed"),
    "cancelled": pgettext_lazy("part", "cancelled"),
    "aborted": pgettext_lazy("part", "aborted"),
}


def part_text(value: str) -> str:
    """A word in the active language, where it is one of these."""
    return str(_PARTS.get(value, value))
