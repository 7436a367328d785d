"""Staff's hand: adding, forcing, removing, more seats, and what the waitlist makes of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    join,
    leave,
    players,
    terms,
    wallet,
)
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryNote, EntryState, Tournament
from tournaments.structure.conditions import Conditions, EntryRules

pytestmark = pytest.mark.django_db


def states(tournament: Tournament, people: Sequence[User]) -> list[str]:
    """The states of people's entries, `-` for none."""
    known = dict(tournament.entries.values_list("player_id", "state"))
    return [known.get(person.pk, "-") for person in people]


def staff_adds(tournament: Tournament, person: User, *, force: bool = False) -> Entry:
    """Enter somebody by hand."""
    return services.add(
        tournament_id=tournament.pk, player_id=person.pk, actor="staff", force=force, now=NOW
    )


def staff_removes(tournament: Tournament, *people: User) -> list[Entry]:
    """Take people out by hand."""
    return services.remove_many(
        tournament_id=tournament.pk,
        player_ids=[person.pk for person in people],
        actor="staff",
        reason="asked by phone",
        now=NOW,
    )


def more_seats(tournament: Tournament, capacity: int, *, force: bool = False) -> None:
    """Change the number of seats."""
    services.change_capacity(
        tournament_id=tournament.pk, capacity=capacity, actor="staff", force=force, now=NOW
    )


@pytest.mark.parametrize("way", ["removed", "removed in bulk", "more seats"])
def test_whichever_way_a_seat_becomes_free_the_first_who_waits_has_it(way: str) -> None:
    tournament = a_tournament(capacity=2)
    people = players(4)
    join(tournament, *people[:3])
    if way == "removed":
        staff_removes(tournament, people[1])
    elif way == "removed in bulk":
        staff_removes(tournament, people[0], people[1])
    else:
        more_seats(tournament, 3)
    assert states(tournament, people)[2] == EntryState.ENTERED
    if way != "removed in bulk":
        join(tournament, people[3])
        assert states(tournament, people)[3] == EntryState.WAITING


def test_after_a_forced_entry_one_who_leaves_frees_no_seat() -> None:
    tournament = a_tournament(capacity=2)
    people = players(4)
    join(tournament, *people[:3])
    assert staff_adds(tournament, people[3], force=True).state == EntryState.ENTERED
    assert wallet(people[3]).held == FEE
    leave(tournament, people[0])
    assert states(tournament, people) == ["withdrawn", "entered", "waiting", "entered"]
    leave(tournament, people[1])
    assert states(tournament, people)[2] == "entered"


def test_staff_without_force_does_not_pass_the_waitlist_either() -> None:
    tournament = a_tournament(capacity=2)
    people = players(4)
    join(tournament, *people[:3])
    assert staff_adds(tournament, people[3]).state == EntryState.WAITING


def test_force_gives_a_seat_to_somebody_who_waits() -> None:
    tournament = a_tournament(capacity=2)
    people = players(3)
    join(tournament, *people)
    entry = staff_adds(tournament, people[2], force=True)
    assert (entry.state, entry.attempt) == (EntryState.ENTERED, 1)
    assert wallet(people[2]).held == FEE


def test_adding_twice_is_one_entry_and_one_fee_and_leaves_one_note() -> None:
    tournament = a_tournament()
    [person] = players(1)
    assert staff_adds(tournament, person).pk == staff_adds(tournament, person).pk
    assert staff_adds(tournament, person, force=True).state == EntryState.ENTERED
    assert wallet(person).held == FEE
    assert [note.kind for note in EntryNote.objects.all()] == ["added"]


def test_after_closing_staff_seats_somebody_only_by_force() -> None:
    tournament = a_tournament()
    people = players(3)
    join(tournament, *people[:2])
    services.close_registration(tournament_id=tournament.pk, actor="organiser", now=NOW)
    with pytest.raises(TournamentRefusal) as refusal:
        staff_adds(tournament, people[2])
    assert refusal.value.code is TournamentCode.NOT_OPEN
    assert staff_adds(tournament, people[2], force=True).state == EntryState.ENTERED


def test_taking_somebody_out_after_closing_refunds_him_and_offers_his_seat_to_nobody() -> None:
    tournament = a_tournament(capacity=2)
    people = players(3)
    join(tournament, *people)
    services.close_registration(tournament_id=tournament.pk, actor="organiser", now=NOW)
    staff_removes(tournament, people[0])
    assert states(tournament, people) == ["withdrawn", "entered", "not_seated"]
    assert wallet(people[0]).available == FEE


