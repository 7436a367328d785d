"""Tournaments as calendar files (RFC 5545), and the secret address of a player's own calendar.

The address is made of the player's number and a seal that nobody can guess. The seal hangs on his
password's hash, so that a new password ends every address that was handed out before.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from icalendar import Alarm, Calendar, Event

from tournaments.models import HOLDS_A_SEAT, EntryState, Tournament
from tournaments.structure.lifecycle import State
from wording.typed import read_key

PRODUCT: Final = "-//Rummy tournaments//EN"
USUAL_LENGTH: Final = timedelta(hours=2)
REMIND_BEFORE: Final = timedelta(minutes=15)
_SALT: Final = "tournaments.calendar"
_CALLED_OFF: Final = (State.CANCELLED, State.ABORTED)
MOST: Final = 500
"""Events in one calendar, the latest first."""


def token_of(user: User) -> str:
    """The last part of a player's calendar address."""
    return f"{user.pk}-{_seal(user)}"


def owner_of(token: str) -> User | None:
    """The player whose calendar address this is; None for what is none (any more)."""
    number = read_key(token.partition("-")[0]) or 0
    user = get_user_model().objects.filter(pk=number, is_active=True).first()
    if user is None or not hmac.compare_digest(token_of(user).encode(), token.encode()):
        return None
    return user


def _seal(user: User) -> str:
    return salted_hmac(_SALT, f"{user.pk}:{user.password}", algorithm="sha256").hexdigest()[:40]


def tournaments_of(player_id: int) -> list[Tournament]:
    """The tournaments with a set start that a player is in or waits for. One query."""
    states = [*HOLDS_A_SEAT, EntryState.WAITING, EntryState.APPLIED]
    rows = Tournament.objects.filter(
        entries__player_id=player_id, entries__state__in=states, starts_at__isnull=False
    ).exclude(state=State.DRAFT)
    return list(rows.order_by("-starts_at", "-pk")[:MOST])


def calendar_of(
    tournaments: Iterable[Tournament],
    *,
    address_of: Callable[[Tournament], str],
    zone: str,
    now: datetime,
    name: str = "",
) -> bytes:
    """A calendar of those that have a start, in a time zone whose rules it carries along."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    if name:
        calendar.add("x-wr-calname", name)
    for tournament in tournaments:
        if tournament.starts_at is not None:
            event = _event(tournament, tournament.starts_at, ZoneInfo(zone), now)
            event.add("url", address_of(tournament))
            calendar.add_component(event)
    calendar.add_missing_timezones()
    return bytes(calendar.to_ical())


def _event(tournament: Tournament, starts_at: datetime, zone: ZoneInfo, now: datetime) -> Event:
    event = Event()
    event.add("uid", f"{tournament.public_id}@tournaments")
    event.add("dtstamp", now)
    event.add("sequence", tournament.version)
    event.add("summary", tournament.name)
    starts = starts_at.astimezone(zone)
    event.add("dtstart", starts)
    event.add("dtend", starts + USUAL_LENGTH)
    event.add("status", "CANCELLED" if tournament.state in _CALLED_OFF else "CONFIRMED")
    if tournament.state not in _CALLED_OFF:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", _("%(name)s starts soon") % {"name": tournament.name})
        alarm.add("trigger", -REMIND_BEFORE)
        event.add_component(alarm)
    return event
