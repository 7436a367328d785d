"""The same tournament without the online engine: scorers enter the deals, everything follows."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tables.errors import TableRefusal
from tables.models import Deal, Match, MatchStatus
from tables.rules.formats import NextDeal
from tests.tables.sheet_helpers import (
    correct,
    enter,
    enter_rows,
    follow,
    leave,
    row,
    totals,
)
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    next_round,
    players,
    secret_for,
    terms,
    wallet,
)
from tests.tournaments.sheets import (
    final,
    game,
    in_person,
    in_play,
    match_of,
    open_tables,
    placings,
    played_by_bots,
    run_out_by_hand,
    stacks,
    table_of,
)
from tournaments import money, play, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import EntryState, Shape, Tournament
from tournaments.services import in_person as desk
from tournaments.services import progress

pytestmark = pytest.mark.django_db

FORMATS = [
    ("points", Shape.KNOCKOUT, 7),
    ("points_low", Shape.SINGLE, 3),
    ("pool51", Shape.SINGLE, 5),
    ("pool61", Shape.KNOCKOUT, 7),
    ("pool101", Shape.SINGLE, 4),
    ("pool201", Shape.KNOCKOUT, 4),
    ("deals", Shape.KNOCKOUT, 8),
    ("deals", Shape.SINGLE, 5),
    ("heads_up", Shape.HEADS_UP, 5),
    ("highest_out", Shape.SINGLE, 6),
]


# As online


@pytest.mark.parametrize(("format_name", "shape", "entrants"), FORMATS)
def test_a_tournament_on_sheets_comes_out_as_the_same_one_played_online(
    format_name: str, shape: Shape, entrants: int
) -> None:
    online, by_hand = twins(format_name, shape, entrants)
    with play.silence():
        logs = played_by_bots(online)
    while next_round(by_hand):
        for table in open_tables(by_hand):
            follow(match_of(table), logs.pop((table.round.number, table.number)))
    services.complete(tournament_id=by_hand.pk, now=NOW)
    assert logs == {}
    assert placings(by_hand) == placings(online)
    assert final(by_hand) == final(online)
    assert money.totals_of(by_hand) == money.totals_of(online)
    assert money.pool_of(by_hand) == money.pool_of(online) == 0
    assert chips_moved(by_hand) == chips_moved(online)
    assert money.faults(now=NOW) == ()


def twins(format_name: str, shape: Shape, entrants: int) -> tuple[Tournament, Tournament]:
    """The same tournament twice, with bots online and with real cards."""
    made = []
    for cards in (False, True):
        tournament = a_tournament(
            shape,
            capacity=entrants,
            terms=terms(format_name),
            draw_label="twins",
            in_person=cards,
        )
        for person in players(entrants, points=5 * FEE):
            services.register(
                tournament_id=tournament.pk,
                player_id=person.pk,
                actor=person.username,
                bot="" if cards else "steady",
                now=NOW,
            )
        close_and_start(tournament)
        made.append(tournament)
    return made[0], made[1]


def chips_moved(tournament: Tournament) -> list[tuple[Any, ...]]:
    """What deals moved: from whose stack to whose, by the numbers of the entries."""
    from ledger import selectors

    numbers = {f"entry:{entry.pk}": entry.number for entry in tournament.entries.all()}
    return [
        (numbers[line.debit.owner], numbers[line.credit.owner], line.amount)
        for entry in selectors.journal_of(f"tournament:{tournament.pk}").filter(kind="deal")
        for line in entry.transfers.order_by("line")
    ]


def test_thirteen_players_are_brought_down_to_paid_prizes_by_hand() -> None:
    tournament = in_person(Shape.KNOCKOUT, 13, terms=terms("pool101"))
    assert run_out_by_hand(tournament) == 2
    assert [r.tables.count() for r in tournament.rounds.order_by("number")] == [3, 1]
    services.complete(tournament_id=tournament.pk, now=NOW)
    ranked = tournament.entries.filter(state=EntryState.RANKED).order_by("rank")
    assert ranked.count() == 13
    assert [entry.prize for entry in ranked[:4]] == [3250, 1950, 1300, 0]
    assert wallet(ranked[0].player).posted == 3250
    assert not Deal.objects.exists()
    assert money.pool_of(tournament) == 0
    assert money.faults(now=NOW) == ()


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_entered_and_corrected_the_ledger_holds_the_chips_of_the_sheet(
    seed: int,
) -> None:
    chance = Random(seed)
    options = play.simulated_terms(format_name="deals", profile_name=None, prizes=terms().prizes)
    tournament = in_person(Shape.SINGLE, 4, terms=with_deals(options, 5))
    next_round(tournament)
    table = table_of(tournament)
    match = match_of(table)
    while isinstance(step := game(match).next_step(), NextDeal):
        enter_rows(match, a_sheet(chance, step))
        may_leave = isinstance(game(match).next_step(), NextDeal) and len(present(match)) > 2
        if may_leave and chance.random() < 0.2:
            leave(match, chance.choice(present(match)))
        for _ in range(chance.choice([0, 1, 2])):
            correct_somehow(chance, match)
        match.refresh_from_db()
        if match.status != MatchStatus.OVER:
            assert stacks(tournament, table) == totals(match)
        assert sum(totals(match).values()) == 4 * 400
    assert in_play(tournament) == 0
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert money.faults(now=NOW) == ()


def with_deals(options: Any, deals: int) -> Any:
    """The terms with so many deals."""
    import msgspec

    return msgspec.structs.replace(
        options, format=msgspec.structs.replace(options.format, deals=deals)
    )


def present(match: Match) -> list[int]:
    """Seats still in."""
    return [line.seat for line in game(match).standings() if line.still_in]


def a_sheet(chance: Random, step: NextDeal) -> list[Any]:
    """A deal that may have been: somebody wins, the others lose, or leave."""
    winner = chance.choice(step.seats)
    return [
        row(seat, "won") if seat == winner else row(seat, chance.randint(2, 80))
        for seat in step.seats
    ]


def correct_somehow(chance: Random, match: Match) -> None:
    """Another result for the last deal; who has left may prove not to have."""
    before = game(match).before_last_deal().next_step()
    assert isinstance(before, NextDeal)
    winner, *losers = chance.sample(before.seats, len(before.seats))
    correct(match, winner, {seat: chance.randint(2, 80) for seat in losers})


# Going on


def test_a_tournament_in_person_goes_on_when_its_organiser_says_so() -> None:
    tournament = in_person(Shape.SINGLE, 2, terms=terms("points", prizes="100"))
    assert tournament.pk not in progress.waiting_to_go_on()
    assert desk.next_step(tournament_id=tournament.pk, actor="organiser", now=NOW)
    assert not desk.next_step(tournament_id=tournament.pk, actor="organiser", now=NOW)
    enter(match_of(table_of(tournament)), 0, {1: 20})
    assert tournament.pk not in progress.waiting_to_go_on()
    assert desk.next_step(tournament_id=tournament.pk, actor="organiser", now=NOW)
    tournament.refresh_from_db()
    assert tournament.state == "completed"


def test_an_online_tournament_is_not_led_by_hand() -> None:
    tournament = a_tournament()
    with pytest.raises(TournamentRefusal) as refusal:
        desk.next_step(tournament_id=tournament.pk, actor="organiser", now=NOW)
    assert refusal.value.code is TournamentCode.NOT_IN_PERSON


def test_money_may_be_played_for_in_person_where_it_may_not_online() -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        a_tournament(asset="EUR", opened=False)
    assert refusal.value.code is TournamentCode.MONEY_PLAY_OFF
    assert a_tournament(asset="EUR", opened=False, in_person=True).in_person


def test_real_cards_are_agreed_on_before_the_start() -> None:
    tournament = in_person(Shape.SINGLE, 2, terms=terms("points", prizes="100"))
    tournament.refresh_from_db()
    tournament.in_person = False
    with pytest.raises(TournamentRefusal) as refusal:
        tournament.save()
    assert refusal.value.code is TournamentCode.LOCKED


def test_the_tables_of_a_tournament_in_person_refuse_the_engine() -> None:
    tournament = in_person(Shape.SINGLE, 2, terms=terms("points", prizes="100"))
    next_round(tournament)
    match = match_of(table_of(tournament))
    from tables import services as tables

    with pytest.raises(TableRefusal):
        tables.deal_next(match_id=match.pk, secret_for=secret_for, now=NOW)
