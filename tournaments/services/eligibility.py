"""Whether a player meets what an organiser asks of entrants, and the lists that this rests on."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction

from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Invitation, PlayerFacts, Tournament
from tournaments.selectors.players import facts_about
from tournaments.services.lifecycle import lock
from tournaments.structure.conditions import Conditions, unmet


def check_conditions(
    tournament: Tournament, conditions: Conditions, player_id: int, *, code: str, now: datetime
) -> None:
    """Raises `TournamentRefusal(NOT_ELIGIBLE)` naming every condition that is not met."""
    facts = facts_about(
        tournament=tournament,
        player_id=player_id,
        conditions=conditions,
        code_is_right=is_same(code, conditions.code),
        now=now,
    )
    sentences = unmet(conditions, facts)
    if sentences:
        raise TournamentRefusal(TournamentCode.NOT_ELIGIBLE, " ".join(sentences), field="player")


def is_same(given: str, wanted: str) -> bool:
    """In a time that tells nothing of how much was right; spaces around it are forgiven."""
    return hmac.compare_digest(given.strip().encode(), wanted.strip().encode())


def invite(*, tournament_id: int, player_ids: Sequence[int], actor: str, now: datetime) -> int:
    """Put players on the invitation list; how many were not on it."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        known = set(tournament.invitations.values_list("player_id", flat=True))
        fresh = [player for player in dict.fromkeys(player_ids) if player not in known]
        Invitation.objects.bulk_create(
            Invitation(tournament=tournament, player_id=player, actor=actor, at=now)
            for player in fresh
        )
    return len(fresh)


def uninvite(*, tournament_id: int, player_ids: Sequence[int]) -> int:
    """Take players off the list; how many were on it. Who has entered stays in."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        return tournament.invitations.filter(player_id__in=player_ids).delete()[0]


def confirm_birth(*, player_id: int, born_on: date, actor: str, now: datetime) -> PlayerFacts:
    """Write down a player's date of birth that staff has seen proof of.

    Raises `TournamentRefusal(BAD_AMOUNT)` for a day that has not come.
    """
    if born_on > now.date():
        raise TournamentRefusal(
            TournamentCode.BAD_AMOUNT, "Give a day of birth in the past.", field="born_on"
        )
    confirmed, _ = PlayerFacts.objects.update_or_create(
        player_id=player_id,
        defaults={"born_on": born_on, "confirmed_by": actor, "confirmed_at": now},
    )
    return confirmed
