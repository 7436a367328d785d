"""What a player may change between two deals, and commands sent again after their deal ended."""

from __future__ import annotations

from django.db import transaction

from tables import broadcast
from tables.models import DealEvent, Match, Seat
from tables.services import closing


def repeated_at(*, match_id: int, command_id: str) -> int | None:
    """The version that a command of the match's last deal led to, if it was played there."""
    deal = Match.objects.get(pk=match_id).deals.order_by("-number").first()
    if deal is None:
        return None
    found = DealEvent.objects.filter(deal=deal, command_id=command_id)
    return deal.version if found.exists() else None


def check_online(*, match_id: int) -> None:
    """Raises `TableRefusal(IN_PERSON)` where the cards are real, and nobody plays by a socket."""
    closing.check_online(Match.objects.get(pk=match_id))


def set_auto_drop(*, match_id: int, seat: int, on: bool) -> None:
    """Switch auto drop while no deal is played; it acts from the next deal on (rule 5.13)."""
    with transaction.atomic():
        match = closing.lock_match(match_id)
        closing.check_runs(match)
        closing.check_online(match)
        Seat.objects.filter(match=match, number=seat).update(auto_drop=on)
        broadcast.announce_match(match_id=match_id)
