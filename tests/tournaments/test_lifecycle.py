"""Making tournaments, refusing bad ones, and leading them through their states."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from tables.rules.errors import RuleViolation
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    join,
    players,
    terms,
    wallet,
)
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import EntryState, Shape, Tournament
from tournaments.structure.errors import StructureCode, StructureError

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"entry_fee": -1}, "entry_fee"),
        ({"entry_fee": 1.5}, "entry_fee"),
        ({"entry_fee": True}, "entry_fee"),
        ({"house_fee": FEE + 1}, "house_fee"),
        ({"capacity": 1}, "capacity"),
        ({"min_entries": 7}, "min_entries"),
        ({"asset": "INR"}, "asset"),
    ],
)
def test_a_bad_option_is_refused_by_name_and_nothing_is_written(
    changes: dict[str, Any], field: str
) -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        a_tournament(opened=False, **changes)
    assert refusal.value.field == field
    assert not Tournament.objects.exists()


def test_money_needs_the_sites_word(settings: Any) -> None:
    settings.RUMMY_MONEY_PLAY = False
    with pytest.raises(TournamentRefusal) as refusal:
        a_tournament(opened=False, asset="INR")
    assert refusal.value.code is TournamentCode.MONEY_PLAY_OFF
    settings.RUMMY_MONEY_PLAY = True
    assert a_tournament(opened=False, asset="INR").asset == "INR"


def test_a_single_table_has_at_most_six_seats() -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        a_tournament(Shape.SINGLE, capacity=7, opened=False)
    assert refusal.value.field == "capacity"


def test_a_bracket_has_at_most_16384_seats() -> None:
    made = a_tournament(Shape.HEADS_UP, capacity=2**14, opened=False)
    assert made.capacity == 16_384
    with pytest.raises(TournamentRefusal) as refusal:
        a_tournament(Shape.HEADS_UP, capacity=2**14 + 1, opened=False)
    assert refusal.value.field == "capacity"


def test_a_profile_for_two_cannot_play_a_knock_out_of_tables() -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        a_tournament(opened=False, terms=terms("heads_up"))
    assert refusal.value.field == "profile"


def test_a_format_that_a_profile_cannot_deal_is_refused() -> None:
    with pytest.raises((RuleViolation, TournamentRefusal)):
        a_tournament(Shape.SINGLE, opened=False, terms=terms("heads_up"), capacity=6)


def test_registration_publishes_the_commitment_of_the_first_draw() -> None:
    tournament = a_tournament()
    secret = bytes.fromhex(tournament.next_secret)
    assert tournament.next_commitment == hashlib.sha256(secret).hexdigest()


def test_every_transition_is_logged_with_who_and_what() -> None:
    tournament = a_tournament(capacity=2, shape=Shape.HEADS_UP)
    join(tournament, *players(2))
    close_and_start(tournament)
    assert [(line.action, line.before, line.after) for line in tournament.log.all()] == [
        ("open_registration", "draft", "registering"),
        ("close_registration", "registering", "closed"),
        ("start", "closed", "running"),
    ]
    assert {line.actor for line in tournament.log.all()} == {"organiser"}


def test_a_tournament_cannot_start_before_registration_has_closed() -> None:
    tournament = a_tournament()
    join(tournament, *players(2))
    with pytest.raises(StructureError) as refusal:
        services.start(tournament_id=tournament.pk, actor="organiser", now=NOW)
    assert refusal.value.code is StructureCode.ILLEGAL_ACTION
    tournament.refresh_from_db()
    assert tournament.state == "registering"


def test_too_few_entries_do_not_start_and_take_no_fee() -> None:
    tournament = a_tournament(min_entries=3)
    people = players(2)
    join(tournament, *people)
    services.close_registration(tournament_id=tournament.pk, actor="organiser", now=NOW)
    with pytest.raises(TournamentRefusal) as refusal:
        services.start(tournament_id=tournament.pk, actor="organiser", now=NOW)
    assert refusal.value.code is TournamentCode.NOT_ENOUGH_ENTRIES
    tournament.refresh_from_db()
    assert tournament.state == "closed"
    assert wallet(people[0]).held == FEE


def test_cancelling_gives_every_fee_back() -> None:
    tournament = a_tournament(capacity=2)
    people = players(3)
    entries = join(tournament, *people)
    services.cancel(tournament_id=tournament.pk, actor="organiser", reason="rain", now=NOW)
    assert [wallet(person).available for person in people] == [FEE] * 3
    for entry in entries:
        entry.refresh_from_db()
        assert entry.state == EntryState.WITHDRAWN
    totals = money.totals_of(tournament)
    assert totals.received == totals.refunded == 2 * FEE
    line = tournament.log.last()
    assert line is not None
    assert (line.action, line.reason) == ("cancel", "rain")


def test_a_cancelled_tournament_cannot_be_cancelled_again() -> None:
    tournament = a_tournament()
    services.cancel(tournament_id=tournament.pk, actor="organiser", reason="rain", now=NOW)
    with pytest.raises(StructureError):
        services.cancel(tournament_id=tournament.pk, actor="organiser", reason="rain", now=NOW)


def test_an_unknown_tournament_is_refused() -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        services.start(tournament_id=404, actor="organiser", now=NOW)
    assert refusal.value.code is TournamentCode.UNKNOWN_TOURNAMENT
