"""What a player may change between two deals, and commands sent again after their deal ended."""

from __future__ import annotations

from django.db import transaction

from tables import broadcast, store
from tables.models import Deal, Match, Seat
from tables.services import closing


def repeated_at(*, match_id: int, command_id: str) -> int | None:
    """The version that a command of the match's last deal led to, if it was played there."""
    deals = Deal.objects.filter(match_id=match_id)
    return _repeated(deals.order_by("-number").first(), command_id)


def repeated_in(*, deal: str, table: str, command_id: str) -> int | None:
    """As `repeated_at`, for a deal of a table by its name, whichever match it belongs to."""
    found = Deal.objects.filter(public_id=deal, match__table__public_id=table)
    return _repeated(found.first(), command_id)


def _repeated(deal: Deal | None, command_id: str) -> int | None:
    answer = None if deal is None else store.answer_to(deal, command_id)
    return None if answer is None else answer[0]


def check_online(*, match_id: int) -> None:
    """Raises `TableRefusal(IN_PERSON)` where the cards are real, and nobody plays by a socket."""
    closing.check_online(Match.objects.get(pk=match_id))


def set_auto_drop(*, match_id: int, seat: int, on: bool) -> None:
    """Switch auto drop while no deal is played; it acts from the next deal on (rule 5.13).

    Raises `RuleViolation(MATCH_OVER)`, `TableRefusal(MATCH_VOID, PAUSED, IN_PERSON)`.
    """
    with transaction.atomic():
        match = closing.lock_match(match_id)
        closing.check_goes_on(match)
        closing.check_runs(match)
        closing.check_online(match)
        Seat.objects.filter(match=match, number=seat).update(auto_drop=on)
        broadcast.announce_match(match_id=match_id)
