"""Heads-up bracket: byes, seeding, the way to the final, and results taken back."""

from __future__ import annotations

from itertools import chain

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.structure.refusals import refusal
from tournaments.structure.bracket import Bracket, Feed, open_bracket, seed_order


def _play(bracket: Bracket, *, better_wins: bool = True) -> Bracket:
    """Play every match to the end."""
    while not bracket.is_over:
        for pairing in bracket.playable():
            seeds = sorted(seed for seed in (pairing.first, pairing.second) if seed is not None)
            winner = seeds[0] if better_wins else seeds[-1]
            bracket = bracket.advance(pairing.round, pairing.match_index, winner)
    return bracket


def test_byes_for_every_number_of_entrants_from_2_to_1024_and_for_thousands() -> None:
    """Byes go to the top seeds, one each, in round 1 only, and no match there is empty."""
    for entrants in (*range(2, 1025), 1025, 4095, 4097, 10_000, 16_384):
        bracket = open_bracket(entrants)
        size = 2**bracket.rounds
        assert size // 2 < entrants <= size
        first_round = bracket.pairings(1)
        byes = [pairing.first for pairing in first_round if pairing.is_bye]
        assert sorted(seed for seed in byes if seed) == list(range(1, size - entrants + 1))
        assert all(pairing.winner == pairing.first for pairing in first_round if pairing.is_bye)
        seeds = chain.from_iterable((pairing.first, pairing.second) for pairing in first_round)
        assert sorted(seed for seed in seeds if seed) == list(range(1, entrants + 1))
        assert not any(
            pairing.is_bye
            for number in range(2, bracket.rounds + 1)
            for pairing in bracket.pairings(number)
        )


@pytest.mark.parametrize("entrants", [*range(2, 18), 31, 33, 100, 1024])
def test_every_bracket_is_played_out_in_entrants_less_one_matches(entrants: int) -> None:
    """Nobody waits alone: the top seed wins, the second is his finalist, all others are out."""
    bracket = _play(open_bracket(entrants))
    assert bracket.champion == 1
    played = [
        pairing
        for number in range(1, bracket.rounds + 1)
        for pairing in bracket.pairings(number)
        if not pairing.is_bye
    ]
    assert len(played) == entrants - 1
    assert bracket.ranking()[:2] == ((1,), (2,))
    assert sorted(chain.from_iterable(bracket.ranking())) == list(range(1, entrants + 1))


def test_six_entrants_have_two_byes_in_round_1_and_meet_winners_in_round_2() -> None:
    """1 waits for 4 or 5, 2 for 3 or 6; nobody waits alone in round 2."""
    bracket = open_bracket(6)
    pairs = [(pairing.first, pairing.second) for pairing in bracket.pairings(1)]
    assert pairs == [(1, None), (4, 5), (2, None), (3, 6)]
    second_round = [(pairing.first, pairing.second) for pairing in bracket.pairings(2)]
    assert second_round == [(1, None), (2, None)]
    assert [(pairing.round, pairing.match_index) for pairing in bracket.playable()] == [
        (1, 1),
        (1, 3),
    ]
    after = bracket.advance(1, 1, 5).advance(1, 3, 3)
    assert [(pairing.first, pairing.second) for pairing in after.pairings(2)] == [(1, 5), (2, 3)]


