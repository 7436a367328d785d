"""Recurring dates at an hour of the clock on the wall, and the instant that such an hour is.

The hour is kept over daylight-saving changes: 20:00 stays 20:00, though it is another instant. An
hour that is jumped over does not exist and is refused; one that comes twice is asked about, and the
answer is *fold*: 0 for the first, 1 for the second. Days are counted from the rule's first day.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from tournaments.structure.checks import how_many, whole
from tournaments.structure.errors import StructureCode, StructureError

MAX_EVERY: Final = 52
YEARS: Final = (2000, 2200)
"""A rule begins in one of these years."""
CHECKED_DAYS: Final = 2 * 366
"""How far ahead the hours of a new rule are looked at."""


class Frequency(StrEnum):
    """What a rule counts."""

    DAILY = "daily"
    WEEKLY = "weekly"


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """Every so many days, or on these weekdays of every so many weeks; Monday is 0.

    `hour` is on the wall of `zone`; `fold` says which one is meant where it comes twice.
    """

    frequency: Frequency
    zone: str
    hour: time
    first_day: date
    last_day: date | None = None
    every: int = 1
    weekdays: tuple[int, ...] = ()
    fold: int | None = None

    def __post_init__(self) -> None:
        zone_named(self.zone)
        whole(self.first_day.year, "first_day", *YEARS)
        whole(self.every, "every", 1, MAX_EVERY)
        if self.hour.tzinfo is not None or self.hour.second or self.hour.microsecond:
            raise _bad_rule("Give the hour as hours and minutes.", "hour")
        if self.fold is not None:
            whole(self.fold, "fold", 0, 1)
        if self.last_day is not None and self.last_day < self.first_day:
            raise _bad_rule("The last day must not lie before the first.", "last_day")
        if self.frequency is Frequency.WEEKLY:
            how_many(len(set(self.weekdays)), "weekdays", 1, 7)
            for weekday in self.weekdays:
                whole(weekday, "weekdays", 0, 6)
        elif self.weekdays:
            raise _bad_rule("Weekdays belong to a weekly rule.", "weekdays")


class Date(NamedTuple):
    """A day of a rule, and the instant of its hour on that day, in UTC."""

    day: date
    at: datetime


def _bad_rule(sentence: str, field: str) -> StructureError:
    return StructureError(StructureCode.BAD_RULE, sentence, field=field)


def zone_named(name: str) -> ZoneInfo:
    """A time zone by its name, like `Europe/Berlin`; raises `StructureError(UNKNOWN_ZONE)`."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise StructureError(
            StructureCode.UNKNOWN_ZONE,
            "Name a time zone as region and city, like Asia/Kolkata.",
            field="zone",
        ) from None


def instant(day: date, hour: time, zone: str, fold: int | None = None) -> datetime:
    """The instant, in UTC, at which it is this hour of this day in the zone.

    Raises `StructureError`: NO_SUCH_HOUR where clocks jump over it, WHICH_HOUR where it comes twice
    and `fold` does not say which is meant.
    """
    place = zone_named(zone)
    wall = datetime.combine(day, hour.replace(fold=0), place)
    first, second = wall.astimezone(UTC), wall.replace(fold=1).astimezone(UTC)
    words = f"{hour:%H:%M} on {day.day} {day:%B %Y} in {zone}"
    if first.astimezone(place).replace(tzinfo=None) != wall.replace(tzinfo=None):
        raise StructureError(
            StructureCode.NO_SUCH_HOUR,
            f"There is no {words}: the clocks are put forward. Choose another hour.",
            field="hour",
        )
    if first != second and fold is None:
        raise StructureError(
            StructureCode.WHICH_HOUR,
            f"{words} comes twice: the clocks are put back. Say whether the first or the second "
            "is meant.",
            field="fold",
        )
    return second if fold == 1 else first


def days_of(rule: Rule, since: date) -> Iterator[date]:
    """The rule's days from `since` on, in order; without end unless the rule has a last day."""
    day = max(rule.first_day, since)
    last = rule.last_day or date.max
    while day <= last:
        if _is_on(rule, day):
            yield day
        if day == date.max:
            return
        day += timedelta(days=1)


def _is_on(rule: Rule, day: date) -> bool:
    passed = (day - rule.first_day).days
    if rule.frequency is Frequency.DAILY:
        return passed % rule.every == 0
    first_monday = rule.first_day - timedelta(days=rule.first_day.weekday())
    weeks = (day - first_monday).days // 7
    return day.weekday() in rule.weekdays and weeks % rule.every == 0


def instants(rule: Rule, after: datetime) -> Iterator[Date]:
    """Day and instant of every date after a moment; raises what `instant` raises."""
    since = after.astimezone(zone_named(rule.zone)).date()
    for day in days_of(rule, since):
        at = instant(day, rule.hour, rule.zone, rule.fold)
        if at > after:
            yield Date(day, at)


def kept_instants(rule: Rule, after: datetime) -> Iterator[Date]:
    """Like `instants`, for a rule that was checked once: what law has changed since stops nothing.

    A day without the hour is left out; of an hour that has come to be twice, the first is meant.
    """
    since = after.astimezone(zone_named(rule.zone)).date()
    for day in days_of(rule, since):
        try:
            at = instant(day, rule.hour, rule.zone, rule.fold or 0)
        except StructureError:
            continue
        if at > after:
            yield Date(day, at)


def check_hours(rule: Rule, after: datetime) -> None:
    """Look at the rule's hours of the next two years; raises NO_SUCH_HOUR or WHICH_HOUR."""
    until = after + timedelta(days=CHECKED_DAYS)
    for _, at in instants(rule, after):
        if at > until:
            return
