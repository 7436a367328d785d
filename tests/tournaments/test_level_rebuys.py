"""Re-buys of timed levels: at the table, between levels, and what is refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User

from ledger.errors import InsufficientFunds
from tables import services as at_tables
from tables.models import Match, MatchStatus
from tables.rules.errors import RuleViolation
from tables.rules.formats import AwaitRebuy, RejoinAnswered, TimePassed
from tables.selectors import game_of
from tests.tournaments.helpers import NOW, players, wallet
from tests.tournaments.level_helpers import (
    FEE,
    REBUY,
    begun,
    buy,
    end_level,
    entry_of,
    level_terms,
    next_level,
    next_seats,
    opened_level,
    score_deal,
    stacks,
)
from tournaments import money, services
from tournaments.errors import TournamentRefusal
from tournaments.models import EntryState, Placing, RoundTable, Tournament
from tournaments.services import levels
from tournaments.structure.errors import StructureError

pytestmark = pytest.mark.django_db


def at(seconds: float) -> Any:
    """So long after the start."""
    return NOW + timedelta(seconds=seconds)


def asked_table(**changes: Any) -> tuple[Tournament, RoundTable, User]:
    """A table of three whose seat 1 has just fallen from 1,000 to 600 chips."""
    tournament, people = begun(3, **changes)
    table = opened_level(tournament).tables.get()
    score_deal(table, 0, {1: 80, 2: 20}, 60)
    fell = Placing.objects.get(table=table, seat=1).entry.player_id
    return tournament, table, next(person for person in people if person.pk == fell)


def say(table: RoundTable, seat: int, yes: bool, seconds: float = 65) -> None:
    """An answer at a table."""
    at_tables.answer(match_id=table.match_id, entry=RejoinAnswered(seat, yes), now=at(seconds))


# At the table


def test_who_falls_below_the_minimum_buys_at_once_and_stays() -> None:
    """The fee goes into the pool, the organiser's part aside, the chips onto the stack."""
    tournament, table, person = asked_table()
    assert game_of(table.match_id).next_step() == AwaitRebuy((1,), 1000, 20)
    before, pool = wallet(person).posted, money.pool_of(tournament)
    say(table, 1, True)
    assert before - wallet(person).posted == 400
    assert money.pool_of(tournament) - pool == 360
    assert stacks(tournament)[person.pk] == 1600
    assert entry_of(tournament, person).rejoins == 1
    assert set(next_seats(table)) == {0, 1, 2}


def test_a_no_or_silence_leaves_the_table_with_the_chips_that_are_left() -> None:
    for answer in (RejoinAnswered(1, False), TimePassed()):
        tournament, table, person = asked_table()
        at_tables.answer(match_id=table.match_id, entry=answer, now=at(90))
        assert set(next_seats(table)) == {0, 2}
        assert stacks(tournament)[person.pk] == 600
        assert entry_of(tournament, person).state == EntryState.PLAYING


def test_without_the_points_the_rebuy_at_the_table_is_refused_with_what_is_missing() -> None:
    """399 of 400: nothing is taken, no chips come, and the question stays open."""
    tournament, table, person = asked_table(points=FEE + 399)
    with pytest.raises(InsufficientFunds) as refusal:
        say(table, 1, True)
    assert (refusal.value.missing, refusal.value.field) == (1, None)
    assert refusal.value.sentence.startswith("1 play points of the 400 play points")
    assert wallet(person).posted == 399
    assert stacks(tournament)[person.pk] == 600
    assert entry_of(tournament, person).rejoins == 0
    assert isinstance(game_of(table.match_id).next_step(), AwaitRebuy)


def test_at_the_table_a_second_yes_buys_nothing_more() -> None:
    tournament, table, person = asked_table()
    say(table, 1, True)
    with pytest.raises(RuleViolation) as refusal:
        say(table, 1, True)
    assert refusal.value.code == "no_rejoin"
    assert stacks(tournament)[person.pk] == 1600
    assert entry_of(tournament, person).rejoins == 1


def test_nobody_is_asked_where_the_rebuy_does_not_reach_the_minimum() -> None:
    """600 + 199 is one chip short of 800."""
    short = msgspec.structs.replace(REBUY, chips=199)
    _, table, _ = asked_table(terms=level_terms(rebuy=short))
    assert set(next_seats(table)) == {0, 2}


def test_a_table_of_two_is_over_when_one_says_no_and_both_wait_for_the_next_level() -> None:
    tournament, (first, second) = begun(2)
    table = opened_level(tournament).tables.get()
    score_deal(table, 0, {1: 80}, 60)
    say(table, 1, False)
    assert Match.objects.get(pk=table.match_id).status == MatchStatus.OVER
    states = {entry_of(tournament, person).state for person in (first, second)}
    assert states == {EntryState.PLAYING}


def test_a_rebuy_lasts_for_all_tables_of_the_tournament() -> None:
    """One bought in level 1, one in level 2: with two allowed nobody is asked a third time."""
    tournament, table, person = asked_table()
    say(table, 1, True)
    at_tables.stop_if_due(match_id=table.match_id, now=at(580))
    table = opened_level(tournament, 640).tables.get()
    seat = Placing.objects.get(table=table, entry__player=person).seat
    winner = next(s for s in next_seats(table) if s != seat)
    score_deal(table, winner, {seat: 80}, 660)
    say(table, seat, True, 665)
    assert entry_of(tournament, person).rejoins == 2
    assert stacks(tournament)[person.pk] == 1800
    score_deal(table, winner, {seat: 80}, 700)
    score_deal(table, winner, {seat: 80}, 720)
    assert stacks(tournament)[person.pk] == 200
    assert Match.objects.get(pk=table.match_id).status != MatchStatus.ASKING


