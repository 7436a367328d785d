"""`manage.py serve`: the whole site in one process, or its web part only, until Ctrl-C."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, Final

import uvicorn
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from rummy_site import serving
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
        parser.add_argument(
            "--own", action="store_true", help="first migrate, and ask for the first log-in"
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
        address = serving.addresses(host, port)[0]
        try:
            with self._alone(address, web_only):
                serving.check_free(host, port)
                if not web_only and not os.environ.get("RUMMY_ADDRESS"):
                    settings.RUMMY_ADDRESS = address  # where its e-mails lead
                self._set_up(options)
                trouble = _serve(self, host, port, web_only)
        except serving.CannotServe as refusal:
            raise CommandError(str(refusal)) from refusal
        if trouble:
            raise CommandError(trouble)

    def _alone(self, address: str, web_only: bool) -> Any:
        """A site in one process is alone on its file."""
        if web_only or connection.vendor != "sqlite":
            return nullcontext()
        return serving.only_one(Path(str(connection.settings_dict["NAME"])), address)

    def _set_up(self, options: dict[str, Any]) -> None:
        """Tables, and either the demo or somebody who may log in to the admin."""
        if not (options["demo"] or options["own"]):
            return
        call_command("migrate", verbosity=0)
        if options["demo"]:
            call_command("demo", stdout=self.stdout)
        elif not User.objects.filter(is_superuser=True).exists():
            self._ask_for_the_first()

    def _ask_for_the_first(self) -> None:
        if sys.stdin.isatty():
            self.stdout.write("Nobody may set up tournaments yet. Choose your name and password:")
            call_command("createsuperuser", stdout=self.stdout)
            return
        self.stdout.write("Nobody may log in to the admin yet: run `manage.py createsuperuser`.")

    def say_where(self, host: str, port: int) -> None:
        """To be said once the site answers."""
        first, *others = serving.addresses(host, port)
        self.stdout.write(f"\nThe site is on {first} (Ctrl-C stops it)")
        for address in others:
            self.stdout.write(f"Phones in the same network open {address}")
        self.stdout.write("")
        self.stdout.flush()


class _Server(uvicorn.Server):
    """Says that it answers when it does, and not before."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Also in vain: then nothing is said but why."""
        await super().startup(sockets)
        if self.started:
            self._tell()


def _serve(command: Command, host: str, port: int, web_only: bool) -> str | None:
    """Serve until told to stop; a sentence if that was not by a signal."""
    from rummy_site import asgi, embedded  # noqa: PLC0415 - they open all models

    reasons: list[str] = []

    def give_up(sentence: str) -> None:
        reasons.append(sentence)
        server.should_exit = True

    parts = [] if web_only else embedded.worker_and_beat()
    beside = embedded.Parts(parts, give_up=give_up)
    server = _Server(
        uvicorn.Config(
            embedded.with_parts(asgi.web, beside),
            host=host,
            port=port,
            log_config=None,  # our log lines, from the settings
            lifespan="on",
            # Whose header counts is for the settings to say (RUMMY_BEHIND_PROXY); uvicorn would
            # believe everybody on this machine.
            proxy_headers=False,
            timeout_graceful_shutdown=GRACEFUL_SECONDS,
            ws=BoundedWebSocket,
            ws_max_size=MAX_FRAME_BYTES,
            # Frames are short; packing each would cost more than sending it, and memory a socket.
            ws_per_message_deflate=False,
        ),
        started=lambda: command.say_where(host, port),
    )
    try:
        # uvicorn has stopped the site by the time it raises the signal once more.
        with suppress(KeyboardInterrupt):
            server.run()
    finally:
        beside.stop()  # a second Ctrl-C leaves the lifespan's end out
    return reasons[0] if reasons else None
