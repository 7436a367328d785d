"""People at a table, and deals played by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.db.backends.utils import CursorWrapper

from tables import services, store
from tables.log_guards import EVENTS
from tables.models import Deal, Match
from tables.rules.bots import Chance, Strength
from tables.rules.evolve import replay
from tables.rules.formats import format_named
from tables.rules.formats.level import LevelFormat
from tables.rules.formats.match import AnyFormat
from tables.rules.profiles import profile_named
from tables.rules.state import DealState
from tables.rules.terms import ClockTerms

NOW = datetime(2026, 3, 1, 18, tzinfo=UTC)
_serial = count(1)


def secret_for(label: str) -> bytes:
    """A secret made of the label, so that tests deal the same cards each time."""
    return hashlib.sha256(label.encode()).digest()


def players(number: int) -> list[User]:
    """New people."""
    return User.objects.bulk_create(
        User(username=f"guest-{next(_serial)}", password="!") for _ in range(number)
    )


@contextmanager
def tampering() -> Iterator[CursorWrapper]:
    """A cursor while the log of deals is unguarded, as for somebody who owns the database."""
    connection.check_constraints()  # PostgreSQL changes no triggers while checks are pending
    EVENTS.remove(connection)
    with connection.cursor() as cursor:
        yield cursor
    connection.check_constraints()
    EVENTS.install(connection)


def a_match(
    people: int = 2,
    *,
    format_name: str = "points",
    profile: str = "rummycircle",
    owner: str = "club:1",
    bot: Strength | None = None,
    clock: ClockTerms | None = None,
    **options: Any,
) -> Match:
    """A table with its match, the first deal due."""
    places = tuple(services.Place(user.pk, bot or "") for user in players(people))
    [match] = services.open_matches(
        owner=owner,
        tables=[services.TableSpec(number=1, label="club/table-1", places=places)],
        options=_format(format_name, options),
        profile=profile_named(profile),
        clock=clock or ClockTerms(),
        secret_for=secret_for,
        now=NOW,
    )
    return match


def _format(name: str, options: dict[str, Any]) -> AnyFormat:
    return LevelFormat(**options) if name == "level" else format_named(name, **options)


def dealt(match: Match, now: datetime = NOW) -> services.Dealt:
    """The match's next deal."""
    return services.deal_next(match_id=match.pk, secret_for=secret_for, now=now)


def ticking(start: datetime = NOW) -> Iterator[datetime]:
    """Moments a second apart."""
    return (start + timedelta(seconds=second) for second in count(1))


def play_out(match: Match, strength_seed: bytes = bytes(32)) -> DealState:
    """Deal and play one deal by bots to its end."""
    deal, state = dealt(match)
    _, last = services.play_deal_with_bots(
        deal=deal, state=state, chance=Chance(strength_seed), moments=ticking()
    )
    return last


def state_of(deal: Deal) -> DealState:
    """The deal's state as its log makes it, nothing remembered."""
    return replay(store.events_of(deal))
