"""A player's own limits: what he may set at once, what has to wait, and what they stop.

A day is the player's own, by the clock of his zone; who chooses another zone ends the day that runs
first. A limit of points counts whole units of what is paid with, each asset for itself.

What counts is kept from the moment on which he first set a limit; who never did costs one look-up
an entry and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from players.errors import PlayerCode, PlayerRefusal
from players.models.limits import Limits, Spending
from players.models.profiles import Profile

Name = Literal["entries", "points"]

WAIT: Final = timedelta(hours=72)
"""Before a limit is raised or taken away."""
TIME_OUTS: Final = {
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
}
EXCLUSIONS: Final = {"half": timedelta(days=183), "year": timedelta(days=366), "ever": None}
MOST: Final[Mapping[Name, int]] = {"entries": 10**9, "points": 10**12}


def set_limits(*, player_id: int, values: Mapping[Name, int | None], now: datetime) -> None:
    """Set the limits that are named, all or none of them, each as `set_limit` does."""
    with transaction.atomic():
        for name, value in values.items():
            set_limit(player_id=player_id, name=name, value=value, now=now)


def set_limit(*, player_id: int, name: Name, value: int | None, now: datetime) -> Limits:
    """Lower a limit at once, or ask for a higher one, or none, which comes after 72 hours.

    What waited before is forgotten. Raises `PlayerRefusal(BAD_LIMIT)`.
    """
    if value is not None and not 0 <= value <= MOST[name]:
        raise PlayerRefusal(
            PlayerCode.BAD_LIMIT, _("Give a whole number, or nothing for no limit."), field=name
        )
    with transaction.atomic():
        limits = _locked(player_id)
        before = limits.value(name, now)
        waits = before is not None and (value is None or value > before)
        setattr(limits, name, before if waits else value)
        setattr(limits, f"next_{name}", value if waits else None)
        setattr(limits, f"next_{name}_at", now + WAIT if waits else None)
        limits.save()
    return limits


def keep_limit(*, player_id: int, name: Name, now: datetime) -> Limits:
    """Take back a raise that has not come yet; one that has come stays."""
    with transaction.atomic():
        limits = _locked(player_id)
        setattr(limits, name, limits.value(name, now))
        setattr(limits, f"next_{name}", None)
        setattr(limits, f"next_{name}_at", None)
        limits.save()
    return limits


def take_time_out(*, player_id: int, span: str, now: datetime) -> Limits:
    """Join nothing for a day, a week or a month; a longer one that runs stays.

    Raises `PlayerRefusal(BAD_SPAN)`.
    """
    if span not in TIME_OUTS:
        raise PlayerRefusal(PlayerCode.BAD_SPAN, _("Choose one of the times."), field="time_out")
    with transaction.atomic():
        limits = _locked(player_id)
        limits.away_until = max(limits.away_until or now, now + TIME_OUTS[span])
        limits.save(update_fields=["away_until"])
    return limits


def exclude(*, player_id: int, span: str, now: datetime) -> Limits:
    """Join nothing for half a year, a year or ever; nobody undoes it, and it is never shortened.

    Raises `PlayerRefusal(BAD_SPAN)`.
    """
    if span not in EXCLUSIONS:
        raise PlayerRefusal(PlayerCode.BAD_SPAN, _("Choose one of the times."), field="exclusion")
    with transaction.atomic():
        limits = _locked(player_id)
        length = EXCLUSIONS[span]
        if length is None:
            limits.excluded_for_ever = True
        else:
            limits.excluded_until = max(limits.excluded_until or now, now + length)
        limits.save(update_fields=["excluded_until", "excluded_for_ever"])
    return limits


def _locked(player_id: int) -> Limits:
    Limits.objects.get_or_create(user_id=player_id)
    return Limits.objects.select_for_update().get(pk=player_id)


def admit(
    *,
    player_id: int,
    about: str,
    points: int,
    is_entry: bool,
    asset: str = "PLAY",
    decimals: int = 0,
    now: datetime,
) -> None:
    """Count what a player himself pays for, if his limits let him.

    `points` are smallest units of an asset, of which 10 to the power of `decimals` make a whole.
    The caller's transaction holds the row of his limits from here on, so two entries at once are
    counted one after the other. Raises `PlayerRefusal` (EXCLUDED, TIMED_OUT, ENTRIES_USED,
    POINTS_USED).
    """
    limits = Limits.objects.select_for_update().filter(pk=player_id).first()
    if limits is None:
        return
    _refuse_absent(limits, now)
    since = day_begin(now, _zone_now(limits, now))
    used = Spending.objects.filter(player_id=player_id, at__gte=since).aggregate(
        entries=Count("pk", filter=Q(is_entry=True)),
        points=Sum("points", default=0, filter=Q(asset=asset)),
    )
    most = limits.value("entries", now)
    if is_entry and most is not None and used["entries"] + 1 > most:
        sentence = _("Your limit of %(n)d entries a day is used up; come back tomorrow.")
        raise PlayerRefusal(PlayerCode.ENTRIES_USED, sentence % {"n": most}, field="player")
    most = limits.value("points", now)
    if points and most is not None and used["points"] + points > most * 10**decimals:
        sentence = _(
            "It would go beyond your limit of %(n)d points a day; you have spent %(used)d."
        )
        spent = -(-used["points"] // 10**decimals)
        raise PlayerRefusal(
            PlayerCode.POINTS_USED, sentence % {"n": most, "used": spent}, field="player"
        )
    Spending.objects.create(
        player_id=player_id, about=about, at=now, points=points, asset=asset, is_entry=is_entry
    )


def keep_day(*, player_id: int, zone: str, now: datetime) -> None:
    """Let the day that runs end by the clock that it began by; `zone` is what the player leaves.

    Within the caller's transaction. Who has set no limit has no day to keep.
    """
    limits = Limits.objects.select_for_update().filter(pk=player_id).first()
    if limits is None or (limits.day_until is not None and limits.day_until > now):
        return
    limits.day_zone, limits.day_until = zone, day_end(now, ZoneInfo(zone))
    limits.save(update_fields=["day_zone", "day_until"])


def _zone_now(limits: Limits, now: datetime) -> ZoneInfo:
    if limits.day_until is not None and limits.day_until > now:
        return ZoneInfo(limits.day_zone)
    return zone_of(limits.pk)


def check_present(*, player_id: int, by_staff: bool = False, now: datetime) -> None:
    """Raises `PlayerRefusal`: EXCLUDED, or, unless staff enters him, TIMED_OUT."""
    limits = Limits.objects.select_for_update().filter(pk=player_id).first()
    if limits is not None:
        _refuse_absent(limits, now, by_staff=by_staff)


def _refuse_absent(limits: Limits, now: datetime, *, by_staff: bool = False) -> None:
    if limits.excluded_for_ever:
        raise PlayerRefusal(
            PlayerCode.EXCLUDED, _("This player has excluded himself for ever."), field="player"
        )
    if limits.excluded_until is not None and limits.excluded_until > now:
        sentence = _("This player has excluded himself until %(at)s.")
        raise PlayerRefusal(
            PlayerCode.EXCLUDED, sentence % {"at": _moment(limits.excluded_until)}, field="player"
        )
    if not by_staff and limits.away_until is not None and limits.away_until > now:
        sentence = _("You are taking a time-out until %(at)s.")
        raise PlayerRefusal(
            PlayerCode.TIMED_OUT, sentence % {"at": _moment(limits.away_until)}, field="player"
        )


def _moment(at: datetime) -> str:
    return date_format(timezone.localtime(at), "j M Y, H:i T")


def give_back(*, player_ids: list[int], about: str) -> None:
    """Who has left before the start has spent nothing."""
    Spending.objects.filter(player_id__in=player_ids, about=about).delete()


def zone_of(player_id: int) -> ZoneInfo:
    """The zone a player lives in."""
    found = Profile.objects.filter(pk=player_id).values_list("zone", flat=True).first()
    return ZoneInfo(found or "UTC")


def day_begin(now: datetime, zone: ZoneInfo) -> datetime:
    """The first moment of the day that it is in a zone."""
    return now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


def day_end(now: datetime, zone: ZoneInfo) -> datetime:
    """The first moment of the day after the one that it is in a zone."""
    local = now.astimezone(zone)
    return datetime.combine(local.date() + timedelta(days=1), time.min, tzinfo=zone)
