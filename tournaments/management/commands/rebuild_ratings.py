"""`manage.py rebuild_ratings`: every rating anew from the matches that were counted."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.services import ratings


class Command(BaseCommand):
    """Works out all ratings again."""

    help = (
        "Work out every player's rating anew from the matches counted, in their order; matches "
        "that were missed are counted first."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild and say how many matches there were."""
        now = datetime.now(UTC)
        ratings.rate_due(now=now, since=datetime.min.replace(tzinfo=UTC))
        self.stdout.write(f"Rated {ratings.rebuild()} matches.")
