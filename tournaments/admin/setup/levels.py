"""The table of timed levels as an organiser writes it."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.forms.formsets import BaseFormSet
from django.utils.translation import gettext_lazy as _

from tournaments.admin.setup.fields import whole
from tournaments.structure.levels import MAX_LEVELS, Level, LevelSchedule


class LevelRow(forms.Form):
    """A level; a row that is left empty is none."""

    point_value = whole(_("Chips a point"), 1, 10**9, required=False)
    minimum_chips = whole(_("Chips needed"), 1, required=False)
    minutes = whole(_("Minutes"), 1, 24 * 60, required=False)

    def clean(self) -> dict[str, Any]:
        """All three or none."""
        read: dict[str, Any] = super().clean() or {}
        given = [field for field in self.fields if read.get(field) is not None]
        if given:
            for field in self.fields:
                if field not in given and field not in self.errors:
                    self.add_error(field, _("Fill this in, or empty the row."))
        return read


class LevelRows(BaseFormSet):
    """All levels, in order."""

    @property
    def schedule(self) -> LevelSchedule:
        """What the rows say; raises `StructureError`, whose field is `levels` or one of a row."""
        rows = [form.cleaned_data for form in self.forms if form.is_valid()]
        return LevelSchedule(
            tuple(
                Level(row["point_value"], row["minimum_chips"], row["minutes"])
                for row in rows
                if row.get("point_value") is not None
            )
        )


LevelsFormSet: Final[Any] = forms.formset_factory(
    LevelRow, formset=LevelRows, extra=1, max_num=MAX_LEVELS
)
"""The table with an empty row below."""


def rows_of(schedule: LevelSchedule) -> list[dict[str, Any]]:
    """Levels as rows, for the form to show."""
    return [
        {
            "point_value": level.point_value,
            "minimum_chips": level.minimum_chips,
            "minutes": level.minutes,
        }
        for level in schedule.levels
    ]
