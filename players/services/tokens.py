"""Keys with which a player's programs ask in his name: made, told once, and revoked by him.

A key has a name, scopes, and a day on which it expires. It ends with the password that it was made
under. Only digests are kept: who has the database has no key.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from allauth.account.adapter import get_adapter
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import get_random_string
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from players.errors import PlayerCode, PlayerRefusal
from players.models import Key, Scope
from players.selectors.keys import digest_of, holds, keys_of

MOST: Final = 20
"""Keys a player."""
LONGEST_DAYS: Final = 3650
USUAL_DAYS: Final = 90
USUAL: Final = (Scope.READ, Scope.PLAY, Scope.ACCOUNT)


class Made(NamedTuple):
    """A new key; its text is told this once."""

    text: str
    key: Key


def make(
    *,
    player_id: int,
    name: str,
    scopes: Collection[str] = USUAL,
    days: int | None = USUAL_DAYS,
    by_password: bool = False,
    now: datetime,
) -> Made:
    """A key that holds for so many days; without days until it is revoked.

    Raises `PlayerRefusal`: BAD_SETTING, or TOO_MANY_KEYS. A program that logs in by password is
    never refused for the latter while an older key of its kind can end for it.
    """
    wanted = _checked(scopes, days)
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=player_id)
        _make_room(user.pk, by_password=by_password, now=now)
        text = f"rk_{get_random_string(40)}"
        key = Key.objects.create(
            user=user,
            name=name.strip() or _("Key"),
            digest=digest_of(text),
            scope_list=" ".join(wanted),
            stamp=user.get_session_auth_hash(),
            made_at=now,
            expires_at=None if days is None else now + timedelta(days=days),
            by_password=by_password,
        )
    return Made(text, key)


def _checked(scopes: Collection[str], days: int | None) -> list[str]:
    wanted = [scope for scope in Scope.values if scope in scopes]
    if not wanted or set(scopes) - set(wanted):
        raise PlayerRefusal(
            PlayerCode.BAD_SETTING, _("Choose what the key is for."), field="scopes"
        )
    if days is not None and not 1 <= days <= LONGEST_DAYS:
        raise PlayerRefusal(PlayerCode.BAD_SETTING, _("Choose a time of the list."), field="days")
    return wanted


def _make_room(player_id: int, *, by_password: bool, now: datetime) -> None:
    keys = list(keys_of(player_id))
    held = [key for key in keys if holds(key, now)]
    keys_of(player_id).exclude(pk__in=[key.pk for key in held]).delete()
    if len(held) < MOST:
        return
    oldest = [key for key in held if key.by_password][-1:]
    if not by_password or not oldest:
        raise PlayerRefusal(
            PlayerCode.TOO_MANY_KEYS, _("You have many keys already; revoke one of them first.")
        )
    oldest[0].delete()


def revoke(*, player_id: int, key_id: int) -> None:
    """End one of a player's keys at once, and the sockets that were opened with it.

    Raises `PlayerRefusal(UNKNOWN_KEY)` also for somebody else's.
    """
    gone, _by_model = keys_of(player_id).filter(pk=key_id).delete()
    if not gone:
        raise PlayerRefusal(PlayerCode.UNKNOWN_KEY, _("You have no such key."), field="key")


def revoke_all(*, player_id: int) -> int:
    """End every key of a player; how many there were."""
    return keys_of(player_id).delete()[0]


def used(key: Key, *, now: datetime) -> None:
    """Keep the day on which a key was used last; written once a day."""
    if key.last_used != now.date():
        key.last_used = now.date()
        Key.objects.filter(pk=key.pk).update(last_used=key.last_used)


def log_in(
    request: HttpRequest,
    *,
    username: str,
    password: str,
    now: datetime,
    **wanted: Any,
) -> Made:
    """A new key for a player's name and password; `wanted` are name, scopes and days of `make`.

    Raises `PlayerRefusal`: BAD_LOGIN, also after too many wrong passwords for a name; NEEDS_PAGE
    for who has a second factor: he makes his key on the page, where he has shown both.
    """
    try:
        user = get_adapter(request).authenticate(request, username=username, password=password)
    except ValidationError as too_often:
        raise PlayerRefusal(PlayerCode.BAD_LOGIN, " ".join(too_often.messages)) from too_often
    if user is None or not user.is_active:
        raise PlayerRefusal(PlayerCode.BAD_LOGIN, _("Name and password do not fit together."))
    if import_string("allauth.mfa.utils.is_mfa_enabled")(user):
        raise PlayerRefusal(
            PlayerCode.NEEDS_PAGE,
            _("You log in with a second factor; make a key under settings, on the site."),
        )
    return make(player_id=user.pk, by_password=True, now=now, **wanted)
