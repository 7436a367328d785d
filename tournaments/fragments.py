"""Parts of pages that are the same for everybody, kept until their tournament changes.

A part is kept under the tournament's public id and the number of its changes, the reader's language
and his time zone. So it is never out of date, and it is made without a request: nothing of one
player can get into what another one reads. After a minute it is made anew whatever happened, since
a hand in the database moves no number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from django.core.cache import caches
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.connection import ConnectionProxy
from django.utils.safestring import SafeString

from tournaments.models import Tournament

cache: Final[Any] = ConnectionProxy(caches, "pages")
SECONDS: Final = 60
SECONDS_WHEN_OVER: Final = 3600
"""Nothing of a tournament that is over changes by itself."""


def fragment(
    tournament: Tournament, name: str, context: Callable[[], Mapping[str, Any]], *about: object
) -> SafeString:
    """The template `tournaments/fragments/<name>.html`, made of `context` unless it is kept.

    `about` names what else the part depends on, such as its page. Raises what `context` raises.
    """
    key = _key(tournament, name, about)
    kept = cache.get(key)
    if kept is None:
        kept = _rendered(name, context())
        cache.set(key, kept, _seconds(tournament))
    return SafeString(kept)  # made by a template, which escapes


def fragments(
    tournaments: Sequence[Tournament],
    name: str,
    contexts: Callable[[Sequence[Tournament]], Iterable[Mapping[str, Any]]],
) -> dict[int, SafeString]:
    """The same part of many tournaments by their ids; `contexts` is asked for the missing ones."""
    keys = {one.pk: _key(one, name, ()) for one in tournaments}
    kept = cache.get_many(keys.values())
    missing = [one for one in tournaments if keys[one.pk] not in kept]
    if missing:
        for one, context in zip(missing, contexts(missing), strict=True):
            kept[keys[one.pk]] = _rendered(name, context)
            cache.set(keys[one.pk], kept[keys[one.pk]], _seconds(one))
    return {pk: SafeString(kept[key]) for pk, key in keys.items()}


def parts(name: str, shown: Sequence[tuple[Any, ...]]) -> list[SafeString]:
    """The same small part for each of many things, found again by what the thing says itself.

    So a change at one table makes one part anew. A thing is plain values, and is `it` in its part.
    """
    keys = [":".join(("page", name, _reader()[0], _digest(repr(it)))) for it in shown]
    kept = cache.get_many(keys)
    for it, key in zip(shown, keys, strict=True):
        if key not in kept:
            kept[key] = _rendered(name, {"it": it})
            cache.set(key, kept[key], SECONDS)
    return [SafeString(kept[key]) for key in keys]


def choices_form(query: str, context: Callable[[], Mapping[str, Any]]) -> SafeString:
    """The fields of the lobby's form for these choices; they hang on nothing else."""
    key = ":".join(("page:choices", _digest(query), translation.get_language() or ""))
    kept = cache.get(key)
    if kept is None:
        kept = _rendered("choices", context())
        cache.set(key, kept, SECONDS)
    return SafeString(kept)


def stamp(tournament: Tournament, *about: object) -> str:
    """Names how a tournament looks now; another one after every change."""
    return ":".join(map(str, (tournament.public_id, tournament.changes, *_reader(), *about)))


def _reader() -> tuple[str, str]:
    return translation.get_language() or "", timezone.get_current_timezone_name()


def _key(tournament: Tournament, name: str, about: Iterable[object]) -> str:
    parts = (tournament.public_id, tournament.changes, name, *_reader(), *about)
    return "page:" + ":".join(str(part).replace(" ", "_") for part in parts)


def _seconds(tournament: Tournament) -> int:
    return SECONDS if tournament.over_at is None else SECONDS_WHEN_OVER


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _rendered(name: str, context: Mapping[str, Any]) -> str:
    return str(render_to_string(f"tournaments/fragments/{name}.html", dict(context)))
