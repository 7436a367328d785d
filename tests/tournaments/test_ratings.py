"""Every finished match counts once in the ratings, in an order that gives the same values again."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from tests.tournaments.helpers import (
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    next_round,
    players,
    run_out,
    started,
)
from tournaments import services
from tournaments.models import RatedMatch, Rating, RoundTable, Shape, Tournament
from tournaments.selectors import rating_of, ratings_of
from tournaments.services import ratings

pytestmark = pytest.mark.django_db

Values = dict[int, tuple[float, float, int]]


def _values() -> Values:
    return {row.player_id: (row.mu, row.sigma, row.matches) for row in Rating.objects.all()}


def _played(entrants: int = 8, shape: Shape = Shape.KNOCKOUT) -> Tournament:
    tournament = started(shape, entrants)
    run_out(tournament)
    services.complete(tournament_id=tournament.pk, now=NOW)
    return tournament


def test_a_tournament_counts_each_of_its_tables_once() -> None:
    tournament = _played()
    tables = RoundTable.objects.filter(round__tournament=tournament)
    assert set(RatedMatch.objects.values_list("match_id", flat=True)) == set(
        tables.values_list("match_id", flat=True)
    )
    before = _values()
    assert ratings.rate_tournament(tournament_id=tournament.pk, now=NOW) == 0
    assert ratings.rate_due(now=NOW) == 0
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert _values() == before
    assert len(before) == 8


def test_the_winner_of_a_tournament_is_rated_highest() -> None:
    tournament = _played()
    winner = tournament.entries.get(rank=1).player_id
    known = ratings_of(list(tournament.entries.values_list("player_id", flat=True)))
    assert len(known) == 8
    assert max(known, key=lambda player: known[player]) == winner
    assert rating_of(winner) == known[winner]


def test_nothing_counts_before_the_tournament_is_over() -> None:
    """Until then a result can be corrected."""
    tournament = started(Shape.KNOCKOUT, 8)
    run_out(tournament)
    assert ratings.rate_tournament(tournament_id=tournament.pk, now=NOW) == 0
    assert _values() == {}
    assert rating_of(tournament.entries.all()[0].player_id) is None


def test_those_on_equal_places_move_alike() -> None:
    tournament = started(Shape.SINGLE, 3)
    finish(next_round(tournament).tables.get(), 240, 120, 120, places=(1, 2, 2))
    services.complete(tournament_id=tournament.pk, now=NOW)
    tied = Rating.objects.filter(player__in=_players(tournament, place=2))
    assert len(set(tied.values_list("mu", "sigma"))) == 1
    assert tied.count() == 2


def _players(tournament: Tournament, place: int) -> list[int]:
    found = tournament.entries.filter(placings__place=place)
    return list(found.values_list("player_id", flat=True))


def test_bots_are_not_rated_and_people_only_against_people() -> None:
    tournament, people = a_tournament(Shape.SINGLE, capacity=3), players(3)
    join(tournament, *people)
    tournament.entries.filter(player=people[2]).update(bot="steady")
    close_and_start(tournament)
    finish(next_round(tournament).tables.get())
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert set(_values()) == {people[0].pk, people[1].pk}
    assert {matches for _, _, matches in _values().values()} == {1}


def test_a_match_of_one_person_and_bots_is_counted_for_nobody() -> None:
    tournament, people = a_tournament(Shape.SINGLE, capacity=2), players(2)
    join(tournament, *people)
    tournament.entries.filter(player=people[1]).update(bot="steady")
    close_and_start(tournament)
    finish(next_round(tournament).tables.get())
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert RatedMatch.objects.count() == 1
    assert rating_of(people[0].pk) is None


def test_finished_tables_of_an_aborted_tournament_count() -> None:
    tournament = started(Shape.KNOCKOUT, 8)
    first, _ = next_round(tournament).tables.all()
    finish(first)
    services.abort(tournament_id=tournament.pk, actor="x", reason="power cut", now=NOW)
    assert RatedMatch.objects.get().match_id == first.match_id
    assert len(_values()) == 4


def test_the_sweep_counts_what_an_interrupted_settlement_did_not() -> None:
    tournament = _played()
    before = _values()
    Rating.objects.all().delete()
    RatedMatch.objects.all().delete()
    assert ratings.rate_due(now=NOW + timedelta(days=8)) == 0
    assert ratings.rate_due(now=NOW) == tournament.rounds.count() + 1
    assert _values() == before


def test_ratings_rebuilt_are_the_same_to_the_last_bit() -> None:
    for entrants, shape in ((8, Shape.KNOCKOUT), (6, Shape.HEADS_UP), (5, Shape.SINGLE)):
        _played(entrants, shape)
    again = started(Shape.HEADS_UP, 4)
    run_out(again)
    services.complete(tournament_id=again.pk, now=NOW)
    before = _values()
    Rating.objects.filter(pk=Rating.objects.order_by("pk")[0].pk).delete()
    Rating.objects.update(mu=1.0, sigma=1.0, matches=99)
    said = StringIO()
    call_command("rebuild_ratings", stdout=said)
    assert _values() == before
    assert said.getvalue() == f"Rated {RatedMatch.objects.count()} matches.\n"


def test_a_rebuild_counts_what_every_sweep_has_missed() -> None:
    tournament = _played()
    before = _values()
    Rating.objects.all().delete()
    RatedMatch.objects.all().delete()
    Tournament.objects.filter(pk=tournament.pk).update(over_at=NOW - timedelta(days=400))
    call_command("rebuild_ratings", stdout=StringIO())
    assert _values() == before


def test_who_lost_all_his_counted_matches_is_a_newcomer_again_after_a_rebuild() -> None:
    _played()
    RatedMatch.objects.all().delete()
    assert ratings.rebuild() == 0
    assert {matches for _, _, matches in _values().values()} == {0}
