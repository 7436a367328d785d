"""Rows of players: what they prefer, what limits they set, what they were told, their keys."""

from __future__ import annotations

from players.models.inbox import Notice, NoticeKind
from players.models.keys import Key, Scope
from players.models.limits import Limits, Spending
from players.models.profiles import Lead, Profile

__all__ = ["Key", "Lead", "Limits", "Notice", "NoticeKind", "Profile", "Scope", "Spending"]
