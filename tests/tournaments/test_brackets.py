"""Heads-up brackets: pairings that open early, third place, seeding by rating, and forfeits."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.tournaments.helpers import (
    NOW,
    finish,
    next_round,
    open_tables,
    started,
    terms,
)
from tests.tournaments.round_helpers import leave, numbers_at, play_out, state_of
from tournaments import money, play, services
from tournaments.brackets import bracket_of
from tournaments.draws import check_draws
from tournaments.lots import Verdict
from tournaments.models import (
    Entry,
    EntryState,
    Placing,
    Rating,
    RoundTable,
    Shape,
    TableKind,
    Tournament,
)
from tournaments.structure.rounds import BestOfTable

pytestmark = pytest.mark.django_db


def a_bracket(entrants: int, format_name: str = "points", **changes: Any) -> Tournament:
    """A running bracket with its first tables open."""
    tournament = started(Shape.HEADS_UP, entrants, terms=terms(format_name, **changes))
    next_round(tournament)
    return tournament


def where(tables: list[RoundTable]) -> list[tuple[int, int]]:
    """Round and number of each table."""
    return [(table.round.number, table.number) for table in tables]


def seeds_at(table: RoundTable) -> list[int | None]:
    """Seeds in the order of seats."""
    return list(table.placings.order_by("seat").values_list("entry__seed", flat=True))


def rated(tournament: Tournament, *mus: float) -> None:
    """Give ratings to the players of the first entries, by their numbers."""
    entries = tournament.entries.order_by("number")
    Rating.objects.bulk_create(
        Rating(player_id=entry.player_id, mu=mu, sigma=1.0, matches=3)
        for entry, mu in zip(entries, mus, strict=False)
    )


def all_draws_match(tournament: Tournament) -> bool:
    """Whether every draw of every round is what was committed to."""
    rounds = list(tournament.rounds.order_by("number"))
    checks = check_draws(tournament, rounds)
    return bool(checks) and all(check.is_good for check in checks)


def test_two_who_have_byes_meet_in_round_2_while_round_1_is_played() -> None:
    tournament = a_bracket(5)
    tables = open_tables(tournament)
    assert where(tables) == [(1, 2), (2, 2)]
    assert [seeds_at(table) for table in tables] == [[4, 5], [2, 3]]
    assert tournament.rounds.filter(closed_at=None).count() == 2


def test_a_pairing_opens_as_soon_as_both_its_players_are_known() -> None:
    tournament = a_bracket(8)
    first, second, third, fourth = open_tables(tournament)
    finish(first)
    assert next_round(tournament) is None
    finish(second)
    assert next_round(tournament).number == 2
    assert where(open_tables(tournament)) == [(1, 3), (1, 4), (2, 1)]
    early = open_tables(tournament)[-1]
    assert sorted(numbers_at(early)) == sorted((numbers_at(first)[0], numbers_at(second)[0]))
    finish(early)
    assert next_round(tournament) is None
    assert list(tournament.rounds.values_list("closed_at", flat=True)) == [None, None]
    finish(third)
    finish(fourth)
    assert tournament.rounds.get(number=1).closed_at == NOW
    assert tournament.rounds.get(number=2).closed_at is None
    next_round(tournament)
    finish(open_tables(tournament)[0])
    assert tournament.rounds.get(number=2).closed_at == NOW
    assert next_round(tournament).number == 3


@pytest.mark.parametrize("third_place", [False, True])
@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 7, 12, 13, 33])
def test_a_bracket_is_played_out_in_any_order_with_ties_and_everybody_is_ranked(
    entrants: int, third_place: bool
) -> None:
    tournament = started(
        Shape.HEADS_UP, entrants, terms=terms("points", third_place=third_place, prizes="winner")
    )
    play_out(tournament, random.Random(entrants))
    extra = int(third_place and entrants >= 4)
    tables = RoundTable.objects.filter(round__tournament=tournament)
    assert tables.exclude(kind=TableKind.TIE_BREAK).count() == entrants - 1 + extra
    assert tournament.rounds.count() == (entrants - 1).bit_length()
    assert not tournament.rounds.filter(closed_at=None).exists()
    assert bracket_of(tournament).is_over
    assert all_draws_match(tournament)
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert tournament.entries.filter(state=EntryState.RANKED, rank__gte=1).count() == entrants
    if extra and not bracket_of(tournament).final_is_shared:
        ranks = tournament.entries.filter(rank__lte=4).order_by("rank")
        assert list(ranks.values_list("rank", flat=True)) == [1, 2, 3, 4]


def test_losing_semi_finalists_play_for_third_place_beside_the_final() -> None:
    tournament = a_bracket(4, third_place=True, prizes="50,30,20")
    first, second = open_tables(tournament)
    finish(first)
    finish(second)
    losers = [tournament.entries.get(number=numbers_at(table)[1]) for table in (first, second)]
    assert [state_of(entry) for entry in losers] == [EntryState.PLAYING] * 2
    next_round(tournament)
    final, third = open_tables(tournament)
    assert (third.kind, third.number) == (TableKind.THIRD_PLACE, 2)
    assert sorted(numbers_at(third)) == sorted(entry.number for entry in losers)
    finish(final)
    assert tournament.rounds.get(number=2).closed_at is None
    winner, loser = numbers_at(third)
    finish(third)
    assert tournament.entries.filter(state=EntryState.PLAYING).count() == 1
    assert next_round(tournament) is None
    services.complete(tournament_id=tournament.pk, now=NOW)
    third_ranked = tournament.entries.get(rank=3)
    assert third_ranked.number == winner
    assert third_ranked.prize == 400
    fourth = tournament.entries.get(rank=4)
    assert fourth.number == loser
    assert "third place" in fourth.reason


def test_a_level_match_for_third_place_is_broken_like_any_pairing() -> None:
    tournament = a_bracket(4, third_place=True, prizes="winner")
    for table in open_tables(tournament):
        finish(table)
    next_round(tournament)
    final, third = open_tables(tournament)
    finish(third, 40, 40, places=(1, 1))
    finish(final)
    assert next_round(tournament).number == 2
    [table] = open_tables(tournament)
    assert (table.kind, table.number) == (TableKind.TIE_BREAK, 3)
    winner, _ = numbers_at(table)
    finish(table)
    assert tournament.entries.filter(state=EntryState.PLAYING).count() == 1
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert tournament.entries.get(rank=3).number == winner


def test_three_entrants_have_no_match_for_third_place() -> None:
    tournament = a_bracket(3, third_place=True)
    [table] = open_tables(tournament)
    finish(table)
    assert tournament.entries.filter(state=EntryState.OUT).count() == 1
    next_round(tournament)
    assert where(open_tables(tournament)) == [(2, 1)]


def test_the_better_rated_are_seeded_higher_and_the_draw_decides_among_equals() -> None:
    tournament = started(
        Shape.HEADS_UP, 7, terms=terms("points", seeding=play.Seeding.RATED, prizes="winner")
    )
    rated(tournament, 20.0, 31.0, 25.0, 25.0)
    next_round(tournament)
    seeds = dict(tournament.entries.values_list("number", "seed"))
    assert (seeds[2], seeds[1]) == (1, 4)
    assert {seeds[3], seeds[4]} == {2, 3}
    secret = bytes.fromhex(tournament.rounds.get(number=1).draw_secret)
    drawn = play.drawn_order(range(1, 8), secret, play.draw_label(tournament, 1))
    equal = [number for number in drawn if number in (3, 4)]
    assert [seeds[number] for number in equal] == [2, 3]
    unrated = [number for number in drawn if number > 4]
    assert [seeds[number] for number in unrated] == [5, 6, 7]
    assert all_draws_match(tournament)
    tournament.entries.filter(number=1).update(seed_rating=9_999.0)
    [check] = check_draws(tournament, [tournament.rounds.get(number=1)])
    assert check.verdict is Verdict.WRONG_ORDER


def test_a_rated_knock_out_spreads_the_best_over_the_tables_of_round_1_only() -> None:
    tournament = started(
        Shape.KNOCKOUT,
        12,
        terms=terms("points", seeding=play.Seeding.RATED, seats=3, advance=BestOfTable(2)),
    )
    rated(tournament, *(40.0 - at for at in range(12)))
    next_round(tournament)
    assert [numbers_at(table) for table in open_tables(tournament)] == [
        [1, 8, 9],
        [2, 7, 10],
        [3, 6, 11],
        [4, 5, 12],
    ]
    for table in open_tables(tournament):
        finish(table)
    next_round(tournament)
    assert all_draws_match(tournament)
    assert all(entry.seed is None for entry in tournament.entries.all())


def test_who_has_left_before_his_pairing_opens_forfeits_it_at_once() -> None:
    tournament = a_bracket(4)
    first, second = open_tables(tournament)
    finish(first)
    gone, winner = numbers_at(first)[0], numbers_at(second)[0]
    leave(tournament.entries.get(number=gone))
    finish(second)
    next_round(tournament)
    assert open_tables(tournament) == []
    final = tournament.rounds.get(number=2)
    assert final.closed_at == NOW
    placing = Placing.objects.get(table__round=final, goes_on=True)
    assert placing.entry.number == winner
    assert next_round(tournament) is None
    assert bracket_of(tournament).champion == placing.entry.seed


def test_a_chain_of_forfeits_is_gone_through_in_one_go() -> None:
    tournament = a_bracket(8, third_place=True)
    tables = open_tables(tournament)
    for table in tables:
        leave(tournament.entries.get(number=numbers_at(table)[0]))
    left = {numbers_at(table)[1] for table in tables[:1]}
    for table in tables[1:]:
        leave(tournament.entries.get(number=numbers_at(table)[1]))
    for table in tables:
        finish(table)
    assert next_round(tournament) is not None
    assert open_tables(tournament) == []
    champion = Entry.objects.get(tournament=tournament, seed=bracket_of(tournament).champion)
    assert {champion.number} == left
    assert not tournament.rounds.filter(closed_at=None).exists()
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert tournament.entries.get(rank=1).number == champion.number
    assert tournament.entries.filter(rank=None).count() == 0


def test_who_leaves_an_open_game_has_lost_it_whatever_he_has_scored() -> None:
    tournament = a_bracket(4, "deals")
    first, second = open_tables(tournament)
    leader, opponent = numbers_at(first)
    leave(tournament.entries.get(number=leader))
    finish(first, 300, 20)
    finish(second, 300, 20)
    next_round(tournament)
    [final] = open_tables(tournament)
    assert opponent in numbers_at(final)
    assert leader not in numbers_at(final)


def test_a_bracket_with_chips_issues_them_once_for_each_pairing() -> None:
    tournament = a_bracket(8, "deals")
    issuer = money.chips_issuer(tournament)

    def in_play() -> int:
        return -money.balances([issuer])[issuer].posted

    assert in_play() == 8 * 160
    first, second, *_ = open_tables(tournament)
    finish(first, 300, 20)
    finish(second, 300, 20)
    next_round(tournament)
    assert in_play() == 6 * 160
    play_out(tournament, random.Random(5))
    assert in_play() == 0
    assert money.faults(now=NOW) == ()


def test_pairings_that_were_changed_afterwards_are_noticed() -> None:
    tournament = a_bracket(4)
    first, second = open_tables(tournament)
    finish(first)
    finish(second)
    next_round(tournament)
    assert all_draws_match(tournament)
    [final] = open_tables(tournament)
    loser = tournament.entries.get(number=numbers_at(first)[1])
    final.placings.filter(entry__number=numbers_at(first)[0]).update(entry=loser)
    verdicts = [c.verdict for c in check_draws(tournament, list(tournament.rounds.all()))]
    assert Verdict.WRONG_ORDER in verdicts
