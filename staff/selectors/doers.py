"""Who has done something that stands in the audit log."""

from __future__ import annotations

from django.contrib.auth.models import User

from staff.models import StaffAction


def has_acted(user: User) -> bool:
    """Whether a line is of this user's doing. One query, out of an index."""
    return StaffAction.objects.filter(actor=user).exists()
