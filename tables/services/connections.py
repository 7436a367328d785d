"""Who is at the table: open sockets, counted in the database so that any process may die.

A seat is online while one of its sockets is seen. Sockets are seen again every half minute; who is
not seen for ninety seconds is gone, whatever became of the process that held the socket.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from tables.models import Connection, Seat
from tables.services.presence import connected, disconnected

SEEN_EVERY: Final = timedelta(seconds=30)
GONE_AFTER: Final = timedelta(seconds=90)


def socket_opened(*, seat_id: int, channel: str, now: datetime) -> None:
    """A socket of a seat is open; the first one brings its player back."""
    Connection.objects.create(seat_id=seat_id, channel=channel, seen_at=now)
    seat = Seat.objects.get(pk=seat_id)
    connected(match_id=seat.match_id, seat=seat.number, now=now)


def socket_seen(*, channel: str, now: datetime) -> None:
    """The socket is still open."""
    Connection.objects.filter(channel=channel).update(seen_at=now)


def socket_closed(*, seat_id: int, channel: str, now: datetime) -> None:
    """A socket is closed; with the last one its player is cut off.

    One that is not counted any more, as its seat was given to another player, cuts nobody off.
    """
    with transaction.atomic():
        seat = Seat.objects.select_for_update().get(pk=seat_id)
        counted, _ = Connection.objects.filter(channel=channel).delete()
        still_here = Connection.objects.filter(seat=seat, seen_at__gt=now - GONE_AFTER).exists()
    if counted and not still_here:
        disconnected(match_id=seat.match_id, seat=seat.number, now=now)


def drop_unseen(*, now: datetime) -> int:
    """Close every socket that has not been seen for too long; how many there were."""
    unseen = list(Connection.objects.filter(seen_at__lte=now - GONE_AFTER))
    for connection in unseen:
        socket_closed(seat_id=connection.seat_id, channel=connection.channel, now=now)
    return len(unseen)
