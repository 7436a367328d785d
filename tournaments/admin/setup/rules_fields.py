"""The options of format, profile and clock as fields: `format-…`, `profile-…`, `clock-…`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms

from tournaments.admin.setup.fields import choice, switch, whole
from tournaments.play.catalogue import CLOCK_OPTIONS, PROFILE_OPTIONS, Kind, Option

FORMAT: Final = "format-"
PROFILE: Final = "profile-"
CLOCK: Final = "clock-"


def option_fields(prefix: str, options: Sequence[Option]) -> dict[str, forms.Field]:
    """A field for each option."""
    return {f"{prefix}{option.name}": _field(option) for option in options}


def _field(option: Option) -> forms.Field:
    match option.kind:
        case Kind.FLAG:
            return switch(option.label, meaning=option.meaning)
        case Kind.CHOICE:
            return choice(option.label, option.choices, meaning=option.meaning)
        case _:
            is_needed = option.kind is Kind.WHOLE
            return whole(option.label, 0, meaning=option.meaning, required=is_needed)


def options_read(prefix: str, options: Sequence[Option], read: dict[str, Any]) -> dict[str, Any]:
    """The values of options as a form has read them."""
    return {option.name: read[f"{prefix}{option.name}"] for option in options}


def options_shown(prefix: str, options: Sequence[Option], source: Any) -> dict[str, Any]:
    """The values of options as they are now, for a form to show."""
    return {f"{prefix}{option.name}": _shown(getattr(source, option.name)) for option in options}


def _shown(value: Any) -> Any:
    return getattr(value, "value", value)


__all__ = ["CLOCK_OPTIONS", "PROFILE_OPTIONS"]
