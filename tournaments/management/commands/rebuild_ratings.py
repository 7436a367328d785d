"""`manage.py rebuild_ratings`: every rating anew from the matches that were counted."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.services import ratings


class Command(BaseCommand):
    """Works out all ratings again."""

    help = "Work out every player's rating anew from the matches counted, in their order."

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild and say how many matches there were."""
        self.stdout.write(f"Rated {ratings.rebuild()} matches.")
