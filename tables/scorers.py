"""Who may write on score sheets and mute: staff with the permission, at tables they were called to.

Whose table it is knows its owner: `RUMMY_TABLE_STAFF` says who tells, for each kind of owner (see
`tables.owners`). At a table of nobody's the permission alone counts.
"""

from __future__ import annotations

from typing import Any, Final

from tables.owners import answering

PERMISSION: Final = "tables.enter_deals"
MAX_ACTOR: Final = 120


def is_scorer(user: Any) -> bool:
    """Whether a user may enter deals at some table at all."""
    return bool(user.is_active and user.is_staff and user.has_perm(PERMISSION))


def may_enter_deals(user: Any, owner: str) -> bool:
    """Whether a user may enter and correct deals at a table of this owner."""
    if not is_scorer(user):
        return False
    serves = answering("RUMMY_TABLE_STAFF", owner)
    return serves is None or bool(serves(user, owner))


def actor_of(user: Any) -> str:
    """What a scorer's lines are signed with."""
    return str(user.get_username())[:MAX_ACTOR]
