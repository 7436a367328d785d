"""What the audit log is filtered by. None of them asks more of the database for more lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from operator import itemgetter
from typing import Any, Final

from django.db.models import Max, Min, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import DropdownFilter, RangeDateFilter, TextFilter

from staff.log_words import action_word, kind_word
from staff.models import StaffAction

LONGEST: Final = 40
"""Letters of a name that is asked for, at most as many as somebody types."""
_FIRST: Final = date(1900, 1, 1)
_LAST: Final = date(9000, 1, 1)
"""Days before and after which there are no lines; the ends of the calendar cannot be counted on."""


class WhoFilter(TextFilter):
    """By the name of who acted, or a part of it."""

    title = _("who")
    parameter_name = "who"

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[StaffAction]
    ) -> QuerySet[StaffAction]:
        """Lines of those whose name has this in it."""
        name = (self.value() or "").strip()
        return queryset.filter(actor_name__icontains=name) if name else queryset


class _WordFilter(DropdownFilter):
    """By one of the codes that stand in a column."""

    column = ""
    word: Callable[[str], str] = staticmethod(str)
    """What a code is called."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The codes that there are, by their words; one query, out of an index."""
        rows = StaffAction.objects.order_by(self.column).values_list(self.column, flat=True)
        return sorted(((code, self.word(code)) for code in rows.distinct()), key=itemgetter(1))

    def has_output(self) -> bool:
        """Also where there is but one."""
        return True

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[StaffAction]
    ) -> QuerySet[StaffAction]:
        """Lines with this code."""
        code = self.value()
        return queryset.filter(**{self.column: code}) if code else queryset


class ActionFilter(_WordFilter):
    """By what was done."""

    title = _("action")
    parameter_name = column = "action"
    word = staticmethod(action_word)


class KindFilter(_WordFilter):
    """By the kind of what was acted on."""

    title = _("kind of subject")
    parameter_name = "kind"
    column = "subject_kind"
    word = staticmethod(kind_word)


class DaysFilter(RangeDateFilter):
    """From one day to another, both included, in the reader's time zone."""

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[StaffAction]
    ) -> QuerySet[StaffAction]:
        """Lines of these days; a day that is none is left out."""
        first = _day(self.used_parameters.get("at_from"))
        last = _day(self.used_parameters.get("at_to"))
        if first is not None and first > _FIRST:
            queryset = queryset.filter(at__gte=_begin(first))
        if last is not None and last < _LAST:
            queryset = queryset.filter(at__lt=_begin(last + timedelta(days=1)))
        return queryset


class PeriodFilter(DropdownFilter):
    """By year, then month, then day: all that lie between the first line and the last.

    Made of those two alone, so it costs the same however many lines lie between.
    """

    title = _("period")
    parameter_name = "period"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The period chosen with what it lies in, and its parts; else the years."""
        ends = StaffAction.objects.aggregate(first=Min("at"), last=Max("at"))
        if ends["first"] is None:
            return []
        first, last = (timezone.localdate(ends[end]) for end in ("first", "last"))
        chosen = _parts(request.GET.get(self.parameter_name, ""))
        above = [chosen[:length] for length in range(1, len(chosen) + 1)]
        below = [parts for parts in _below(chosen) if _overlaps(parts, first, last)]
        return [("-".join(map(_two, parts)), _name(parts)) for parts in (*above, *below)]

    def has_output(self) -> bool:
        """Also where there is but one year."""
        return True

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[StaffAction]
    ) -> QuerySet[StaffAction]:
        """Lines of the period."""
        chosen = _parts(self.value() or "")
        if not chosen:
            return queryset
        first, after = _bounds(chosen)
        return queryset.filter(at__gte=_begin(first), at__lt=_begin(after))


Parts = tuple[int, ...]
"""A year; a year and a month; or these and a day."""


def _day(text: Any) -> date | None:
    try:
        return parse_date(str(text or ""))
    except ValueError:
        return None


def _begin(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _two(number: int) -> str:
    return f"{number:02}"


def _parts(text: str) -> Parts:
    """The numbers of a period as it stands in an address; nothing for what is none."""
    pieces = text.split("-")
    if len(pieces) > 3 or not all(piece.isascii() and piece.isdecimal() for piece in pieces):
        return ()
    parts = tuple(map(int, pieces))
    try:
        _bounds(parts)
    except (ValueError, OverflowError):
        return ()
    return parts


def _bounds(parts: Parts) -> tuple[date, date]:
    """The first day of a period, and the first after it. Raises `ValueError` for what is none."""
    first = date(*(*parts, 1, 1)[:3])
    if len(parts) == 3:
        return first, first + timedelta(days=1)
    if len(parts) == 2:
        return first, (first + timedelta(days=31)).replace(day=1)
    return first, first.replace(year=first.year + 1)


def _below(parts: Parts) -> Iterator[Parts]:
    """The parts of a period: of no period the years, of a day nothing."""
    if not parts:
        yield from ((year,) for year in range(2000, 2200))
    elif len(parts) == 1:
        yield from ((*parts, month) for month in range(1, 13))
    elif len(parts) == 2:
        first, after = _bounds(parts)
        yield from ((*parts, day + 1) for day in range((after - first).days))


def _overlaps(parts: Parts, first: date, last: date) -> bool:
    begin, after = _bounds(parts)
    return begin <= last and after > first


def _name(parts: Parts) -> str:
    day, _after = _bounds(parts)
    if len(parts) == 1:
        return str(day.year)
    return date_format(day, "F Y" if len(parts) == 2 else "DATE_FORMAT")
