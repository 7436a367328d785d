"""Facts about every match, whatever the results and answers are (property tests)."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules.errors import RuleViolation
from tables.rules.formats import (
    AwaitRejoin,
    AwaitSplit,
    DrawLot,
    Entry,
    Match,
    NextDeal,
    decode_match,
    encode_match,
)
from tables.rules.formats.base import DealScored, SplitOffered
from tables.rules.results import DealResult, Outcome, SeatScore
from tables.rules.terms import DealTerms
from tests.rules.formats.helpers import opened, over

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("points", {"deals": 4, "value": 3}),
    ("points_low", {}),
    ("pool51", {}),
    ("pool61", {"max_rejoins": 1}),
    ("pool101", {"rejoin": False}),
    ("pool101", {"auto_split_from": 80}),
    ("pool201", {"auto_split": False, "manual_split": False, "max_deals": 30}),
    ("deals", {"deals": 2}),
    ("deals", {"deals": 3, "profile": "g24_knockout", "deciding_place": 1}),
    ("deals", {"deals": 6, "first_drop": 20, "middle_drop": 40, "deciding_place": 2}),
    ("deals", {"deals": 3, "rank_by": "fewest_points"}),
    ("heads_up", {}),
    ("heads_up", {"on_tie": "share", "games": 3}),
    ("highest_out", {}),
]

settings_of_a_match = st.sampled_from(SETTINGS)
chances = st.randoms(use_true_random=False)


def _match(setting: tuple[str, dict[str, Any]], chance: Random) -> Match:
    name, options = setting
    two_only = name == "heads_up" or options.get("profile") == "g24_knockout"
    seats = 2 if two_only else chance.randint(2, 6)
    return opened(name, seats, **options)


def _loss(seat: int, terms: DealTerms, chance: Random) -> SeatScore:
    """A loser's score, of any outcome that the terms know."""
    points = chance.choice([0, 2, chance.randint(0, 80), 80])
    fixed = {
        Outcome.FIRST_DROP: terms.first_drop,
        Outcome.MIDDLE_DROP: terms.middle_drop,
        Outcome.WRONG_DECLARATION: terms.wrong_declaration,
    }
    outcomes = [Outcome.LOST] * 6 + [Outcome.FULL_COUNT, Outcome.WRONG_DECLARATION]
    outcomes += [Outcome.FIRST_DROP, Outcome.MIDDLE_DROP] if terms.has_drop else [Outcome.LEFT]
    outcome = chance.choice(outcomes)
    return SeatScore(seat, fixed.get(outcome, points) or 0, outcome)


def _deal(step: NextDeal, chance: Random) -> DealResult:
    seats = list(step.seats)
    if step.dealer is None:
        chance.shuffle(seats)
    winner = chance.choice(seats)
    return DealResult(
        tuple(
            SeatScore(seat, 0, Outcome.WON) if seat == winner else _loss(seat, step.terms, chance)
            for seat in seats
        )
    )


def _moved_on(match: Match, chance: Random) -> Match:
    """The match after one thing that may happen to it now."""
    in_time = chance.random() < 0.8
    match step := match.next_step():
        case NextDeal():
            return _between_deals(match, step, chance)
        case AwaitRejoin(seats) if in_time:
            return match.answer_rejoin(chance.choice(seats), chance.random() < 0.5)
        case AwaitSplit(seats=seats) if in_time:
            return match.answer_split(chance.choice(seats), chance.random() < 0.7)
        case DrawLot(seats):
            return match.draw_lot(chance.choice(seats))
        case _:
            return match.time_passed()


def _between_deals(match: Match, step: NextDeal, chance: Random) -> Match:
    kind = chance.random()
    if kind < 0.05:
        return match.leave(chance.choice(step.seats))
    offers = [entry.seat for entry in _since_last_deal(match) if isinstance(entry, SplitOffered)]
    willing = [seat for seat in step.seats if seat not in offers]
    if kind < 0.2 and match.split_weights_now and willing:
        return match.offer_split(chance.choice(willing))
    return match.record(_deal(step, chance))


def _since_last_deal(match: Match) -> list[Entry]:
    kinds = [isinstance(entry, DealScored) for entry in match.log]
    return list(match.log[len(kinds) - kinds[::-1].index(True) :]) if any(kinds) else []


def _steps_of(match: Match, chance: Random) -> list[Match]:
    """The match after each thing that happens to it until it is over."""
    matches = [match]
    while not matches[-1].is_over:
        matches.append(_moved_on(matches[-1], chance))
        assert len(matches) < 2000, "every match ends"
    return matches


@given(settings_of_a_match, chances)
def test_every_match_ends_and_places_every_seat_once(
    setting: tuple[str, dict[str, Any]], chance: Random
) -> None:
    end = _steps_of(_match(setting, chance), chance)[-1]
    outcome = over(end)
    placed = [seat for group in outcome.places for seat in group]
    assert sorted(placed) == sorted(end.opening.seats)
    assert dict(outcome.scores) == {line.seat: line.score for line in end.standings()}
    assert outcome.buy_ins == end.buy_ins >= len(placed)


@given(settings_of_a_match, chances)
def test_places_on_the_scoreboard_follow_the_groups(
    setting: tuple[str, dict[str, Any]], chance: Random
) -> None:
    for match in _steps_of(_match(setting, chance), chance):
        places = [line.place for line in match.standings()]
        assert places == sorted(places)
        assert all(place == at or places[at - 2] == place for at, place in enumerate(places, 1))


