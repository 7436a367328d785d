"""The seal of a checkpoint: an HMAC under a key that the database does not hold.

`RUMMY_LEDGER_KEY` (else Django's `SECRET_KEY`) seals; the keys of `RUMMY_LEDGER_KEY_FALLBACKS`
(else `SECRET_KEY_FALLBACKS`) still verify after a change of key.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from ledger import chain

_SALT: Final = "ledger.checkpoint.v1"


def seal(*, taken_at: datetime, occasion: str, root: str, previous: str) -> str:
    """64 hexadecimal digits over the root, its moment and the seal before it ("" for the first)."""
    return _hmac(_text(taken_at, occasion, root, previous), _keys()[0])


def is_sealed(*, taken_at: datetime, occasion: str, root: str, previous: str, seal: str) -> bool:
    """Whether the seal was made with one of the site's keys."""
    text = _text(taken_at, occasion, root, previous)
    return any(constant_time_compare(_hmac(text, key), seal) for key in _keys())


def _text(taken_at: datetime, occasion: str, root: str, previous: str) -> bytes:
    return chain.canonical([chain.moment(taken_at), occasion, root, previous])


def _keys() -> list[str | bytes]:
    own = getattr(settings, "RUMMY_LEDGER_KEY", "")
    if own:
        return [own, *getattr(settings, "RUMMY_LEDGER_KEY_FALLBACKS", [])]
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def _hmac(text: bytes, key: str | bytes) -> str:
    return salted_hmac(_SALT, text, secret=key, algorithm="sha256").hexdigest()
