"""Static files under both kinds of server.

WhiteNoise answers with a stream that is read by blocking calls, which an ASGI server can only
consume whole, and warns about. Ours are small, so under ASGI they are sent whole from the start.
"""

from __future__ import annotations

from django.core.handlers.asgi import ASGIRequest
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from whitenoise.base import StaticFile
from whitenoise.middleware import WhiteNoiseMiddleware


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise, without streams where nothing is gained by them."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponseBase:
        """The file, a part of it, or "not modified"."""
        streamed: FileResponse = WhiteNoiseMiddleware.serve(static_file, request)
        if not isinstance(request, ASGIRequest):
            return streamed
        try:
            return HttpResponse(
                b"".join(streamed), status=streamed.status_code, headers=streamed.headers
            )
        finally:
            streamed.close()
