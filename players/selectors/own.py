"""All that is kept about one player here, for himself to take along."""

from __future__ import annotations

from typing import Any

from players.models import Key, Limits, Notice, Profile, Spending


def about_himself(player_id: int) -> dict[str, Any]:
    """Settings, limits, what counted against them, and every notice, keys. Five queries."""
    return {
        "settings": Profile.objects.filter(user_id=player_id).values().first(),
        "limits": Limits.objects.filter(user_id=player_id).values().first(),
        "counted": list(Spending.objects.filter(player_id=player_id).order_by("pk").values()),
        "inbox": list(Notice.objects.filter(player_id=player_id).order_by("pk").values()),
        "keys": list(
            Key.objects.filter(user_id=player_id)
            .order_by("pk")
            .values("name", "scope_list", "made_at", "expires_at", "last_used")
        ),
    }
