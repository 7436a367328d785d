"""The key with which a player's programs ask in his name: one a player, made and revoked by him."""

from __future__ import annotations

from django.apps import apps
from django.contrib.auth import authenticate
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from rest_framework.authtoken.models import Token

from players.errors import PlayerCode, PlayerRefusal


def token_for(*, player_id: int) -> str:
    """The player's key, made now if he has none."""
    token, _made = Token.objects.get_or_create(user_id=player_id)
    return str(token.key)


def renew(*, player_id: int) -> str:
    """A new key; the one before holds no more."""
    with transaction.atomic():
        Token.objects.filter(user_id=player_id).delete()
        return str(Token.objects.create(user_id=player_id).key)


def revoke(*, player_id: int) -> bool:
    """Make the player's key invalid; whether there was one. Open sockets end with it."""
    gone, _by_model = Token.objects.filter(user_id=player_id).delete()
    return bool(gone)


def made_at(player_id: int) -> object:
    """When the player's key was made; nothing without one."""
    return Token.objects.filter(user_id=player_id).values_list("created", flat=True).first()


def log_in(*, username: str, password: str) -> str:
    """A player's key for his name and password.

    Raises `PlayerRefusal`: BAD_LOGIN, or NEEDS_PAGE for who has a second factor: he makes his key
    on the page, where he has shown both.
    """
    user = authenticate(username=username, password=password)
    if user is None:
        raise PlayerRefusal(
            PlayerCode.BAD_LOGIN, _("Name and password do not fit together."), field=None
        )
    if _has_second_factor(user):
        raise PlayerRefusal(
            PlayerCode.NEEDS_PAGE,
            _("You log in with a second factor; make a key under settings, on the site."),
            field=None,
        )
    return token_for(player_id=user.pk)


def _has_second_factor(user: AbstractBaseUser) -> bool:
    if not apps.is_installed("allauth.mfa"):
        return False
    return bool(import_string("allauth.mfa.utils.is_mfa_enabled")(user))
