"""Bots at live tables think for a moment and then move through the same door."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from tables import services
from tables.models import Deal, Match, MatchStatus
from tables.rules import commands as cm
from tables.rules.bots import Strength
from tables.rules.state import DealState, Phase
from tables.selectors import check_deal
from tables.services import alarms, bot_turns
from tables.services.bot_turns import LONGEST, SHORTEST, bot_to_move, move_bots, pause_of
from tables.services.bots import bot_move
from tests.tables.helpers import NOW, a_match, dealt

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _nothing_is_put_aside() -> Iterator[None]:
    yield
    for attempts in (alarms.attempts, bot_turns.attempts):
        attempts.bring_back(NOW + timedelta(days=999))


def _make_bots(match: Match, *seats: int) -> None:
    match.seats.filter(number__in=seats).update(bot=Strength.STEADY)


def _pause(deal: Deal) -> timedelta:
    deal.refresh_from_db()
    return pause_of(deal.public_id, deal.version)


def _run(match: Match, until: datetime) -> None:
    """Let the clock look at bots and deadlines until the match is over."""
    moment = NOW
    while moment < until and match.status != MatchStatus.OVER:
        alarms.act_on_due(now=moment)
        move_bots(now=moment)
        match.refresh_from_db()
        moment += LONGEST


def test_the_pause_is_like_a_persons_and_always_the_same_for_the_same_move() -> None:
    pauses = [pause_of("a-deal", version) for version in range(300)]
    assert pauses == [pause_of("a-deal", version) for version in range(300)]
    assert SHORTEST <= min(pauses) < timedelta(seconds=0.7)
    assert timedelta(seconds=2.4) < max(pauses) <= LONGEST


def test_a_bot_moves_when_its_pause_is_over_and_not_before() -> None:
    match = a_match(bot=Strength.STEADY)
    deal, state = dealt(match)
    pause = _pause(deal)
    assert move_bots(now=NOW + pause - timedelta(milliseconds=1)) == 0
    assert Deal.objects.get(pk=deal.pk).version == state.version
    assert move_bots(now=NOW + pause) == 1
    assert move_bots(now=NOW + pause) == 0
    assert Deal.objects.get(pk=deal.pk).phase == Phase.DISCARD


def test_where_time_is_short_a_bot_takes_half_of_it() -> None:
    match = a_match(bot=Strength.STEADY)
    deal, _ = dealt(match)
    Deal.objects.filter(pk=deal.pk).update(deadline_at=NOW + timedelta(seconds=1))
    assert move_bots(now=NOW + timedelta(milliseconds=499)) == 0
    assert move_bots(now=NOW + timedelta(milliseconds=500)) == 1


def test_a_bot_never_moves_for_a_person() -> None:
    match = a_match()
    deal, state = dealt(match)
    _make_bots(match, next(seat.seat for seat in state.seats if seat.seat != state.turn))
    assert move_bots(now=NOW + timedelta(seconds=30)) == 0
    services.play(
        deal_id=deal.pk, command=cm.DrawClosed(state.turn or 0), command_id="draw", now=NOW
    )
    assert move_bots(now=NOW + timedelta(seconds=30)) == 0


def test_a_table_of_bots_plays_its_match_to_the_end_in_its_own_time() -> None:
    match = a_match(3, bot=Strength.STEADY, format_name="pool51")
    _run(match, NOW + timedelta(hours=2))
    assert match.status == MatchStatus.OVER
    deals = list(match.deals.all())
    assert all(check_deal(deal).is_sound for deal in deals)
    kinds = [kind for deal in deals for kind in deal.events.values_list("kind", flat=True)]
    assert "turn_missed" not in kinds
    answers = match.entries.filter(kind__in=("rejoin_answered", "time_passed"))
    assert "time_passed" not in set(answers.values_list("kind", flat=True))


def test_while_hands_are_shown_a_bot_does_not_wait_for_people() -> None:
    match = a_match(3)
    _, state = dealt(match)
    people = [seat.seat for seat in state.seats]
    showing = replace(state, phase=Phase.SHOW, finisher=people[0])
    assert bot_to_move(showing, {people[2]: Strength.STEADY}) == people[2]
    assert bot_to_move(showing, {}) is None


def test_a_fault_of_one_bot_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    matches = [a_match(bot=Strength.STEADY) for _ in range(2)]
    (sick, at), (sound, _) = (dealt(match, NOW + n * SECOND) for n, match in enumerate(matches))

    def moody(state: DealState, *arguments: Any) -> object:
        if state.opened_at == at.opened_at:
            raise ZeroDivisionError
        return bot_move(state, *arguments)

    monkeypatch.setattr(bot_turns, "bot_move", moody)
    assert move_bots(now=NOW + SECOND + LONGEST) == 1
    assert Deal.objects.get(pk=sound.pk).phase == Phase.DISCARD
    assert Deal.objects.get(pk=sick.pk).phase == Phase.DRAW


def test_only_so_many_bots_move_with_one_reading_of_the_time() -> None:
    for _ in range(3):
        dealt(a_match(bot=Strength.RANDOM_LEGAL))
    assert move_bots(now=NOW + LONGEST, limit=2) == 2
    assert move_bots(now=NOW + LONGEST, limit=2) == 1


def test_looking_after_tables_without_bots_takes_two_queries(
    django_assert_num_queries: object,
) -> None:
    dealt(a_match())
    with django_assert_num_queries(2):  # type: ignore[operator]
        move_bots(now=NOW)
