"""`manage.py release_expired_holds`: give back what was held for too long."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from ledger.services import release_expired


class Command(BaseCommand):
    """Safe to run at any time and any number of times."""

    help = "Release holds whose expiry has come."

    def handle(self, *args: Any, **options: Any) -> None:
        """Sweep until nothing is overdue."""
        total = 0
        while released := release_expired(now=timezone.now()):
            total += released
        self.stdout.write(f"{total} holds released.")
