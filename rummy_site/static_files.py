"""Static files under both kinds of server.

WhiteNoise answers with a stream that is read by blocking calls, which an ASGI server can only
consume whole, and warns about. Ours are small, so under ASGI they are sent whole from the start.

On servers `collectstatic` has compressed the files. One machine serves them from the sources, so
there a file is compressed when it is first asked for, and again once it has changed.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Final

from django.core.handlers.asgi import ASGIRequest
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from whitenoise.base import StaticFile
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

_COMPRESSIBLE: Final = ("text/", "application/json", "image/svg+xml")
_LEAST_BYTES: Final = 512
OUR_SCRIPTS: Final = "rummy_site/*.js"
"""Those of other packages are left alone: they may name files that they do not bring along."""


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Files under names that carry their hash, also where one script names another.

    A page asks for its modules ahead by these names; a script that named them without would load
    each a second time, and after a release might get what the browser had kept of the old one.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (OUR_SCRIPTS, ((r"""(?P<matched>from "(?P<url>\./[^"]+)";)""", 'from "%(url)s";'),)),
    )


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise, without streams where nothing is gained by them."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponseBase:
        """The file, a part of it, or "not modified"."""
        streamed: FileResponse = WhiteNoiseMiddleware.serve(static_file, request)
        if not isinstance(request, ASGIRequest):
            return streamed
        try:
            whole = HttpResponse(
                b"".join(streamed), status=streamed.status_code, headers=streamed.headers
            )
        finally:
            streamed.close()
        return _compressed(whole, request)


def _compressed(answer: HttpResponse, request: HttpRequest) -> HttpResponse:
    """The answer as fewer bytes, if its kind allows it, its reader takes it, and it is whole."""
    kind = answer.headers.get("Content-Type", "")
    if not kind.startswith(_COMPRESSIBLE) or len(answer.content) < _LEAST_BYTES:
        return answer
    patch_vary_headers(answer, ("Accept-Encoding",))
    takes = "gzip" in request.headers.get("Accept-Encoding", "")
    if not takes or answer.status_code != 200 or "Content-Encoding" in answer.headers:
        return answer
    answer.content = _gzipped(answer.content)
    answer.headers["Content-Encoding"] = "gzip"
    answer.headers["Content-Length"] = str(len(answer.content))
    return answer


@lru_cache(maxsize=200)
def _gzipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
