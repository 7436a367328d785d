"""Reading what a player prefers and which limits he set. One query each."""

from __future__ import annotations

from datetime import date

from players.models.limits import Limits
from players.models.profiles import Profile


def profile_of(player_id: int) -> Profile:
    """A player's profile; what everybody has where he never changed anything, not saved."""
    return Profile.objects.filter(pk=player_id).first() or Profile(user_id=player_id)


def limits_of(player_id: int) -> Limits:
    """The limits of a player; none of them where he never set any, not saved."""
    return Limits.objects.filter(pk=player_id).first() or Limits(user_id=player_id)


def of_age_since(player_id: int) -> date | None:
    """The day on which a player confirmed that he is 18 or older."""
    return Profile.objects.filter(pk=player_id).values_list("of_age_since", flat=True).first()
