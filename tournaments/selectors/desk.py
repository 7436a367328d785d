"""What the organisers' desk reads of entrants. A fixed number of queries, whatever the number."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import BigIntegerField, Case, Count, F, IntegerField, Q, QuerySet, Value, When

from tournaments.models import HOLDS_A_SEAT, Entry, EntryState, Tournament
from tournaments.selectors.waiting import place_in_line

A_PAGE: Final = 50
_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "seated": tuple(HOLDS_A_SEAT),
    "waiting": (EntryState.WAITING,),
    "applied": (EntryState.APPLIED,),
    "gone": (
        EntryState.WITHDRAWN,
        EntryState.REFUSED,
        EntryState.NOT_SEATED,
        EntryState.NO_SHOW,
    ),
}
GROUPS: Final = ("all", *_GROUPS, "absent")
"""What a list can be narrowed to; `absent` has a seat and has not checked in."""


class Wanted(NamedTuple):
    """Which entrants a list is to show."""

    group: str = "all"
    search: str = ""
    page: str | int = 1


class Entrants(NamedTuple):
    """A page of entrants, and how many there are in each group."""

    page: Page[Any]
    counts: dict[str, int]


def desk_entrants(tournament: Tournament, wanted: Wanted) -> Entrants:
    """Who waits in order, then who applied, then the others by number. Four queries."""
    return Entrants(
        Paginator(listed(tournament, wanted), A_PAGE).get_page(wanted.page), counts(tournament)
    )


def listed(tournament: Tournament, wanted: Wanted) -> QuerySet[Entry]:
    """The rows of a list, each with its player and `place` on the waitlist."""
    rows = tournament.entries.select_related("player").annotate(
        waits=Case(
            When(state=EntryState.WAITING, then=F("joined_at")),
            default=Value(None),
        ),
        at=Case(
            When(state=EntryState.APPLIED, then=Value(0)),
            When(state=EntryState.WAITING, then=Value(2)),
            When(state__in=_GROUPS["gone"], then=Value(3)),
            default=Value(1),
            output_field=IntegerField(),
        ),
        tie=Case(
            When(state=EntryState.WAITING, then=F("pk")),
            default=F("number"),
            output_field=BigIntegerField(),
        ),
        place=Case(
            When(state=EntryState.WAITING, then=place_in_line()),
            default=Value(None),
            output_field=IntegerField(),
        ),
    )
    rows = rows.filter(_group(wanted.group))
    if wanted.search:
        rows = rows.filter(_named(wanted.search))
    return rows.order_by("at", F("waits").asc(nulls_last=True), "tie")


def _group(name: str) -> Q:
    if name == "absent":
        return Q(state=EntryState.ENTERED, checked_in_at__isnull=True)
    return Q(state__in=_GROUPS[name]) if name in _GROUPS else Q()


def _named(search: str) -> Q:
    found = (
        Q(player__username__icontains=search)
        | Q(player__first_name__icontains=search)
        | Q(player__last_name__icontains=search)
    )
    return found | Q(number=int(search)) if search.isdecimal() and len(search) < 9 else found


def counts(tournament: Tournament) -> dict[str, int]:
    """How many entrants each group has, and how many have checked in (`here`). One query."""
    entries = tournament.entries
    found: dict[str, int] = entries.aggregate(
        all=Count("pk"),
        absent=Count("pk", filter=_group("absent")),
        here=Count("pk", filter=Q(state=EntryState.ENTERED, checked_in_at__isnull=False)),
        **{name: Count("pk", filter=_group(name)) for name in _GROUPS},
    )
    return found
