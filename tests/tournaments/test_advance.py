"""Who goes on from a round of a knock-out: the best of each table, or the best over all."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.tournaments.helpers import (
    NOW,
    a_tournament,
    finish,
    next_round,
    open_tables,
    started,
    terms,
)
from tests.tournaments.round_helpers import going_on, knock_out, numbers_at, play_out
from tournaments import money, play, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import EntryState, Placing, Round, Shape, TableKind
from tournaments.structure.rounds import BestOfTable, BestOverall, places_through

pytestmark = pytest.mark.django_db


def test_the_best_two_of_each_table_go_on() -> None:
    tournament = knock_out(12, BestOfTable(2))
    tables = open_tables(tournament)
    expected = sorted(number for table in tables for number in numbers_at(table)[:2])
    for table in tables:
        finish(table)
    [first] = tournament.rounds.all()
    assert going_on(first) == expected
    assert (first.places, first.closed_at) == (4, NOW)
    assert tournament.entries.filter(state=EntryState.OUT).count() == 8
    assert next_round(tournament).tables.get().placings.count() == 4


def test_a_table_no_larger_than_the_places_sends_all_but_its_last_on() -> None:
    tournament = knock_out(7, BestOfTable(3))
    for table in open_tables(tournament):
        finish(table)
    assert [table.places for table in tournament.rounds.get().tables.all()] == [3, 2]
    assert len(going_on(tournament.rounds.get())) == 5


def test_over_all_tables_the_place_counts_first_and_the_round_is_cut_at_its_end() -> None:
    tournament = knock_out(12, BestOverall(50))
    first, second = open_tables(tournament)
    finish(first, 90, 91, 92, 93, 94, 95)
    assert tournament.entries.filter(state=EntryState.OUT).count() == 0
    assert going_on(tournament.rounds.get()) == []
    finish(second, 0, 1, 2, 3, 4, 5)
    best = sorted((*numbers_at(first)[:3], *numbers_at(second)[:3]))
    assert going_on(tournament.rounds.get()) == best
    assert tournament.rounds.get().closed_at == NOW


def test_equal_places_over_all_are_decided_by_the_points_of_the_round() -> None:
    tournament = knock_out(12, BestOverall(25))
    first, second = open_tables(tournament)
    finish(first, 0, 40, 50, 60, 70, 80)
    finish(second, 0, 39, 50, 60, 70, 80)
    seconds = numbers_at(second)[1]
    assert going_on(tournament.rounds.get()) == sorted(
        (numbers_at(first)[0], numbers_at(second)[0], seconds)
    )


def test_equal_points_over_all_are_decided_by_the_round_before() -> None:
    tournament = knock_out(12, BestOverall(50), seats=3)
    for at, table in enumerate(open_tables(tournament)):
        finish(table, at, 40 + at, 70)
    next_round(tournament)
    first, second = open_tables(tournament)
    for table in (first, second):
        finish(table, 0, 30, 60)
    before = {
        table: Placing.objects.get(
            table__round__number=1, entry__number=numbers_at(table)[1], table__kind=TableKind.PLAY
        )
        for table in (first, second)
    }
    better = min(before.values(), key=lambda placing: (placing.place, placing.score))
    assert before[first].score != before[second].score
    went_on = set(going_on(tournament.rounds.get(number=2)))
    assert went_on == {numbers_at(first)[0], numbers_at(second)[0], better.entry.number}


def test_where_chips_are_played_for_they_decide_over_all_whatever_the_place() -> None:
    tournament = knock_out(12, BestOverall(25), format_name="deals")
    first, second = open_tables(tournament)
    finish(first, 900, 60, 0, 0, 0, 0)
    finish(second, 330, 320, 310, 0, 0, 0)
    expected = sorted((numbers_at(first)[0], *numbers_at(second)[:2]))
    assert going_on(tournament.rounds.get()) == expected


def test_a_deals_table_plays_off_the_last_place_that_goes_on_and_a_final_the_first() -> None:
    wanted = terms("deals", advance=BestOfTable(2))
    assert getattr(play.round_options(wanted, is_final=False), "deciding_place", 0) == 2
    assert getattr(play.round_options(wanted, is_final=True), "deciding_place", 0) == 1


@pytest.mark.parametrize(
    ("shape", "changes", "field"),
    [
        (Shape.KNOCKOUT, {"advance": BestOfTable(4), "seats": 4}, "advance"),
        (Shape.SINGLE, {"advance": BestOfTable(2)}, "advance"),
        (Shape.HEADS_UP, {"advance": BestOverall(50)}, "advance"),
        (Shape.KNOCKOUT, {"third_place": True}, "third_place"),
        (Shape.SINGLE, {"third_place": True}, "third_place"),
        (Shape.SINGLE, {"seeding": play.Seeding.RATED}, "seeding"),
    ],
)
def test_an_advance_that_cannot_be_played_is_refused_by_its_name(
    shape: Shape, changes: dict[str, Any], field: str
) -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        a_tournament(shape, terms=terms("points", **changes))
    assert (refusal.value.code, refusal.value.field) == (TournamentCode.BAD_TERMS, field)


def test_terms_keep_who_goes_on_when_they_are_stored() -> None:
    wanted = terms("points", advance=BestOverall(40), seeding=play.Seeding.RATED)
    stored = play.terms_of(a_tournament(Shape.KNOCKOUT, terms=wanted))
    assert (stored.advance, stored.seeding) == (BestOverall(40), play.Seeding.RATED)
    bracket = a_tournament(Shape.HEADS_UP, terms=terms("points", third_place=True))
    assert play.terms_of(bracket).third_place


def test_who_left_the_tournament_takes_no_place_of_his_table() -> None:
    tournament = knock_out(12, BestOfTable(2))
    first, second = open_tables(tournament)
    gone = first.placings.get(seat=0).entry
    gone.state = EntryState.WITHDRAWN
    gone.save()
    finish(first)
    finish(second)
    expected = sorted((*numbers_at(first)[1:3], *numbers_at(second)[:2]))
    assert going_on(tournament.rounds.get()) == expected
    gone.refresh_from_db()
    assert gone.state == EntryState.WITHDRAWN


def test_a_round_closes_and_the_tournament_ends_when_all_but_one_have_left() -> None:
    tournament = knock_out(7, BestOfTable(1))
    first, second = open_tables(tournament)
    tournament.entries.filter(placings__table=second).update(state=EntryState.WITHDRAWN)
    finish(first)
    finish(second)
    assert next_round(tournament) is None
    done = services.complete(tournament_id=tournament.pk, now=NOW)
    assert done.over_at == NOW
    assert tournament.entries.get(rank=1).number == numbers_at(first)[0]


@pytest.mark.parametrize("format_name", ["points", "pool101", "deals", "highest_out"])
@pytest.mark.parametrize(
    ("entrants", "advance", "seats"),
    [
        (13, BestOfTable(1), 6),
        (31, BestOfTable(2), 4),
        (26, BestOfTable(5), 6),
        (29, BestOverall(50), 6),
        (17, BestOverall(90), 3),
        (23, BestOverall(10), 5),
    ],
)
def test_whatever_happens_as_many_go_on_as_planned_and_everybody_is_ranked(
    entrants: int, advance: Any, seats: int, format_name: str
) -> None:
    tournament = knock_out(entrants, advance, format_name=format_name, seats=seats)
    play_out(tournament, random.Random(f"{entrants}{seats}{format_name}"))
    rounds: list[Round] = list(tournament.rounds.order_by("number"))
    playing = entrants
    for one in rounds:
        seated = Placing.objects.filter(table__round=one, table__kind=TableKind.PLAY)
        assert set(Counter(seated.values_list("entry", flat=True)).values()) == {1}
        assert seated.count() == playing
        assert one.closed_at is not None
        sizes = Counter(seated.values_list("table", flat=True)).values()
        if one is not rounds[-1]:
            playing = sum(places_through(list(sizes), advance))
            assert len(going_on(one)) == one.places == playing
    assert rounds[-1].tables.filter(kind=TableKind.PLAY).count() == 1
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert tournament.entries.filter(state=EntryState.RANKED).count() == entrants
    assert tournament.entries.filter(rank__isnull=False).count() == entrants
    assert money.faults(now=NOW) == ()


def test_each_round_issues_its_own_chips_and_none_stay_behind() -> None:
    tournament = started(Shape.KNOCKOUT, 12, terms=terms("deals", advance=BestOfTable(2)))
    for entrants in (12, 4):
        next_round(tournament)
        issuer = money.chips_issuer(tournament)
        assert -money.balances([issuer])[issuer].posted == entrants * 160
        for table in open_tables(tournament):
            finish(table, 400, 300, *[0] * (table.placings.count() - 2))
        assert money.balances([issuer])[issuer].posted == 0
