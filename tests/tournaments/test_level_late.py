"""Timed levels: entering after the start, and coming back after being out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments.helpers import NOW, join, players, wallet
from tests.tournaments.level_helpers import (
    FEE,
    begun,
    end_level,
    entry_of,
    level_terms,
    next_level,
    opened_level,
    stacks,
)
from tournaments import money, services
from tournaments.models import Entry, EntryState, Placing, Tournament
from tournaments.structure.conditions import EntryRules
from tournaments.structure.errors import StructureError

pytestmark = pytest.mark.django_db

LATE = EntryRules(late_until_round=2, reentries=1)


def late_terms(**changes: Any) -> Any:
    """Levels that take players in until level 2, with one re-entry."""
    return level_terms(entering=LATE, **({"rebuy": None} | changes))


def come_back(tournament: Tournament, person: User, seconds: float) -> Entry:
    """A re-entry."""
    return services.re_enter(
        tournament_id=tournament.pk,
        player_id=person.pk,
        actor=person.username,
        now=NOW + timedelta(seconds=seconds),
    )


def test_who_enters_during_a_level_gets_the_starting_chips_and_plays_the_next() -> None:
    tournament, (first, _, _) = begun(3, capacity=8, terms=late_terms())
    level = opened_level(tournament)
    (late,) = players(1)
    join(tournament, late)
    assert stacks(tournament)[late.pk] == 1000
    assert Placing.objects.filter(table__round=level).count() == 3
    end_level(level, {})
    second = opened_level(tournament, 700)
    assert Placing.objects.filter(table__round=second, entry__player=late).exists()
    assert sum(stacks(tournament).values()) == 4000
    assert entry_of(tournament, first).state == EntryState.PLAYING


def test_who_enters_before_the_first_level_gets_his_chips_once() -> None:
    tournament, _ = begun(3, capacity=8, terms=late_terms())
    (late,) = players(1)
    join(tournament, late)
    opened_level(tournament)
    assert stacks(tournament)[late.pk] == 1000


def test_a_re_entry_brings_a_new_stack_instead_of_the_chips_that_were_left() -> None:
    wanted = late_terms(levels=((5, 800), (6, 900), (7, 1000)))
    tournament, (first, second, third) = begun(3, terms=wanted, capacity=8)
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    level = opened_level(tournament, 700)
    assert entry_of(tournament, second).state == EntryState.OUT
    before = wallet(second).posted
    come_back(tournament, second, 710)
    assert before - wallet(second).posted == FEE
    assert stacks(tournament)[second.pk] == 1000
    assert sum(stacks(tournament).values()) == 3300
    end_level(level, {first.pk: 1200, third.pk: 1100}, 1300)
    with pytest.raises(StructureError):
        join(tournament, *players(1))
    assert money.faults(now=NOW) == ()


def test_nobody_enters_once_the_starting_chips_are_too_few_for_the_next_level() -> None:
    """Level 2 needs 1,500; the fee is not taken."""
    wanted = late_terms(levels=((5, 800), (6, 1500), (7, 1500)))
    tournament, (first, second, third) = begun(3, capacity=8, terms=wanted)
    level = opened_level(tournament)
    (late,) = players(1)
    with pytest.raises(StructureError) as refusal:
        join(tournament, late)
    assert refusal.value.code == "too_late"
    assert "too few for level 2" in refusal.value.sentence
    assert wallet(late).posted == FEE
    assert not tournament.entries.filter(player=late).exists()
    end_level(level, {first.pk: 1500, second.pk: 1500, third.pk: 0})
    assert next_level(tournament, 700) is not None


def test_a_level_with_one_table_is_no_final_and_still_takes_newcomers() -> None:
    tournament, _ = begun(2, capacity=8, terms=late_terms())
    assert opened_level(tournament).tables.count() == 1
    (entry,) = join(tournament, *players(1))
    assert entry.state == EntryState.PLAYING


def test_the_last_level_takes_nobody() -> None:
    wanted = late_terms(levels=((5, 800), (6, 900)))
    tournament, _ = begun(2, capacity=8, terms=wanted)
    end_level(opened_level(tournament), {})
    opened_level(tournament, 700)
    with pytest.raises(StructureError) as refusal:
        join(tournament, *players(1))
    assert refusal.value.code == "too_late"
