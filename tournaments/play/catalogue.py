"""What an organiser can choose of rules: formats, profiles and each of their options, in words.

An *option* is one figure, choice or switch of a format, a profile or the clock; its meaning is a
sentence that a club organiser understands. Here is what may be chosen and what is usual; whether
it can be played so, `terms.fitted` decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
from django.utils.translation import gettext as _

from tables import words
from tables.rules.errors import RuleViolation
from tables.rules.formats import (
    FORMATS,
    AnyFormat,
    DealsFormat,
    format_named,
)
from tables.rules.profiles import (
    PROFILES,
    Absence,
    LateDeclaration,
    RuleProfile,
    Unmatched,
    profile_named,
)
from tables.rules.terms import EXTRA_SECONDS, ClockTerms, Stake
from tables.words import profile_title
from tournaments.errors import TournamentRefusal
from tournaments.models import Shape
from tournaments.play.options import (
    CLOCK_OPTIONS,
    EVERY_FORMAT_OPTION,
    PROFILE_OPTIONS,
    STAKES,
    Kind,
    Option,
)
from tournaments.play.terms import Seeding, TournamentTerms, fitted, usual_profile
from tournaments.structure.levels import Level, LevelSchedule
from tournaments.structure.prizes import Percentages, PrizeStructure, WinnerTakesAll
from tournaments.structure.rebuys import LevelTerms
from tournaments.structure.seating import MAX_SEATS

__all__ = [
    "CLOCK_OPTIONS",
    "EXTRA_SECONDS",
    "PROFILE_OPTIONS",
    "STAKES",
    "ClockTerms",
    "Kind",
    "Option",
    "Seeding",
    "Stake",
    "usual_profile",
]


_AT_ONE_TABLE: Final = frozenset(
    {
        "rejoin",
        "max_rejoins",
        "auto_split",
        "auto_split_from",
        "manual_split",
        "answer_seconds",
    }
)
_BY_LEVEL: Final = frozenset({"deals", "value"})


def format_options(name: str, shape: Shape) -> tuple[Option, ...]:
    """What can be set of a format in a shape; none for an unknown name."""
    known = FORMATS.get(name)
    if known is None:
        return ()
    own = set(known.__struct_fields__) - {"name", "limit"}
    if known.first_drop is None and not isinstance(known, DealsFormat):
        own -= {"first_drop", "middle_drop"}
    if shape is not Shape.SINGLE:
        own -= _AT_ONE_TABLE
    if shape is Shape.LEVELS:
        own -= _BY_LEVEL
    found = [option for option in EVERY_FORMAT_OPTION if option.name in own]
    if isinstance(known, DealsFormat):
        found = [_without_drop(one) if one.name.endswith("_drop") else one for one in found]
    return tuple(found)


def _without_drop(option: Option) -> Option:
    meaning = _("Only from four deals on. Empty: no drop.")
    return option._replace(kind=Kind.MAYBE, meaning=meaning)


@lru_cache(maxsize=16)
def formats_for(shape: Shape) -> tuple[str, ...]:
    """Names of the formats that a shape can be played in, the usual one first."""
    usual = usual_terms(shape)
    found = [usual.format.name]
    for name, options in FORMATS.items():
        profile = PROFILES[usual_profile(options)]
        wanted = msgspec.structs.replace(usual, format=options, profile=profile)
        try:
            fitted(shape, wanted)
        except (TournamentRefusal, RuleViolation):
            continue
        if name not in found:
            found.append(name)
    return tuple(found)


def profiles_for(shape: Shape) -> tuple[str, ...]:
    """Names of the profiles under which tables of this shape can be played."""
    two = shape in (Shape.HEADS_UP, Shape.SINGLE)
    return tuple(name for name, profile in PROFILES.items() if two or profile.max_players > 2)


format_words = words.format_words


def profile_words(name: str) -> str:
    """A profile in a list."""
    return profile_title(PROFILES[name])


def known_format(name: str) -> AnyFormat:
    """A format as it is without any change; raises `RuleViolation(UNKNOWN_FORMAT)`."""
    return format_named(name)


def known_profile(name: str) -> RuleProfile:
    """A profile as it is without any change; raises `RuleViolation(UNKNOWN_PROFILE)`."""
    return profile_named(name)


def changed_format(name: str, values: Mapping[str, Any], based_on: AnyFormat | None) -> AnyFormat:
    """A format with options set, on top of how it was. Raises `RuleViolation`."""
    if based_on is None or based_on.name != name:
        return format_named(name, **values)
    fields = msgspec.to_builtins(based_on) | dict(values)
    fields.pop("kind", None)
    return format_named(name, **fields)


def changed_profile(
    name: str, values: Mapping[str, Any], based_on: RuleProfile | None
) -> RuleProfile:
    """A profile with options set; its packs of cards are its own. Raises `RuleViolation`."""
    typed = {
        "unmatched": Unmatched,
        "late_declaration": LateDeclaration,
        "absence": Absence,
        "ace_points": int,
    }
    made: dict[str, Any] = {
        option: typed[option](value) if option in typed else value
        for option, value in values.items()
    }
    if based_on is not None and based_on.name == name:
        return msgspec.structs.replace(based_on, **made)
    return profile_named(name, **made)


def usual_terms(shape: Shape) -> TournamentTerms:
    """What a tournament of this shape is usually played under."""
    match shape:
        case Shape.HEADS_UP:
            return _terms("heads_up", Percentages((6_000, 4_000)), seats=2)
        case Shape.SINGLE:
            return _terms("pool101", WinnerTakesAll())
        case Shape.LEVELS:
            return _terms("points", Percentages((5_000, 3_000, 2_000)), levels=usual_levels())
        case _:
            return _terms("deals", Percentages((5_000, 3_000, 2_000)))


def usual_capacity(shape: Shape) -> int:
    """So many seats are offered unless the organiser says otherwise."""
    return {Shape.HEADS_UP: 16, Shape.SINGLE: 6, Shape.LEVELS: 18}.get(shape, 36)


def usual_levels() -> LevelTerms:
    """Four levels of rising point value (rule 7.6)."""
    rows = ((5, 800), (10, 1000), (15, 1200), (20, 1600))
    levels = tuple(Level(value, minimum, 15) for value, minimum in rows)
    return LevelTerms(schedule=LevelSchedule(levels), starting_chips=2_000)


def _terms(
    name: str,
    prizes: PrizeStructure,
    *,
    seats: int = MAX_SEATS,
    levels: LevelTerms | None = None,
) -> TournamentTerms:
    options = FORMATS[name]
    return TournamentTerms(
        format=options,
        profile=PROFILES[usual_profile(options)],
        prizes=prizes,
        clock=ClockTerms(),
        seats=seats,
        levels=levels,
    )
