"""What a reference is called elsewhere. The ledger keeps references and knows nothing about them.

The site says in `RUMMY_REFERENCES` who does: by the word before the colon, the dotted name of a
function that takes references and gives those that a reader may be told of, by reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from django.conf import settings
from django.utils.module_loading import import_string


class Named(NamedTuple):
    """What something is called, and where its page is."""

    title: str
    address: str


Names = Callable[[Iterable[str]], Mapping[str, tuple[str, str]]]
"""From references to title and address; one query for any number."""


def named(references: Iterable[str]) -> dict[str, Named]:
    """The references that somebody knows, with titles and addresses; a query for each kind."""
    kinds: dict[str, set[str]] = {}
    for reference in references:
        kind, colon, _rest = reference.partition(":")
        if colon and kind in settings.RUMMY_REFERENCES:
            kinds.setdefault(kind, set()).add(reference)
    found: dict[str, Named] = {}
    for kind, wanted in kinds.items():
        names: Names = import_string(settings.RUMMY_REFERENCES[kind])
        told = names(sorted(wanted))
        found |= {reference: Named(*told[reference]) for reference in told}
    return found
