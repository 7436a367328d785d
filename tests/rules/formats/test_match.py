"""What every match does: pass the deal on, keep a scoreboard, correct its last deal, be stored."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from tables.rules.errors import Code
from tables.rules.formats import (
    FORMATS,
    AwaitRejoin,
    Match,
    Standing,
    Step,
    decode_match,
    encode_match,
    replayed,
)
from tests.rules.formats.helpers import (
    brought_to,
    next_deal,
    opened,
    over,
    refused,
    result,
    scored,
    totals_of,
)

# The dealer (rule 5.1)


def test_the_first_deal_has_a_toss() -> None:
    step = next_deal(opened("pool101", 4))
    assert step.dealer is None
    assert step.seats == (1, 2, 3, 4)


def test_the_dealer_moves_one_seat_each_deal_in_the_order_of_the_toss() -> None:
    """The toss seated them 3, 1, 4, 2, the lowest card being the dealer's."""
    match = opened("pool101", 4).record(result(3, {1: 10, 4: 10, 2: 10}))
    assert (next_deal(match).seats, next_deal(match).dealer) == ((1, 4, 2, 3), 3)
    match = scored(match, 2)
    assert (next_deal(match).seats, next_deal(match).dealer) == ((4, 2, 3, 1), 1)


def test_a_scorer_may_type_the_seats_in_any_order_once_the_dealer_is_known() -> None:
    match = opened("pool101", 3).record(result(1, {2: 10, 3: 10}))
    assert next_deal(match).seats == (2, 3, 1)
    match = match.record(result(3, {2: 10, 1: 10}))
    assert next_deal(match).seats == (3, 1, 2)


def test_an_elimination_calls_for_a_new_toss_and_a_rejoin_undoes_it() -> None:
    match = brought_to(opened("pool101", 3), {3: 101})
    assert next_deal(match.answer_rejoin(3, False)).dealer is None
    assert next_deal(match.answer_rejoin(3, True)).dealer is not None


def test_a_departure_calls_for_a_new_toss() -> None:
    match = scored(opened("deals", 3), 1)
    assert next_deal(match).dealer == 1
    assert next_deal(match.leave(1)).dealer is None


# The scoreboard


def test_the_scoreboard_has_places_totals_and_drops_left() -> None:
    match = brought_to(opened("pool101", 4, rejoin=False), {4: 101, 2: 60, 3: 60})
    assert match.standings() == (
        Standing(seat=1, place=1, score=0, still_in=True, drops_left=5),
        Standing(seat=2, place=2, score=60, still_in=True, drops_left=2),
        Standing(seat=3, place=2, score=60, still_in=True, drops_left=2),
        Standing(seat=4, place=4, score=101, still_in=False, drops_left=0),
    )


def test_who_is_eliminated_or_gone_is_not_in() -> None:
    match = brought_to(opened("pool101", 4, rejoin=False), {4: 101}).leave(3)
    assert [seat for seat in range(6) if match.is_in(seat)] == [1, 2]


def test_the_results_of_all_deals_stay_at_hand() -> None:
    match = scored(scored(opened("deals", 2), 1, {2: 7}), 2, {1: 9})
    assert [r.winner for r in match.results] == [1, 2]
    assert [r.points_of(1) for r in match.results] == [0, 9]


# Corrections


def test_a_corrected_deal_counts_as_if_it_had_been_right_at_once() -> None:
    match = scored(opened("pool101", 3), 1, {2: 10, 3: 10})
    wrong = scored(match, 2, {1: 40, 3: 60})
    right = scored(match, 3, {1: 40, 2: 60})
    assert wrong.correct_last(right.results[-1]) == right


def test_a_correction_may_reopen_a_match_that_was_over() -> None:
    match = scored(scored(opened("heads_up", 2), 1, {2: 10}), 1, {2: 10})
    assert match.is_over
    tied = match.correct_last(result(2, {1: 10}))
    assert not tied.is_over


def test_answers_given_after_a_corrected_deal_are_asked_again() -> None:
    match = brought_to(opened("pool101", 3), {2: 20, 3: 81})
    match = scored(match, 1, {3: 30}).answer_rejoin(3, True)
    assert match.buy_ins == 4
    corrected = match.correct_last(result(1, {2: 30, 3: 30}))
    assert corrected.next_step() == AwaitRejoin((3,), 51, 20)
    assert corrected.buy_ins == 3


def test_who_left_after_a_corrected_deal_has_still_left() -> None:
    match = scored(opened("pool101", 4), 1, {2: 10}).leave(2)
    corrected = match.correct_last(result(1, {2: 30, 3: 5, 4: 5}))
    assert totals_of(corrected) == {1: 0, 3: 5, 4: 5, 2: 30}
    assert next_deal(corrected).seats == (1, 3, 4)


