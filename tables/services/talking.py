"""Chat at a table, and the players' own parts in the shuffle."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from tables import broadcast, store
from tables.errors import TableCode, TableRefusal
from tables.models import ChatLine, Seat
from tables.rules.errors import Code, RuleViolation
from tables.seats import shown_name
from wording.typed import shows

LINES_AT_MOST: Final = 5
WITHIN: Final = timedelta(seconds=10)
MAX_LINE: Final = 200
MAX_NONCE: Final = 64


def say(*, seat_id: int, text: str, now: datetime) -> ChatLine:
    """Say something at one's table; at most five lines in ten seconds.

    Raises `TableRefusal`: `MUTED` or `TOO_FAST`; `RuleViolation(BAD_FRAME)` for empty or
    unprintable text. Text is kept as it is and escaped where it is shown.
    """
    line = " ".join(text.split())
    seen = shows(line).strip()
    if not seen or len(line) > MAX_LINE or not seen.isprintable():
        raise RuleViolation(
            Code.BAD_FRAME, f"Write 1 to {MAX_LINE} printable characters.", field="text"
        )
    with transaction.atomic():
        seat = Seat.objects.select_for_update(of=("self",)).select_related("player").get(pk=seat_id)
        if seat.muted:
            raise TableRefusal(TableCode.MUTED, "An arbiter has muted you at this table.")
        recent = ChatLine.objects.filter(
            match_id=seat.match_id, seat=seat.number, at__gt=now - WITHIN
        )
        if recent.count() >= LINES_AT_MOST:
            raise TableRefusal(TableCode.TOO_FAST, "Wait a few seconds before you write again.")
        said = ChatLine.objects.create(match_id=seat.match_id, seat=seat.number, text=line, at=now)
        broadcast.announce_chat(
            match_id=seat.match_id,
            line={
                "seat": seat.number,
                "name": shown_name(seat.player),
                "text": line,
                "at_ms": store.to_ms(now),
            },
        )
    return said


def mute(*, seat_id: int, muted: bool) -> None:
    """Let a seat chat no more, or again; an arbiter's doing."""
    Seat.objects.filter(pk=seat_id).update(muted=muted)


def set_nonce(*, seat_id: int, text: str) -> None:
    """Save a player's part in the next shuffle. Raises `RuleViolation(BAD_OPTION)`."""
    if len(text) > MAX_NONCE or not text.isprintable():
        raise RuleViolation(
            Code.BAD_OPTION, f"A nonce has at most {MAX_NONCE} printable characters.", field="text"
        )
    Seat.objects.filter(pk=seat_id).update(nonce=text)
