"""The form in which a tournament is set up or changed: its parts, its two tables, its errors.

Only parts that may still be changed have fields; the others are shown as text. What services refuse
is put beside the field it is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from tournaments.admin.setup.fields import MOMENT
from tournaments.admin.setup.levels import LevelsFormSet
from tournaments.admin.setup.parts import (
    EVERY_PART,
    PARTS,
    EnteringPart,
    LevelsPart,
    MoneyPart,
    NamePart,
    PrizesPart,
    RulesPart,
    SeatsPart,
    ShapePart,
    TimesPart,
    names_of,
)
from tournaments.admin.setup.prizes import PrizesFormSet
from tournaments.admin.setup.rules_fields import (
    CLOCK,
    CLOCK_OPTIONS,
    FORMAT,
    PROFILE,
    PROFILE_OPTIONS,
    option_fields,
)
from tournaments.amounts import read_amount
from tournaments.models import Shape
from tournaments.play import catalogue
from tournaments.structure.due import Times
from tournaments.structure.errors import StructureError
from tournaments.structure.schedules import instant

MOMENTS: Final = (
    "starts_at",
    "opens_at",
    "closes_at",
    "check_in_opens_at",
    "check_in_closes_at",
)
_AMOUNTS: Final = {"entry_fee", "house_fee", "guarantee", "rebuy_fee", "rebuy_house_fee"}
_IN_PRIZES: Final = {"prizes", "basis_points", "amounts", "rows", "tickets", "ticket", "value"}
_IN_LEVELS: Final = {"levels", "point_value", "minimum_chips", "minutes"}
_CALLED: Final = {
    "places": "advance",
    "percent": "advance",
    "rebuy.until_level": "rebuy_until",
}


class Choices(NamedTuple):
    """What lists offer: tournaments to come, groups, events to have won, zones. Value and words."""

    targets: Sequence[tuple[str, str]] = ()
    groups: Sequence[tuple[str, str]] = ()
    winners_of: Sequence[tuple[str, str]] = ()
    zones: Sequence[tuple[str, str]] = ()


class Shown(NamedTuple):
    """What stands in the form when it is opened: fields, prize rows, levels."""

    fields: Mapping[str, Any]
    prizes: Sequence[Mapping[str, Any]]
    levels: Sequence[Mapping[str, Any]] = ()


class SetupForm(
    NamePart,
    ShapePart,
    SeatsPart,
    MoneyPart,
    PrizesPart,
    RulesPart,
    LevelsPart,
    TimesPart,
    EnteringPart,
):
    """All fields but those of the two tables. `times` are the moments as they are."""

    def __init__(
        self,
        data: Any = None,
        *,
        initial: Mapping[str, Any],
        parts: frozenset[str],
        choices: Choices,
        times: Times,
    ) -> None:
        super().__init__(data, initial=dict(initial), use_required_attribute=False)
        self.parts = parts
        self.times = times
        self.chosen = Shape(self._now("shape") or Shape.KNOCKOUT)
        self.format_name = self._now("format")
        if self.format_name not in catalogue.formats_for(self.chosen):
            self.format_name = catalogue.formats_for(self.chosen)[0]
        self._offer(choices)
        self._leave_out()

    def _now(self, name: str) -> Any:
        """What is chosen now: typed, or else as it was. An unknown shape counts as none."""
        value = self.data.get(name) if self.is_bound else None
        value = value or self.initial.get(name)
        if name == "shape" and value not in Shape.values:
            return self.initial.get(name)
        return value

    def _offer(self, choices: Choices) -> None:
        fields: dict[str, Any] = self.fields
        formats = catalogue.formats_for(self.chosen)
        fields["format"].choices = [(name, catalogue.format_words(name)) for name in formats]
        profiles = catalogue.profiles_for(self.chosen)
        fields["profile"].choices = [(name, catalogue.profile_words(name)) for name in profiles]
        fields["zone"].choices = _with_now(choices.zones, [self.initial.get("zone")])
        fields["groups"].choices = _with_now(choices.groups, self.initial.get("groups"))
        fields["winners_of"].choices = _with_now(choices.winners_of, self.initial.get("winners_of"))
        asset = self.initial.get("asset")
        fields["asset"].choices = _with_now(fields["asset"].choices, [asset])

    def _leave_out(self) -> None:
        """No field of a part that is locked, nor of what this shape does not have."""
        self.options = {
            FORMAT: catalogue.format_options(self.format_name, self.chosen),
            PROFILE: PROFILE_OPTIONS,
            CLOCK: CLOCK_OPTIONS,
        }
        if "rules" in self.parts:
            for prefix, options in self.options.items():
                self.fields.update(option_fields(prefix, options))
        gone = [
            name for part in PARTS if part.key not in self.parts for name in names_of(part.form)
        ]
        if "money" not in self.parts:
            gone.append("no_show_keeps_fee")
        if self.chosen is not Shape.KNOCKOUT:
            gone += ["advance_by", "advance"]
        if self.chosen is not Shape.HEADS_UP:
            gone.append("third_place")
        else:
            gone.append("seats")
        if self.chosen in (Shape.SINGLE, Shape.LEVELS):
            gone.append("seeding")
        if self.chosen is not Shape.LEVELS:
            gone += names_of(LevelsPart)
        if self.chosen not in (Shape.KNOCKOUT, Shape.LEVELS):
            gone += ["late_until_round", "reentries"]
        for name in gone:
            self.fields.pop(name, None)

    def clean(self) -> dict[str, Any]:
        """Amounts in the smallest unit, moments in UTC."""
        read: dict[str, Any] = super().clean() or {}
        self.played_for = read.get("asset") or self.initial.get("asset") or "PLAY"
        for name in _AMOUNTS & read.keys():
            try:
                read[name] = read_amount(read[name], self.played_for) if read[name] else 0
            except ValueError as fault:
                self.add_error(name, str(fault))
        fee, house = read.get("entry_fee"), read.get("house_fee")
        if fee is not None and house is not None and house > fee:
            self.add_error("house_fee", _("The house cannot keep more than the entry fee."))
        self._check_seats(read)
        if "times" in self.parts and "zone" in read:
            for name in MOMENTS:
                if read.get(name) is not None:
                    self._read_moment(read, name)
        return read

    def _check_seats(self, read: dict[str, Any]) -> None:
        seats, fewest = read.get("capacity"), read.get("min_entries")
        if seats is not None and fewest is not None and fewest > seats:
            self.add_error("min_entries", _("Not more than there are seats."))

    def _read_moment(self, read: dict[str, Any], name: str) -> None:
        """The instant that is meant; one that nobody touched stays as it is, seconds included."""
        typed: datetime = read[name]
        known: datetime | None = getattr(self.times, name)
        zone = read["zone"]
        if known is not None and on_the_wall(known, zone) == typed.strftime(MOMENT):
            read[name] = known
            return
        fold = int(read["fold"]) if read.get("fold") else None
        try:
            read[name] = instant(typed.date(), typed.time(), zone, fold)
        except StructureError as refusal:
            self.add_error(name, refusal.sentence)


def _with_now(offered: Any, now: Any) -> list[tuple[str, Any]]:
    """A list that also offers what is chosen already."""
    found = list(offered)
    known = {value for value, _words in found}
    return found + [(value, value) for value in now or () if value and value not in known]


def on_the_wall(moment: datetime, zone: str) -> str:
    """A moment as the form shows it."""
    return moment.astimezone(ZoneInfo(zone)).strftime(MOMENT)


class Setup:
    """The form with its two tables, as it is shown and as it was sent."""

    def __init__(
        self,
        *,
        shown: Shown,
        choices: Choices,
        data: Any = None,
        parts: frozenset[str] = EVERY_PART,
        times: Times | None = None,
    ) -> None:
        self.parts = parts
        self.form = SetupForm(
            data, initial=shown.fields, parts=parts, choices=choices, times=times or Times()
        )
        asset = self.form._now("asset") or "PLAY"
        sent = data is not None and "prizes" in parts
        self.prizes = PrizesFormSet(
            data if sent else None,
            prefix="prizes",
            initial=None if sent else list(shown.prizes),
            form_kwargs={"asset": asset, "targets": choices.targets},
        )
        # A row that is as it was opened is still one that says something.
        sent = data is not None and self.has_levels and "levels-TOTAL_FORMS" in data
        self.levels = LevelsFormSet(
            data if sent else None,
            prefix="levels",
            initial=None if sent else list(shown.levels),
        )
        self.offers_tickets = bool(choices.targets) or any("ticket" in row for row in shown.prizes)
        self.prize_error = ""
        self.level_error = ""

    @property
    def has_levels(self) -> bool:
        """Whether the table of levels is part of the form."""
        return "levels" in self.parts and self.form.chosen is Shape.LEVELS

    def is_valid(self) -> bool:
        """Whether everything could be read; all errors are found, not only the first."""
        found = [self.form.is_valid()]
        if "prizes" in self.parts:
            found.append(self.prizes.is_valid())
        if self.has_levels:
            found.append(self.levels.is_valid())
        return all(found)

    def refuse(self, field: str | None, sentence: str) -> None:
        """Put what a service refused beside the field it is about, or above the form."""
        name = _CALLED.get(field or "", (field or "").replace("rebuy.", "rebuy_"))
        places = [name, *(f"{prefix}{name}" for prefix in (FORMAT, PROFILE, CLOCK))]
        found = next((place for place in places if place in self.form.fields), None)
        if found is not None:
            self.form.add_error(found, sentence)
        elif field in _IN_PRIZES and "prizes" in self.parts:
            self.prize_error = sentence
        elif field in _IN_LEVELS and self.has_levels:
            self.level_error = sentence
        else:
            self.form.add_error(None, sentence)

    @property
    def has_errors(self) -> bool:
        """Whether anything is said to be wrong."""
        tables = [self.prizes, self.levels]
        return bool(
            self.form.errors
            or self.prize_error
            or self.level_error
            or any(table.is_bound and table.total_error_count() for table in tables)
        )
