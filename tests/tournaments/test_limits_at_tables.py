"""Who has excluded himself, rests, or has spent his day plays on to the end and buys no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from players.services import limits
from tables.rules.formats import AwaitRebuy
from tables.selectors import game_of
from tests.tournaments.helpers import FEE, NOW, a_tournament, join, players, terms, wallet
from tests.tournaments.level_helpers import (
    begun,
    buy,
    end_level,
    entry_of,
    next_seats,
    opened_level,
    stacks,
)
from tests.tournaments.test_level_rebuys import asked_table, say
from tournaments import money
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Shape
from tournaments.services import tables

pytestmark = pytest.mark.django_db


def excluded(person: User) -> None:
    """For ever."""
    limits.exclude(player_id=person.pk, span="ever", now=NOW)


def timed_out(person: User) -> None:
    """For a day."""
    limits.take_time_out(player_id=person.pk, span="day", now=NOW)


def has_spent(person: User) -> None:
    """All that he lets himself spend a day."""
    limits.set_limit(player_id=person.pk, name="points", value=0, now=NOW)


STOPS: list[tuple[Callable[[User], None], TournamentCode]] = [
    (excluded, TournamentCode.EXCLUDED),
    (timed_out, TournamentCode.TIMED_OUT),
    (has_spent, TournamentCode.POINTS_USED),
]
each_stop = pytest.mark.parametrize(("stop", "code"), STOPS)


@each_stop
def test_he_does_not_come_back_to_a_pool(stop: Any, code: TournamentCode) -> None:
    pool = a_tournament(Shape.SINGLE, terms=terms("pool101", prizes="winner"), capacity=3)
    person, *others = players(3, 5 * FEE)
    join(pool, person, *others)
    stop(person)
    before = wallet(person).available
    with pytest.raises(TournamentRefusal) as refusal:
        tables.rejoined(owner=money.reference_of(pool), player_id=person.pk, number=1, now=NOW)
    assert refusal.value.code is code
    assert wallet(person).available == before
    assert entry_of(pool, person).rejoins == 0


@each_stop
def test_he_buys_no_chips_at_his_table_and_the_question_stays_open_for_a_no(
    stop: Any, code: TournamentCode
) -> None:
    tournament, table, person = asked_table()
    stop(person)
    before = wallet(person).posted
    with pytest.raises(TournamentRefusal) as refusal:
        say(table, 1, True)
    assert refusal.value.code is code
    assert isinstance(game_of(table.match_id).next_step(), AwaitRebuy)
    say(table, 1, False)
    assert set(next_seats(table)) == {0, 2}
    assert (wallet(person).posted, stacks(tournament)[person.pk]) == (before, 600)
    assert entry_of(tournament, person).rejoins == 0


@each_stop
def test_he_buys_no_chips_between_two_levels(stop: Any, code: TournamentCode) -> None:
    tournament, (first, second, _) = begun(3)
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    stop(second)
    before = wallet(second).posted
    with pytest.raises(TournamentRefusal) as refusal:
        buy(tournament, second)
    assert refusal.value.code is code
    assert (wallet(second).posted, stacks(tournament)[second.pk]) == (before, 700)
