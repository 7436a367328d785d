"""Filters of templates: `{{ entry.reason|told }}`, `{{ chips|number }}`."""

from __future__ import annotations

from typing import Final

from django.template import Library

from wording.numbers import number_text
from wording.retelling import named as _named
from wording.retelling import part
from wording.retelling import told as _told

register: Final = Library()


@register.filter
def told(sentence: object) -> str:
    """A sentence that was kept in English, such as why a rank is what it is."""
    return _told(str(sentence or ""))


@register.filter
def as_part(words: object) -> str:
    """Words that are less than a sentence."""
    return part(str(words or ""))


@register.filter
def named(name: object) -> str:
    """The name of a tournament."""
    return _named(str(name or ""))


@register.filter
def number(value: int) -> str:
    """A whole number as the reader's language groups it."""
    return number_text(value)
