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
    rejoin,
    row,
    totals,
    version,
)
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    join,
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
    win_by_hand,
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


# Corrections and the ledger


def pool_table(rejoins: int = 3) -> tuple[Tournament, Match]:
    """A single pool table of three, two of whom are close to the limit."""
    tournament = a_tournament(Shape.SINGLE, capacity=3, terms=terms("pool101"), in_person=True)
    join(tournament, *players(3, points=FEE * (1 + rejoins)))
    close_and_start(tournament)
    next_round(tournament)
    match = match_of(table_of(tournament))
    enter(match, 0, {1: 80, 2: 20})
    enter(match, 0, {1: 30, 2: 5})
    return tournament, match


def entry_at(match: Match, seat: int) -> Any:
    """The entry of a seat."""
    return table_of(Tournament.objects.get()).placings.get(seat=seat).entry


def test_a_rejoin_is_paid_and_a_correction_gives_the_buy_in_back() -> None:
    tournament, match = pool_table()
    player = entry_at(match, 1).player
    rejoin(match, 1)
    assert (wallet(player).posted, money.pool_of(tournament)) == (2 * FEE, 4 * FEE)
    assert entry_at(match, 1).rejoins == 1
    correct(match, 0, {1: 2, 2: 5})
    assert (wallet(player).posted, money.pool_of(tournament)) == (3 * FEE, 3 * FEE)
    assert entry_at(match, 1).rejoins == 0
    assert money.totals_of(tournament).received == 3 * FEE


def test_a_rejoin_after_a_void_one_is_paid_again() -> None:
    tournament, match = pool_table()
    player = entry_at(match, 1).player
    rejoin(match, 1)
    correct(match, 0, {1: 31, 2: 5})
    rejoin(match, 1)
    assert (wallet(player).posted, money.pool_of(tournament)) == (2 * FEE, 4 * FEE)
    assert entry_at(match, 1).rejoins == 1
    win_by_hand_with_refusals(match)
    services.complete(tournament_id=tournament.pk, now=NOW)
    paid = sum(entry.prize for entry in tournament.entries.all())
    assert paid == 4 * FEE
    assert money.faults(now=NOW) == ()


def win_by_hand_with_refusals(match: Match) -> None:
    """Play a pool to its end, nobody coming back."""
    from tables.rules.formats import AwaitRejoin, MatchOver

    while not isinstance(step := game(match).next_step(), MatchOver):
        if isinstance(step, AwaitRejoin):
            rejoin(match, step.seats[0], False)
            continue
        assert isinstance(step, NextDeal)
        winner, *others = sorted(step.seats)
        enter(match, winner, dict.fromkeys(others, 40))


def test_who_cannot_pay_does_not_come_back_and_the_sheet_stays_as_it_was() -> None:
    _, match = pool_table(rejoins=0)
    before = version(match)
    with pytest.raises(money.InsufficientFunds):
        rejoin(match, 1)
    assert version(match) == before
    rejoin(match, 1, False)


def test_a_correction_moves_the_chips_back_and_the_right_ones_instead() -> None:
    tournament = in_person(Shape.SINGLE, 3)
    next_round(tournament)
    table = table_of(tournament)
    match = match_of(table)
    enter(match, 0, {1: 45, 2: 10})
    assert stacks(tournament, table) == {0: 215, 1: 115, 2: 150}
    correct(match, 2, {1: 54, 0: 10})
    assert stacks(tournament, table) == {0: 150, 1: 106, 2: 224}
    correct(match, 2, {1: 54, 0: 11})
    assert stacks(tournament, table) == {0: 149, 1: 106, 2: 225}


def test_a_table_that_was_over_is_finished_anew_and_its_chips_are_retired_once() -> None:
    tournament = in_person(Shape.SINGLE, 2, terms=terms(prizes="60,40"))
    next_round(tournament)
    table = table_of(tournament)
    match = match_of(table)
    enter(match, 0, {1: 45})
    enter(match, 0, {1: 20})
    assert in_play(tournament) == 0
    table.refresh_from_db()
    assert table.is_over
    correct(match, 1, {0: 45})
    table.refresh_from_db()
    assert (table.is_over, table.reopened, in_play(tournament)) == (False, 1, 320)
    assert table.round.closed_at is None
    assert set(table.placings.values_list("place", "goes_on")) == {(None, False)}
    assert tournament.entries.filter(state=EntryState.PLAYING).count() == 2
    enter(match, 1, {0: 3})
    assert in_play(tournament) == 0
    correct(match, 0, {1: 3})
    assert in_play(tournament) == 0
    services.complete(tournament_id=tournament.pk, now=NOW)
    table.refresh_from_db()
    assert table.placings.get(place=1).seat == 0
    assert money.faults(now=NOW) == ()


