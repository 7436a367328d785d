"""Pauses and rulings against everybody who moves at the same moment, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from tables import services as tables
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, DealEvent
from tables.rules import commands as cm
from tables.selectors import check_deal
from tables.services import alarms, heartbeat, pausing
from tests.services.test_tables_postgresql import at_once
from tests.tables.helpers import NOW, a_match, dealt
from tests.tournaments import helpers as event
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Decision, EntryState, Shape
from tournaments.services import desk, overrides
from tournaments.services import pausing as tournament_pausing
from tournaments.structure.errors import StructureError
from tournaments.structure.overrides import SeatRuling

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

SECOND = timedelta(seconds=1)
TURN = 40 * SECOND
LATER = NOW + 10 * SECOND


def _pause(moment: timedelta = 10 * SECOND) -> Callable[[], object]:
    return lambda: pausing.pause_owner(owner="club:1", now=NOW + moment)


def _resume(moment: timedelta) -> Callable[[], object]:
    return lambda: pausing.resume_owner(owner="club:1", now=NOW + moment)


def test_eight_pauses_at_once_are_one_and_so_are_eight_ends() -> None:
    deal, _ = dealt(a_match())
    assert sorted(map(str, at_once([_pause()] * 8))) == ["0"] * 7 + ["1"]
    assert sorted(map(str, at_once([_resume(3600 * SECOND)] * 8))) == ["0"] * 7 + ["1"]
    deal.refresh_from_db()
    assert deal.deadline_at is not None
    left = deal.deadline_at - (NOW + 3600 * SECOND)
    assert timedelta(0) <= left - 30 * SECOND < SECOND


def test_moves_and_alarms_at_the_moment_of_a_pause_are_before_it_or_refused() -> None:
    for _ in range(5):
        matches = [a_match() for _ in range(4)]
        deals = [dealt(match) for match in matches]
        moves: list[Callable[[], object]] = [
            lambda dealt=dealt: tables.play(  # type: ignore[misc]
                deal_id=dealt.deal.pk,
                command=cm.DrawClosed(dealt.state.turn or 0),
                command_id="draw",
                now=LATER,
            )
            for dealt in deals
        ]
        found = at_once([*moves, _pause(), lambda: alarms.act_on_due(now=LATER)])
        refused = [one for one in found if isinstance(one, Exception)]
        assert all(
            isinstance(one, TableRefusal) and one.code is TableCode.PAUSED for one in refused
        ), refused
        drawn = DealEvent.objects.filter(
            deal__in=[one.deal.pk for one in deals], kind="card_drawn"
        ).count()
        assert drawn == len(moves) - len(refused)
        before = list(Deal.objects.order_by("pk").values_list("version", flat=True))
        at_once([lambda: alarms.act_on_due(now=NOW + 3600 * SECOND)] * 2)
        assert list(Deal.objects.order_by("pk").values_list("version", flat=True)) == before
        _resume(3600 * SECOND)()
        for one in deals:
            assert check_deal(Deal.objects.get(pk=one.deal.pk)).is_sound


def test_the_end_of_a_pause_and_the_clocks_beat_at_once_give_a_standstill_back_once() -> None:
    deals = [dealt(a_match()).deal for _ in range(6)]
    heartbeat.beat(now=NOW + 9 * SECOND)
    heartbeat.beat(now=NOW + 10 * SECOND)
    _pause()()
    back = NOW + 100 * SECOND
    found = at_once([_resume(100 * SECOND), *[lambda: heartbeat.beat(now=back)] * 3])
    assert not [one for one in found if isinstance(one, Exception)]
    heartbeat.beat(now=back + SECOND)
    for deal in deals:
        deal.refresh_from_db()
        assert deal.deadline_at is not None
        assert timedelta(0) <= deal.deadline_at - back - 30 * SECOND < SECOND


def test_a_tournament_is_paused_once_and_goes_on_once_whoever_asks() -> None:
    tournament = event.started(Shape.KNOCKOUT, 7)
    event.next_round(tournament)
    pauses = at_once(
        [lambda: tournament_pausing.pause(tournament_id=tournament.pk, actor="arbiter", now=LATER)]
        * 6
    )
    assert not [one for one in pauses if isinstance(one, Exception)]
    ends = at_once(
        [
            lambda: tournament_pausing.resume(
                tournament_id=tournament.pk, actor="arbiter", now=LATER + SECOND
            )
        ]
        * 6
    )
    assert len([one for one in ends if isinstance(one, StructureError)]) == 5
    assert tournament.log.filter(action="pause").count() == 1
    assert tournament.log.filter(action="resume").count() == 1


def test_a_player_put_out_by_six_arbiters_at_once_is_out_once() -> None:
    tournament = event.started(Shape.KNOCKOUT, 7)
    event.next_round(tournament)
    entry = tournament.entries.first()
    assert entry is not None
    found = at_once(
        [
            lambda: desk.disqualify(
                tournament_id=tournament.pk,
                player_id=entry.player_id,
                actor="arbiter",
                reason="x",
                now=LATER,
            )
        ]
        * 6
    )
    assert len([one for one in found if isinstance(one, TournamentRefusal)]) == 5
    assert Decision.objects.count() == 1
    entry.refresh_from_db()
    assert entry.state == EntryState.OUT


def test_of_two_rulings_confirmed_at_once_one_counts_and_the_other_looks_again() -> None:
    tournament = event.started(Shape.KNOCKOUT, 7)
    table = event.next_round(tournament).tables.first()
    event.finish(table)

    def rulings(*places: int) -> list[SeatRuling]:
        return [SeatRuling(seat, place, 0) for seat, place in enumerate(places)]

    def told(*places: int) -> str:
        return overrides.preview_override(
            tournament_id=tournament.pk,
            table_id=table.pk,
            rulings=rulings(*places),
            actor="arbiter",
            now=LATER,
        ).token

    def confirm(token: str, *places: int) -> Callable[[], object]:
        return lambda: overrides.override(
            tournament_id=tournament.pk,
            table_id=table.pk,
            rulings=rulings(*places),
            confirmed=token,
            actor="arbiter",
            reason="video",
            now=LATER,
        )

    wishes = [(2, 1, 3, 4), (3, 2, 1, 4)]
    found = at_once([confirm(told(*places), *places) for places in wishes])
    refused = [one for one in found if isinstance(one, Exception)]
    assert [getattr(one, "code", one) for one in refused] == [TournamentCode.CHANGED_MEANWHILE]
    assert Decision.objects.count() == 1
