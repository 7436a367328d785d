"""The form of a tournament that comes again: which one, on which days, at which hour."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.widgets import INPUT_CLASSES, UnfoldAdminCheckboxSelectMultipleWidget

from tournaments.admin.setup.choices import zones
from tournaments.admin.setup.fields import choice, radio, text, whole
from tournaments.admin.setup.parts import FOLDS
from tournaments.structure.schedules import MAX_EVERY, Frequency, Rule

_CLASSES: Final = " ".join(INPUT_CLASSES)
WEEKDAYS: Final = (
    (0, _("Monday")),
    (1, _("Tuesday")),
    (2, _("Wednesday")),
    (3, _("Thursday")),
    (4, _("Friday")),
    (5, _("Saturday")),
    (6, _("Sunday")),
)
FREQUENCIES: Final = ((Frequency.WEEKLY, _("on days of the week")), (Frequency.DAILY, _("daily")))


def _day(label: Any, *, meaning: Any = "", required: bool = True) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date", "class": _CLASSES}, format="%Y-%m-%d")
    return forms.DateField(label=label, help_text=meaning, required=required, widget=widget)


class ScheduleForm(forms.Form):
    """Everything that a schedule is made of."""

    name = text(
        _("Name"), longest=100, meaning=_("Each date has it, with its day: Friday pool, 5 June.")
    )
    template = choice(
        _("Like"), (), meaning=_("Price, prizes, rules and staff are copied each time.")
    )
    frequency = radio(_("It comes"), FREQUENCIES)
    weekdays = forms.TypedMultipleChoiceField(
        label=_("Days of the week"),
        choices=WEEKDAYS,
        coerce=int,
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
    )
    every = whole(_("Every … weeks or days"), 1, MAX_EVERY, meaning=_("1: each week, or each day."))
    hour = forms.TimeField(
        label=_("Start"),
        help_text=_("On the clock on the wall; it stays so when the clocks change."),
        widget=forms.TimeInput(attrs={"type": "time", "class": _CLASSES}, format="%H:%M"),
    )
    zone = choice(_("Time zone"), ())
    fold = choice(
        _("If the clocks are put back and the hour comes twice, I mean"), FOLDS, required=False
    )
    first_day = _day(_("First day"))
    last_day = _day(_("Last day"), meaning=_("Empty: without end."), required=False)
    opens_hours = whole(_("Registration opens … hours before the start"), 1, 366 * 24)
    ahead_days = whole(_("It is announced … days before the start"), 1, 366)

    def __init__(self, data: Any, *, templates: Any, **options: Any) -> None:
        super().__init__(data, use_required_attribute=False, **options)
        fields: dict[str, Any] = self.fields
        fields["template"].choices = templates
        fields["zone"].choices = zones()

    @staticmethod
    def usual() -> dict[str, Any]:
        """Fridays at eight."""
        return {
            "frequency": Frequency.WEEKLY,
            "weekdays": [4],
            "every": 1,
            "hour": "20:00",
            "zone": timezone.get_current_timezone_name(),
            "first_day": timezone.localdate().isoformat(),
            "opens_hours": 24,
            "ahead_days": 7,
        }

    @property
    def rule(self) -> Rule:
        """What was read; raises `StructureError` naming the field."""
        read: dict[str, Any] = self.cleaned_data
        frequency = Frequency(read["frequency"])
        weekly = frequency is Frequency.WEEKLY
        return Rule(
            frequency=frequency,
            zone=read["zone"],
            hour=read["hour"].replace(second=0, microsecond=0),
            first_day=read["first_day"],
            last_day=read["last_day"],
            every=read["every"],
            weekdays=tuple(read["weekdays"]) if weekly else (),
            fold=int(read["fold"]) if read["fold"] else None,
        )
