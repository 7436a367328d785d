"""Reading keys: whose one is, which still hold, and what a player has."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare

from players.models import Key, Scope


def digest_of(text: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def key_of(text: str, now: datetime) -> Key | None:
    """The key that holds, with its user; nothing for every other text. One query."""
    return _holding([text], now).get(text)


def player_by_key(text: str, now: datetime) -> User | None:
    """Who plays with a key: its player, if it holds and has the scope for it."""
    found = key_of(text, now)
    return found.user if found is not None and Scope.PLAY in found.scopes else None


def still_held(texts: Collection[str], now: datetime) -> set[str]:
    """Those of some keys that hold. One query."""
    return set(_holding(texts, now)) if texts else set()


def keys_of(player_id: int) -> QuerySet[Key]:
    """A player's keys with him, the latest first; those that hold no more, too."""
    return Key.objects.filter(user_id=player_id).select_related("user").order_by("-pk")


def holds(key: Key, now: datetime) -> bool:
    """Whether a key still opens anything: neither expired nor of an earlier password."""
    user = key.user
    if not user.is_active or (key.expires_at is not None and key.expires_at <= now):
        return False
    stamps = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return any(constant_time_compare(key.stamp, stamp) for stamp in stamps)


def _holding(texts: Collection[str], now: datetime) -> dict[str, Key]:
    named = {digest_of(text): text for text in texts}
    found = Key.objects.select_related("user").filter(digest__in=named)
    return {named[key.digest]: key for key in found if holds(key, now)}
