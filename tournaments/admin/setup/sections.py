"""How the form is laid out: what is in sight at once, and what is folded away until it is wanted.

A club organiser fills in name, kind, seats, fee and start; everything else has a usual value.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.forms import BoundField
from django.utils.translation import gettext as _

from tournaments.admin.setup.form import Setup
from tournaments.admin.setup.parts import LevelsPart, RulesPart, names_of
from tournaments.admin.setup.rules_fields import CLOCK, FORMAT, PROFILE

BASICS: Final = (
    "name",
    "shape",
    "capacity",
    "entry_fee",
    "house_fee",
    "start_kind",
    "starts_at",
    "zone",
)
PRIZES: Final = ("guarantee", "is_guaranteed", "surplus")
TIMES: Final = (
    "opens_at",
    "closes_at",
    "check_in_opens_at",
    "check_in_closes_at",
    "no_show_keeps_fee",
    "waitlist_moves_up",
    "fold",
)
ENTERING: Final = (
    "min_entries",
    "code",
    "invited_only",
    "needs_approval",
    "groups",
    "winners_of",
    "rating_from",
    "rating_to",
    "min_age",
    "late_until_round",
    "reentries",
)
STAKE: Final = ("in_person", "asset", "stake")
REDRAWS: Final = frozenset({"shape", "format", "profile", "asset"})
"""Fields on which others depend, so that the form is drawn anew when they change."""


class Section(NamedTuple):
    """Fields that belong together under a title; `about` says what is usual."""

    key: str
    title: str
    about: str
    fields: tuple[BoundField, ...]
    is_open: bool


def field_of(setup: Setup, name: str) -> BoundField | None:
    """A field of the form, None where it has none of this name."""
    return setup.form[name] if name in setup.form.fields else None


def fields_of(setup: Setup, names: Any) -> tuple[BoundField, ...]:
    """Those of these fields that the form has."""
    return tuple(setup.form[name] for name in names if name in setup.form.fields)


def folded(setup: Setup) -> list[Section]:
    """The sections below the basics and the prizes, without those that have no field."""
    by_prefix = {
        prefix: tuple(f"{prefix}{option.name}" for option in options)
        for prefix, options in setup.form.options.items()
    }
    told = [
        (
            "levels",
            _("Levels and chips"),
            _("How the value of a point rises."),
            names_of(LevelsPart),
        ),
        ("rules", _("What is played"), _("Format, house rules, who goes on."), names_of(RulesPart)),
        (
            "format",
            _("The format in detail"),
            _("Drops and other figures of the format that is chosen above."),
            by_prefix[FORMAT],
        ),
        (
            "profile",
            _("The house rules in detail"),
            _("Every option of the house rules that are chosen above."),
            by_prefix[PROFILE],
        ),
        ("clock", _("Time at the table"), _("How long a turn may take."), by_prefix[CLOCK]),
        (
            "times",
            _("Registration and check-in"),
            _("When registration opens and closes, and whether players check in."),
            TIMES,
        ),
        (
            "entering",
            _("Who may enter"),
            _("Everybody, unless you ask for something here."),
            ENTERING,
        ),
        ("stake", _("What it is played for"), _("Play points, online, unless you say so."), STAKE),
    ]
    sections = []
    for key, title, about, names in told:
        fields = fields_of(setup, names)
        if fields:
            wrong = any(field.errors for field in fields)
            is_open = wrong or key == "levels"
            sections.append(Section(key, title, about, fields, is_open))
    return sections
