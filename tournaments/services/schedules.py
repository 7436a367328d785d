"""Tournaments that come again: a rule, a tournament to copy, and making the next ones ahead.

The next moment at which something is to be made stands in a column, so that a sweep finds it. Each
date is made once, however often and from wherever is asked; a date that was missed is left out.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice
from typing import Final

import msgspec
from django.db import transaction

from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Schedule
from tournaments.services import drafting
from tournaments.services.duties import same_staff
from tournaments.services.lifecycle import announce, lock
from tournaments.structure.due import StartKind, Times
from tournaments.structure.registration import registration_closes_at
from tournaments.structure.schedules import Date, Rule, check_hours, kept_instants

MAX_NAME: Final = 100
MAX_MINUTES: Final = 366 * 24 * 60
AT_ONCE: Final = 50
"""Tournaments made of one schedule in one go; the next sweep goes on."""

_decoder: Final[msgspec.json.Decoder[Rule]] = msgspec.json.Decoder(Rule)


def schedule(
    *,
    name: str,
    template_id: int,
    rule: Rule,
    opens_minutes_before: int = 24 * 60,
    ahead_minutes: int = 7 * 24 * 60,
    actor: str,
    now: datetime,
) -> Schedule:
    """A series of tournaments like the template, each announced `ahead_minutes` before its start.

    Raises `StructureError` for an hour that does not exist or comes twice in the next two years,
    `TournamentRefusal` for the name, the minutes or a template that cannot be played so.
    """
    if not 0 < len(name.strip()) <= MAX_NAME:
        raise TournamentRefusal(
            TournamentCode.BAD_NAME, f"Give it a name of 1 to {MAX_NAME} characters.", field="name"
        )
    _check_minutes(opens_minutes_before, ahead_minutes)
    check_hours(rule, now)
    with transaction.atomic():
        made = Schedule(
            name=name.strip(),
            template=lock(template_id),
            rule=msgspec.json.encode(rule).decode(),
            opens_minutes_before=opens_minutes_before,
            ahead_minutes=ahead_minutes,
            made_until=now,
            actor=actor,
            created_at=now,
        )
        for date in next_dates(made, 1, now=now):
            drafting.checked(_draft(made, date))
        _aim(made)
        made.save()
    return made


def _check_minutes(opens: int, ahead: int) -> None:
    for field, minutes in (("opens_minutes_before", opens), ("ahead_minutes", ahead)):
        if type(minutes) is not int or not 1 <= minutes <= MAX_MINUTES:
            raise TournamentRefusal(
                TournamentCode.BAD_AMOUNT, f"Give 1 to {MAX_MINUTES:,} minutes.", field=field
            )
    if ahead < opens:
        raise TournamentRefusal(
            TournamentCode.BAD_AMOUNT,
            "Announce it no later than it opens for registration.",
            field="ahead_minutes",
        )


def rule_of(schedule: Schedule) -> Rule:
    """The rule of a schedule."""
    return _decoder.decode(schedule.rule)


def next_dates(schedule: Schedule, count: int, *, now: datetime) -> list[Date]:
    """The next so many dates after now, fewer where the rule ends."""
    return list(islice(kept_instants(rule_of(schedule), now), count))


def due_schedules(*, now: datetime) -> list[int]:
    """Ids of the schedules of which a tournament is to be made."""
    rows = Schedule.objects.filter(next_at__lte=now).order_by("next_at", "pk")
    return list(rows.values_list("pk", flat=True))


def make_due(*, now: datetime) -> int:
    """Make every tournament whose time has come; how many. Again makes none."""
    return sum(make_of(schedule_id=pk, now=now) for pk in due_schedules(now=now))


def make_of(*, schedule_id: int, now: datetime) -> int:
    """Make what is due of one schedule, in one transaction; how many were made."""
    with transaction.atomic():
        rows = Schedule.objects.select_for_update(skip_locked=True)
        found = rows.filter(pk=schedule_id, next_at__lte=now).first()
        if found is None:
            return 0
        made = 0
        for _ in range(AT_ONCE):
            made += _make_next(found, now)
            if found.next_at is None or found.next_at > now:
                break
        found.save(update_fields=["made_until", "next_at"])
    return made


def _make_next(schedule: Schedule, now: datetime) -> int:
    """Make the tournament of the next date, unless nobody could enter it any more."""
    date = next(kept_instants(rule_of(schedule), schedule.made_until), None)
    made = 0
    if date is not None:
        schedule.made_until = date.at
        draft = _draft(schedule, date)
        made = int(draft.times.closes_at is None or draft.times.closes_at > now)
        if made:
            _make(schedule, draft, date, now)
    _aim(schedule)
    return made


def _make(schedule: Schedule, draft: drafting.Draft, date: Date, now: datetime) -> None:
    tournament = drafting.make(draft, now=now)
    tournament.schedule, tournament.occurrence = schedule, date.day
    tournament.save(update_fields=["schedule", "occurrence"])
    same_staff(schedule.template, tournament)
    announce(tournament_id=tournament.pk, actor=schedule.actor, now=now)


def _aim(schedule: Schedule) -> None:
    """Set when the next one is to be made."""
    date = next(kept_instants(rule_of(schedule), schedule.made_until), None)
    is_over = date is None or schedule.is_stopped
    ahead = timedelta(minutes=schedule.ahead_minutes)
    schedule.next_at = None if is_over or date is None else date.at - ahead


def _draft(schedule: Schedule, date: Date) -> drafting.Draft:
    """The template with the date's name and times; its own times only say how far before."""
    draft = drafting.draft_of(schedule.template)
    opens_at = date.at - timedelta(minutes=schedule.opens_minutes_before)
    own = draft.times
    times = Times(
        kind=StartKind.FIXED_TIME,
        opens_at=opens_at,
        closes_at=_moved(own, own.closes_at, date) or registration_closes_at(date.at),
        check_in_opens_at=_moved(own, own.check_in_opens_at, date),
        check_in_closes_at=_moved(own, own.check_in_closes_at, date),
        starts_at=date.at,
    )
    day = f"{date.day.day} {date.day:%B %Y}"
    return msgspec.structs.replace(draft, name=f"{schedule.name}, {day}", times=times)


def _moved(own: Times, at: datetime | None, date: Date) -> datetime | None:
    if own.starts_at is None or at is None:
        return None
    return date.at - (own.starts_at - at)


def stop_schedule(*, schedule_id: int) -> bool:
    """Make no more tournaments of a series; those that were made are played.

    Gives back whether that was anything new.
    """
    with transaction.atomic():
        found = _lock(schedule_id)
        if found.is_stopped:
            return False
        found.is_stopped, found.next_at = True, None
        found.save(update_fields=["is_stopped", "next_at"])
    return True


def resume_schedule(*, schedule_id: int, now: datetime) -> bool:
    """Go on with a series; dates that have passed meanwhile are left out.

    Gives back whether that was anything new.
    """
    with transaction.atomic():
        found = _lock(schedule_id)
        if not found.is_stopped:
            return False
        found.is_stopped = False
        found.made_until = max(found.made_until, now)
        _aim(found)
        found.save(update_fields=["is_stopped", "made_until", "next_at"])
    return True


def _lock(schedule_id: int) -> Schedule:
    found = Schedule.objects.select_for_update().filter(pk=schedule_id).first()
    if found is None:
        raise TournamentRefusal(
            TournamentCode.UNKNOWN_SCHEDULE, "There is no such schedule.", field="schedule"
        )
    return found
