"""Taking back what followed from a deal that was entered wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ledger import selectors, services
from tournaments.models import RoundTable, Tournament
from tournaments.money.accounts import reference_of
from tournaments.money.chips import retire_key


def take_back_deals(
    *, tournament: Tournament, deals: Sequence[str], actor: str, reason: str, now: datetime
) -> None:
    """Move back the chips that each of `deals` moved, in this order; none for who moved none."""
    keys = [f"deal:{tournament.pk}:{deal}" for deal in deals]
    _reverse(tournament, keys, actor=actor, reason=reason, now=now)


def take_back_rejoin(
    *,
    tournament: Tournament,
    player_id: int,
    number: int,
    actor: str,
    reason: str,
    now: datetime,
) -> None:
    """Give a player his buy-in for a rejoin back, which never was."""
    key = f"rejoin:{tournament.pk}:{player_id}:{number}"
    _reverse(tournament, [key], actor=actor, reason=reason, now=now)


def return_chips(
    *, tournament: Tournament, table: RoundTable, actor: str, reason: str, now: datetime
) -> None:
    """Bring the stacks of a finished table back into play."""
    key = retire_key(tournament, table)
    _reverse(tournament, [key], actor=actor, reason=reason, now=now)


def _reverse(
    tournament: Tournament, keys: Sequence[str], *, actor: str, reason: str, now: datetime
) -> None:
    found = selectors.journal_of(reference_of(tournament)).filter(key__in=keys)
    posted = {entry.key: entry.pk for entry in found.prefetch_related(None)}
    for key in keys:
        if key in posted:
            services.reverse(
                entry=posted[key],
                key=f"undo:{key}",
                actor=actor,
                reason=reason,
                follows=True,
                now=now,
            )
