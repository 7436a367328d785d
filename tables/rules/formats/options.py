"""The options that all formats have, and the checks of a single option.

A *format* is a named, frozen set of options, stored with its match. `kind` is its tag in JSON.
"""

from __future__ import annotations

import msgspec

from tables.rules.errors import Code, RuleViolation
from tables.rules.profiles import RuleProfile
from tables.rules.terms import ClockTerms, DealTerms


def bad_option(field: str, sentence: str) -> RuleViolation:
    """A refusal of one option of a format."""
    return RuleViolation(Code.BAD_OPTION, sentence, field=field)


class Format(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """Options of a match; drops are None where the format knows none (rule 5.6)."""

    name: str
    first_drop: int | None = 20
    middle_drop: int | None = 40
    wrong_declaration: int = 80

    def terms(self, profile: RuleProfile, clock: ClockTerms) -> DealTerms:
        """The terms every deal of the match is played under."""
        return DealTerms(
            profile=profile,
            first_drop=self.first_drop,
            middle_drop=self.middle_drop,
            wrong_declaration=self.wrong_declaration,
            clock=clock,
        )


def check_whole(options: Format, field: str, low: int, high: int, *, none: bool = False) -> None:
    """Raises `BAD_OPTION` unless the option is a whole number within the bounds."""
    value = getattr(options, field)
    if value is None and none:
        return
    if type(value) is not int or not low <= value <= high:
        raise bad_option(field, f"{field} must be a whole number from {low} to {high}.")


def check_flags(options: Format, *fields: str) -> None:
    """Raises `BAD_OPTION` unless every one of the options is true or false."""
    for field in fields:
        if type(getattr(options, field)) is not bool:
            raise bad_option(field, f"{field} is either true or false.")


def check_common(options: Format, *, drops: bool) -> None:
    """Raises `BAD_OPTION` for a name, drops or a wrong declaration that make no sense.

    `drops` says whether this match has drops at all.
    """
    if type(options.name) is not str or not 0 < len(options.name) <= 40:
        raise bad_option("name", "A format's name has 1 to 40 characters.")
    check_whole(options, "wrong_declaration", 0, 200)
    if not drops:
        _check_without_drops(options)
        return
    check_whole(options, "first_drop", 1, 200)
    check_whole(options, "middle_drop", 1, 200)
    if (options.first_drop or 0) > (options.middle_drop or 0):
        raise bad_option("middle_drop", "A middle drop costs at least as much as a first drop.")


def _check_without_drops(options: Format) -> None:
    for field in ("first_drop", "middle_drop"):
        if getattr(options, field) is not None:
            raise bad_option(field, "There is no drop in this match; leave both drops out.")
