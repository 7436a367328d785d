"""What the lists of the form offer to this organiser: his tournaments, groups, time zones."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final
from zoneinfo import available_timezones

from django.contrib.auth.models import Group

from tournaments.access import organised_by, templates_of
from tournaments.admin.setup.form import Choices
from tournaments.models import Schedule, Template, Tournament

OFFERED: Final = 100


def choices_for(user: Any, apart: int | None = None) -> Choices:
    """Lists for a user; `apart` is the tournament itself. Four queries."""
    own = Tournament.objects.filter(organised_by(user)).exclude(pk=apart or 0)
    to_come = own.filter(started_at__isnull=True, over_at__isnull=True).order_by("-pk")[:OFFERED]
    latest = own.order_by("-pk")[:OFFERED]
    series = Schedule.objects.filter(template__in=own).order_by("name")[:OFFERED]
    groups = Group.objects.order_by("name").values_list("name", flat=True)[:OFFERED]
    return Choices(
        targets=tuple(to_come.values_list("public_id", "name")),
        groups=tuple((name, name) for name in groups),
        winners_of=(
            *series.values_list("public_id", "name"),
            *latest.values_list("public_id", "name"),
        ),
        zones=zones(),
    )


def templates_for(user: Any) -> list[Template]:
    """The templates that a user may start from, by name. One query."""
    return list(Template.objects.filter(templates_of(user)).order_by("name", "pk")[:OFFERED])


@lru_cache(maxsize=1)
def zones() -> tuple[tuple[str, str], ...]:
    """Time zones by region and city."""
    regions = ("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
    found = sorted(name for name in available_timezones() if name.partition("/")[0] in regions)
    return (("UTC", "UTC"), *((name, name.replace("_", " ")) for name in found))
