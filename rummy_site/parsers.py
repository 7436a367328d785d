"""What the API reads: JSON of a bounded size and depth, and of text that a database can keep."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from rummy_site.plain_text import NUL

MOST_BYTES: Final = 100_000


class PlainJSONParser(JSONParser):
    """JSON as ever; the rest is refused before anybody looks at it."""

    def parse(
        self, stream: Any, media_type: Any = None, parser_context: Any = None
    ) -> dict[str, Any]:
        """Raises `ParseError` for what is too large, too deep, no JSON or no text."""
        body = stream.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise ParseError(_("What was sent is too large."))
        try:
            found: dict[str, Any] = super().parse(io.BytesIO(body), media_type, parser_context)
            strange = any(map(_is_no_text, _texts(found)))
        except RecursionError as fault:
            raise ParseError(_("What was sent is too deep.")) from fault
        if strange:
            raise ParseError(_("There is a character in what was sent that is none."))
        return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _is_no_text(text: str) -> bool:
    """NULs, and halves of characters beyond the first plane."""
    return NUL in text or any("\ud800" <= sign <= "\udfff" for sign in text)
