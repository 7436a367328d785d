"""Rows that are read and written by statements composed once are as Django would have them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.tournaments.helpers import NOW, a_tournament, join, players
from tournaments import rows
from tournaments.models import Entry, EntryState, Tournament

pytestmark = pytest.mark.django_db


def values_of(row: Tournament | Entry) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_a_locked_tournament_has_every_value_that_django_reads() -> None:
    made = a_tournament(capacity=5)
    Tournament.objects.filter(pk=made.pk).update(starts_at=NOW, due_at=NOW + timedelta(hours=1))
    with transaction.atomic():
        locked = rows.TOURNAMENT_LOCKED.get(made.pk)
    assert locked is not None
    assert values_of(locked) == values_of(Tournament.objects.get(pk=made.pk))
    assert locked._state.adding is False


def test_it_is_locked_where_the_database_knows_locks() -> None:
    made = a_tournament()
    with transaction.atomic(), CaptureQueriesContext(connection) as seen:
        rows.TOURNAMENT_LOCKED.get(made.pk)
    locks = "FOR UPDATE" in seen.captured_queries[-1]["sql"]
    assert locks is connection.features.has_select_for_update


def test_nothing_is_found_where_nothing_is() -> None:
    made = a_tournament()
    [player] = players(1)
    with transaction.atomic():
        assert rows.TOURNAMENT_LOCKED.get(made.pk + 1) is None
    assert rows.ENTRY_OF_PLAYER.get(made.pk, player.pk) is None


def test_an_entry_is_found_by_tournament_and_player_in_this_order() -> None:
    first, second = a_tournament(), a_tournament()
    people = players(2, points=2000)
    wanted = join(first, *people)[1]
    join(second, *people)
    found = rows.ENTRY_OF_PLAYER.get(first.pk, people[1].pk)
    assert found is not None
    assert values_of(found) == values_of(Entry.objects.get(pk=wanted.pk))
    assert found.tournament_id == first.pk


def test_a_new_entry_is_saved_with_every_value_and_can_be_saved_again() -> None:
    made = a_tournament()
    [player] = players(1)
    entry = Entry(tournament=made, player=player, number=7, state=EntryState.WAITING, joined_at=NOW)
    entry.bot, entry.seed_rating, entry.reason = "steady", 2.5, "50 % – “no”"
    rows.save_entry(entry)
    assert values_of(Entry.objects.get(pk=entry.pk)) == values_of(entry)
    entry.state = EntryState.WITHDRAWN
    rows.save_entry(entry)
    assert Entry.objects.get(pk=entry.pk).state == EntryState.WITHDRAWN
    assert made.entries.count() == 1


def test_whoever_waits_is_seen_and_only_in_his_tournament() -> None:
    full, other = a_tournament(capacity=2), a_tournament(capacity=2)
    join(full, *players(2))
    assert not rows.somebody_waits(full.pk)
    join(full, *players(1))
    assert rows.somebody_waits(full.pk)
    assert not rows.somebody_waits(other.pk)


def test_seats_are_saved_with_the_moments_that_follow_from_them() -> None:
    made = a_tournament()
    made.numbers_given, made.starts_at, made.due_at = 9, NOW, None
    rows.save_seats(made)
    saved = Tournament.objects.get(pk=made.pk)
    assert (saved.numbers_given, saved.starts_at, saved.due_at) == (9, NOW, None)


def test_a_query_with_a_value_of_its_own_is_refused() -> None:
    wrong = rows.Row(lambda pk: Tournament.objects.filter(pk=pk, capacity=3), 1)
    with pytest.raises(ValueError, match="other values"):
        wrong.get(1)
