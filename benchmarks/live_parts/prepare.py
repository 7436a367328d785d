"""Fill the measured site's database, and look afterwards what its clock has done.

Run with the site's settings: `python -m benchmarks.live_parts.prepare tables 250 4`, `deadlines
2000 2`, `lateness` or `presence`; prints one JSON object. Moments are seconds since 1970.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import django
from msgspec.structs import replace

django.setup()

# After Django is set up: they import models.
from django.contrib.auth.models import User  # noqa: E402
from django.utils import timezone  # noqa: E402

from benchmarks.live_parts.bare.models import Counter  # noqa: E402
from players.services.tokens import make  # noqa: E402
from tables import services  # noqa: E402
from tables.models import DealEvent, Match, Seat  # noqa: E402
from tables.rules.formats import format_named  # noqa: E402
from tables.rules.profiles import profile_named  # noqa: E402
from tables.rules.terms import ClockTerms  # noqa: E402

TURN_SECONDS = 300
"""Nobody's time runs out while moves are measured."""
SPREAD_SECONDS = 25
APART_SECONDS = 10
"""From the deadlines in one instant to the first of those that are spread."""
START_SECONDS = 12
"""For starting the site between the dealing and the first deadline."""
ONE_IN = 20
"""Of so many deals one is dealt to see how long it takes, and one is watched by a socket."""

Found = dict[str, Any]


def tables(number: int, seats: int) -> Found:
    """Tables with a deal each, long enough for a benchmark; their addresses and players' tokens."""
    matches = _matches(number, seats)
    for match in matches:
        _deal(match, datetime.now(UTC))
    Counter.objects.bulk_create(Counter(pk=match.pk) for match in matches)
    return {"tables": [_address(match, seats) for match in matches]}


def deadlines(number: int, seats: int) -> Found:
    """Twice so many deals: half of them with one deadline, half spread over some seconds.

    The deadlines lie so far ahead that the site can be started before they come.
    """
    trial, *groups = number // ONE_IN, number, number
    first, *matches = _matches(1 + trial + sum(groups), seats)
    _deal(first, datetime.now(UTC) + timedelta(hours=1))  # the first one takes longer
    begun = time.monotonic()
    for match in matches[:trial]:
        _deal(match, datetime.now(UTC) + timedelta(hours=1))
    needed = (time.monotonic() - begun) / trial * 2 * number * 1.3 + START_SECONDS
    instant = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=round(needed))
    step = timedelta(seconds=SPREAD_SECONDS) / number
    spread = [instant + timedelta(seconds=APART_SECONDS) + step * n for n in range(number)]
    due = [instant] * number + spread
    for match, at in zip(matches[trial:], due, strict=True):
        _deal(match, at - timedelta(seconds=TURN_SECONDS))
    return {
        "instant": instant.timestamp(),
        "last": due[-1].timestamp(),
        "tables": [_address(match, 1) for match in matches[trial::ONE_IN]],
    }


def lateness() -> Found:
    """Of each deal whose first deadline has come: that moment, and when it was acted on."""
    due: dict[int, float] = {}
    acted: dict[int, list[float]] = {}
    rows = DealEvent.objects.filter(kind__in=("turn_started", "turn_missed")).order_by("seq")
    for deal, kind, payload, at in rows.values_list("deal_id", "kind", "payload", "at"):
        if kind == "turn_started":
            due.setdefault(deal, json.loads(payload)["until"] / 1000)
        else:
            acted.setdefault(deal, []).append(at.timestamp())
    now = time.time()
    return {"deals": [(at, acted.get(deal, [])) for deal, at in due.items() if at < now]}


def presence() -> Found:
    """How many players are shown as gone."""
    return {"offline": Seat.objects.filter(online=False).count()}


def _matches(number: int, seats: int) -> list[Match]:
    people = User.objects.bulk_create(User(username=f"player-{n}") for n in range(number * seats))
    places = [services.Place(person.pk) for person in people]
    return services.open_matches(
        owner="benchmark",
        tables=[
            services.TableSpec(
                number=n, label=f"table-{n}", places=tuple(places[n * seats : (n + 1) * seats])
            )
            for n in range(number)
        ],
        options=format_named("points"),
        profile=replace(profile_named("rummycircle"), max_moves=1000),
        clock=ClockTerms(turn_seconds=TURN_SECONDS, extra_seconds=0),
        secret_for=_secret_for,
        now=datetime.now(UTC),
    )


def _secret_for(label: str) -> bytes:
    return hashlib.sha256(label.encode()).digest()


def _deal(match: Match, at: datetime) -> None:
    services.deal_next(match_id=match.pk, secret_for=_secret_for, now=at)


def _address(match: Match, seats: int) -> Found:
    """A table's number and public name, and a token for each of its first seats."""
    players = match.seats.order_by("number").values_list("player_id", flat=True)[:seats]
    keys = [make(player_id=p, name="Benchmark", now=timezone.now()).text for p in players]
    return {"id": match.pk, "table": match.table.public_id, "tokens": keys}


if __name__ == "__main__":
    works: dict[str, Callable[..., Found]] = {
        "tables": tables,
        "deadlines": deadlines,
        "lateness": lateness,
        "presence": presence,
    }
    print(json.dumps(works[sys.argv[1]](*map(int, sys.argv[2:]))))
