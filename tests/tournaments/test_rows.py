"""Many rows written by one statement are as if each had been saved."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.tournaments.helpers import NOW, a_tournament, join, players
from tournaments.models import Entry, EntryState, Rating
from tournaments.models.rows import BATCH, update_rows

pytestmark = pytest.mark.django_db


def _entries(number: int) -> list[Entry]:
    tournament = a_tournament(capacity=max(number, 2))
    return join(tournament, *players(number))


def test_values_of_every_kind_are_written_and_the_other_fields_left() -> None:
    entries = _entries(3)
    numbers = [entry.number for entry in entries]
    for place, entry in enumerate(entries, 1):
        entry.rank, entry.state, entry.prize = place, EntryState.RANKED, 10**15 + place
        entry.reason = f"Rank {place}: 'quoted', 100 % of it; \"so\"."
        entry.joined_at = NOW + timedelta(microseconds=place)
        entry.number = 99
    update_rows(entries, ["rank", "state", "prize", "reason", "joined_at"])
    for entry, number in zip(entries, numbers, strict=True):
        written = Entry.objects.get(pk=entry.pk)
        for field in ("rank", "state", "prize", "reason", "joined_at"):
            assert getattr(written, field) == getattr(entry, field)
        assert written.number == number


def test_nothing_can_be_written_as_nothing() -> None:
    entries = _entries(2)
    for entry in entries:
        entry.seed = None
        entry.checked_in_at = None
    Entry.objects.update(seed=4, checked_in_at=NOW)
    update_rows(entries, ["seed", "checked_in_at"])
    assert set(Entry.objects.values_list("seed", "checked_in_at")) == {(None, None)}


def test_floats_come_back_to_the_last_bit() -> None:
    [person] = players(1)
    row = Rating.objects.create(player=person, mu=25.0, sigma=8.0)
    row.mu, row.sigma = 0.1 + 0.2, 1 / 3
    update_rows([row], ["mu", "sigma"])
    written = Rating.objects.get()
    assert (written.mu, written.sigma) == (0.1 + 0.2, 1 / 3)


def test_constraints_hold() -> None:
    entries = _entries(2)
    for entry in entries:
        entry.prize = -1
    with pytest.raises(IntegrityError), transaction.atomic():
        update_rows(entries, ["prize"])
    assert set(Entry.objects.values_list("prize", flat=True)) == {0}


def test_one_statement_writes_a_batch_and_none_nothing() -> None:
    rows = Rating.objects.bulk_create(
        Rating(player=person, mu=25.0, sigma=8.0) for person in players(BATCH + 1, points=0)
    )
    for row in rows:
        row.matches = 7
    with CaptureQueriesContext(connection) as queries:
        update_rows(rows, ["matches"])
        update_rows([], ["matches"])
    assert len(queries) == 2
    assert set(Rating.objects.values_list("matches", flat=True)) == {7}
