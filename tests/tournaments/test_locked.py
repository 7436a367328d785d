"""What players paid for cannot be changed under them, by whatever way."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from tests.tournaments.helpers import (
    NOW,
    a_tournament,
    close_and_start,
    join,
    players,
    started,
    terms,
)
from tournaments import guards, play, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import LOCKED_AFTER_START, EntryState, Shape, Tournament
from tournaments.structure.conditions import Conditions, EntryRules
from tournaments.structure.due import StartKind, Times
from tournaments.structure.errors import StructureError
from tournaments.structure.lifecycle import State

pytestmark = pytest.mark.django_db

OTHERS: dict[str, Any] = {
    "shape": Shape.HEADS_UP,
    "in_person": True,
    "terms": "{}",
    "asset": "PRACTICE",
    "entry_fee": 501,
    "house_fee": 1,
    "capacity": 7,
    "min_entries": 3,
    "draw_label": "other",
}


def test_every_locked_column_is_tried_here() -> None:
    assert set(OTHERS) == set(LOCKED_AFTER_START)


@pytest.mark.parametrize("field", LOCKED_AFTER_START)
def test_a_changed_row_of_a_started_tournament_is_refused_by_its_field(field: str) -> None:
    tournament = started(Shape.KNOCKOUT, 6)
    tournament = Tournament.objects.get(pk=tournament.pk)
    setattr(tournament, field, OTHERS[field])
    for update_fields in (None, [field], [field, "state"]):
        with pytest.raises(TournamentRefusal) as refusal:
            tournament.save(update_fields=update_fields)
        assert (refusal.value.code, refusal.value.field) == (TournamentCode.LOCKED, field)


@pytest.mark.parametrize("field", LOCKED_AFTER_START)
def test_the_database_refuses_an_update_that_goes_round_the_model(field: str) -> None:
    tournament = started(Shape.KNOCKOUT, 6)
    rows = Tournament.objects.filter(pk=tournament.pk)
    before = rows.values_list(field, flat=True).get()
    with pytest.raises(IntegrityError, match=guards.REFUSAL), transaction.atomic():
        rows.update(**{field: OTHERS[field]})
    assert rows.values_list(field, flat=True).get() == before


def test_a_row_read_before_the_start_cannot_be_saved_over_it_afterwards() -> None:
    tournament = a_tournament(capacity=2)
    join(tournament, *players(2))
    stale = Tournament.objects.get(pk=tournament.pk)
    close_and_start(tournament)
    stale.entry_fee = 1
    with pytest.raises(TournamentRefusal) as refusal:
        stale.save()
    assert refusal.value.code is TournamentCode.LOCKED


def test_what_is_not_locked_can_be_saved_and_updated_after_the_start() -> None:
    tournament = started(Shape.KNOCKOUT, 6)
    row = Tournament.objects.get(pk=tournament.pk)
    row.name = "Summer cup"
    row.save()
    assert Tournament.objects.filter(pk=row.pk).update(state=State.PAUSED, capacity=6) == 1
    row.refresh_from_db()
    assert (row.name, row.state) == ("Summer cup", State.PAUSED)


def test_before_the_start_the_database_lets_changes_through() -> None:
    tournament = a_tournament()
    assert Tournament.objects.filter(pk=tournament.pk).update(entry_fee=7) == 1


def test_the_guard_makes_way_for_a_migration_and_is_put_back_once() -> None:
    assert guards.installed(connection) == [guards.TRIGGER]
    guards.before_migration()
    assert guards.installed(connection) == []
    for _ in range(2):
        guards.after_migration()
        assert guards.installed(connection) == [guards.TRIGGER]


def test_a_guard_of_other_columns_is_replaced() -> None:
    guards.remove(connection)
    table = guards.TABLE
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                f"CREATE TRIGGER {guards.PREFIX}old BEFORE UPDATE ON {table} BEGIN SELECT 1; END"
            )
        else:
            cursor.execute(
                f"CREATE TRIGGER {guards.PREFIX}old BEFORE UPDATE ON {table} FOR EACH ROW "
                "EXECUTE FUNCTION suppress_redundant_updates_trigger()"
            )
    guards.install(connection)
    assert guards.installed(connection) == [guards.TRIGGER]


# --- editing ----------------------------------------------------------------------------------


def edit(tournament: Tournament, version: int | None = None, **changes: Any) -> Tournament:
    """Save a form that was opened with the tournament as it is in memory."""
    return services.edit(
        tournament_id=tournament.pk,
        version=tournament.version if version is None else version,
        actor="organiser",
        now=NOW,
        **changes,
    )


def code_of(call: Any) -> TournamentCode:
    """The code of the refusal that a call must give."""
    with pytest.raises(TournamentRefusal) as refusal:
        call()
    return refusal.value.code


def test_a_form_opened_before_the_start_and_saved_after_it_is_a_conflict() -> None:
    tournament = a_tournament(capacity=2)
    join(tournament, *players(2))
    tournament.refresh_from_db()
    close_and_start(tournament)
    assert code_of(lambda: edit(tournament, name="x")) is TournamentCode.CHANGED_MEANWHILE


def test_of_two_forms_opened_together_the_second_saved_is_a_conflict() -> None:
    tournament = a_tournament(opened=False)
    edit(tournament, entry_fee=400)
    assert code_of(lambda: edit(tournament, entry_fee=300)) is TournamentCode.CHANGED_MEANWHILE
    tournament.refresh_from_db()
    assert tournament.entry_fee == 400


def test_players_joining_do_not_make_an_organisers_form_stale() -> None:
    tournament = a_tournament()
    join(tournament, *players(2))
    assert edit(tournament, name="Summer cup").name == "Summer cup"


def test_a_draft_may_be_changed_in_everything_and_is_checked_as_when_it_is_made() -> None:
    tournament = a_tournament(opened=False)
    changed = edit(
        tournament,
        shape=Shape.HEADS_UP,
        entry_fee=100,
        capacity=16,
        terms=terms(prizes="100"),
        times=Times(kind=StartKind.FIXED_TIME, starts_at=NOW + timedelta(hours=1)),
    )
    assert (changed.shape, changed.entry_fee, changed.capacity) == (Shape.HEADS_UP, 100, 16)
    assert changed.closes_at == NOW + timedelta(minutes=50)
    with pytest.raises(TournamentRefusal) as refusal:
        edit(changed, house_fee=101)
    assert refusal.value.field == "house_fee"
    with pytest.raises(StructureError):
        edit(changed, times=Times(kind=StartKind.FIXED_TIME))


@pytest.mark.parametrize(
    "changes",
    [
        {"entry_fee": 400},
        {"house_fee": 1},
        {"shape": Shape.HEADS_UP},
        {"terms": terms(prizes="100")},
        {"terms": terms(entering=EntryRules(no_show_keeps_fee=True))},
        {"asset": "PRACTICE"},
    ],
)
def test_while_players_enter_what_they_pay_for_is_locked(changes: dict[str, Any]) -> None:
    tournament = a_tournament()
    assert code_of(lambda: edit(tournament, **changes)) is TournamentCode.LOCKED


def test_while_players_enter_seats_times_and_conditions_may_change() -> None:
    tournament = a_tournament(capacity=2)
    entries = join(tournament, *players(3))
    entering = EntryRules(conditions=Conditions(code="spade"))
    tournament = edit(
        tournament,
        capacity=3,
        terms=terms(entering=entering),
        times=Times(kind=StartKind.FIXED_TIME, starts_at=NOW + timedelta(hours=1)),
    )
    entries[2].refresh_from_db()
    assert entries[2].state == EntryState.ENTERED
    assert tournament.due_at == NOW + timedelta(minutes=50)
    assert play.terms_of(tournament).entering == entering


@pytest.mark.parametrize("changes", [{"capacity": 7}, {"entry_fee": 1}, {"times": Times()}])
def test_after_the_start_only_the_name_may_change(changes: dict[str, Any]) -> None:
    times = Times(closes_at=NOW + timedelta(hours=1))
    tournament = a_tournament(capacity=2, times=times)
    join(tournament, *players(2))
    close_and_start(tournament)
    tournament.refresh_from_db()
    assert code_of(lambda: edit(tournament, **changes)) is TournamentCode.LOCKED
    assert edit(tournament, name="Final day").name == "Final day"


def test_a_change_is_logged_with_who_what_and_why_and_no_change_is_not() -> None:
    tournament = a_tournament(opened=False)
    tournament = services.edit(
        tournament_id=tournament.pk,
        version=1,
        actor="organiser",
        reason="a bigger room",
        capacity=12,
        now=NOW,
    )
    edit(tournament, capacity=12)
    [line] = tournament.log.all()
    assert (line.action, line.actor, line.reason) == (
        "edit",
        "organiser",
        "capacity: a bigger room",
    )
    assert Tournament.objects.get(pk=tournament.pk).version == 2


def test_a_copy_has_the_choices_and_the_invitations_and_nothing_else() -> None:
    start = NOW + timedelta(hours=5)
    times = Times(
        kind=StartKind.FIXED_TIME,
        starts_at=start,
        opens_at=NOW,
        closes_at=start - timedelta(hours=1),
    )
    original = a_tournament(times=times, house_fee=20)
    people = players(2)
    join(original, *people)
    services.invite(
        tournament_id=original.pk, player_ids=[people[0].pk], actor="organiser", now=NOW
    )
    later = start + timedelta(days=7)
    copy = services.copy(tournament_id=original.pk, actor="organiser", starts_at=later, now=NOW)
    assert copy.state == State.DRAFT
    assert copy.times == Times(
        kind=StartKind.FIXED_TIME,
        starts_at=later,
        opens_at=NOW + timedelta(days=7),
        closes_at=later - timedelta(hours=1),
    )
    same = ("name", "shape", "terms", "entry_fee", "house_fee", "capacity", "asset")
    assert all(getattr(copy, field) == getattr(original, field) for field in same)
    assert copy.draw_label != original.draw_label
    assert copy.invitations.count() == 1
    assert not copy.entries.exists()


def test_a_copy_without_a_time_starts_by_hand() -> None:
    original = started(Shape.KNOCKOUT, 6)
    copy = services.copy(tournament_id=original.pk, actor="x", name="Again", now=NOW)
    assert (copy.name, copy.times) == ("Again", Times())


def test_announcements_can_be_taken_back_with_a_reason_that_is_logged() -> None:
    tournament = a_tournament(opened=False)
    services.announce(tournament_id=tournament.pk, actor="organiser", now=NOW)
    services.retract(tournament_id=tournament.pk, actor="organiser", reason="too early", now=NOW)
    line = tournament.log.last()
    assert line is not None
    assert (line.action, line.before, line.after, line.reason) == (
        "retract",
        "announced",
        "draft",
        "too early",
    )
