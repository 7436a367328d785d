"""The last deal of a sheet is corrected: what is void, what is told, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tables import signals
from tables.errors import TableCode, TableRefusal
from tables.models import Match, MatchEntry, MatchStatus, SheetLine
from tables.rules.errors import Code, RuleViolation
from tables.rules.formats import (
    NextDeal,
)
from tables.rules.score_sheet import SheetRefused
from tables.selectors import game_of
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
    rows_of,
    totals,
    version,
)

pytestmark = pytest.mark.django_db


def kinds(match: Match) -> list[str]:
    return list(MatchEntry.objects.filter(match=match).values_list("kind", flat=True))


def test_a_correction_replaces_the_last_deal_and_the_log_keeps_both() -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 10, 2: 20})
    enter(match, 0, {1: 30, 2: 3})
    with heard(signals.deal_corrected) as told:
        correct(match, 2, {0: 7, 1: "middle_drop"})
    assert totals(match) == {0: 7, 1: 50, 2: 20}
    assert kinds(match) == ["deal_scored", "deal_scored", "deal_corrected"]
    [news] = told
    assert (news.void, news.name) == ((f"match-{match.pk}-2",), f"match-{match.pk}-3")
    assert news.changes == {0: 7, 1: 40, 2: 0}
    assert (news.actor, news.reason, news.void_rejoins) == ("scorer", "misread", ())


def test_a_correction_undoes_an_elimination_and_voids_the_rejoin_after_it() -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 80, 2: 20})
    enter(match, 0, {1: 30, 2: 5})
    rejoin(match, 1)
    player = match.seats.get(number=1).player_id
    with heard(signals.deal_corrected) as told:
        correct(match, 0, {1: 3, 2: 5})
    assert told[0].void_rejoins == ((player, 1),)
    assert totals(match) == {0: 0, 1: 83, 2: 25}
    assert game_of(match.pk).buy_ins == 3
    with heard(signals.rejoined) as again:
        enter(match, 0, {1: 30, 2: 5})
        rejoin(match, 1)
    assert [news.number for news in again] == [2]


def test_a_correction_of_a_correction_undoes_only_the_last() -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 80, 2: 20})
    enter(match, 0, {1: 30, 2: 5})
    rejoin(match, 1)
    correct(match, 0, {1: 31, 2: 5})
    rejoin(match, 1)
    player = match.seats.get(number=1).player_id
    with heard(signals.deal_corrected) as told:
        correct(match, 0, {1: 32, 2: 5})
    assert told[0].void == (f"match-{match.pk}-4",)
    assert told[0].void_rejoins == ((player, 2),)


def test_a_departure_after_the_deal_is_undone_and_done_anew_with_the_correction() -> None:
    match = a_club_match(2, format_name="deals", deals=3)
    enter(match, 0, {1: 10})
    leave(match, 1)
    assert totals(match) == {0: 410, 1: 70}
    with heard(signals.deal_corrected) as told:
        correct_rows(match, [row(0, "won"), row(1, 12, leaves=True)])
    assert told[0].void == (f"match-{match.pk}-2", f"match-{match.pk}-1")
    assert told[0].changes == {0: 172, 1: -172}
    assert totals(match) == {0: 412, 1: 68}


def test_a_correction_opens_a_match_that_was_over() -> None:
    match = a_club_match(2, format_name="deals")
    enter(match, 0, {1: 45})
    enter(match, 0, {1: 5})
    with heard(signals.match_reopened) as told:
        correct(match, 1, {0: 45})
    match.refresh_from_db()
    assert (match.status, match.over_at) == (MatchStatus.DEALING, None)
    assert [news.reason for news in told] == ["misread"]
    step = game_of(match.pk).next_step()
    assert isinstance(step, NextDeal)
    assert step.tie_break


def test_a_match_that_stays_over_is_finished_anew_with_its_new_outcome() -> None:
    match = a_club_match(2, format_name="deals")
    enter(match, 0, {1: 45})
    enter(match, 0, {1: 5})
    with heard(signals.match_finished) as told:
        correct(match, 0, {1: 6})
    assert told[0].outcome.scores == ((0, 211), (1, 109))


def test_a_correction_that_the_owner_refuses_changes_nothing() -> None:
    match = a_club_match(2, format_name="deals")
    enter(match, 0, {1: 45})
    enter(match, 0, {1: 5})
    before = Match.objects.values().get(pk=match.pk)

    def refuse(**_: Any) -> None:
        raise TableRefusal(TableCode.NO_CHANGE, "The next round has begun.")

    signals.match_reopened.connect(refuse, weak=False)
    try:
        with pytest.raises(TableRefusal):
            correct(match, 1, {0: 45})
    finally:
        signals.match_reopened.disconnect(refuse)
    assert Match.objects.values().get(pk=match.pk) == before
    assert totals(match) == {0: 210, 1: 110}
    assert SheetLine.objects.count() == 2


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
def test_a_correction_says_why(reason: str) -> None:
    match = a_club_match()
    enter(match, 0, {1: 5})
    with pytest.raises(TableRefusal) as refusal:
        correct(match, 0, {1: 6}, reason=reason)
    assert (refusal.value.code, refusal.value.field) == (TableCode.BAD_REASON, "reason")


def test_a_correction_that_changes_nothing_is_refused_so_that_no_answer_is_lost() -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 80, 2: 20})
    enter(match, 0, {1: 30, 2: 5})
    rejoin(match, 1)
    with pytest.raises(TableRefusal) as refusal:
        correct(match, 0, {1: 30, 2: 5})
    assert refusal.value.code is TableCode.NO_CHANGE
    assert game_of(match.pk).buy_ins == 4


def test_a_correction_that_cannot_be_is_refused() -> None:
    match = a_club_match(3)
    with pytest.raises(RuleViolation) as refusal:
        correct(match, 0, {1: 5, 2: 5})
    assert refusal.value.code is Code.NO_DEAL_YET
    enter(match, 0, {1: 5, 2: 5})
    with pytest.raises(SheetRefused):
        correct(match, 0, {1: 5})
    with pytest.raises(TableRefusal) as moved:
        correct(match, 0, {1: 6, 2: 5}, sheet_version=0)
    assert moved.value.code is TableCode.SHEET_MOVED_ON
    assert version(match) == 1


def test_the_drops_a_correction_allows_are_those_of_the_deal_that_is_corrected() -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 80, 2: 5})
    enter(match, 0, {1: 2, 2: 5})
    correct(match, 0, {1: "drop", 2: 5})
    assert totals(match) == {0: 0, 1: 100, 2: 10}
    with pytest.raises(SheetRefused) as refusal:
        enter_rows(match, rows_of(0, {1: "drop", 2: 5}))
    assert refusal.value.code is Code.NO_DROP


def test_the_owner_is_told_who_is_not_gone_after_all_even_when_the_match_was_over() -> None:
    match = a_club_match(2, format_name="points")
    enter_rows(match, [row(0, "won"), row(1, "drop", leaves=True)])
    assert "player_left" not in kinds(match)
    with heard(signals.deal_corrected) as told:
        correct(match, 0, {1: "drop"})
    assert told[0].stay == (1,)
    assert not match.seats.filter(left=True).exists()
