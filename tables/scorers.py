"""Who may write on score sheets: staff with the permission for it."""

from __future__ import annotations

from typing import Any, Final

PERMISSION: Final = "tables.enter_deals"
MAX_ACTOR: Final = 120


def may_enter_deals(user: Any) -> bool:
    """Whether a user may enter and correct deals, at any table with real cards."""
    return bool(user.is_active and user.is_staff and user.has_perm(PERMISSION))


def actor_of(user: Any) -> str:
    """What a scorer's lines are signed with."""
    return str(user.get_username())[:MAX_ACTOR]
