"""Forms of the account pages: they parse, the services decide."""

from __future__ import annotations

from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from players.models import Lead


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
    sounds = forms.BooleanField(label=_("Sounds at the table"), required=False)
    four_colours = forms.BooleanField(label=_("Cards in four colours"), required=False)
    is_of_age = forms.BooleanField(label=_("I am 18 or older"), required=False)


class LimitForm(forms.Form):
    """A limit a day; empty for none."""

    entries = forms.IntegerField(label=_("Entries a day"), required=False, min_value=0)
    points = forms.IntegerField(
        label=_("Points spent on entries a day"), required=False, min_value=0
    )
