"""The rows of the staff app; everybody imports them from here."""

from __future__ import annotations

from staff.models.actions import MAX_NAME, MAX_REASON, StaffAction

__all__ = ["MAX_NAME", "MAX_REASON", "StaffAction"]
