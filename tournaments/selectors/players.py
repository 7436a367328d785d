"""What is known of a player when he wants to enter."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Final

from django.contrib.auth.models import Group
from django.db.models import Q

from tournaments import people
from tournaments.models import Entry, Invitation, PlayerFacts, Tournament
from tournaments.selectors.ratings import rating_of
from tournaments.structure.conditions import Conditions, Facts

ADULT: Final = 18


def facts_about(
    *,
    tournament: Tournament,
    player_id: int,
    conditions: Conditions,
    code_is_right: bool,
    now: datetime,
) -> Facts:
    """The facts that these conditions ask for; one query each, and none for what is not asked."""
    asked: dict[str, Any] = {"code_is_right": code_is_right}
    if conditions.invited_only:
        invited = Invitation.objects.filter(tournament=tournament, player_id=player_id)
        asked["is_invited"] = invited.exists()
    if conditions.groups:
        named = Group.objects.filter(user=player_id, name__in=conditions.groups)
        asked["groups"] = frozenset(named.values_list("name", flat=True))
    if conditions.rating_from is not None or conditions.rating_to is not None:
        asked["rating"] = rating_of(player_id)
    if conditions.min_age is not None:
        asked["age"] = age_of(player_id, now.date())
    if conditions.winners_of:
        asked["won"] = _won(player_id, conditions.winners_of)
    return Facts(**asked)


def age_of(player_id: int, today: date) -> int | None:
    """A player's age in years, if staff confirmed his date of birth.

    Else 18, where he has confirmed himself that he is no younger.
    """
    known = PlayerFacts.objects.filter(player_id=player_id).first()
    if known is None:
        return ADULT if people.of_age_since(player_id) else None
    born = known.born_on
    had_birthday = (today.month, today.day) >= (born.month, born.day)
    return today.year - born.year - (not had_birthday)


def _won(player_id: int, names: tuple[str, ...]) -> frozenset[str]:
    """Those of the named tournaments and series that a player won."""
    named = Q(tournament__public_id__in=names) | Q(tournament__schedule__public_id__in=names)
    rows = Entry.objects.filter(named, player_id=player_id, rank=1).values_list(
        "tournament__public_id", "tournament__schedule__public_id"
    )
    return frozenset(name for row in rows for name in row if name in names)
