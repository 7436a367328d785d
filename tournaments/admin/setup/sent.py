"""A form that was sent before it is ready, shown again as typed, with what now goes with it.

Another kind of tournament brings its usual rules and prizes along; another format its figures and
its usual house rules; other house rules their options. What the organiser typed of name, fee and
times stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from django.forms import MultipleChoiceField
from django.http import QueryDict

from tournaments.admin.setup.draft import shown_of, usual_draft
from tournaments.admin.setup.form import SetupForm, Shown
from tournaments.admin.setup.levels import LevelRow
from tournaments.admin.setup.parts import (
    PARTS,
    EnteringPart,
    MoneyPart,
    NamePart,
    TimesPart,
    names_of,
)
from tournaments.admin.setup.prizes import MAX_ROWS, PrizeRow
from tournaments.admin.setup.rules_fields import (
    CLOCK,
    FORMAT,
    PROFILE,
    PROFILE_OPTIONS,
    options_shown,
)
from tournaments.models import Shape
from tournaments.play import catalogue

_STAYS: Final = (NamePart, MoneyPart, TimesPart, EnteringPart)
_KEPT: Final = ("in_person", *(name for part in _STAYS for name in names_of(part)))


def shown_again(data: QueryDict, before: Shown, changed: str) -> Shown:
    """What stands in the form after the field `changed` was changed; `before` is what was opened.

    An unknown shape counts as the one before.
    """
    typed = _typed(data, before)
    chosen = typed["shape"] if typed["shape"] in Shape.values else before.fields["shape"]
    shape = Shape(chosen)
    if changed == "shape":
        usual = shown_of(usual_draft(shape), is_new=True)
        kept = {name: typed[name] for name in _KEPT if name in typed}
        return usual._replace(fields={**usual.fields, **kept})
    fields = dict(typed)
    if changed == "format":
        fields |= _format_of(str(typed.get("format")), shape)
    if changed == "profile":
        fields |= _profile_of(str(typed.get("profile")), shape)
    prizes = list(_rows(data, "prizes", tuple(_names(PrizeRow)))) or list(before.prizes)
    levels = list(_rows(data, "levels", tuple(_names(LevelRow)))) or list(before.levels)
    return Shown(fields, prizes, levels)


def _names(row: Any) -> Iterator[str]:
    yield from row.base_fields


def _typed(data: QueryDict, before: Shown) -> dict[str, Any]:
    """Every field as it was sent; a switch that was not sent is off."""
    typed: dict[str, Any] = dict(before.fields)
    declared: Any = SetupForm.base_fields
    names = [name for part in PARTS for name in names_of(part.form)]
    names += [key for key in data if key.startswith((FORMAT, PROFILE, CLOCK))]
    for name in names:
        if isinstance(declared.get(name), MultipleChoiceField):
            typed[name] = data.getlist(name)
        elif name in data:
            typed[name] = data[name]
        elif name in _switches():
            typed[name] = False
    for key in list(typed):
        if key.startswith((FORMAT, PROFILE)) and key not in data and typed[key] is True:
            typed[key] = False
    return typed


@lru_cache(maxsize=1)
def _switches() -> frozenset[str]:
    declared: Any = SetupForm.base_fields
    return frozenset(
        name
        for name, field in declared.items()
        if getattr(field.widget, "input_type", "") == "checkbox"
        and not isinstance(field, MultipleChoiceField)
    )


def _format_of(name: str, shape: Shape) -> dict[str, Any]:
    """The figures of a format as they are usual, and the house rules that go with it."""
    if name not in catalogue.formats_for(shape):
        return {}
    options = catalogue.known_format(name)
    shown = options_shown(FORMAT, catalogue.format_options(name, shape), options)
    usual = catalogue.usual_profile(options)
    if usual not in catalogue.profiles_for(shape):
        return shown
    return shown | {"profile": usual} | _profile_of(usual, shape)


def _profile_of(name: str, shape: Shape) -> dict[str, Any]:
    if name not in catalogue.profiles_for(shape):
        return {}
    return options_shown(PROFILE, PROFILE_OPTIONS, catalogue.known_profile(name))


def _rows(data: QueryDict, prefix: str, names: tuple[str, ...]) -> Iterator[Mapping[str, Any]]:
    """The rows of a table that say something, as they were typed."""
    total = data.get(f"{prefix}-TOTAL_FORMS", "0")
    number = min(int(total), MAX_ROWS) if total.isdecimal() else 0
    for at in range(number):
        row = {name: data.get(f"{prefix}-{at}-{name}", "").strip() for name in names}
        if any(row.values()):
            yield row


def as_sent(shown: Shown) -> QueryDict:
    """What a browser would send of a form that is only opened."""
    data = QueryDict(mutable=True)
    for name, value in shown.fields.items():
        if isinstance(value, list):
            data.setlist(name, [str(one) for one in value])
        elif value is not False:
            data[name] = "" if value is None else "on" if value is True else str(value)
    for prefix, rows in (("prizes", shown.prizes), ("levels", shown.levels)):
        data[f"{prefix}-TOTAL_FORMS"] = str(len(rows))
        data[f"{prefix}-INITIAL_FORMS"] = "0"
        for at, row in enumerate(rows):
            for name, value in row.items():
                is_share = name == "share" and isinstance(value, int)
                typed = f"{value / 100:g}" if is_share else value
                data[f"{prefix}-{at}-{name}"] = "" if typed is None else str(typed)
    return data
