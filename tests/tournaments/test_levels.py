"""Timed levels (rule 7.6): what is carried over, who is in, when deals may begin, who wins."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables import services as at_tables
from tables.errors import TableCode, TableRefusal
from tables.models import Match, MatchStatus
from tables.selectors import game_of
from tables.services import alarms
from tests.tournaments.helpers import NOW, secret_for, terms
from tests.tournaments.level_helpers import (
    REBUY,
    begun,
    end_level,
    end_table,
    entry_of,
    level_terms,
    next_level,
    opened_level,
    stacks,
)
from tournaments import draws, play, services
from tournaments.errors import TournamentRefusal
from tournaments.models import EntryState, LogLine, Placing, Round, Shape, Tournament
from tournaments.play.words import in_words
from tournaments.services import levels, lifecycle, progress
from tournaments.structure.errors import StructureError
from tournaments.structure.lifecycle import Action

pytestmark = pytest.mark.django_db


def at(seconds: float) -> Any:
    """So long after the start."""
    return NOW + timedelta(seconds=seconds)


def test_everybody_gets_the_starting_chips_once_and_carries_them_over() -> None:
    tournament, (first, second, third) = begun(3)
    level = opened_level(tournament)
    assert stacks(tournament) == {first.pk: 1000, second.pk: 1000, third.pk: 1000}
    end_level(level, {first.pk: 1100, second.pk: 900})
    opened_level(tournament, 700)
    assert stacks(tournament) == {first.pk: 1100, second.pk: 900, third.pk: 1000}


def test_who_has_too_few_for_the_next_level_is_out_and_the_others_bring_what_they_have() -> None:
    tournament, (first, second, third) = begun(3)
    end_level(opened_level(tournament), {first.pk: 1100, second.pk: 900})
    level = opened_level(tournament, 700)
    assert entry_of(tournament, second).state == EntryState.OUT
    placings = Placing.objects.filter(table__round=level).order_by("seat")
    brought = game_of(level.tables.get().match_id).standings()
    chips = {placings[line.seat].entry.player_id: line.score for line in brought}
    assert chips == {first.pk: 1100, third.pk: 1000}


def test_each_level_is_played_at_its_point_value_and_minimum() -> None:
    tournament, _ = begun(3, terms=level_terms(starting_chips=2000))
    for number, (value, minimum) in enumerate(((5, 800), (10, 1000), (15, 1200), (20, 1600))):
        level = opened_level(tournament, 700 * number)
        options: Any = game_of(level.tables.get().match_id).opening.format
        assert (options.value, options.minimum_chips) == (value, minimum)
        end_level(level, {}, 700 * number + 600)
    assert next_level(tournament, 9000) is None


def test_tables_hold_up_to_six_and_are_drawn_anew_for_each_level() -> None:
    """13 sit as 5, 4, 4; anybody can compute the draws again."""
    tournament, _ = begun(13, terms=level_terms(starting_chips=2000))
    first = opened_level(tournament)
    end_level(first, {})
    second = opened_level(tournament, 700)
    seated = []
    for level in (first, second):
        tables = [table.placings.count() for table in level.tables.order_by("number")]
        assert tables == [5, 4, 4]
        rows = Placing.objects.filter(table__round=level).order_by("table__number", "seat")
        seated.append(list(rows.values_list("entry_id", flat=True)))
    assert seated[0] != seated[1]
    checks = draws.check_draws(tournament, [first, second])
    assert [check.verdict for check in checks] == [draws.Verdict.MATCHES] * 2


def test_asked_twice_a_level_is_opened_once() -> None:
    tournament, _ = begun(4)
    opened_level(tournament)
    assert next_level(tournament) is None
    assert tournament.rounds.count() == 1
    assert sum(stacks(tournament).values()) == 4000


def test_the_next_level_waits_until_every_table_of_this_one_is_over() -> None:
    tournament, people = begun(7, terms=level_terms(starting_chips=2000))
    one, other = opened_level(tournament).tables.order_by("number")
    end_table(one, {})
    assert next_level(tournament, 700) is None
    end_table(other, {})
    assert opened_level(tournament, 700).number == 2
    assert len(people) == 7


def test_the_next_level_begins_when_this_ones_time_is_up() -> None:
    """All tables are ended at 570 of 600 seconds; the next level begins at 600."""
    tournament, _ = begun(3)
    match = opened_level(tournament).tables.get().match_id
    assert at_tables.stop_if_due(match_id=match, now=at(570))
    assert levels.seconds_to_next(tournament, at(570)) == 30
    assert next_level(tournament, 599) is None
    assert opened_level(tournament, 600).opened_at == at(600)


def test_a_level_that_ends_for_want_of_players_is_followed_at_once() -> None:
    tournament, people = begun(3, terms=level_terms(rebuy=None, starting_chips=2000))
    end_level(opened_level(tournament), {people[0].pk: 3900, people[1].pk: 100}, 200)
    assert opened_level(tournament, 201).tables.get().placings.count() == 2


# Deals


def test_no_deal_begins_in_the_last_30_seconds_and_the_table_is_ended_instead() -> None:
    """569 seconds into ten minutes one may begin, at 570 none; the level is closed by that."""
    tournament, _ = begun(3)
    level = opened_level(tournament)
    match = level.tables.get().match_id
    assert not at_tables.stop_if_due(match_id=match, now=at(569))
    with pytest.raises(TableRefusal) as refusal:
        at_tables.deal_next(match_id=match, secret_for=secret_for, now=at(570))
    assert refusal.value.code is TableCode.NO_MORE_DEALS
    assert at_tables.stop_if_due(match_id=match, now=at(570))
    assert not at_tables.stop_if_due(match_id=match, now=at(571))
    assert Round.objects.get(pk=level.pk).closed_at == at(570)
    assert not Match.objects.get(pk=match).deals_dealt


def test_the_clock_of_the_tables_ends_a_level_by_itself() -> None:
    """An alarm that comes late deals no more; the sweep opens the next level."""
    tournament, _ = begun(3)
    level = opened_level(tournament)
    match = level.tables.get().match_id
    assert alarms.ring_match(match_id=match, now=at(575))
    assert Match.objects.get(pk=match).status == MatchStatus.OVER
    assert progress.go_on(tournament_id=tournament.pk, now=at(600))
    assert tournament.rounds.count() == 2


def test_a_deal_begun_in_time_is_finished_whatever_the_time() -> None:
    tournament, _ = begun(3, bot="steady")
    match = opened_level(tournament).tables.get().match_id
    at_tables.deal_next(match_id=match, secret_for=secret_for, now=at(569))
    assert not at_tables.stop_if_due(match_id=match, now=at(700))
    assert Match.objects.get(pk=match).status == MatchStatus.PLAYING


def test_a_pause_does_not_eat_time_of_a_level() -> None:
    """Paused from 100 to 400 s, the level may deal until 869 s; the log tells of the pause."""
    tournament, _ = begun(3)
    level = opened_level(tournament)
    for action, seconds in ((Action.PAUSE, 100), (Action.RESUME, 400)):
        row = lifecycle.lock(tournament.pk)
        lifecycle.transit(row, action, actor="organiser", now=at(seconds))
        row.save()
    match = level.tables.get().match_id
    assert not at_tables.stop_if_due(match_id=match, now=at(869))
    assert levels.moment_of(tournament, level, at(869)).seconds_left == 31
    assert at_tables.stop_if_due(match_id=match, now=at(870))
    assert LogLine.objects.filter(tournament=tournament, action=Action.PAUSE).count() == 1


def test_a_pause_that_goes_on_stops_the_time() -> None:
    tournament, _ = begun(3)
    level = opened_level(tournament)
    row = lifecycle.lock(tournament.pk)
    lifecycle.transit(row, Action.PAUSE, actor="organiser", now=at(100))
    row.save()
    for seconds in (100, 700, 90_000):
        assert levels.moment_of(tournament, level, at(seconds)).seconds_left == 500


# The end


def test_after_the_last_level_most_chips_win() -> None:
    tournament, people = begun(4, terms=level_terms(starting_chips=2000))
    for number in range(4):
        level = opened_level(tournament, 700 * number)
        chips = {people[0].pk: 2200, people[1].pk: 1900, people[2].pk: 1900} if number == 3 else {}
        end_level(level, chips, 700 * number + 600)
    done = services.complete(tournament_id=tournament.pk, now=at(9000))
    ranks = {entry.player_id: entry.rank for entry in done.entries.all()}
    assert [ranks[person.pk] for person in people] == [1, 3, 3, 2]
    reasons = {entry.player_id: entry.reason for entry in done.entries.all()}
    assert reasons[people[3].pk] == "Decided by chips in the deciding level: 2000 against 2200."
    assert "1900 against 2000" in reasons[people[1].pk]
    assert "shared" in reasons[people[1].pk]


def test_one_player_left_with_chips_enough_ends_it_early_and_the_level_reached_ranks_first() -> (
    None
):
    """The third is out after level 1; the second after level 2 with fewer chips than he had."""
    tournament, (first, second, third) = begun(3, terms=level_terms(rebuy=None))
    end_level(opened_level(tournament), {first.pk: 1100, third.pk: 900})
    end_level(opened_level(tournament, 700), {first.pk: 1700, second.pk: 400}, 1300)
    assert next_level(tournament, 1400) is None
    done = services.complete(tournament_id=tournament.pk, now=at(1400))
    ranks = [entry_of(done, person).rank for person in (first, second, third)]
    assert ranks == [1, 2, 3]
    assert entry_of(done, third).reason == "Decided by the level reached: level 1 against level 2."


def test_everybody_out_at_the_same_level_is_ranked_by_chips_and_equals_share() -> None:
    """Nobody has the 3,000 that level 2 needs."""
    wanted = level_terms(rebuy=None, levels=((5, 800), (6, 3000)))
    tournament, (first, second, third) = begun(3, terms=wanted)
    end_level(opened_level(tournament), {first.pk: 1200, second.pk: 900, third.pk: 900})
    assert next_level(tournament, 700) is None
    done = services.complete(tournament_id=tournament.pk, now=at(700))
    assert [entry_of(done, p).rank for p in (first, second, third)] == [1, 2, 2]


def test_there_is_no_final_result_while_a_level_is_to_come() -> None:
    tournament, _ = begun(3)
    end_level(opened_level(tournament), {})
    with pytest.raises(TournamentRefusal) as refusal:
        services.complete(tournament_id=tournament.pk, now=at(700))
    assert refusal.value.code == "round_open"


# Terms


def _draft(**changes: Any) -> Tournament:
    wanted: dict[str, Any] = {
        "name": "Levels",
        "shape": Shape.LEVELS,
        "terms": level_terms(),
        "entry_fee": 500,
        "capacity": 40,
        "now": NOW,
    }
    return services.create(**(wanted | changes))


def test_terms_with_levels_are_stored_and_read_back() -> None:
    made = play.terms_of(_draft())
    assert made.levels is not None
    assert made.levels.starting_chips == 1000
    assert made.levels.rebuy == REBUY


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("levels", {"terms": terms("points")}),
        ("levels", {"shape": Shape.KNOCKOUT, "terms": level_terms()}),
        ("format", {"terms": level_terms(format=terms("deals").format)}),
        ("profile", {"terms": level_terms(seats=2)}),
    ],
)
def test_levels_that_cannot_be_played_are_refused(field: str, changes: dict[str, Any]) -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        _draft(**changes)
    assert refusal.value.code == "bad_terms"
    assert refusal.value.field == field


def test_people_read_every_level_and_what_a_re_buy_is() -> None:
    words = in_words(level_terms())
    assert words.format == "Points in 4 levels, 5 to 20 chips a point"
    assert words.facts[:2] == (
        "Everybody starts with 1,000 chips and carries them over.",
        "Level 1: 10 minutes, 5 chips a point; who has fewer than 800 chips is not dealt in.",
    )
    assert words.facts[5] == (
        "Who has too few may buy 1,000 chips up to 2 times, until level 3, if they reach the "
        "minimum."
    )
    assert "A first drop costs 20 points, a middle drop 40." in words.facts
    assert not any("each worth" in fact for fact in words.facts)


def test_opening_a_level_takes_as_many_queries_for_forty_players_as_for_seven() -> None:
    def queries(entrants: int, number: int) -> int:
        tournament, _ = begun(entrants, terms=level_terms(starting_chips=2000))
        for at_level in range(1, number):
            end_level(opened_level(tournament, 700 * at_level), {}, 700 * at_level + 600)
        with CaptureQueriesContext(connection) as asked:
            opened_level(tournament, 700 * number)
        return len(asked)

    for number in (1, 2):
        assert queries(40, number) == queries(7, number)


def test_starting_chips_below_the_first_minimum_are_refused() -> None:
    with pytest.raises(StructureError) as refusal:
        level_terms(starting_chips=799)
    assert refusal.value.field == "starting_chips"