def test_a_correction_turns_the_winner_of_a_knock_out_table_round() -> None:
    tournament = in_person(Shape.KNOCKOUT, 7, terms=terms("points"))
    opened = next_round(tournament)
    first, second = opened.tables.order_by("number")
    win_by_hand(match_of(first))
    win_by_hand(match_of(second))
    opened.refresh_from_db()
    assert opened.closed_at is not None
    correct(match_of(first), 1, {0: 5, 2: 8, 3: 9})
    opened.refresh_from_db()
    assert opened.closed_at is not None
    assert [p.seat for p in first.placings.filter(goes_on=True)] == [1]
    assert [p.seat for p in second.placings.filter(goes_on=True)] == [0]
    assert tournament.entries.filter(state=EntryState.PLAYING).count() == 2
    seated = set(next_round(tournament).tables.get().placings.values_list("entry_id", flat=True))
    assert first.placings.get(seat=1).entry_id in seated


def test_a_result_that_the_next_round_stands_on_is_not_corrected() -> None:
    tournament = in_person(Shape.KNOCKOUT, 7, terms=terms("points"))
    tables = list(next_round(tournament).tables.order_by("number"))
    for table in tables:
        win_by_hand(match_of(table))
    next_round(tournament)
    before = placings(tournament)
    with pytest.raises(TournamentRefusal) as refusal:
        correct(match_of(tables[0]), 1, {0: 5, 2: 8, 3: 9})
    assert refusal.value.code is TournamentCode.RESULT_USED
    assert "table 1 of round 2" in refusal.value.sentence
    assert placings(tournament) == before


def test_settled_prizes_stand() -> None:
    tournament = in_person(Shape.SINGLE, 2, terms=terms("points", prizes="100"))
    next_round(tournament)
    match = match_of(table_of(tournament))
    enter(match, 0, {1: 20})
    services.complete(tournament_id=tournament.pk, now=NOW)
    with pytest.raises(TournamentRefusal) as refusal:
        correct(match, 1, {0: 20})
    assert refusal.value.code is TournamentCode.NOT_RUNNING


def test_a_pairing_is_corrected_until_its_winner_meets_the_next() -> None:
    tournament = in_person(Shape.HEADS_UP, 4, terms=terms("heads_up"))
    first, second = next_round(tournament).tables.order_by("number")
    for table in (first, second):
        win_by_hand(match_of(table))
    correct(match_of(first), 1, {0: 130})
    assert [p.seat for p in first.placings.filter(goes_on=True)] == [1]
    next_round(tournament)
    with pytest.raises(TournamentRefusal) as refusal:
        correct(match_of(second), 1, {0: 130})
    assert refusal.value.code is TournamentCode.RESULT_USED


# Going on


def test_a_tournament_in_person_goes_on_when_its_organiser_says_so() -> None:
    tournament = in_person(Shape.SINGLE, 2, terms=terms("points", prizes="100"))
    assert tournament.pk not in progress.waiting_to_go_on()
    assert desk.next_step(tournament_id=tournament.pk, now=NOW)
    assert not desk.next_step(tournament_id=tournament.pk, now=NOW)
    enter(match_of(table_of(tournament)), 0, {1: 20})
    assert tournament.pk not in progress.waiting_to_go_on()
    assert desk.next_step(tournament_id=tournament.pk, now=NOW)
    tournament.refresh_from_db()
    assert tournament.state == "completed"


def test_an_online_tournament_is_not_led_by_hand() -> None:
    tournament = a_tournament()
    with pytest.raises(TournamentRefusal) as refusal:
        desk.next_step(tournament_id=tournament.pk, now=NOW)
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
