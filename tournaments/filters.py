"""What a list of tournaments can be narrowed to. Every choice is optional and none is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final

import django_filters
from django import forms
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import play
from tournaments.amounts import decimals_of
from tournaments.models import Tournament
from tournaments.selectors.lobby import SORTS, with_seats
from tournaments.structure.lifecycle import State

PHASES: Final = {
    "open": (State.REGISTERING,),
    "soon": (State.ANNOUNCED, State.CLOSED),
    "playing": (State.RUNNING, State.PAUSED),
    "over": (State.COMPLETED, State.CANCELLED, State.ABORTED),
}
_PHASE_WORDS: Final = (
    ("open", _("Open for registration")),
    ("soon", _("Not started yet")),
    ("playing", _("Being played")),
    ("over", _("Over")),
)
_STAKES: Final = (
    ("practice", _("Play points")),
    ("promotional", _("Promotional, free to enter")),
    ("cash", _("Money")),
)
_WITHIN: Final = (
    (1, _("an hour")),
    (3, _("three hours")),
    (24, _("a day")),
    (168, _("a week")),
)
_SORT_WORDS: Final = {
    "": _("What you can join first"),
    "starts": _("Soonest start"),
    "fee": _("Lowest entry fee"),
    "-fee": _("Highest entry fee"),
    "seats": _("Most seats left"),
    "new": _("Newest"),
}
_FORMAT_WORDS: Final = {
    "points": _("Points"),
    "points_low": _("Points, lower drops"),
    "pool51": _("Pool 51"),
    "pool61": _("Pool 61"),
    "pool101": _("Pool 101"),
    "pool201": _("Pool 201"),
    "deals": _("Deals"),
    "heads_up": _("Heads-up"),
    "highest_out": _("Highest out"),
}


def _formats() -> list[tuple[str, Any]]:
    return [(name, _FORMAT_WORDS.get(name, name)) for name in play.format_names()]


def _each_asset(
    rows: QuerySet[Any], lookup: str, value: Decimal, whole: Callable[[Decimal], int]
) -> Q:
    """Fees are kept in the smallest unit of their asset; people say 500 and mean no paise."""
    wanted = Q(pk__in=[])
    for asset in rows.order_by().values_list("asset", flat=True).distinct():
        wanted |= Q(asset=asset, **{lookup: whole(value.scaleb(decimals_of(asset)))})
    return wanted


class LobbyFilter(django_filters.FilterSet):
    """State, format, stake, fee, seats left, start, name, and the order."""

    q = django_filters.CharFilter(
        field_name="name", lookup_expr="icontains", label=_("Name"), max_length=60
    )
    state = django_filters.ChoiceFilter(
        label=_("State"), choices=_PHASE_WORDS, empty_label=_("any"), method="in_phase"
    )
    format = django_filters.ChoiceFilter(
        field_name="format_name", label=_("Format"), choices=_formats, empty_label=_("any")
    )
    stake = django_filters.ChoiceFilter(
        label=_("Played for"), choices=_STAKES, empty_label=_("anything")
    )
    fee_from = django_filters.NumberFilter(
        label=_("Entry fee from"), min_value=0, method="costs_at_least"
    )
    fee_to = django_filters.NumberFilter(
        label=_("Entry fee to"), min_value=0, method="costs_at_most"
    )
    within = django_filters.ChoiceFilter(
        label=_("Starts within"),
        choices=_WITHIN,
        empty_label=_("any time"),
        method="starts_within",
    )
    seats = django_filters.BooleanFilter(
        label=_("With seats left"), method="has_seats", widget=forms.CheckboxInput
    )
    sort = django_filters.ChoiceFilter(
        label=_("Order"),
        choices=[(key, _SORT_WORDS[key]) for key in SORTS if key],
        empty_label=_SORT_WORDS[""],
        method="as_it_is",
    )

    class Meta:
        model = Tournament
        fields: list[str] = []

    def in_phase(self, rows: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """Those in the states of a phase."""
        return rows.filter(state__in=PHASES[value])

    def costs_at_least(self, rows: QuerySet[Any], name: str, value: Decimal) -> QuerySet[Any]:
        """Those with this fee or a higher one, in points or in whole rupees and the like."""
        return rows.filter(_each_asset(rows, "entry_fee__gte", value, math.ceil))

    def costs_at_most(self, rows: QuerySet[Any], name: str, value: Decimal) -> QuerySet[Any]:
        """Those with this fee or a lower one, in the same."""
        return rows.filter(_each_asset(rows, "entry_fee__lte", value, math.floor))

    def starts_within(self, rows: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """Those whose start is set and not more than so many hours away."""
        now = timezone.now()
        until = now + timedelta(hours=int(value))
        found: QuerySet[Any] = rows.filter(starts_at__gt=now, starts_at__lte=until)
        return found

    def has_seats(self, rows: QuerySet[Any], name: str, value: bool) -> QuerySet[Any]:
        """Those that are open and not full; all of them unless it is asked for."""
        if not value:
            return rows
        free: QuerySet[Any] = with_seats(rows).filter(seats_taken__lt=F("capacity"))
        return free.filter(state=State.REGISTERING)

    def as_it_is(self, rows: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """The order is the list's own business."""
        return rows
