"""What differs between two pictures of the audit log, name by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple


class Difference(NamedTuple):
    """One fact that changed: its name (parts joined by dots), and how it was and is, as text.

    Empty text stands for what was not there before, or is not there any more.
    """

    name: str
    before: str
    after: str


def differences(before: Any, after: Any) -> list[Difference]:
    """What changed, in the order of the names; of lists, what came and what went."""
    return sorted(_found("", before, after))


def _found(name: str, before: Any, after: Any) -> Iterator[Difference]:
    if before == after:
        return
    if isinstance(before, Mapping) or isinstance(after, Mapping):
        old, new = _mapping(before), _mapping(after)
        for key in old.keys() | new.keys():
            inner = f"{name}.{key}" if name else str(key)
            yield from _found(inner, old.get(key), new.get(key))
        return
    if isinstance(before, list) and isinstance(after, list):
        gone, come = _without(before, after), _without(after, before)
        if gone or come:
            yield Difference(name, text_of(gone), text_of(come))
            return
    yield Difference(name, text_of(before), text_of(after))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _without(some: list[Any], others: list[Any]) -> list[Any]:
    return [one for one in some if one not in others]


def text_of(value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(text_of, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {text_of(one)}" for key, one in value.items())
    return str(value)