def test_bulk_adding_is_all_or_none() -> None:
    tournament = a_tournament()
    rich, [poor] = players(2), players(1, points=FEE - 1)
    with pytest.raises(money.InsufficientFunds):
        services.add_many(
            tournament_id=tournament.pk,
            player_ids=[person.pk for person in (*rich, poor)],
            actor="staff",
            now=NOW,
        )
    assert not tournament.entries.exists()
    assert wallet(rich[0]).held == 0


def test_bulk_removing_is_all_or_none() -> None:
    tournament = a_tournament()
    people = players(3)
    join(tournament, *people[:2])
    with pytest.raises(TournamentRefusal) as refusal:
        staff_removes(tournament, *people)
    assert refusal.value.code is TournamentCode.NOT_ENTERED
    assert states(tournament, people[:2]) == ["entered", "entered"]


def test_nobody_is_added_or_removed_before_registration_or_after_the_start() -> None:
    people = players(3)
    draft = a_tournament(opened=False)
    running = a_tournament(capacity=2)
    join(running, *people[:2])
    close_and_start(running)
    with pytest.raises(TournamentRefusal):
        staff_adds(draft, people[0], force=True)
    with pytest.raises(TournamentRefusal):
        staff_removes(running, people[0])
    assert states(running, people) == ["playing", "playing", "-"]


def test_seats_are_not_cut_below_those_taken_unless_staff_insists_and_then_nobody_loses_his() -> (
    None
):
    tournament = a_tournament(capacity=4)
    people = players(5)
    join(tournament, *people)
    with pytest.raises(TournamentRefusal) as refusal:
        more_seats(tournament, 3)
    assert (refusal.value.code, refusal.value.field) == (TournamentCode.BAD_CAPACITY, "capacity")
    more_seats(tournament, 3, force=True)
    leave(tournament, people[0])
    assert states(tournament, people[1:]) == ["entered", "entered", "entered", "waiting"]


def test_what_is_missing_is_said_in_points() -> None:
    tournament = a_tournament()
    [person] = players(1, points=FEE - 130)
    with pytest.raises(money.InsufficientFunds) as refusal:
        join(tournament, person)
    assert refusal.value.missing == 130
    assert refusal.value.sentence.startswith("130 play points of the entry fee of 500 play points")


def test_who_is_passed_over_has_a_notice_once_and_who_moves_up_has_his() -> None:
    tournament = a_tournament(capacity=2)
    rich, [poor] = players(4), players(1, points=0)
    entries = join(tournament, rich[0], rich[1], poor, rich[2], rich[3])
    leave(tournament, rich[0])
    leave(tournament, rich[1])
    notes = sorted((note.entry_id, note.kind) for note in EntryNote.objects.all())
    assert notes == [
        (entries[2].pk, "passed_over"),
        (entries[3].pk, "promoted"),
        (entries[4].pk, "promoted"),
    ]
    passed_over = EntryNote.objects.get(kind="passed_over")
    assert "500 play points of the entry fee" in passed_over.sentence
    entries[2].refresh_from_db()
    assert entries[2].state == EntryState.WAITING


def test_somebody_passed_over_is_first_again_once_he_can_pay() -> None:
    tournament = a_tournament(capacity=2)
    rich, [poor] = players(4), players(1, points=0)
    join(tournament, rich[0], rich[1], poor, rich[2], rich[3])
    leave(tournament, rich[0])
    money.grant(
        asset=money.PLAY_POINTS,
        player_ids=[poor.pk],
        amount=FEE,
        key="late gift",
        actor="organiser",
        now=NOW,
    )
    leave(tournament, rich[1])
    assert states(tournament, [poor, *rich]) == [
        "entered",
        "withdrawn",
        "withdrawn",
        "entered",
        "waiting",
    ]


def test_force_counts_neither_seats_nor_conditions() -> None:
    rules = EntryRules(conditions=Conditions(invited_only=True))
    tournament = a_tournament(terms=terms(entering=rules))
    [person] = players(1)
    with pytest.raises(TournamentRefusal) as refusal:
        staff_adds(tournament, person)
    assert refusal.value.code is TournamentCode.NOT_ELIGIBLE
    assert staff_adds(tournament, person, force=True).state == EntryState.ENTERED


def test_a_crowd_that_waits_without_points_costs_no_more_queries_than_a_few() -> None:
    def queries(poor: int) -> int:
        tournament = a_tournament(capacity=2)
        rich, crowd = players(3), players(poor, points=0)
        entries = join(tournament, *rich[:2], *crowd, rich[2])
        with CaptureQueriesContext(connection) as captured:
            leave(tournament, rich[0])
        entries[-1].refresh_from_db()
        assert entries[-1].state == EntryState.ENTERED
        assert EntryNote.objects.filter(kind="passed_over", entry__in=entries).count() == poor
        return len(captured)

    assert queries(60) == queries(12)  # SQLite takes so many rows in one statement