def test_the_better_half_can_meet_only_in_later_rounds() -> None:
    """Each round's pairs of seeds add up to the same if the better always wins."""
    assert seed_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    bracket = _play(open_bracket(64))
    for number in range(1, 7):
        sums = {
            (pairing.first or 0) + (pairing.second or 0) for pairing in bracket.pairings(number)
        }
        assert sums == {64 // 2 ** (number - 1) + 1}


def test_winners_of_neighbouring_matches_meet() -> None:
    """Match 5 of round 1 feeds the second slot of match 2; the final feeds nothing."""
    bracket = open_bracket(16)
    assert bracket.feed(1, 5) == Feed(2, 2, 1)
    assert bracket.feed(1, 4) == Feed(2, 2, 0)
    assert bracket.feed(4, 0) is None


@given(st.integers(2, 64), st.data())
def test_every_winner_plays_on_where_he_is_fed(entrants: int, data: st.DataObject) -> None:
    """Whatever the results, the winner stands in the slot his match feeds."""
    bracket = open_bracket(entrants)
    while not bracket.is_over:
        pairing = data.draw(st.sampled_from(bracket.playable()))
        winner = data.draw(st.sampled_from([pairing.first, pairing.second]))
        assert winner is not None
        bracket = bracket.advance(pairing.round, pairing.match_index, winner)
        feed = bracket.feed(pairing.round, pairing.match_index)
        if feed is None:
            assert bracket.champion == winner
        else:
            target = bracket.pairing(feed.round, feed.match_index)
            assert (target.first, target.second)[feed.slot] == winner
    knocked_out = [bracket.eliminated_in(number) for number in range(1, bracket.rounds + 1)]
    assert len(list(chain.from_iterable(knocked_out))) == entrants - 1


def test_a_whole_round_is_entered_at_once_or_not_at_all() -> None:
    """As one after the other; one wrong winner refuses them all."""
    bracket = open_bracket(8)
    at_once = bracket.advance_round(1, {0: 8, 1: 4, 2: 2, 3: 6})
    one_by_one = bracket.advance(1, 0, 8).advance(1, 1, 4).advance(1, 2, 2).advance(1, 3, 6)
    assert at_once == one_by_one
    assert bracket.advance_round(1, {}) == bracket
    assert refusal(lambda: bracket.advance_round(1, {0: 1, 1: 3})) == ("not_in_match", "winner")
    assert refusal(lambda: at_once.advance_round(1, {0: 8})) == ("match_decided", "match_index")


def test_the_losing_semi_finalists_share_rank_3() -> None:
    """And the losers of the round before share the ranks from 5."""
    bracket = _play(open_bracket(8), better_wins=False)
    assert bracket.ranking() == ((8,), (7,), (5, 6), (1, 2, 3, 4))


def test_those_still_in_rank_before_those_who_are_out() -> None:
    """The standing in the middle of a tournament, as an abort needs it."""
    bracket = open_bracket(6).advance(1, 1, 4)
    assert bracket.ranking() == ((1, 2, 3, 4, 6), (5,))


def test_a_tied_final_is_shared() -> None:
    """Both finalists come first; there is no champion, and nothing is left to play."""
    bracket = open_bracket(4).advance(1, 0, 1).advance(1, 1, 2).share_final()
    assert bracket.is_over
    assert bracket.champion is None
    assert bracket.playable() == ()
    assert bracket.ranking() == ((1, 2), (3, 4))
    assert refusal(bracket.share_final) == ("match_decided", "match_index")
    assert refusal(lambda: bracket.advance(2, 0, 1)) == ("match_decided", "match_index")
    assert bracket.reopen(2, 0).playable()[0].round == 2


def test_a_result_taken_back_takes_what_was_built_on_it_along() -> None:
    """Match 1 of round 1 decided the semi-final and the final; the other half stays."""
    bracket = _play(open_bracket(8))
    again = bracket.reopen(1, 1)
    assert again.pairing(1, 1).is_playable
    assert (again.pairing(2, 0).first, again.pairing(2, 0).second) == (1, None)
    assert again.pairing(2, 1).winner == 2
    assert again.champion is None
    assert _play(again) == bracket


def test_refused_moves_in_a_bracket() -> None:
    """Each has its own code, and the bracket stays as it was."""
    bracket = open_bracket(6)
    for round_number, match_index in ((0, 0), (4, 0), (1, 4), (1, -1), (True, 0), (1, 0.0)):
        refused = refusal(bracket.pairing, round_number, match_index)
        assert refused == ("no_such_match", "match_index")
    assert refusal(lambda: bracket.feed(9, 0)) == ("no_such_match", "match_index")
    assert refusal(lambda: bracket.pairings(9)) == ("no_such_match", "match_index")
    assert refusal(lambda: bracket.advance(1, 0, 1)) == ("match_decided", "match_index")
    assert refusal(lambda: bracket.advance(2, 0, 1)) == ("match_not_ready", "match_index")
    assert refusal(lambda: bracket.advance(1, 1, 1)) == ("not_in_match", "winner")
    assert refusal(lambda: bracket.advance(1, 1, True)) == ("not_in_match", "winner")
    assert refusal(bracket.share_final) == ("match_not_ready", "match_index")
    assert refusal(lambda: bracket.reopen(1, 1)) == ("match_undecided", "match_index")
    assert refusal(lambda: bracket.reopen(1, 0)) == ("match_undecided", "match_index")
    assert bracket == open_bracket(6)


@pytest.mark.parametrize("entrants", [1, 16_385])
def test_a_bracket_takes_2_to_16384_entrants(entrants: int) -> None:
    """Beyond that it is refused."""
    assert refusal(lambda: open_bracket(entrants)) == ("out_of_range", "entrants")


def test_a_bracket_is_stored_and_read_back_unchanged() -> None:
    """As JSON."""
    bracket = _play(open_bracket(11))
    assert msgspec.json.decode(msgspec.json.encode(bracket), type=Bracket) == bracket


@pytest.mark.parametrize("third_place", [False, True])
def test_every_bracket_of_2_to_130_is_played_with_pairings_opened_as_soon_as_known(
    third_place: bool,
) -> None:
    """Whatever match ends first: nobody is in two open matches, and nobody waits for nobody."""
    for entrants in range(2, 131):
        bracket = open_bracket(entrants, third_place=third_place)
        extra = int(third_place and entrants >= 4)
        played = 0
        while playable := bracket.playable():
            seats = [seed for pairing in playable for seed in (pairing.first, pairing.second)]
            assert len(seats) == len(set(seats))
            pairing = playable[-1 - (played * 7) % len(playable)]
            winner = pairing.second if played % 3 else pairing.first
            bracket = bracket.advance(pairing.round, pairing.match_index, winner or 0)
            played += 1
        assert bracket.is_over
        assert played == entrants - 1 + extra
        ranked = bracket.ranking()
        assert sorted(chain.from_iterable(ranked)) == list(range(1, entrants + 1))
        assert [len(group) for group in ranked[:2]] == [1, 1]
        if extra:
            assert [len(group) for group in ranked[2:4]] == [1, 1]


def test_byes_of_round_1_may_meet_in_round_2_while_round_1_is_played() -> None:
    """Five entrants: 2 and 3 need not wait for 4 and 5."""
    playable = [(p.round, p.first, p.second) for p in open_bracket(5).playable()]
    assert playable == [(1, 4, 5), (2, 2, 3)]


def test_the_losing_semi_finalists_meet_beside_the_final() -> None:
    """As soon as both are known; its winner ranks third, its loser fourth."""
    bracket = open_bracket(4, third_place=True).advance(1, 0, 1)
    assert [pairing.round for pairing in bracket.playable()] == [1]
    bracket = bracket.advance(1, 1, 3)
    assert [(p.first, p.second, p.is_third_place) for p in bracket.playable()] == [
        (1, 3, False),
        (4, 2, True),
    ]
    assert refusal(lambda: bracket.advance(2, 1, 3)) == ("not_in_match", "winner")
    after = bracket.advance(2, 1, 2)
    assert not after.is_over
    assert after.ranking() == ((1, 3), (2,), (4,))
    assert after.feed(2, 1) is None
    over = after.share_final()
    assert over.is_over
    assert over.playable() == ()
    assert bracket.share_final().playable()[0].is_third_place


def test_a_semi_final_taken_back_takes_third_place_along_and_third_place_nothing() -> None:
    """The final stays when only the match for third place is played again."""
    over = _play(open_bracket(8, third_place=True))
    assert over.ranking()[2:4] == ((3,), (4,))
    again = over.reopen(3, 1)
    assert (again.champion, again.is_over) == (1, False)
    assert _play(again) == over
    earlier = over.reopen(1, 1)
    assert earlier.pairing(3, 1).winner is None
    assert _play(earlier) == over


def test_without_two_semi_finals_there_is_no_match_for_third_place() -> None:
    """With two or three entrants."""
    assert not open_bracket(3, third_place=True).has_third_place
    assert _play(open_bracket(3, third_place=True)).ranking() == ((1,), (2,), (3,))
