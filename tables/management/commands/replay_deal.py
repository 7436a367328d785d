"""`manage.py replay_deal DEAL`: a deal event by event, checked against its stored result."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.errors import TableRefusal
from tables.narration import tell
from tables.selectors import check_deal, deal_named


class Command(BaseCommand):
    """Prints the log; fails when it does not make the stored result or the committed shuffle."""

    help = "Print a deal event by event and check its log, result and shuffle."

    def add_arguments(self, parser: CommandParser) -> None:
        """See `--help`."""
        parser.add_argument("deal", help="the deal's public id, or its number in the database")
        parser.add_argument("--quiet", action="store_true", help="check only")

    def handle(self, *args: Any, **options: Any) -> None:
        """Tell, then check."""
        try:
            deal = deal_named(options["deal"])
        except TableRefusal as refusal:
            raise CommandError(str(refusal)) from refusal
        found = check_deal(deal)
        if not options["quiet"]:
            start = found.events[0].at if found.events else 0
            for number, event in enumerate(found.events, 1):
                self.stdout.write(f"{number:>4} {(event.at - start) / 1000:>8.1f}s  {tell(event)}")
        if not found.is_sound:
            raise CommandError("\n".join(found.faults))
        over = deal.over_at is not None
        shuffle = "the shuffle is the committed one" if over else "the deal is still being played"
        self.stdout.write(f"Sound: {len(found.events)} events make the stored result; {shuffle}.")
