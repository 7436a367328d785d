"""What the staff app's tests share: doers, and subjects that stand for nothing else."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from django.contrib.auth.models import Group, User

from staff.services.audit import Doer, Subject

NOW: Final = datetime(2026, 6, 1, 18, 30, tzinfo=UTC)


def member(name: str = "olga", *groups: str, **more: Any) -> User:
    """A member of the staff with a password of `secret`."""
    user = User.objects.create_user(name, password="secret", is_staff=True, **more)
    user.groups.set(Group.objects.filter(name__in=groups))
    return user


def doer(name: str = "olga") -> Doer:
    """Somebody who acts from an address."""
    user = User.objects.filter(username=name).first() or member(name)
    return Doer(user, "192.0.2.7", NOW)


def cup(key: str = "abc") -> Subject:
    """Something that is acted on."""
    return Subject("tournament", key, f"Cup {key}")
