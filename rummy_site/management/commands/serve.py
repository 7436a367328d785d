"""`manage.py serve`: the site in one process, until Ctrl-C."""

from __future__ import annotations

from typing import Any

import uvicorn
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    """Serve pages and sockets with uvicorn."""

    help = "Serves the site in one process; Ctrl-C stops it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen, and whether to set the site up first."""
        parser.add_argument("--host", default="127.0.0.1", help="address (default 127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port (default 8000)")
        parser.add_argument(
            "--demo", action="store_true", help="first migrate and make the demo data (development)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Listen until a signal comes, then finish what is under way."""
        host, port = options["host"], options["port"]
        if not 0 < port < 65536:
            raise CommandError(f"Port {port} does not exist; choose one from 1 to 65535.")
        if options["demo"]:
            call_command("migrate", verbosity=0)
            call_command("demo", stdout=self.stdout)
        self.stdout.write(f"\nThe site is on http://{host}:{port} (Ctrl-C stops it)\n")
        self.stdout.flush()
        uvicorn.run(
            "rummy_site.asgi:application",
            host=host,
            port=port,
            log_config=None,  # our log lines, from the settings
            lifespan="off",
            timeout_graceful_shutdown=5,
        )
