"""`manage.py serve`: the whole site in one process, or its web part only, until Ctrl-C."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from rummy_site.sockets_protocol import BoundedWebSocket

GRACEFUL_SECONDS: Final = 5
MAX_FRAME_BYTES: Final = 64 * 1024
"""A larger frame closes its socket before anybody reads it."""


class Command(BaseCommand):
    """Serve pages and sockets with uvicorn, and run worker and beat beside it."""

    help = "Serves the site, with its worker and beat, in one process; Ctrl-C stops it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen, what to run, and whether to set the site up first."""
        parser.add_argument("--host", default="127.0.0.1", help="address (default 127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port (default 8000)")
        parser.add_argument(
            "--web", action="store_true", help="web only: worker and beat run elsewhere"
        )
        parser.add_argument(
            "--demo", action="store_true", help="first migrate and make the demo data (development)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Listen until a signal comes, then finish what is under way."""
        host, port, web_only = options["host"], options["port"], options["web"]
        if not 0 < port < 65536:
            raise CommandError(f"Port {port} does not exist; choose one from 1 to 65535.")
        if not web_only and not settings.CELERY_BROKER_URL.startswith("memory:"):
            raise CommandError(
                "These settings send tasks through a server: run `serve --web`, and beside it "
                "`celery -A rummy_site worker` and `celery -A rummy_site beat`."
            )
        if options["demo"]:
            call_command("migrate", verbosity=0)
            call_command("demo", stdout=self.stdout)
        self.stdout.write(f"\nThe site is on http://{host}:{port} (Ctrl-C stops it)\n")
        self.stdout.flush()
        trouble = _serve(host, port, web_only)
        if trouble:
            raise CommandError(trouble)


def _serve(host: str, port: int, web_only: bool) -> str | None:
    """Serve until told to stop; a sentence if that was not by a signal."""
    from rummy_site import asgi, embedded  # noqa: PLC0415 - they open all models

    reasons: list[str] = []

    def give_up(sentence: str) -> None:
        reasons.append(sentence)
        server.should_exit = True

    parts = [] if web_only else embedded.worker_and_beat()
    beside = embedded.Parts(parts, give_up=give_up)
    server = uvicorn.Server(
        uvicorn.Config(
            embedded.with_parts(asgi.web, beside),
            host=host,
            port=port,
            log_config=None,  # our log lines, from the settings
            lifespan="on",
            timeout_graceful_shutdown=GRACEFUL_SECONDS,
            ws=BoundedWebSocket,
            ws_max_size=MAX_FRAME_BYTES,
            # Frames are short; packing each would cost more than sending it, and memory a socket.
            ws_per_message_deflate=False,
        )
    )
    try:
        # uvicorn has stopped the site by the time it raises the signal once more.
        with suppress(KeyboardInterrupt):
            server.run()
    finally:
        beside.stop()  # a second Ctrl-C leaves the lifespan's end out
    return reasons[0] if reasons else None
