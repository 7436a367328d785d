"""Moving a player to another table of his round before the first deal."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tables import services as tables
from tables.errors import TableCode, TableRefusal
from tables.models import Match, MatchStatus
from tests.tournaments.helpers import (
    NOW,
    finish,
    next_round,
    open_tables,
    secret_for,
    started,
    terms,
)
from tournaments import money, services
from tournaments.draws import check_draws
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Call, Decision, Entry, EntryState, RoundTable, Shape, Tournament
from tournaments.services import desk, moving
from tournaments.structure.rounds import BestOfTable

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(seconds=5)


def _seven(**changes: Any) -> tuple[Tournament, RoundTable, RoundTable]:
    """Tables of four and three."""
    tournament = started(Shape.KNOCKOUT, 7, terms=terms(**changes))
    one, two = next_round(tournament).tables.all()
    return tournament, one, two


def _at(table: RoundTable, seat: int = 0) -> Entry:
    return Entry.objects.select_related("player").get(placings__table=table, placings__seat=seat)


def _told(entry: Entry, to: RoundTable) -> Any:
    return moving.preview_move(
        tournament_id=entry.tournament_id, player_id=entry.player_id, table_id=to.pk, now=LATER
    )


def _move(entry: Entry, to: RoundTable, **changes: Any) -> Decision:
    wanted = {"confirmed": None, "reason": "they are brothers"} | changes
    if wanted["confirmed"] is None:
        wanted["confirmed"] = _told(entry, to).token
    return moving.move(
        tournament_id=entry.tournament_id,
        player_id=entry.player_id,
        table_id=to.pk,
        actor="arbiter",
        now=LATER,
        **wanted,
    )


def _code(act: Any) -> TournamentCode:
    with pytest.raises(TournamentRefusal) as refusal:
        act()
    return refusal.value.code


def test_the_player_sits_at_the_other_table_and_both_play_with_who_is_there() -> None:
    tournament, one, two = _seven()
    entry = _at(one)
    assert _told(entry, two).sentences == (
        f"{entry.player.username} moves from round 1, table 1 to round 1, table 2; "
        "3 and 4 play there then.",
    )
    old = [one.match_id, two.match_id]
    _move(entry, two)
    one.refresh_from_db()
    two.refresh_from_db()
    for table, size in ((one, 3), (two, 4)):
        placings = table.placings.order_by("seat")
        assert [placing.seat for placing in placings] == list(range(size))
        seats = Match.objects.get(pk=table.match_id).seats.order_by("number")
        assert [s.player_id for s in seats] == [p.entry.player_id for p in placings]
    assert list(Match.objects.filter(pk__in=old).values_list("status", flat=True)) == [
        MatchStatus.VOID,
        MatchStatus.VOID,
    ]
    assert entry.placings.get().table == two
    assert list(Call.objects.filter(entry=entry).values_list("table", flat=True)) == [two.pk]
    deal = tables.deal_next(match_id=two.match_id, secret_for=secret_for, now=LATER)
    assert len(deal.state.seats) == 4
    assert tournament.rounds.count() == 1


def test_the_draw_is_still_the_one_that_was_committed_to_after_two_moves() -> None:
    tournament, one, two = _seven()
    _move(_at(one), two)
    one.refresh_from_db()
    two.refresh_from_db()
    _move(_at(two), one)
    [check] = check_draws(tournament, list(tournament.rounds.all()))
    assert check.is_good


def test_a_seat_that_was_changed_without_a_decision_still_shows_in_the_draw() -> None:
    tournament, one, two = _seven()
    here, there = one.placings.get(seat=0), two.placings.get(seat=0)
    entries = here.entry, there.entry
    type(here).objects.filter(pk=here.pk).update(entry=entries[1])
    type(here).objects.filter(pk=there.pk).update(entry=entries[0])
    [check] = check_draws(tournament, list(tournament.rounds.all()))
    assert not check.is_good


def test_how_many_go_on_follows_the_sizes_and_is_told() -> None:
    tournament = started(Shape.KNOCKOUT, 7, terms=terms("points", advance=BestOfTable(3)))
    one, two = next_round(tournament).tables.all()
    assert (one.places, two.places, one.round.places) == (3, 2, 5)
    entry = _at(one)
    assert _told(entry, two).sentences[1:] == (
        "From round 1, table 1 the best 2 go on, not 3.",
        "From round 1, table 2 the best 3 go on, not 2.",
    )
    _move(entry, two)
    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.places, two.places, tournament.rounds.get().places) == (2, 3, 5)


def test_the_tournament_is_played_to_its_end_after_a_move() -> None:
    tournament, one, two = _seven()
    _move(_at(one), two)
    while tables_ := open_tables(tournament):
        for table in tables_:
            finish(table)
        next_round(tournament)
    services.complete(tournament_id=tournament.pk, now=LATER)
    assert set(tournament.entries.values_list("state", flat=True)) == {EntryState.RANKED}
    assert money.faults(now=LATER) == ()


def test_who_has_left_stays_away_from_a_table_that_is_seated_anew() -> None:
    _, one, two = _seven()
    gone = _at(two)
    desk.withdraw(tournament_id=gone.tournament_id, player_id=gone.player_id, actor="he", now=LATER)
    _move(_at(one), two)
    two.refresh_from_db()
    assert Match.objects.get(pk=two.match_id).seats.get(player=gone.player).left
    assert not RoundTable.objects.get(pk=two.pk).is_over


@pytest.mark.parametrize("dealt", [0, 1])
def test_once_a_deal_was_dealt_at_either_table_nobody_moves(dealt: int) -> None:
    _, *both = _seven()
    tables.deal_next(match_id=both[dealt].match_id, secret_for=secret_for, now=NOW)
    entry = _at(both[0])
    with pytest.raises(TableRefusal) as refusal:
        _move(entry, both[1])
    assert refusal.value.code is TableCode.DEALS_PLAYED
    assert entry.placings.get().table == both[0]
    assert not Decision.objects.exists()


def test_nobody_moves_to_where_he_sits_to_another_round_or_out_of_a_pair() -> None:
    tournament, one, two = _seven()
    assert _code(lambda: _told(_at(one), one)) is TournamentCode.BAD_RULING
    other = next_round(started(Shape.KNOCKOUT, 7)).tables.first()
    assert _code(lambda: _told(_at(one), other)) is TournamentCode.UNKNOWN_TABLE
    bracket = started(Shape.HEADS_UP, 4, terms=terms("heads_up"))
    left, right = next_round(bracket).tables.all()
    assert _code(lambda: _told(_at(left), right)) is TournamentCode.BAD_RULING
    _move(_at(two), one)
    two.refresh_from_db()
    assert _code(lambda: _told(_at(two), one)) is TournamentCode.BAD_RULING
    assert tournament.rounds.count() == 1


def test_a_full_table_takes_nobody() -> None:
    tournament = started(Shape.KNOCKOUT, 11, terms=terms("points"))
    one, two = next_round(tournament).tables.all()
    assert (one.placings.count(), two.placings.count()) == (6, 5)
    assert _code(lambda: _told(_at(two), one)) is TournamentCode.BAD_RULING


def test_a_move_needs_a_reason_and_the_token_of_what_was_told() -> None:
    _, one, two = _seven()
    entry, other = _at(one), _at(one, 1)
    assert _code(lambda: _move(entry, two, reason=" ")) is TournamentCode.BAD_REASON
    token = _told(other, two).token
    wrong = lambda: _move(entry, two, confirmed=token)  # noqa: E731
    assert _code(wrong) is TournamentCode.CHANGED_MEANWHILE
    assert entry.placings.get().table == one
