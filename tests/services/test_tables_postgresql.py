"""Several people at once, each with a connection of his own, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest
from django.db import connection

from tables import services
from tables.models import Deal, DealEvent
from tables.rules import commands as cm
from tables.rules.bots import Chance, Strength
from tables.rules.errors import RuleViolation
from tables.selectors import check_deal
from tests.tables.helpers import NOW, a_match, dealt, secret_for, ticking
from tests.tournaments import helpers as event
from tournaments import money
from tournaments import services as tournaments
from tournaments.models import EntryState, Shape

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

T = TypeVar("T")


def at_once(jobs: list[Callable[[], T]]) -> list[T | Exception]:
    """Run all jobs in threads that start together; their results or what they raised."""
    together = Barrier(len(jobs))

    def run(job: Callable[[], T]) -> T | Exception:
        try:
            together.wait(timeout=30)
            return job()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def _draw(deal: Deal, seat: int, command_id: str) -> Callable[[], services.Played]:
    return lambda: services.play(
        deal_id=deal.pk, command=cm.DrawClosed(seat), command_id=command_id, now=NOW
    )


def test_two_draws_at_once_give_one_card() -> None:
    deal, state = dealt(a_match())
    seat = state.turn or 0
    results = at_once([_draw(deal, seat, f"tab-{tab}") for tab in range(8)])
    played = [result for result in results if isinstance(result, services.Played)]
    refused = [result for result in results if isinstance(result, RuleViolation)]
    assert (len(played), len(refused)) == (1, 7)
    assert DealEvent.objects.filter(deal=deal, kind="card_drawn").count() == 1


def test_one_command_sent_eight_times_at_once_acts_once_and_answers_all_the_same() -> None:
    deal, state = dealt(a_match())
    results = at_once([_draw(deal, state.turn or 0, "same") for _ in range(8)])
    played = [result for result in results if isinstance(result, services.Played)]
    assert len(played) == 8
    assert len({result.events for result in played}) == 1
    assert sum(not result.repeated for result in played) == 1


def test_players_arranging_while_others_move_lose_nothing() -> None:
    deal, state = dealt(a_match(6))

    def arrange(seat: int) -> Callable[[], list[services.Played]]:
        hand = state.seat_state(seat).hand
        return lambda: [
            services.play(
                deal_id=deal.pk,
                command=cm.Arrange(seat, (hand[: 3 + turn],)),
                command_id=f"{seat}-{turn}",
                now=NOW,
            )
            for turn in range(5)
        ]

    results = at_once([arrange(seat.seat) for seat in state.seats])
    assert all(isinstance(result, list) for result in results)
    row = Deal.objects.get(pk=deal.pk)
    assert row.version == state.version + 30
    assert check_deal(row).is_sound


def test_all_tables_of_a_round_end_at_once_without_a_deadlock() -> None:
    """Every last move takes the tournament's lock before its match's and deal's."""
    tournament = event.started(Shape.HEADS_UP, 8, terms=event.terms("points"))
    opened = event.next_round(tournament)

    def play(match_id: int) -> Callable[[], int]:
        def job() -> int:
            deal, state = services.deal_next(match_id=match_id, secret_for=secret_for, now=NOW)
            commands = 0
            moments = ticking()
            while not state.is_over:
                seat = state.turn or 0
                played = services.play(
                    deal_id=deal.pk,
                    command=cm.Drop(seat),
                    command_id=f"drop-{commands}",
                    now=next(moments),
                )
                commands += 1
                state = played.state or state
            return commands

        return job

    results = at_once([play(table.match_id) for table in opened.tables.all()])
    assert results == [1, 1, 1, 1]
    opened.refresh_from_db()
    assert opened.closed_at is not None
    assert tournament.entries.filter(state=EntryState.PLAYING).count() == 4
    assert money.faults(now=NOW) == ()


def test_a_round_asked_for_by_eight_workers_is_opened_by_one() -> None:
    tournament = event.started(Shape.KNOCKOUT, 12)
    results = at_once(
        [
            lambda: tournaments.open_round(
                tournament_id=tournament.pk, secret_for=secret_for, now=NOW
            )
            for _ in range(8)
        ]
    )
    assert sum(result is not None for result in results) == 1
    assert not any(isinstance(result, Exception) for result in results)
    assert tournament.rounds.count() == 1


def test_the_last_seat_is_given_once_and_each_fee_is_held_once() -> None:
    tournament = event.a_tournament(capacity=2)
    people = event.players(12)
    results = at_once(
        [
            lambda person=person: tournaments.register(  # type: ignore[misc]
                tournament_id=tournament.pk, player_id=person.pk, actor="player", now=NOW
            )
            for person in people
        ]
    )
    assert not any(isinstance(result, Exception) for result in results)
    states = list(tournament.entries.values_list("state", flat=True))
    assert (states.count("entered"), states.count("waiting")) == (2, 10)
    assert money.totals_of(tournament).received == 2 * event.FEE


def test_one_player_joining_twelve_times_at_once_is_one_entry_and_one_fee() -> None:
    tournament = event.a_tournament()
    [person] = event.players(1)
    results = at_once(
        [
            lambda: tournaments.register(
                tournament_id=tournament.pk, player_id=person.pk, actor="player", now=NOW
            )
            for _ in range(12)
        ]
    )
    assert not any(isinstance(result, Exception) for result in results)
    assert tournament.entries.count() == 1
    assert money.totals_of(tournament).received == event.FEE


def test_a_tournament_settled_by_four_workers_pays_each_prize_once() -> None:
    tournament = event.started(Shape.KNOCKOUT, 7)
    event.run_out(tournament)
    results = at_once(
        [lambda: tournaments.complete(tournament_id=tournament.pk, now=NOW) for _ in range(4)]
    )
    assert not any(isinstance(result, Exception) for result in results)
    assert money.totals_of(tournament).paid == 7 * event.FEE
    assert money.pool_of(tournament) == 0


def test_a_deal_of_bots_is_played_and_sound() -> None:
    match = a_match(4, bot=Strength.STEADY)
    deal, state = dealt(match)
    _, last = services.play_deal_with_bots(
        deal=deal, state=state, chance=Chance(bytes(32)), moments=ticking()
    )
    assert last.is_over
    assert check_deal(Deal.objects.get(pk=deal.pk)).is_sound
