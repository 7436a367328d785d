"""Who came in late or paid to come back keeps what he paid for, whatever the others do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    next_round,
    players,
    terms,
    wallet,
)
from tests.tournaments.level_helpers import begun, end_level, level_terms, opened_level, stacks
from tournaments import money, services
from tournaments.models import Entry, EntryState, Placing, Round, RoundTable, Tournament
from tournaments.selectors import faults
from tournaments.services import desk, overrides
from tournaments.services.substitution import substitute
from tournaments.structure.conditions import EntryRules
from tournaments.structure.lifecycle import State
from tournaments.structure.overrides import SeatRuling

pytestmark = pytest.mark.django_db


def two_tables(**rules: Any) -> tuple[Tournament, Round]:
    """A knock-out of two tables of four, in its first round; it takes players in."""
    rules_of_entry = EntryRules(**({"late_until_round": 1, "reentries": 1} | rules))
    wanted = terms("deals", entering=rules_of_entry)
    tournament = a_tournament(capacity=12, terms=wanted)
    join(tournament, *players(8, points=3 * FEE))
    close_and_start(tournament)
    opened = next_round(tournament)
    assert opened.tables.count() == 2
    return tournament, opened


def comes_back(entry: Entry) -> None:
    """He pays again."""
    services.re_enter(
        tournament_id=entry.tournament_id, player_id=entry.player_id, actor="x", now=NOW
    )


def leaves(entry: Entry) -> None:
    """He goes in the middle."""
    desk.withdraw(tournament_id=entry.tournament_id, player_id=entry.player_id, actor="x", now=NOW)


def entry_at(table: RoundTable, seat: int) -> Entry:
    """Who sits there, as he stands now."""
    return Entry.objects.get(placings__table=table, placings__seat=seat)


def ruled(table: RoundTable, *places: int) -> None:
    """The arbiter gives a table another result."""
    what: Any = {
        "tournament_id": table.round.tournament_id,
        "table_id": table.pk,
        "rulings": [SeatRuling(seat, place, 80 * place) for seat, place in enumerate(places)],
        "actor": "arbiter",
        "now": NOW,
    }
    found = overrides.preview_override(**what)
    overrides.override(confirmed=found.token, reason="the video shows it", **what)


def completed(tournament: Tournament) -> None:
    """Settled, and nothing wrong with it."""
    services.complete(tournament_id=tournament.pk, now=NOW)
    tournament.refresh_from_db()
    assert tournament.state == State.COMPLETED
    assert faults.faults_of(tournament) == ()
    assert money.faults(now=NOW) == ()


def test_a_newcomer_who_is_the_only_one_left_has_won() -> None:
    tournament, opened = two_tables()
    (person,) = players(1)
    join(tournament, person)
    for table in opened.tables.all():
        finish(table)
    for entry in tournament.entries.filter(state=EntryState.PLAYING).exclude(player=person):
        leaves(entry)
    assert next_round(tournament) is None
    completed(tournament)
    winner = tournament.entries.get(rank=1)
    assert winner.player == person
    assert winner.prize == max(tournament.entries.values_list("prize", flat=True))


def test_who_came_back_and_is_the_only_one_left_has_won() -> None:
    tournament, opened = two_tables()
    first, second = opened.tables.order_by("number")
    finish(first)
    returned = entry_at(first, 3)
    comes_back(returned)
    finish(second)
    for entry in tournament.entries.filter(state=EntryState.PLAYING).exclude(pk=returned.pk):
        leaves(entry)
    completed(tournament)
    assert tournament.entries.get(rank=1) == returned


def test_a_newcomer_to_levels_who_is_the_only_one_left_has_won() -> None:
    wanted = level_terms(entering=EntryRules(late_until_round=2), rebuy=None)
    tournament, people = begun(2, capacity=8, terms=wanted)
    level = opened_level(tournament)
    (person,) = players(1)
    join(tournament, person)
    end_level(level, {})
    for entry in tournament.entries.filter(player__in=people):
        leaves(entry)
    now = NOW + timedelta(seconds=700)
    services.complete(tournament_id=tournament.pk, now=now)
    assert tournament.entries.get(rank=1).player == person


def test_a_ruling_does_not_put_out_who_has_paid_to_come_back() -> None:
    tournament, opened = two_tables()
    first, second = opened.tables.order_by("number")
    finish(first)
    returned = entry_at(first, 3)
    comes_back(returned)
    ruled(first, 2, 1, 3, 4)
    returned.refresh_from_db()
    assert returned.state == EntryState.PLAYING
    finish(second)
    following = next_round(tournament)
    assert Placing.objects.filter(table__round=following, entry=returned).exists()
    finish(following.tables.get())
    completed(tournament)


def test_who_came_back_and_is_not_out_by_a_ruling_has_that_fee_back_once() -> None:
    tournament, opened = two_tables()
    first, second = opened.tables.order_by("number")
    finish(first)
    returned = entry_at(first, 3)
    comes_back(returned)
    assert wallet(returned.player).available == FEE
    pool = money.pool_of(tournament)
    for places in ((4, 2, 3, 1), (3, 2, 4, 1)):
        ruled(first, *places)
        returned.refresh_from_db()
        assert (returned.state, returned.reentries) == (EntryState.PLAYING, 0)
        assert wallet(returned.player).available == 2 * FEE
        assert money.pool_of(tournament) == pool - FEE
    finish(second)
    finish(next_round(tournament).tables.get())
    completed(tournament)


def test_who_had_that_fee_back_and_is_out_by_another_ruling_is_out_and_may_pay_again() -> None:
    tournament, opened = two_tables()
    first, second = opened.tables.order_by("number")
    finish(first)
    returned = entry_at(first, 3)
    comes_back(returned)
    ruled(first, 4, 2, 3, 1)
    ruled(first, 1, 2, 3, 4)
    returned.refresh_from_db()
    assert returned.state == EntryState.OUT
    comes_back(returned)
    assert wallet(returned.player).available == FEE
    finish(second)
    finish(next_round(tournament).tables.get())
    assert wallet(returned.player).available == FEE
    completed(tournament)


def test_who_stays_out_by_a_ruling_has_no_fee_back() -> None:
    _, opened = two_tables()
    first = opened.tables.order_by("number")[0]
    finish(first)
    returned = entry_at(first, 3)
    comes_back(returned)
    ruled(first, 2, 1, 3, 4)
    assert wallet(returned.player).available == FEE


def test_who_came_back_is_out_when_he_loses_again() -> None:
    tournament, opened = two_tables(late_until_round=2)
    first, second = opened.tables.order_by("number")
    finish(first)
    returned = entry_at(first, 3)
    comes_back(returned)
    finish(second)
    final = next_round(tournament).tables.get()
    seats = final.placings.count()
    seat = final.placings.get(entry=returned).seat
    finish(final, places=tuple(seats if at == seat else 1 + at for at in range(seats)))
    returned.refresh_from_db()
    assert returned.state == EntryState.OUT


def test_a_substitute_of_a_newcomer_to_levels_has_his_chips() -> None:
    wanted = level_terms(entering=EntryRules(late_until_round=2), rebuy=None)
    tournament, _ = begun(3, capacity=8, terms=wanted)
    level = opened_level(tournament)
    late, by = players(2)
    join(tournament, late)
    substitute(
        tournament_id=tournament.pk,
        player_id=late.pk,
        substitute_id=by.pk,
        actor="arbiter",
        reason="ill",
        now=NOW,
    )
    assert wallet(late).available == FEE
    assert stacks(tournament)[late.pk] == 0
    assert stacks(tournament)[by.pk] == 1000
    end_level(level, {})
    second = opened_level(tournament, 700)
    assert Placing.objects.filter(table__round=second, entry__player=by).exists()
    assert sum(stacks(tournament).values()) == 4000
    assert money.faults(now=NOW) == ()
