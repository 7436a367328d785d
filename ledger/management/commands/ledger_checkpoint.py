"""`manage.py ledger_checkpoint [--occasion TEXT]`: seal all journals and print the root."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from ledger.services import take_checkpoint


class Command(BaseCommand):
    """Adds one checkpoint."""

    help = "Seal the heads of all journals; keep the printed root somewhere else."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Why it is taken."""
        parser.add_argument("--occasion", default="by hand", help="why (default: by hand)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Take it and print when and what."""
        checkpoint = take_checkpoint(occasion=options["occasion"], now=timezone.now())
        self.stdout.write(f"{checkpoint.taken_at.isoformat()} {checkpoint.root}")
