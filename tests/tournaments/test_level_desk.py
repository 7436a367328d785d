"""Timed levels and the desk: pauses, and players who leave in the middle."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from tables.models import Match, MatchStatus
from tables.rules.formats import AwaitRebuy, RejoinAnswered
from tables.selectors import game_of
from tables.services import alarms, answer
from tests.tournaments.helpers import NOW
from tests.tournaments.level_helpers import (
    begun,
    end_level,
    entry_of,
    level_terms,
    next_level,
    next_seats,
    opened_level,
    score_deal,
    stacks,
)
from tournaments import services
from tournaments.models import Entry, EntryState, Placing, Tournament
from tournaments.services import desk, levels, pausing

pytestmark = pytest.mark.django_db


def at(seconds: float) -> datetime:
    """So long after the start."""
    return NOW + timedelta(seconds=seconds)


def leave(tournament: Tournament, person: User, seconds: float) -> Entry:
    """Somebody withdraws in the middle."""
    return desk.withdraw(
        tournament_id=tournament.pk, player_id=person.pk, actor=person.username, now=at(seconds)
    )


def test_a_level_that_was_paused_deals_on_until_its_own_time_is_up() -> None:
    """Paused from 100 to 1,000 s: nothing is dealt meanwhile, and at 1,469 s a deal may begin."""
    tournament, _ = begun(3)
    level = opened_level(tournament)
    match = level.tables.get().match_id
    pausing.pause(tournament_id=tournament.pk, actor="organiser", now=at(100))
    assert not alarms.ring_match(match_id=match, now=at(900))
    pausing.resume(tournament_id=tournament.pk, actor="organiser", now=at(1000))
    assert levels.moment_of(tournament, level, at(1000)).seconds_left == 500
    assert alarms.ring_match(match_id=match, now=at(1469))
    assert Match.objects.get(pk=match).status == MatchStatus.PLAYING


def test_a_pause_between_two_levels_does_not_eat_the_time_for_re_buys() -> None:
    """20 of the 30 seconds are left after it."""
    tournament, (first, second, _) = begun(3)
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    pausing.pause(tournament_id=tournament.pk, actor="organiser", now=at(610))
    pausing.resume(tournament_id=tournament.pk, actor="organiser", now=at(1610))
    assert levels.seconds_to_next(tournament, at(1610)) == 20
    assert next_level(tournament, 1629) is None
    assert next_level(tournament, 1630) is not None


def test_who_leaves_in_the_middle_of_a_level_ranks_behind_all_who_played_it() -> None:
    """He has most chips, but no chips buy back a seat that was given up."""
    wanted = level_terms(rebuy=None, levels=((5, 800), (6, 1500)))
    tournament, people = begun(4, terms=wanted)
    table = opened_level(tournament).tables.get()
    seated = {p.seat: p.entry.player for p in table.placings.select_related("entry__player")}
    score_deal(table, 0, {1: 20, 2: 20, 3: 20}, 60)
    leave(tournament, seated[0], 70)
    assert set(next_seats(table)) == {1, 2, 3}
    score_deal(table, 1, {2: 40, 3: 41}, 120)
    assert not Placing.objects.get(table=table, seat=0).goes_on
    next_level(tournament, 700)
    done = services.complete(tournament_id=tournament.pk, now=at(700))
    assert [entry_of(done, seated[seat]).rank for seat in range(4)] == [4, 1, 2, 3]
    assert len(people) == 4


def test_who_leaves_while_asked_to_buy_is_gone_and_the_others_play_on() -> None:
    tournament, _ = begun(3)
    table = opened_level(tournament).tables.get()
    score_deal(table, 0, {1: 80}, 60)
    assert isinstance(game_of(table.match_id).next_step(), AwaitRebuy)
    person = Placing.objects.get(table=table, seat=1).entry.player
    leave(tournament, person, 65)
    assert set(next_seats(table)) == {0, 2}
    assert entry_of(tournament, person).state == EntryState.OUT


def test_who_sits_out_may_leave_the_tournament_too() -> None:
    """He said no to chips and waits for the next level; his chips stay where they are."""
    tournament, _ = begun(3)
    table = opened_level(tournament).tables.get()
    score_deal(table, 0, {1: 80}, 60)
    answer(match_id=table.match_id, entry=RejoinAnswered(1, False), now=at(65))
    person = Placing.objects.get(table=table, seat=1).entry.player
    assert leave(tournament, person, 70).state == EntryState.OUT
    assert set(next_seats(table)) == {0, 2}
    assert stacks(tournament)[person.pk] == 600
    assert next_level(tournament, 700) is None