# Between two levels


def test_between_levels_who_has_too_few_may_buy_for_thirty_seconds() -> None:
    """He has 700 where 1,000 are needed; until then the next level waits for him."""
    tournament, (first, second, _) = begun(3)
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    assert next_level(tournament, 629) is None
    assert [entry.player_id for entry in levels.who_may_buy(tournament)] == [second.pk]
    buy(tournament, second, 629)
    assert stacks(tournament)[second.pk] == 1700
    level = opened_level(tournament, 629)
    assert Placing.objects.filter(table__round=level).count() == 3


def test_who_has_not_bought_in_time_is_out() -> None:
    tournament, (first, second, _) = begun(3)
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    opened_level(tournament, 630)
    with pytest.raises(TournamentRefusal) as refusal:
        buy(tournament, second, 631)
    assert refusal.value.code == "not_entered"
    assert wallet(second).posted == 2000


def test_a_rebuy_that_decides_whether_it_goes_on_is_waited_for() -> None:
    """One of two has too few: bought, the next level opens; not bought, the other has won."""
    for buys in (True, False):
        tournament, (first, second) = begun(2)
        end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
        assert next_level(tournament, 610) is None
        with pytest.raises(TournamentRefusal):
            services.complete(tournament_id=tournament.pk, now=at(610))
        if buys:
            buy(tournament, second, 610)
        assert (next_level(tournament, 640) is not None) is buys


@pytest.mark.parametrize(
    ("code", "chips", "change"),
    [
        ("rebuy_not_needed", 1000, {}),
        ("rebuy_too_small", 700, {"chips": 299}),
        ("rebuy_closed", 700, {"until_level": 1}),
        ("rebuy_closed", 700, None),
    ],
)
def test_refused_rebuys_between_levels(
    code: str, chips: int, change: dict[str, Any] | None
) -> None:
    """Enough chips, too few bought, too late, none sold here; nothing is taken."""
    offer = None if change is None else msgspec.structs.replace(REBUY, **change)
    tournament, (first, second, _) = begun(3, terms=level_terms(rebuy=offer))
    end_level(opened_level(tournament), {first.pk: 2000 - chips, second.pk: chips})
    with pytest.raises(StructureError) as refusal:
        buy(tournament, second)
    assert refusal.value.code == code
    assert wallet(second).posted == 2000
    assert stacks(tournament)[second.pk] == chips
    assert entry_of(tournament, second).rejoins == 0


def test_no_more_rebuys_than_allowed_between_levels() -> None:
    once = msgspec.structs.replace(REBUY, most=1, chips=1000)
    tournament, (first, second, _) = begun(3, terms=level_terms(rebuy=once))
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    buy(tournament, second)
    level = opened_level(tournament, 640)
    end_level(level, {first.pk: 2000, second.pk: 1000}, 1240)
    with pytest.raises(StructureError) as refusal:
        buy(tournament, second, 1250)
    assert refusal.value.code == "rebuys_used"


def test_who_sits_at_a_table_is_asked_there_and_not_sold_chips_from_outside() -> None:
    tournament, _, person = asked_table()
    with pytest.raises(TournamentRefusal) as refusal:
        buy(tournament, person, 70)
    assert refusal.value.code == "at_a_table"
    assert stacks(tournament)[person.pk] == 600


def test_without_the_points_a_rebuy_is_refused_with_what_is_missing() -> None:
    tournament, (first, second, _) = begun(3, points=FEE + 150)
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    with pytest.raises(InsufficientFunds) as refusal:
        buy(tournament, second)
    assert refusal.value.missing == 250
    assert wallet(second).posted == 150
    assert stacks(tournament)[second.pk] == 700


def test_a_second_click_buys_nothing_more() -> None:
    tournament, (first, second, _) = begun(3)
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    buy(tournament, second)
    with pytest.raises(StructureError) as refusal:
        buy(tournament, second)
    assert refusal.value.code == "rebuy_not_needed"
    assert wallet(second).posted == 1600
    assert stacks(tournament)[second.pk] == 1700


def test_no_rebuy_before_the_first_level_after_the_last_or_by_a_stranger() -> None:
    wanted = level_terms(levels=((5, 800),), rebuy=msgspec.structs.replace(REBUY, until_level=1))
    tournament, (first, second) = begun(2, terms=wanted)
    with pytest.raises(StructureError) as refusal:
        buy(tournament, first, 0)
    assert refusal.value.code == "rebuy_closed"
    with pytest.raises(TournamentRefusal) as stranger:
        buy(tournament, players(1)[0])
    assert stranger.value.code == "not_entered"
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    with pytest.raises(StructureError) as over:
        buy(tournament, second)
    assert over.value.code == "rebuy_closed"


def test_who_left_his_table_early_may_buy_while_the_level_is_still_played() -> None:
    """Seven at two tables: one table is over, the other goes on."""
    tournament, people = begun(7)
    level = opened_level(tournament)
    small = level.tables.get(number=2)
    for _ in range(3):
        score_deal(small, 0, {1: 79, 2: 79}, 60)
        for seat in (1, 2):
            if isinstance(game_of(small.match_id).next_step(), AwaitRebuy):
                say(small, seat, False)
        if Match.objects.get(pk=small.match_id).status == MatchStatus.OVER:
            break
    fell = Placing.objects.get(table=small, seat=1).entry.player
    assert tournament.rounds.get().closed_at is None
    buy(tournament, fell, 120)
    assert stacks(tournament)[fell.pk] == 1605
    assert len(people) == 7
