"""Whole tournaments in timed levels, played by bots from the start to the paid prizes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from tables import signals, store
from tables.models import Deal, Match
from tables.rules.formats import LevelFormat
from tables.rules.results import DealResult
from tests.tournaments.helpers import NOW, secret_for
from tests.tournaments.level_helpers import begun, level_terms, stacks
from tournaments import draws, money, services
from tournaments.management.level_bots import play_levels
from tournaments.models import EntryState, Placing, Round, Tournament
from tournaments.structure.rebuys import Rebuy

pytestmark = pytest.mark.django_db

LEVELS = ((5, 800), (8, 900), (12, 1000))
BUY = Rebuy(chips=900, fee=400, house_fee=40, most=2, until_level=2, seconds=30)


def bots_begin(entrants: int, minutes: int = 2, **changes: Any) -> Tournament:
    """Bots in three levels of a minute or two each."""
    wanted = level_terms(minutes, levels=LEVELS, rebuy=BUY)
    return begun(entrants, bot="steady", terms=wanted, **changes)[0]


@contextmanager
def watched(tournament: Tournament) -> Iterator[list[int]]:
    """After every deal: the chips in play are those issued; the ledger's are the table's."""
    sums: list[int] = []

    def look(*, news: signals.DealFinished, **_: Any) -> None:
        entries = tournament.entries.count()
        rebuys = sum(tournament.entries.values_list("rejoins", flat=True))
        held = stacks(tournament)
        assert sum(held.values()) == 1000 * entries + 900 * rebuys
        game = store.load_game(Match.objects.get(pk=news.match_id))
        assert {news.players[s.seat]: s.score for s in game.standings()} == {
            player: held[player] for player in news.players.values()
        }
        sums.append(sum(held.values()))

    signals.deal_finished.connect(look)
    try:
        yield sums
    finally:
        signals.deal_finished.disconnect(look)


@pytest.mark.parametrize(("entrants", "minutes"), [(2, 2), (3, 2), (7, 2), (13, 2), (40, 1)])
def test_bots_play_from_the_start_to_the_paid_prizes(entrants: int, minutes: int) -> None:
    tournament = bots_begin(entrants, minutes)
    with watched(tournament) as sums:
        runs, levels, ended = play_levels(
            tournament=tournament, secret_for=secret_for, start=NOW, progress=lambda: None
        )
    done = services.complete(tournament_id=tournament.pk, now=ended)
    assert len(sums) == sum(run.deals for run in runs) > 0
    assert levels == tournament.rounds.count() <= 3
    assert not any(run.unsound_deals for run in runs)
    ranked = list(done.entries.order_by("rank"))
    assert {entry.state for entry in ranked} == {EntryState.RANKED}
    assert ranked[0].rank == 1
    assert all(entry.reason for entry in ranked)
    totals = money.totals_of(done)
    rebuys = sum(entry.rejoins for entry in ranked)
    assert totals.received == 500 * entrants + 400 * rebuys
    assert totals.paid + totals.fee == totals.received
    assert sum(entry.prize for entry in ranked) == totals.paid == 500 * entrants + 360 * rebuys
    assert set(stacks(done).values()) == {0}
    assert money.faults(now=ended) == ()
    _check_deals(done, 60 * minutes)
    _check_tables(done)


def _check_deals(tournament: Tournament, seconds: int) -> None:
    """No deal began late, each was played to its end, at the value of its level."""
    for level in tournament.rounds.all():
        value, _ = LEVELS[level.number - 1]
        matches = level.tables.values_list("match_id", flat=True)
        deals = Deal.objects.filter(match__in=matches)
        assert deals
        for deal in deals.order_by("match", "number"):
            assert deal.opened_at < level.opened_at + timedelta(seconds=seconds - 30)
            assert deal.over_at is not None
            _check_value(deal, value)


def _check_value(deal: Deal, value: int) -> None:
    """The points of a deal × the value of its level are the chips that moved in the ledger."""
    result = msgspec.json.decode(deal.result, type=DealResult)
    points = sum(score.points for score in result.scores)
    game = store.load_game(deal.match)
    assert isinstance(game.opening.format, LevelFormat)
    assert game.opening.format.value == value
    assert game.results[deal.number - 1] == result
    assert points <= 80 * len(result.scores)


def _check_tables(tournament: Tournament) -> None:
    """Tables of two to six, nobody at two of a level, drawn as was committed to."""
    for level in tournament.rounds.all():
        seated = list(Placing.objects.filter(table__round=level).values_list("entry", flat=True))
        assert len(seated) == len(set(seated))
        for table in level.tables.all():
            assert 2 <= table.placings.count() <= 6
    checks = draws.check_draws(tournament, list(tournament.rounds.all()))
    assert checks
    assert all(check.is_good for check in checks)


def test_some_deal_is_finished_after_its_level_is_over() -> None:
    """Two-minute levels and deals of more than thirty moves: one has to run over."""
    tournament = bots_begin(7, draw_label="runs-over")
    play_levels(tournament=tournament, secret_for=secret_for, start=NOW, progress=lambda: None)
    late = [
        deal
        for level in Round.objects.filter(tournament=tournament)
        for deal in Deal.objects.filter(
            match__in=level.tables.values("match"),
            over_at__gt=level.opened_at + timedelta(seconds=120),
        )
    ]
    assert late
    assert all(deal.result for deal in late)


def test_the_same_seed_gives_the_same_tournament() -> None:
    def played() -> list[tuple[int | None, int]]:
        tournament = bots_begin(5, draw_label="same")
        _, _, ended = play_levels(
            tournament=tournament, secret_for=secret_for, start=NOW, progress=lambda: None
        )
        done = services.complete(tournament_id=tournament.pk, now=ended)
        return list(done.entries.order_by("number").values_list("rank", "prize"))

    assert played() == played()
