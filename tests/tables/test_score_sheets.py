"""Deals typed in at a real table: entered as the engine's are, once, by whom, and correctable."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from tables import services, signals, timers
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, Match, MatchEntry, MatchStatus, SheetLine
from tables.rules.errors import Code, RuleViolation
from tables.rules.formats import (
    AwaitRejoin,
    LotDrawn,
    NextDeal,
    RejoinAnswered,
    SplitAnswered,
    SplitOffered,
    TimePassed,
)
from tables.rules.score_sheet import SheetRefused
from tables.rules.shoe import commitment_of, draw_lot
from tables.selectors import game_of
from tables.services.alarms import act_on_due
from tests.tables.helpers import NOW, a_match, dealt, secret_for
from tests.tables.sheet_helpers import (
    a_club_match,
    correct,
    correct_rows,
    enter,
    enter_rows,
    heard,
    leave,
    rejoin,
    row,
    say,
    totals,
)

pytestmark = pytest.mark.django_db


def kinds(match: Match) -> list[str]:
    return list(MatchEntry.objects.filter(match=match).values_list("kind", flat=True))


# Deals


def test_a_deal_that_is_entered_counts_as_one_that_was_played() -> None:
    match = a_club_match(3)
    with heard(signals.deal_finished) as told:
        enter(match, 1, {0: 25, 2: "drop"})
    match.refresh_from_db()
    assert (match.version, match.status, match.deals_dealt) == (1, MatchStatus.DEALING, 1)
    assert totals(match) == {0: 25, 1: 0, 2: 20}
    [news] = told
    assert (news.deal_number, news.result.winner, news.tie_break) == (1, 1, False)
    assert news.changes == {0: 25, 1: 0, 2: 20}
    assert not Deal.objects.exists()


def test_the_last_deal_ends_the_match_and_says_so() -> None:
    match = a_club_match(2, format_name="deals")
    enter(match, 0, {1: 45})
    with heard(signals.match_finished) as told:
        enter(match, 0, {1: 80})
    match.refresh_from_db()
    assert (match.status, match.over_at) == (MatchStatus.OVER, NOW)
    assert told[0].outcome.scores == ((0, 285), (1, 35))
    with pytest.raises(RuleViolation) as refusal:
        enter(match, 0, {1: 5})
    assert refusal.value.code is Code.MATCH_OVER


def test_no_clock_ever_deals_or_answers_at_a_real_table() -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 80, 2: 2})
    enter(match, 0, {1: 30, 2: 2})
    match.refresh_from_db()
    assert (match.status, match.due_at) == (MatchStatus.ASKING, None)
    assert timers.soonest(5) == []
    assert act_on_due(now=NOW + timedelta(days=30)) == 0
    assert isinstance(game_of(match.pk).next_step(), AwaitRejoin)


def test_who_plays_online_is_told_to_turn_to_the_scorer() -> None:
    match = a_club_match()
    doors: list[Any] = [
        lambda: dealt(match),
        lambda: services.answer(match_id=match.pk, entry=TimePassed(), now=NOW),
        lambda: services.set_auto_drop(match_id=match.pk, seat=0, on=True),
        lambda: services.check_online(match_id=match.pk),
    ]
    for door in doors:
        with pytest.raises(TableRefusal) as refusal:
            door()
        assert refusal.value.code is TableCode.IN_PERSON
        assert "scorer" in refusal.value.sentence


def test_a_match_that_was_called_off_takes_no_sheet() -> None:
    match = a_club_match()
    enter(match, 0, {1: 5})
    services.void_matches(owner=match.table.owner, now=NOW)
    doors: list[Any] = [
        lambda: enter(match, 0, {1: 6}),
        lambda: correct(match, 0, {1: 6}),
        lambda: leave(match, 1),
    ]
    for door in doors:
        with pytest.raises(TableRefusal) as refusal:
            door()
        assert refusal.value.code is TableCode.MATCH_VOID


def test_a_table_that_is_played_online_takes_no_sheet() -> None:
    match = a_match()
    with pytest.raises(TableRefusal) as refusal:
        enter(match, 0, {1: 5})
    assert refusal.value.code is TableCode.NOT_IN_PERSON
    services.check_online(match_id=match.pk)


def test_a_sheet_that_cannot_be_writes_nothing() -> None:
    match = a_club_match(3)
    before = Match.objects.values().get(pk=match.pk)
    with pytest.raises(SheetRefused) as refusal:
        enter_rows(match, [row(0, "won"), row(1, "won", leaves=True), row(2, 81)])
    assert [e.field for e in refusal.value.errors] == ["rows[1].kind", "rows[2].points"]
    assert Match.objects.values().get(pk=match.pk) == before
    assert not SheetLine.objects.exists()
    assert not match.seats.filter(left=True).exists()


def test_of_two_scorers_at_once_one_is_told_that_the_sheet_has_moved_on() -> None:
    match = a_club_match()
    enter(match, 0, {1: 5})
    for actor in ("another", "scorer"):
        with pytest.raises(TableRefusal) as refusal:
            enter(match, 0, {1: 7}, sheet_version=0, actor=actor)
        assert refusal.value.code is TableCode.SHEET_MOVED_ON
    with pytest.raises(TableRefusal):
        enter(match, 0, {1: 5}, sheet_version=0, actor="another")
    assert totals(match) == {0: 0, 1: 5}


def test_what_the_same_scorer_sends_twice_is_entered_once() -> None:
    match = a_club_match(3)
    for _ in range(2):
        enter(match, 0, {1: 80, 2: 5}, sheet_version=0)
    for _ in range(2):
        correct(match, 0, {1: 79, 2: 5}, sheet_version=1)
    enter(match, 0, {1: 30, 2: 5})
    for _ in range(2):
        say(match, RejoinAnswered(1, True), sheet_version=3)
    assert kinds(match) == ["deal_scored", "deal_corrected", "deal_scored", "rejoin_answered"]
    assert totals(match) == {0: 0, 1: 11, 2: 10}


def test_the_sheet_says_who_entered_what() -> None:
    match = a_club_match(2)
    enter(match, 0, {1: 5}, actor="anna")
    correct(match, 1, {0: 5}, actor="ben", reason="winner mixed up")
    lines = SheetLine.objects.filter(match=match)
    assert [(line.seq, line.actor, line.reason) for line in lines] == [
        (1, "anna", ""),
        (2, "ben", "winner mixed up"),
    ]
    assert [json.loads(line.written)["rows"][1]["points"] for line in lines] == [5, 5]
    with pytest.raises(TypeError):
        lines[0].delete()


# Leaving


def test_who_leaves_with_a_deal_is_not_dealt_in_again() -> None:
    match = a_club_match(3)
    enter_rows(match, [row(0, "won"), row(1, "drop", leaves=True), row(2, 9)])
    assert match.seats.get(number=1).left
    step = game_of(match.pk).next_step()
    assert isinstance(step, NextDeal)
    assert step.seats == (0, 2)


def test_a_correction_can_take_a_departure_back() -> None:
    match = a_club_match(3)
    enter_rows(match, [row(0, "won"), row(1, "drop", leaves=True), row(2, 9)])
    correct(match, 0, {1: "drop", 2: 9})
    assert not match.seats.filter(left=True).exists()
    assert game_of(match.pk).is_in(1)


def test_a_correction_of_something_else_leaves_who_left_away() -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 5, 2: 9})
    leave(match, 1)
    correct_rows(match, [row(0, "won"), row(1, 5, leaves=True), row(2, 8)])
    assert not game_of(match.pk).is_in(1)
    assert totals(match)[2] == 8


@pytest.mark.parametrize("online", [True, False])
def test_chips_won_because_the_others_left_are_told_of_like_those_of_a_deal(online: bool) -> None:
    with heard(signals.walked_over) as told:
        if online:
            match = a_match(2, format_name="deals")
            from tables.rules.formats import PlayerLeft

            services.answer(match_id=match.pk, entry=PlayerLeft(1), now=NOW)
        else:
            match = a_club_match(2, format_name="deals")
            leave(match, 1)
    assert [news.changes for news in told] == [{0: 160, 1: -160}]
    assert told[0].name == f"match-{match.pk}-1"


# Answers


def test_a_rejoin_is_answered_by_the_scorers_hand() -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 80, 2: 20})
    enter(match, 0, {1: 30, 2: 5})
    with pytest.raises(RuleViolation) as refusal:
        enter(match, 0, {2: 5})
    assert refusal.value.code is Code.DEAL_NOT_EXPECTED
    assert "buys in again" in refusal.value.sentence
    with heard(signals.rejoined) as told:
        rejoin(match, 1)
    assert totals(match) == {0: 0, 1: 26, 2: 25}
    assert [(news.player, news.number) for news in told] == [
        (match.seats.get(number=1).player_id, 1)
    ]


def test_silence_is_a_no_when_the_scorer_says_so() -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 80, 2: 80})
    enter(match, 0, {1: 30, 2: 30})
    say(match, TimePassed())
    match.refresh_from_db()
    assert match.status == MatchStatus.OVER


def test_a_split_is_offered_and_accepted_by_the_scorers_hand() -> None:
    match = a_club_match(3, auto_split=False)
    enter(match, 0, {1: 80, 2: 5})
    enter(match, 0, {1: 30, 2: 5})
    rejoin(match, 1, False)
    say(match, SplitOffered(0))
    with pytest.raises(RuleViolation) as refusal:
        enter(match, 0, {2: 5})
    assert "accepts the split" in refusal.value.sentence
    with heard(signals.match_finished) as told:
        say(match, SplitAnswered(2, True))
    assert told[0].outcome.split_weights == ((0, 4), (2, 2))


# Lots


def test_a_lot_comes_from_a_secret_that_was_committed_to_before_the_deal_was_entered() -> None:
    match = a_club_match(3, format_name="highest_out")
    promised = match.next_commitment
    enter(match, 0, {1: 40, 2: 40})
    line = SheetLine.objects.get(match=match)
    secret = bytes.fromhex(line.secret)
    assert line.commitment == promised == commitment_of(secret)
    [drawn] = [e for e in game_of(match.pk).log if isinstance(e, LotDrawn)]
    assert drawn.seat == draw_lot((1, 2), secret, "club/table-1", "1")


def test_every_line_reveals_its_secret_and_commits_to_another() -> None:
    match = a_club_match(2)
    secrets, promised = [], [match.next_commitment]
    for points in (3, 4, 5):
        enter(match, 0, {1: points})
        match.refresh_from_db()
        promised.append(match.next_commitment)
    for line in SheetLine.objects.filter(match=match):
        secrets.append(line.secret)
        assert line.commitment == promised[line.seq - 1]
    assert len(set(secrets)) == 3
    assert match.next_secret not in secrets
    assert match.next_secret == secret_for("club/table-1/line-4").hex()
