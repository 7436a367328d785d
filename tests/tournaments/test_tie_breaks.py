"""Level on the place that decides: tie-break tables, their stages, and lots (rule 7)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tables import selectors as table_selectors
from tables.models import Deal
from tests.pages import text_of
from tests.tournaments.helpers import (
    NOW,
    finish,
    next_round,
    open_tables,
    secret_for,
    started,
    terms,
)
from tests.tournaments.round_helpers import (
    going_on,
    knock_out,
    leave,
    numbers_at,
    state_of,
    tie_breaks,
)
from tournaments import money, play, services
from tournaments.brackets import bracket_of
from tournaments.draws import check_draws
from tournaments.lots import Verdict
from tournaments.models import Entry, EntryState, Lot, Round, RoundTable, Shape, Tournament
from tournaments.play import bots
from tournaments.structure.rounds import BestOfTable, BestOverall

pytestmark = pytest.mark.django_db

LEVEL = (1, 2, 2, 4)


def a_tie(format_name: str = "points") -> tuple[Tournament, list[int]]:
    """Seven players at tables of 4 and 3, two of each go on; two are level at the first."""
    tournament = knock_out(7, BestOfTable(2), format_name=format_name)
    first, second = open_tables(tournament)
    finish(first, 0, 30, 30, 60, places=LEVEL)
    finish(second)
    return tournament, numbers_at(first)


def checked(tournament: Tournament, number: int = 1) -> tuple[Round, list[tuple[str, bool]]]:
    """A round, and what a look at its lots from outside says of each."""
    one = tournament.rounds.get(number=number)
    [check] = check_draws(tournament, [one])
    assert check.is_good
    return one, [(lot.label, lot.is_lot) for lot in check.lots]


def test_the_level_meet_at_a_table_of_their_own_in_the_same_round() -> None:
    tournament, numbers = a_tie()
    assert tournament.rounds.get().closed_at is None
    assert next_round(tournament) == tournament.rounds.get()
    [table] = tie_breaks(tournament)
    assert sorted(numbers_at(table)) == sorted(numbers[1:3])
    assert (table.number, table.stage, table.places) == (3, 1, 1)
    assert table.decides is not None
    assert table.decides.number == 1
    assert next_round(tournament) is None
    assert tournament.rounds.count() == 1


def test_the_winner_of_a_tie_break_goes_on_and_closes_the_round() -> None:
    tournament, numbers = a_tie()
    next_round(tournament)
    [table] = tie_breaks(tournament)
    winner, loser = numbers_at(table)
    finish(table)
    one = tournament.rounds.get()
    assert one.closed_at == NOW
    assert winner in going_on(one)
    assert len(going_on(one)) == 4
    assert state_of(tournament.entries.get(number=loser)) == EntryState.OUT
    final = next_round(tournament).tables.get()
    assert sorted(numbers_at(final)) == going_on(one)
    assert numbers[0] in going_on(one)


def test_pages_name_a_tie_break_and_count_nobody_twice(client: Client) -> None:
    tournament, _ = a_tie()
    next_round(tournament)
    page = client.get(f"/tournaments/{tournament.public_id}/rounds/1/").content.decode()
    assert "(tie-break)" in page
    assert "7 players, 3 tables" in text_of(page)
    secret = tournament.rounds.get().lot_secret
    assert secret not in page
    assert secret not in client.get(f"/tournaments/{tournament.public_id}/").content.decode()


def test_who_is_not_level_does_not_wait_for_the_tie_break() -> None:
    tournament, numbers = a_tie()
    entries = {entry.number: entry.state for entry in tournament.entries.all()}
    assert [entries[number] for number in numbers] == [
        EntryState.PLAYING,
        EntryState.PLAYING,
        EntryState.PLAYING,
        EntryState.OUT,
    ]


def test_level_again_they_meet_again_and_after_three_times_a_lot_decides() -> None:
    tournament, numbers = a_tie()
    for stage in (1, 2, 3):
        next_round(tournament)
        [table] = tie_breaks(tournament)
        assert table.stage == stage
        finish(table, 0, 0, places=(1, 1))
    assert not Lot.objects.exists()
    opened = next_round(tournament)
    lot = Lot.objects.get()
    assert lot.among == sorted(numbers[1:3])
    assert len(lot.drawn) == 1
    assert opened.number == 2
    assert lot.drawn[0] in going_on(tournament.rounds.get(number=1))
    [loser] = set(lot.among) - set(lot.drawn)
    assert state_of(tournament.entries.get(number=loser)) == EntryState.OUT


def test_tie_breaks_and_lots_can_be_computed_again_once_the_round_is_closed() -> None:
    tournament, _ = a_tie()
    promised = tournament.rounds.get().lot_commitment
    for _ in range(3):
        next_round(tournament)
        finish(tie_breaks(tournament)[0], 0, 0, places=(1, 1))
    assert checked(tournament)[1] == []
    next_round(tournament)
    one, lots = checked(tournament)
    assert one.lot_commitment == promised == play.commitment_of(bytes.fromhex(one.lot_secret))
    label = f"{tournament.draw_label}/round-1"
    assert lots == [
        (f"{label}/tie-break-1-1", False),
        (f"{label}/tie-break-1-2", False),
        (f"{label}/tie-break-1-3", False),
        (f"{label}/lot-1", True),
    ]


def _turn_lot(tournament: Tournament) -> None:
    lot = Lot.objects.get()
    Lot.objects.update(drawn=[number for number in lot.among if number not in lot.drawn])


def _swap_seats(tournament: Tournament) -> None:
    table = RoundTable.objects.filter(round__tournament=tournament, stage=1).get()
    low, high = table.placings.order_by("seat").values_list("pk", flat=True)
    for placing, seat in ((low, 9), (high, 0), (low, 1)):
        table.placings.filter(pk=placing).update(seat=seat)


def _change_secret(tournament: Tournament) -> None:
    tournament.rounds.filter(number=1).update(lot_secret=secret_for("other").hex())


@pytest.mark.parametrize(
    ("meddle", "verdict"),
    [
        (_turn_lot, Verdict.WRONG_ORDER),
        (_swap_seats, Verdict.WRONG_ORDER),
        (_change_secret, Verdict.WRONG_SECRET),
    ],
)
def test_a_lot_or_tie_break_that_was_changed_afterwards_is_noticed(
    meddle: Callable[[Tournament], None], verdict: Verdict
) -> None:
    tournament, _ = a_tie()
    for _ in range(3):
        next_round(tournament)
        finish(tie_breaks(tournament)[0], 0, 0, places=(1, 1))
    next_round(tournament)
    meddle(tournament)
    [check] = check_draws(tournament, [tournament.rounds.get(number=1)])
    assert not check.is_good
    assert verdict in {lot.verdict for lot in check.lots}


def test_more_level_than_a_table_seats_share_the_places_of_several_tables() -> None:
    tournament = knock_out(13, BestOverall(50))
    for table in open_tables(tournament):
        size = table.placings.count()
        finish(table, *[50] * size, places=(1,) * size)
    next_round(tournament)
    tables = tie_breaks(tournament)
    assert [(t.placings.count(), t.places, t.decides) for t in tables] == [
        (5, 2, None),
        (4, 2, None),
        (4, 2, None),
    ]
    for table in tables:
        finish(table)
    assert len(going_on(tournament.rounds.get())) == 6
    assert [lot[0].rsplit("/", 1)[1] for lot in checked(tournament)[1]] == ["tie-break-all-1"]
    assert next_round(tournament).tables.get().placings.count() == 6


def test_ties_of_two_tables_are_broken_at_two_tables_in_the_same_round() -> None:
    tournament = knock_out(8, BestOfTable(1))
    for table in open_tables(tournament):
        finish(table, 0, 0, 30, 60, places=(1, 1, 3, 4))
    assert next_round(tournament).number == 1
    first, second = tie_breaks(tournament)
    assert [t.decides.number for t in (first, second) if t.decides] == [1, 2]
    finish(first)
    assert next_round(tournament) is None
    finish(second)
    assert next_round(tournament).tables.get().placings.count() == 2


def test_who_is_level_with_somebody_who_has_left_goes_on_without_playing() -> None:
    tournament, numbers = a_tie()
    leave(tournament.entries.get(number=numbers[1]))
    assert next_round(tournament).number == 2
    assert tie_breaks(tournament) == []
    assert numbers[2] in going_on(tournament.rounds.get(number=1))
    assert numbers[1] not in going_on(tournament.rounds.get(number=1))


def test_who_leaves_during_a_tie_break_loses_it_whatever_his_points() -> None:
    tournament, _ = a_tie()
    next_round(tournament)
    [table] = tie_breaks(tournament)
    winner, loser = numbers_at(table)
    leave(tournament.entries.get(number=winner))
    finish(table)
    went_on = going_on(tournament.rounds.get())
    assert loser in went_on
    assert winner not in went_on


def test_a_tie_break_is_one_real_deal_without_chips_or_drops() -> None:
    tournament = knock_out(6, BestOverall(50), format_name="deals", seats=3)
    first, second = open_tables(tournament)
    finish(first, 200, 140, 140, places=(1, 2, 2))
    finish(second, 200, 140, 10)
    tournament.entries.update(bot="steady")
    next_round(tournament)
    [table] = tie_breaks(tournament)
    issuer = money.chips_issuer(tournament)
    assert money.balances([issuer])[issuer].posted == 0
    run = bots.play_table(
        match_id=table.match_id,
        secret_for=secret_for,
        chance=bots.Chance(secret_for("tie-break")),
        may_rejoin=lambda _: False,
        moments=bots.ticking(NOW),
    )
    assert (run.deals, run.unsound_deals) == (1, 0)
    game = table_selectors.game_of(table.match_id)
    terms_of_deal = game.opening.format.terms(game.opening.profile, game.opening.clock)
    assert (terms_of_deal.first_drop, terms_of_deal.middle_drop) == (None, None)
    assert money.balances([issuer])[issuer].posted == 0
    assert Deal.objects.filter(match=table.match_id).count() == 1
    table.refresh_from_db()
    assert table.is_over
    assert money.faults(now=NOW) == ()


def test_a_pairing_that_ends_level_is_broken_and_a_level_final_is_shared() -> None:
    tournament = started(Shape.HEADS_UP, 4, terms=terms("points", prizes="60,40"))
    first, second = next_round(tournament).tables.all()
    finish(first, 40, 40, places=(1, 1))
    finish(second)
    assert next_round(tournament).number == 1
    [table] = tie_breaks(tournament)
    assert table.number == 3
    winner, _ = numbers_at(table)
    finish(table)
    final = next_round(tournament).tables.get()
    assert winner in numbers_at(final)
    finish(final, 40, 40, places=(1, 1))
    assert bracket_of(tournament).final_is_shared
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert tournament.entries.filter(rank=1).count() == 2
    assert tournament.entries.filter(rank=3).count() == 2


def test_two_who_are_level_and_have_both_left_are_told_apart_all_the_same() -> None:
    tournament = started(Shape.HEADS_UP, 4, terms=terms("points"))
    first, second = next_round(tournament).tables.all()
    for placing in first.placings.select_related("entry"):
        leave(placing.entry)
    finish(first, 40, 40, places=(1, 1))
    finish(second)
    while next_round(tournament):
        for table in open_tables(tournament):
            finish(table)
    assert bracket_of(tournament).is_over
    winner = Entry.objects.get(tournament=tournament, seed=bracket_of(tournament).champion)
    assert winner.state == EntryState.PLAYING
