"""Rows of players: what they prefer, what limits they set, what they were told."""

from __future__ import annotations

from players.models.inbox import Notice, NoticeKind
from players.models.limits import Limits, Spending
from players.models.profiles import Lead, Profile

__all__ = ["Lead", "Limits", "Notice", "NoticeKind", "Profile", "Spending"]
