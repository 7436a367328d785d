"""Whether a player is at his table, as whoever counts his sockets says. Said again, it is nothing.

During a deal it is part of the deal's log; between deals, and for who is not in the deal, it stands
with the seat and holds from the next deal on. While the match is paused nothing is written into the
deal; it hears who is there when play goes on.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from tables import broadcast, store
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, Match, Seat
from tables.rules.commands import ComeBack, GoOffline, SetAutoDrop
from tables.rules.errors import Code, RuleViolation
from tables.services.play import play


def connected(*, match_id: int, seat: int, now: datetime) -> None:
    """The player is here: auto play ends. Auto drop goes on until he says so (rule 5.13).

    Raises `TableRefusal(UNKNOWN_MATCH)`.
    """
    _be(match_id, seat, True, now)


def disconnected(*, match_id: int, seat: int, now: datetime) -> None:
    """The player's last connection is gone; his running time goes on unchanged.

    Raises `TableRefusal(UNKNOWN_MATCH)`.
    """
    _be(match_id, seat, False, now)


def _be(match_id: int, seat: int, online: bool, now: datetime) -> None:
    """The match's lock keeps a deal from being dealt with what was true before."""
    with transaction.atomic():
        match = Match.objects.select_for_update().filter(pk=match_id).first()
        if match is None:
            raise TableRefusal(TableCode.UNKNOWN_MATCH, "There is no such match.", field="match_id")
        deal = Deal.objects.filter(match_id=match_id, over_at__isnull=True).first()
        if deal is not None and match.paused_at is None:
            tell_deal(deal, seat, online, now)
        changed = Seat.objects.filter(match_id=match_id, number=seat, online=not online)
        if changed.update(online=online):
            broadcast.announce_match(match_id=match_id)


def tell_deal(deal: Deal, seat: int, online: bool, now: datetime) -> None:
    """Enter it into the deal's log, unless the log says so already or the seat is not in it."""
    try:
        state = store.load(deal)
        me = state.seat_state(seat)
        if me.online is online:
            return
        command = ComeBack(seat) if online else GoOffline(seat)
        command_id = f"{'here' if online else 'away'}:{seat}:{state.version}"
        play(deal_id=deal.pk, command=command, command_id=command_id, now=now)
        if online and me.auto_drop:
            auto_drop = SetAutoDrop(seat, True)
            play(deal_id=deal.pk, command=auto_drop, command_id=f"keep-{command_id}", now=now)
    except RuleViolation as refusal:
        if refusal.code not in (Code.ALREADY_SO, Code.NOT_SEATED, Code.DEAL_OVER):
            raise
