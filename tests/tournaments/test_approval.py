"""Applications that the organiser decides about."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import pytest
from django.contrib.auth.models import User

from players.services import limits
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    join,
    leave,
    players,
    terms,
    wallet,
)
from tests.tournaments.test_staffing import states
from tournaments import services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryNote, EntryState, Tournament
from tournaments.structure.conditions import EntryRules

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def enter(tournament: Tournament, person: User) -> Entry:
    """Apply."""
    return join(tournament, person)[0]


def by_approval(capacity: int = 2) -> Tournament:
    """A tournament whose organiser decides who plays."""
    return a_tournament(capacity=capacity, terms=terms(entering=EntryRules(needs_approval=True)))


def approve(tournament: Tournament, person: User, now: datetime = NOW) -> Entry:
    """Let an applicant in."""
    return services.approve(
        tournament_id=tournament.pk, player_id=person.pk, actor="organiser", now=now
    )


def test_an_applicant_has_his_fee_set_aside_and_no_seat_until_he_is_approved() -> None:
    tournament = by_approval()
    [person] = players(1)
    assert enter(tournament, person).state == EntryState.APPLIED
    assert wallet(person).held == FEE
    assert approve(tournament, person).state == EntryState.ENTERED
    assert wallet(person).held == FEE


def test_a_refused_applicant_has_his_fee_back_and_the_reason_and_cannot_ask_again() -> None:
    tournament = by_approval()
    [person] = players(1)
    entry = enter(tournament, person)
    services.refuse(
        tournament_id=tournament.pk,
        player_id=person.pk,
        actor="organiser",
        reason="Members only this time.",
        now=NOW,
    )
    assert wallet(person).available == FEE
    note = EntryNote.objects.get(entry=entry)
    assert (note.kind, note.sentence, note.actor) == (
        "refused",
        "Members only this time.",
        "organiser",
    )
    with pytest.raises(TournamentRefusal) as refusal:
        enter(tournament, person)
    assert refusal.value.code is TournamentCode.NOT_ELIGIBLE


def test_whoever_is_approved_when_it_is_full_waits_last_and_pays_nothing_meanwhile() -> None:
    tournament = by_approval()
    people = players(4)
    for person in people:
        enter(tournament, person)
    for minute, person in enumerate(reversed(people)):
        approve(tournament, person, NOW + minute * MINUTE)
    assert states(tournament, people) == ["waiting", "waiting", "entered", "entered"]
    assert [wallet(person).held for person in people] == [0, 0, FEE, FEE]
    leave(tournament, people[3])
    assert states(tournament, people) == ["waiting", "entered", "entered", "withdrawn"]
    assert [wallet(person).held for person in people] == [0, FEE, FEE, 0]


def test_an_application_not_decided_when_registration_closes_lapses_with_its_fee() -> None:
    tournament = by_approval()
    people = players(3)
    for person in people:
        enter(tournament, person)
    approve(tournament, people[0])
    approve(tournament, people[1])
    services.close_registration(tournament_id=tournament.pk, actor="organiser", now=NOW)
    assert states(tournament, people) == ["entered", "entered", "withdrawn"]
    assert wallet(people[2]).available == FEE
    with pytest.raises(TournamentRefusal) as refusal:
        approve(tournament, people[2])
    assert refusal.value.code is TournamentCode.NOT_ENTERED


def test_an_applicant_may_withdraw_and_a_cancelled_tournament_refunds_applicants() -> None:
    tournament = by_approval()
    people = players(2)
    for person in people:
        enter(tournament, person)
    leave(tournament, people[0])
    assert wallet(people[0]).available == FEE
    services.cancel(tournament_id=tournament.pk, actor="organiser", reason="rain", now=NOW)
    assert wallet(people[1]).available == FEE
    assert states(tournament, people) == ["withdrawn", "withdrawn"]


def test_staff_who_adds_an_applicant_approves_him() -> None:
    tournament = by_approval()
    [person] = players(1)
    enter(tournament, person)
    entry = services.add(tournament_id=tournament.pk, player_id=person.pk, actor="staff", now=NOW)
    assert (entry.state, wallet(person).held) == (EntryState.ENTERED, FEE)


def test_whoever_is_approved_does_not_wait_beside_a_seat_that_others_cannot_pay_for() -> None:
    tournament = by_approval()
    rich, [poor] = players(3), players(1, points=0)
    for person in rich[:2]:
        enter(tournament, person)
        approve(tournament, person)
    services.add(tournament_id=tournament.pk, player_id=poor.pk, actor="staff", now=NOW)
    leave(tournament, rich[0])
    enter(tournament, rich[2])
    assert approve(tournament, rich[2]).state == EntryState.ENTERED
    assert states(tournament, [*rich, poor]) == ["withdrawn", "entered", "entered", "waiting"]
    assert wallet(rich[2]).held == FEE


def test_an_exclusion_wins_over_an_application_made_before_it() -> None:
    """Neither approving nor adding by force enters him; his application stays as it is."""
    tournament = by_approval()
    [person] = players(1)
    enter(tournament, person)
    limits.exclude(player_id=person.pk, span="half", now=NOW)
    for asked in (services.approve, partial(services.add, force=True), services.add):
        with pytest.raises(TournamentRefusal) as refused:
            asked(tournament_id=tournament.pk, player_id=person.pk, actor="organiser", now=NOW)
        assert refused.value.code is TournamentCode.EXCLUDED
    assert states(tournament, [person]) == [EntryState.APPLIED]
    assert wallet(person).held == FEE
