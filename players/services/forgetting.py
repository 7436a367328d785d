"""Taking away what is personal of a player who leaves for good."""

from __future__ import annotations

from django.db import transaction

from players.models import Key, Notice, Profile


@transaction.atomic
def forget(*, player_id: int) -> None:
    """Drop settings, inbox, keys. Limits stay: they name nobody, and an exclusion holds on."""
    Profile.objects.filter(user_id=player_id).delete()
    Notice.objects.filter(player_id=player_id).delete()
    Key.objects.filter(user_id=player_id).delete()
