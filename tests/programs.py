"""Who asks over HTTP: programs of players, of staff and of nobody."""

from __future__ import annotations

from django.contrib.auth.models import Group, User
from rest_framework.test import APIClient


def api(user: User | None = None) -> APIClient:
    """Somebody's program, or a visitor's."""
    found = APIClient()
    if user is not None:
        found.force_authenticate(user)
    return found


def staff(role: str) -> User:
    """Somebody of a group of staff."""
    user = User.objects.create_user(role, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return user
