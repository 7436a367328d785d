"""Who may open a socket: a browser of this site with its session, or a program with its token.

A browser sends its session to whichever page asks, so for it the page's origin has to be ours. A
program shows `Authorization: Token <key>`, which no foreign page can send.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final, cast

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.contrib.auth.models import AnonymousUser
from django.http import parse_cookie
from django.urls import re_path
from django.utils import timezone

from players.selectors.keys import player_by_key
from rummy_site.plain_text import has_nul
from tables.routing import websocket_urlpatterns as at_tables
from tables.threads import in_database
from tournaments.routing import websocket_urlpatterns as at_desks

Application = Any
"""Channels' applications; their types and Django's routes do not meet."""

log = logging.getLogger(__name__)

_SCHEME: Final = b"token "


async def _nowhere(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Turn away a socket for which there is no address: the handshake is answered with 403."""
    await receive()
    await send({"type": "websocket.close"})


_routes: Final[Application] = URLRouter([*at_tables, *at_desks, re_path("", cast(Any, _nowhere))])
_browsers: Final[Application] = AllowedHostsOriginValidator(AuthMiddlewareStack(_routes))


def _user_of(key: str) -> Any:
    """The active user of a token that may play, or nobody."""
    return player_by_key(key, timezone.now()) or AnonymousUser()


async def sockets(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Every socket of the site. The server may cancel one that has not ended when it stops."""
    try:
        await _socket(scope, receive, send)
    except asyncio.CancelledError:
        log.warning("a socket was cut short", extra={"path": scope["path"]})


async def _socket(scope: dict[str, Any], receive: Any, send: Any) -> None:
    headers = dict(scope["headers"])
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
    if has_nul(scope["path"], *cookies.values()):
        await _nowhere(scope, receive, send)
        return
    header = headers.get(b"authorization", b"")
    if header[: len(_SCHEME)].lower() != _SCHEME:
        await _browsers(scope, receive, send)
        return
    key = header[len(_SCHEME) :].decode("ascii", "replace").strip()
    user = await in_database(_user_of, key)
    await _routes(scope | {"user": user, "token": key}, receive, send)
