"""The formats by name, and matches to and from JSON.

A stored match is its opening and its log, with a schema number; reading it replays the log, so
that a record which the rules do not allow is refused instead of believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from tables.rules.errors import Code, RuleViolation
from tables.rules.formats.base import Entry
from tables.rules.formats.deals import DealsFormat
from tables.rules.formats.heads_up import HeadsUpFormat
from tables.rules.formats.highest_out import HighestOutFormat
from tables.rules.formats.match import AnyFormat, Match, Opening, opened, replayed
from tables.rules.formats.points import PointsFormat
from tables.rules.formats.pool_table import PoolFormat
from tables.rules.profiles import RuleProfile
from tables.rules.terms import ClockTerms

SCHEMA: Final = 1

_ALL: Final[tuple[AnyFormat, ...]] = (
    PointsFormat(),
    PointsFormat(name="points_low", first_drop=10, middle_drop=30),
    PoolFormat(name="pool51", limit=51, first_drop=10, middle_drop=20),
    PoolFormat(name="pool61", limit=61, first_drop=15, middle_drop=30, wrong_declaration=60),
    PoolFormat(name="pool101", limit=101, first_drop=20, middle_drop=40),
    PoolFormat(name="pool201", limit=201, first_drop=25, middle_drop=50),
    DealsFormat(),
    HeadsUpFormat(),
    HighestOutFormat(),
)
FORMATS: Final[dict[str, AnyFormat]] = {options.name: options for options in _ALL}
"""The built-in formats; the figures are the table of rule 6.3."""


class MatchRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match as it is stored."""

    schema: int
    opening: Opening
    log: tuple[Entry, ...]


def format_named(name: object, /, *, field: str = "format", **options: Any) -> AnyFormat:
    """A built-in format, with options changed. Raises `UNKNOWN_FORMAT` or `BAD_OPTION`.

    Options of a choice may be given by their text, e.g. `rank_by="fewest_points"`.
    """
    if not isinstance(name, str) or name not in FORMATS:
        known = ", ".join(FORMATS)
        raise RuleViolation(
            Code.UNKNOWN_FORMAT, f"No format {repr(name)[:40]}; choose of {known}.", field=field
        )
    built_in = FORMATS[name]
    unknown = sorted(set(options) - set(built_in.__struct_fields__))
    if unknown:
        raise RuleViolation(
            Code.BAD_OPTION, f"{name} has no option {unknown[0][:40]!r}.", field=unknown[0]
        )
    changed = msgspec.to_builtins(built_in) | options
    try:
        return msgspec.convert(changed, type(built_in))
    except msgspec.ValidationError as fault:
        raise _bad_option(fault) from None


def _bad_option(fault: msgspec.ValidationError) -> RuleViolation:
    sentence, _, path = str(fault).partition(" - at ")
    found = re.search(r"\$\.(\w+)", path)
    return RuleViolation(Code.BAD_OPTION, f"{sentence}.", field=found[1] if found else None)


def open_match(
    options: AnyFormat, profile: RuleProfile, seats: Iterable[int], clock: ClockTerms
) -> Match:
    """A match before its first deal; `seats` clockwise. Raises `BAD_SEATS` or `BAD_OPTION`."""
    return opened(Opening(options, profile, clock, tuple(seats)))


def encode_match(match: Match) -> dict[str, Any]:
    """The match as an object for JSON: schema, opening, log."""
    record: dict[str, Any] = msgspec.to_builtins(MatchRecord(SCHEMA, match.opening, match.log))
    return record


def decode_match(record: object) -> Match:
    """The match that `encode_match` wrote, from an object or a JSON text.

    Raises `RuleViolation(BAD_RECORD)` for another schema, for what is no match, and for a match
    that could not have been played.
    """
    try:
        if isinstance(record, str | bytes):
            record = msgspec.json.decode(record)
        stored = msgspec.convert(record, MatchRecord)
        if stored.schema != SCHEMA:
            raise RuleViolation(
                Code.BAD_RECORD,
                f"Matches of schema {stored.schema} cannot be read; this is schema {SCHEMA}.",
                field="schema",
            )
        return replayed(stored.opening, stored.log)
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise RuleViolation(Code.BAD_RECORD, f"This is no stored match: {fault}.") from fault
    except RuleViolation as fault:
        if fault.code is Code.BAD_RECORD:
            raise
        raise RuleViolation(
            Code.BAD_RECORD, f"This match cannot have been played: {fault.sentence}"
        ) from fault
