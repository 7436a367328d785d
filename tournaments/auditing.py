"""What the audit log says of tournaments: what is acted on, and how it stands."""

from __future__ import annotations

from typing import Any

from django.db.models import Count

from staff.services.audit import Subject
from tournaments.models import Entry, RoundTable, Tournament


def subject_of(tournament: Tournament) -> Subject:
    """A tournament as something that is acted on."""
    return Subject("tournament", tournament.public_id, tournament.name)


def entry_subject(entry: Entry) -> Subject:
    """A player's entry as something that is acted on; its key is the player's name in it."""
    name = entry.player.get_username()
    return Subject("entry", f"{entry.tournament.public_id}/{name}", name)


def picture_of(tournament_id: int) -> dict[str, Any]:
    """How a tournament stands: its state, rounds, open tables, entries by state. Three queries."""
    row = Tournament.objects.annotate(rounds_opened=Count("rounds")).get(pk=tournament_id)
    tables = RoundTable.objects.filter(round__tournament=tournament_id, is_over=False)
    entries = Entry.objects.filter(tournament=tournament_id).order_by("state")
    return {
        "state": row.state,
        "rounds": row.rounds_opened,
        "open_tables": tables.count(),
        "entries": dict(entries.values_list("state").annotate(number=Count("pk"))),
    }
