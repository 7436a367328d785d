"""Canonical text and hashes: what makes a change of an old entry visible.

The canonical form is a compact JSON array in UTF-8. An entry's hash covers the hash before it, its
own content and who its accounts belong to, so neither can be changed without breaking every hash
that follows. Needs no database.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

import msgspec

_ENTRY: Final = b"ledger.entry.v1\n"
_REQUEST: Final = b"ledger.request.v1\n"
_encode: Final = msgspec.json.Encoder().encode


def canonical(value: object) -> bytes:
    """Lists, text, whole numbers and None as compact JSON."""
    return _encode(value)


def moment(value: datetime) -> str:
    """A moment in UTC with microseconds, always 32 characters long."""
    return value.astimezone(UTC).isoformat(timespec="microseconds")


def fingerprint(request: Sequence[object]) -> bytes:
    """32 bytes that tell two requests under one key apart."""
    return sha256(_REQUEST + canonical(request)).digest()


def entry_content(
    *,
    journal: str,
    seq: int,
    kind: str,
    key: str,
    actor: str,
    reference: str,
    reason: str,
    at: datetime,
    reverses: int | None,
    lines: Sequence[Sequence[object]],
    parties: Sequence[Sequence[object]],
) -> tuple[object, ...]:
    """What an entry's hash covers besides the hash before it.

    `lines`: number, mode, debit, credit, amount, hold, expiry, by number. `parties`: id, asset,
    owner, purpose and rule of every account named, by id.
    """
    named = (journal, seq, kind, key, actor, reference, reason, moment(at), reverses)
    return (*named, lines, parties)


def entry_hash(prev_hash: bytes, content: Sequence[object]) -> bytes:
    """32 bytes: the entry chained to the one before it."""
    return sha256(_ENTRY + prev_hash + canonical(content)).digest()
