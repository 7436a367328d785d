"""The language in which a socket is told sentences; what it plays by are codes, in none.

A page adds its own to the address, `?language=hi`; a program may do so too, or send the header
`Accept-Language` with the handshake.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs

from django.conf import settings
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

READ_AT_MOST: Final = 1_000
"""Bytes of a query that are looked at: one that names thousands of languages takes long to read."""


def language_of(scope: Mapping[str, Any]) -> str:
    """The first language asked for that the site speaks, else the site's own."""
    query = parse_qs(scope.get("query_string", b"")[:READ_AT_MOST].decode("ascii", "replace"))
    header = dict(scope.get("headers", ())).get(b"accept-language", b"").decode("latin-1")
    accepted = [code for code, _weight in parse_accept_lang_header(header) if code != "*"]
    for code in (*query.get("language", ()), *accepted):
        try:
            return get_supported_language_variant(code)
        except LookupError:
            continue
    return settings.LANGUAGE_CODE
