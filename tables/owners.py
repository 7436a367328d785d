"""What only the owner of a table can answer. Tables do not know what owns them.

The site says in its settings who does: by the word before the colon of an owner, such as
`tournament:17`, the dotted name of a function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string


def answering(setting: str, owner: str) -> Callable[..., Any] | None:
    """The function that a setting names for this kind of owner; None where nobody is named."""
    kind, _, _rest = owner.partition(":")
    named: dict[str, str] = getattr(settings, setting)
    return import_string(named[kind]) if kind in named else None