@given(settings_of_a_match, chances)
def test_a_match_is_read_back_unchanged_and_its_last_deal_can_be_scored_again(
    setting: tuple[str, dict[str, Any]], chance: Random
) -> None:
    matches = _steps_of(_match(setting, chance), chance)
    match = chance.choice(matches)
    assert decode_match(encode_match(match)) == match
    for before, after in pairwise(matches):
        if len(after.results) > len(before.results):
            assert after.correct_last(after.results[-1]) == after
            assert after.take_back_last().results == before.results


@given(st.sampled_from([s for s in SETTINGS if s[0] in ("points", "points_low")]), chances)
def test_what_the_winners_get_is_what_the_losers_pay(
    setting: tuple[str, dict[str, Any]], chance: Random
) -> None:
    for match in _steps_of(_match(setting, chance), chance):
        assert sum(line.score for line in match.standings()) == 0


@given(st.sampled_from([s for s in SETTINGS if s[0] == "deals" and "rank_by" not in s[1]]), chances)
def test_chips_are_conserved_and_nobody_goes_below_0(
    setting: tuple[str, dict[str, Any]], chance: Random
) -> None:
    matches = _steps_of(_match(setting, chance), chance)
    total = sum(line.score for line in matches[0].standings())
    for match in matches:
        chips = [line.score for line in match.standings()]
        assert sum(chips) == total
        assert min(chips) >= 0


@given(st.sampled_from([s for s in SETTINGS if s[0] == "deals"]), chances)
def test_a_deals_match_never_ends_in_a_tie_across_the_deciding_place_of_those_present(
    setting: tuple[str, dict[str, Any]], chance: Random
) -> None:
    match = _steps_of(_match(setting, chance), chance)[-1]
    lines = match.standings()
    deciding = setting[1].get("deciding_place", 1)
    if len(lines) > deciding:
        last, next_one = lines[deciding - 1], lines[deciding]
        assert last.place != next_one.place or not last.still_in


@given(st.sampled_from([s for s in SETTINGS if s[0] in ("highest_out", "heads_up")]), chances)
def test_totals_are_the_sums_of_the_points(
    setting: tuple[str, dict[str, Any]], chance: Random
) -> None:
    for match in _steps_of(_match(setting, chance), chance):
        assert _sums(match) == {line.seat: line.score for line in match.standings()}


@given(st.sampled_from([s for s in SETTINGS if s[0].startswith("pool")]), chances)
def test_a_pool_total_is_the_sum_of_the_points_since_the_last_rejoin(
    setting: tuple[str, dict[str, Any]], chance: Random
) -> None:
    totals: dict[int, int] = {}
    matches = _steps_of(_match(setting, chance), chance)
    for before, after in pairwise(matches):
        step = before.next_step()
        if len(after.results) > len(before.results):
            for score in after.results[-1].scores:
                totals[score.seat] = totals.get(score.seat, 0) + score.points
        if isinstance(step, AwaitRejoin) and after.buy_ins > before.buy_ins:
            totals[after.log[-1].seat] = step.comes_back_with  # type: ignore[union-attr]
        for line in after.standings():
            assert line.score == totals.get(line.seat, 0)


def _sums(match: Match) -> dict[int, int]:
    totals = dict.fromkeys(match.opening.seats, 0)
    for result in match.results:
        for score in result.scores:
            totals[score.seat] += score.points
    return totals


@given(st.sampled_from([s for s in SETTINGS if s[0].startswith("pool")]), chances)
def test_the_weights_of_a_split_are_whole_and_positive_and_better_places_get_no_less(
    setting: tuple[str, dict[str, Any]], chance: Random
) -> None:
    for match in _steps_of(_match(setting, chance), chance):
        weights = match.split_weights_now
        if weights is None:
            continue
        scores = {line.seat: line.score for line in match.standings()}
        assert sum(weight for _, weight in weights) == len(weights) * match.buy_ins
        by_score = sorted(weights, key=lambda pair: scores[pair[0]])
        amounts = [weight for _, weight in by_score]
        assert amounts == sorted(amounts, reverse=True)
        assert amounts[-1] > 0


@pytest.mark.parametrize("name", ["pool101", "pool201", "pool51"])
def test_a_pool_ends_even_when_nobody_ever_counts_a_point(name: str) -> None:
    match = opened(name, 3)
    while not match.is_over:
        step = match.next_step()
        assert isinstance(step, NextDeal)
        first, *others = step.seats
        scores = [SeatScore(first, 0, Outcome.WON)]
        scores += [SeatScore(seat, 0, Outcome.LOST) for seat in others]
        match = match.record(DealResult(tuple(scores)))
    assert len(match.results) == 200
    assert over(match).places == ((1, 2, 3),)


@given(settings_of_a_match, chances)
def test_what_happens_next_never_changes_the_match_it_happens_to(
    setting: tuple[str, dict[str, Any]], chance: Random
) -> None:
    for match in _steps_of(_match(setting, chance), chance)[:10]:
        seat = chance.choice(match.opening.seats)
        for act in (match.draw_lot, match.offer_split, match.join, match.leave):
            before = encode_match(match)
            with suppress(RuleViolation):
                act(seat)
            assert encode_match(match) == before
