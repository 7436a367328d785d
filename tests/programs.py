"""Who asks over HTTP: programs of players, of staff and of nobody."""

from __future__ import annotations

from django.contrib.auth.models import Group, User
from django.utils import timezone
from rest_framework.test import APIClient

from players.services import tokens


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


def key_for(user: User, *scopes: str, days: int | None = None) -> str:
    """A key of somebody's, for what a player does or for these scopes."""
    wanted = scopes or tokens.USUAL
    made = tokens.make(player_id=user.pk, name="Test", scopes=wanted, days=days, now=timezone.now())
    return made.text


def program(key: str) -> APIClient:
    """Who asks with this key."""
    found = APIClient()
    found.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    return found
