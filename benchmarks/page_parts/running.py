"""Tournaments in their first round, made without registering each entrant."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.models import User

from tournaments import play, services
from tournaments.models import Entry, EntryState, Shape, Tournament
from tournaments.structure.lifecycle import State
from tournaments.structure.prize_text import read_prizes

NOW = datetime(2026, 3, 1, 18, tzinfo=UTC)


def running(shape: Shape, format_name: str, entrants: int) -> Tournament:
    """A tournament of so many, with its first tables open; nobody has paid for it."""
    terms = play.simulated_terms(
        format_name=format_name, profile_name=None, prizes=read_prizes("50,30,20")
    )
    made = services.create(
        name=f"{shape.label} of {entrants}",
        shape=shape,
        terms=terms,
        entry_fee=0,
        house_fee=0,
        capacity=entrants,
        now=NOW,
    )
    services.open_registration(tournament_id=made.pk, actor="x", now=NOW)
    people = User.objects.bulk_create(
        User(username=f"{shape.value}-{entrants}-{number}") for number in range(entrants)
    )
    Entry.objects.bulk_create(
        Entry(
            tournament=made, player=person, number=number, state=EntryState.PLAYING, joined_at=NOW
        )
        for number, person in enumerate(people, 1)
    )
    rows = Tournament.objects.filter(pk=made.pk)
    rows.update(state=State.RUNNING, started_at=NOW, numbers_given=entrants)
    services.open_round(tournament_id=made.pk, now=NOW)
    return rows.get()
