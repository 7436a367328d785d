"""Names of formats in the reader's language."""

from __future__ import annotations

from django import template

from tables import words
from tables.rules.formats import FORMATS

register = template.Library()


@register.filter
def format_words(name: str) -> str:
    """What a format is called; one that there is no more as it was written."""
    return words.format_words(name) if name in FORMATS else name
