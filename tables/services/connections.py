"""Who is at the table: open sockets, counted in the database so that any process may die.

A seat is online while one of its sockets is seen. Sockets are seen again every half minute; who is
not seen for ninety seconds is gone, whatever became of the process that held the socket.

A socket is taken away, and its player cut off, in one transaction under the match's lock. So who
opens one while another of his closes - a page loaded anew - is never left offline.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from tables.models import Connection, Match, Seat
from tables.services.presence import connected, disconnected

SEEN_EVERY: Final = timedelta(seconds=30)
GONE_AFTER: Final = timedelta(seconds=90)
AT_ONCE: Final = 200
"""So many sockets are written with one statement, lest those who play wait for it."""


def socket_opened(*, seat_id: int, channel: str, now: datetime) -> None:
    """A socket of a seat is open; the first one brings its player back."""
    Connection.objects.create(seat_id=seat_id, channel=channel, seen_at=now)
    seat = Seat.objects.get(pk=seat_id)
    connected(match_id=seat.match_id, seat=seat.number, now=now)


def sockets_seen(*, channels: Collection[str], now: datetime) -> set[str]:
    """These sockets are still open; those of them that are not counted any more."""
    rows = Connection.objects.filter(channel__in=channels)
    with transaction.atomic():
        # Locked in order, since an UPDATE of many locks them in any.
        found = dict(rows.select_for_update().order_by("pk").values_list("pk", "channel"))
        Connection.objects.filter(pk__in=found).update(seen_at=now)
    return set(channels) - set(found.values())


def counted(*, seat_id: int, user_id: int | None, channel: str, now: datetime) -> bool:
    """As `socket_opened` for a socket of this player; whether it is counted now.

    It is not if the seat has become somebody else's, while his socket was being opened or since.
    """
    if not Seat.objects.filter(pk=seat_id, player_id=user_id).exists():
        return False
    socket_opened(seat_id=seat_id, channel=channel, now=now)
    return True


def matches_of(*, channels: Collection[str]) -> list[int]:
    """The matches at whose seats these sockets are counted."""
    seats = Seat.objects.filter(connections__channel__in=channels)
    return list(seats.order_by("match_id").values_list("match_id", flat=True).distinct())


def sockets_closed_at(
    *, match_id: int, channels: Collection[str], now: datetime, unseen: bool = False
) -> int:
    """Sockets at a match are closed; with the last one of a seat its player is cut off.

    With `unseen` those only that have not been seen for too long. One that is not counted any more,
    as its seat was given to another player, cuts nobody off. How many there were.
    """
    with transaction.atomic():
        Match.objects.select_for_update().get(pk=match_id)
        rows = Connection.objects.filter(channel__in=channels, seat__match_id=match_id)
        if unseen:
            rows = rows.filter(seen_at__lte=now - GONE_AFTER)
        closed = dict(rows.select_for_update(of=("self",)).order_by("pk").values_list("pk", "seat"))
        Connection.objects.filter(pk__in=closed).delete()
        for seat in _without_sockets(closed.values(), now):
            disconnected(match_id=match_id, seat=seat.number, now=now)
    return len(closed)


def _without_sockets(seat_ids: Collection[int], now: datetime) -> QuerySet[Seat]:
    open_ones = Connection.objects.filter(seat_id__in=seat_ids, seen_at__gt=now - GONE_AFTER)
    seats = Seat.objects.filter(pk__in=set(seat_ids)).exclude(pk__in=open_ones.values("seat_id"))
    return seats.order_by("number")


def sockets_closed(*, channels: Collection[str], now: datetime, unseen: bool = False) -> int:
    """As `sockets_closed_at` for every match at which these sockets are; how many there were."""
    return sum(
        sockets_closed_at(match_id=match_id, channels=channels, now=now, unseen=unseen)
        for match_id in matches_of(channels=channels)
    )


def given_up(*, channels: Sequence[str], now: datetime) -> None:
    """The process that held these sockets ends: the next sweep takes away who has not come back."""
    for first in range(0, len(channels), AT_ONCE):
        rows = Connection.objects.filter(channel__in=channels[first : first + AT_ONCE])
        with transaction.atomic():
            found = list(rows.select_for_update().order_by("pk").values_list("pk", flat=True))
            Connection.objects.filter(pk__in=found).update(seen_at=now - GONE_AFTER)


def drop_unseen(*, now: datetime) -> int:
    """Close every socket that has not been seen for too long; how many there were."""
    unseen = Connection.objects.filter(seen_at__lte=now - GONE_AFTER).order_by("pk")
    channels = list(unseen.values_list("channel", flat=True))
    return sum(
        sockets_closed(channels=channels[first : first + AT_ONCE], now=now, unseen=True)
        for first in range(0, len(channels), AT_ONCE)
    )