def test_a_departure_that_no_longer_fits_is_dropped() -> None:
    """The corrected deal puts out the player who left after it."""
    match = brought_to(opened("pool101", 4, rejoin=False), {2: 80})
    match = scored(match, 1, {2: 10}).leave(2)
    corrected = match.correct_last(result(1, {2: 30, 3: 5, 4: 5}))
    assert [line.seat for line in corrected.standings() if not line.still_in] == [2]
    assert totals_of(corrected)[2] == 110


def test_a_last_deal_can_be_taken_back() -> None:
    match = scored(opened("highest_out", 3), 1, {2: 10, 3: 30})
    assert match.take_back_last() == opened("highest_out", 3)


def test_a_correction_that_cannot_be_is_refused() -> None:
    with refused(Code.NO_DEAL_YET):
        opened("deals", 2).correct_last(result(1, {2: 5}))
    with refused(Code.NO_DEAL_YET):
        opened("deals", 2).take_back_last()
    with refused(Code.BAD_RESULT):
        scored(opened("deals", 2), 1).correct_last(result(1, {3: 5}))


# Stored and read back


def _stored(match: Match) -> Any:
    return json.loads(json.dumps(encode_match(match)))


@pytest.mark.parametrize("name", FORMATS)
def test_a_match_of_every_format_is_read_back_unchanged(name: str) -> None:
    match = scored(opened(name, 2), 1, {2: 44})
    assert decode_match(_stored(match)) == match
    assert decode_match(json.dumps(encode_match(match))) == match


def test_a_match_with_every_kind_of_entry_is_read_back_unchanged() -> None:
    match = brought_to(opened("pool101", 4), {2: 20, 4: 101}).answer_rejoin(4, True)
    match = scored(match, 1, {4: 80}).time_passed().offer_split(1).answer_split(2, True)
    match = match.leave(3)
    assert decode_match(_stored(match)) == match
    match = scored(opened("highest_out", 3), 1, {2: 9, 3: 9}).draw_lot(2)
    assert decode_match(_stored(match)) == match
    match = scored(opened("points", 2, deals=5), 1).join(3)
    assert decode_match(_stored(match)) == match


def test_replaying_the_log_makes_the_same_match() -> None:
    match = scored(brought_to(opened("pool201", 3), {2: 150, 3: 190}), 1, {2: 5})
    assert replayed(match.opening, match.log) == match


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), 2),
        (("schema",), "1"),
        (("extra",), 1),
        (("opening", "format", "kind"), "chess"),
        (("opening", "format", "limit"), 5),
        (("opening", "seats"), [1, 1]),
        (("opening", "profile", "ace_points"), 7),
        (("log", 0, "type"), "deal_dreamt"),
        (("log", 0, "result", "scores", 0, "points"), 3),
        (("log", 0, "result", "scores", 1, "points"), 81),
        (("log", 0, "result", "scores", 1, "seat"), 9),
    ],
)
def test_a_record_that_no_match_can_have_left_is_refused(path: tuple[Any, ...], value: Any) -> None:
    record = _stored(scored(opened("pool101", 2), 1, {2: 44}))
    inside = record
    for part in path[:-1]:
        inside = inside[part]
    inside[path[-1]] = value
    with refused(Code.BAD_RECORD):
        decode_match(record)


@pytest.mark.parametrize("text", ["", "{", "[]", b"\xff", "null", 7, None])
def test_what_is_no_record_is_refused(text: object) -> None:
    with refused(Code.BAD_RECORD):
        decode_match(text)


@pytest.mark.parametrize(
    "match",
    [
        opened("pool101", 3),
        brought_to(opened("pool101", 3), {3: 101}),
        brought_to(opened("pool101", 3, rejoin=False), {3: 101}).offer_split(1),
        scored(opened("highest_out", 3), 1, {2: 9, 3: 9}),
        scored(opened("points", 2), 1),
    ],
    ids=lambda match: type(match.next_step()).__name__,
)
def test_a_step_can_be_sent_as_json(match: Match) -> None:
    step = match.next_step()
    assert msgspec.json.decode(msgspec.json.encode(step), type=Step) == step


def test_nothing_can_happen_to_a_match_that_is_over() -> None:
    match = scored(opened("points", 2), 1)
    over(match)
    for happen in (
        lambda: match.leave(1),
        lambda: match.join(3),
        lambda: match.answer_rejoin(2, True),
        lambda: match.offer_split(1),
        lambda: match.answer_split(1, True),
        lambda: match.draw_lot(1),
        match.time_passed,
    ):
        with refused(Code.MATCH_OVER):
            happen()
