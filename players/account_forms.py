"""Forms of the account pages: they parse, the services decide."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from players.models import Lead, Scope


def _zones() -> list[tuple[str, str]]:
    return [(name, name.replace("_", " ")) for name in sorted(available_timezones())]


class SettingsForm(forms.Form):
    """How a player wants the site."""

    zone = forms.ChoiceField(label=_("Time zone"), choices=_zones)
    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=lambda: [("", _("As the browser asks")), *settings.LANGUAGES],
    )
    lead_minutes = forms.TypedChoiceField(
        label=_("Remind me of a start"), choices=Lead.choices, coerce=int
    )
    mail_calls = forms.BooleanField(
        label=_("E-mail me when my table opens"),
        required=False,
        help_text=_("To your primary address. On the site you are called in any case."),
    )
    sounds = forms.BooleanField(label=_("Sounds at the table"), required=False)
    four_colours = forms.BooleanField(label=_("Cards in four colours"), required=False)
    is_of_age = forms.BooleanField(label=_("I am 18 or older"), required=False)


class LimitForm(forms.Form):
    """A limit a day; empty for none."""

    entries = forms.IntegerField(label=_("Entries a day"), required=False, min_value=0)
    points = forms.IntegerField(
        label=_("Points spent on entries a day"), required=False, min_value=0
    )


def _days(text: str) -> int | None:
    return int(text) or None


class KeyForm(forms.Form):
    """A key for a program."""

    name = forms.CharField(label=_("What it is for"), max_length=60)
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"), choices=Scope.choices, widget=forms.CheckboxSelectMultiple
    )
    days = forms.TypedChoiceField(
        label=_("It holds for"),
        choices=[
            ("30", _("30 days")),
            ("90", _("90 days")),
            ("365", _("1 year")),
            ("0", _("until it is revoked")),
        ],
        coerce=_days,
        empty_value=None,
    )

    def without_duties(self) -> None:
        """Who runs nothing is not asked whether his key may."""
        field: Any = self.fields["scopes"]
        field.choices = [choice for choice in Scope.choices if choice[0] != Scope.STAFF]
