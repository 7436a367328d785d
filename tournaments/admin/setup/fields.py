"""Fields of the organisers' forms: read strictly, shown in the admin's look.

What cannot be read is refused beside its field; nothing is rounded or guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django import forms
from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _
from unfold.widgets import (
    INPUT_CLASSES,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

MOMENT: Final = "%Y-%m-%dT%H:%M"
"""How a browser writes a day and an hour."""
_PERCENT: Final = re.compile(r"(\d{1,3})(?:\.(\d{1,2}))?")


def text(label: Any, *, longest: int = 120, meaning: Any = "", **options: Any) -> forms.CharField:
    """A line of text."""
    return forms.CharField(
        label=label,
        max_length=longest,
        help_text=meaning,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        **options,
    )


def whole(
    label: Any, low: int = 0, high: int = 10**12, *, meaning: Any = "", **options: Any
) -> forms.IntegerField:
    """A whole number."""
    return forms.IntegerField(
        label=label,
        min_value=low,
        max_value=high,
        help_text=meaning,
        widget=UnfoldAdminIntegerFieldWidget(),
        **options,
    )


def switch(label: Any, *, meaning: Any = "") -> forms.BooleanField:
    """Yes or no."""
    return forms.BooleanField(
        label=label, required=False, help_text=meaning, widget=UnfoldBooleanSwitchWidget()
    )


def choice(
    label: Any, choices: Iterable[tuple[Any, Any]], *, meaning: Any = "", **options: Any
) -> forms.ChoiceField:
    """One of a list."""
    return forms.ChoiceField(
        label=label,
        choices=list(choices),
        help_text=meaning,
        widget=UnfoldAdminSelectWidget(),
        **options,
    )


def radio(
    label: Any, choices: Iterable[tuple[Any, Any]], *, meaning: Any = "", **options: Any
) -> forms.ChoiceField:
    """One of a few that all are seen."""
    return forms.ChoiceField(
        label=label,
        choices=list(choices),
        help_text=meaning,
        widget=UnfoldAdminRadioSelectWidget(radio_style=2),
        **options,
    )


class UserField(forms.CharField):
    """Somebody by the name he logs in with; `missing` is said where nobody has it.

    Closed accounts count as nobody's unless the form wants them too.
    """

    def __init__(self, *, missing: Any, closed_too: bool = False, **options: Any) -> None:
        attrs = {"autocomplete": "off", "autocapitalize": "none"}
        super().__init__(max_length=150, widget=forms.TextInput(attrs=attrs), **options)
        self.missing = missing
        self.closed_too = closed_too

    def clean(self, value: Any) -> Any:
        """The user."""
        name: str = super().clean(value)
        found = get_user_model()._default_manager.filter(username__iexact=name)
        users = list((found if self.closed_too else found.filter(is_active=True))[:2])
        if len(users) != 1:
            raise forms.ValidationError(self.missing)
        return users[0]


class TypedAmount(forms.CharField):
    """An amount as it was typed; the form reads it, for only the form knows the asset."""

    def __init__(self, **options: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off"}
        super().__init__(max_length=30, widget=UnfoldAdminTextInputWidget(attrs=attrs), **options)


class PercentField(forms.CharField):
    """A percentage with up to two decimals, in basis points; None for nothing."""

    def __init__(self, **options: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off"}
        super().__init__(max_length=10, widget=UnfoldAdminTextInputWidget(attrs=attrs), **options)

    def clean(self, value: Any) -> int | None:
        """The basis points."""
        text: str = super().clean(value).removesuffix("%").strip()
        if not text:
            return None
        found = _PERCENT.fullmatch(text)
        if found is None:
            raise forms.ValidationError(_("Write a percentage like 12.5."))
        return 100 * int(found[1]) + int((found[2] or "0").ljust(2, "0"))

    def prepare_value(self, value: Any) -> Any:
        """Basis points as a percentage."""
        return f"{value / 100:g}" if isinstance(value, int) else value


class MomentField(forms.Field):
    """A day and an hour on the wall; which instant that is, depends on the form's zone."""

    widget = forms.DateTimeInput

    def __init__(self, **options: Any) -> None:
        attrs = {"type": "datetime-local", "class": " ".join(INPUT_CLASSES)}
        super().__init__(widget=forms.DateTimeInput(attrs=attrs, format=MOMENT), **options)

    def to_python(self, value: Any) -> datetime | None:
        """A naive time, or None."""
        if not value:
            return None
        for pattern in (MOMENT, f"{MOMENT}:%S"):
            try:
                return datetime.strptime(str(value), pattern)  # noqa: DTZ007 - on the wall
            except ValueError:
                continue
        raise forms.ValidationError(_("Give a day and an hour."))
