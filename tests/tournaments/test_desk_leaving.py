"""Leaving in the middle: open games are forfeits, closed rounds stay, everybody else goes on."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from tables import services as tables
from tables.models import Deal, Match, MatchStatus, Seat
from tables.rules import commands as cm
from tables.rules.formats.base import DealScored, PlayerLeft, TimePassed
from tables.selectors import check_deal
from tables.store import load_game
from tests.tables.helpers import state_of
from tests.tables.sheet_helpers import enter
from tests.tournaments.helpers import (
    NOW,
    a_tournament,
    finish,
    next_round,
    run_out,
    secret_for,
    started,
    terms,
)
from tests.tournaments.level_helpers import begun, end_level, entry_of, opened_level
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Decision, Entry, EntryState, Placing, RoundTable, Shape, Tournament
from tournaments.services import desk, late, pausing, progress
from tournaments.services.standing import final_standings

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(seconds=5)


def _out(entry: Entry, reason: str = "hit the table", now: datetime = LATER) -> Entry:
    return desk.disqualify(
        tournament_id=entry.tournament_id,
        player_id=entry.player_id,
        actor="arbiter",
        reason=reason,
        now=now,
    )


def _gone(entry: Entry, now: datetime = LATER) -> Entry:
    return desk.withdraw(
        tournament_id=entry.tournament_id,
        player_id=entry.player_id,
        actor=entry.player.username,
        now=now,
    )


def _at(table: RoundTable, seat: int) -> Entry:
    return Entry.objects.get(placings__table=table, placings__seat=seat)


def _deal(table: RoundTable) -> Deal:
    return tables.deal_next(match_id=table.match_id, secret_for=secret_for, now=NOW).deal


def _finals(tournament: Tournament) -> list[int]:
    return [line.entrant for line in final_standings(tournament)]


def test_who_is_disqualified_in_a_deal_forfeits_it_and_his_opponent_goes_on() -> None:
    tournament = started(Shape.HEADS_UP, 4, terms=terms("heads_up"))
    table = next_round(tournament).tables.first()
    deal = _deal(table)
    gone, other = _at(table, 0), _at(table, 1)
    _out(gone)
    deal.refresh_from_db()
    assert deal.over_at == LATER
    assert check_deal(deal).is_sound
    table.refresh_from_db()
    assert table.is_over
    assert Placing.objects.get(entry=other).goes_on
    gone.refresh_from_db()
    assert (gone.state, gone.left, gone.left_reason, gone.left_at) == (
        EntryState.OUT,
        "disqualified",
        "hit the table",
        LATER,
    )


def test_who_leaves_between_two_deals_or_before_the_first_loses_his_pairing() -> None:
    tournament = started(Shape.HEADS_UP, 4, terms=terms("heads_up"))
    for table in next_round(tournament).tables.all():
        _gone(_at(table, 1))
        assert Placing.objects.get(table=table, seat=0).goes_on
    assert tournament.rounds.get().closed_at is not None


def test_round_2_can_close_after_somebody_left_it_and_round_1_stays_as_it_was() -> None:
    tournament = started(Shape.KNOCKOUT, 16, terms=terms("points"))
    first = next_round(tournament)
    for table in first.tables.all():
        finish(table)
    before = list(Placing.objects.filter(table__round=first).values_list("entry", "place", "score"))
    second = next_round(tournament)
    [table] = second.tables.all()
    _deal(table)
    _out(_at(table, 2))
    after = list(Placing.objects.filter(table__round=first).values_list("entry", "place", "score"))
    assert before == after
    assert Match.objects.get(pk=table.match_id).status != MatchStatus.VOID
    finish(table)
    second.refresh_from_db()
    assert second.closed_at is not None


def test_the_last_but_one_leaving_ends_his_table_at_once() -> None:
    tournament = started(Shape.KNOCKOUT, 3, terms=terms("pool101"))
    [table] = next_round(tournament).tables.all()
    _out(_at(table, 0))
    assert not RoundTable.objects.get(pk=table.pk).is_over
    _out(_at(table, 1))
    assert RoundTable.objects.get(pk=table.pk).is_over
    assert Placing.objects.get(table=table, seat=2).goes_on


def test_who_is_out_of_the_deal_already_leaves_the_match_when_the_deal_is_over() -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("pool101"))
    [table] = next_round(tournament).tables.all()
    deal = _deal(table)
    state = tables.play(deal_id=deal.pk, command=cm.GoOffline(0), command_id="x", now=NOW).state
    assert state is not None
    dropped = state.turn or 0
    tables.play(deal_id=deal.pk, command=cm.Drop(dropped), command_id="drop", now=NOW)
    _out(_at(table, dropped))
    assert Deal.objects.get(pk=deal.pk).over_at is None
    other = next(s.seat for s in state.seats if s.seat != dropped)
    tables.play(deal_id=deal.pk, command=cm.Leave(other), command_id="leave", now=LATER)
    match = Match.objects.get(pk=table.match_id)
    assert match.status == MatchStatus.OVER
    assert load_game(match).standings()[0].seat not in {dropped, other}


def test_what_was_scored_before_a_disqualification_stays_scored() -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("pool101"))
    [table] = next_round(tournament).tables.all()
    deal = _deal(table)
    for seat in (0, 1):
        tables.play(deal_id=deal.pk, command=cm.Leave(seat), command_id=f"{seat}", now=NOW)
    match = Match.objects.get(pk=table.match_id)
    assert [type(entry) for entry in load_game(match).log][:1] == [DealScored]


def test_a_disqualified_finalist_ranks_behind_all_others_of_the_final() -> None:
    tournament = started(Shape.KNOCKOUT, 9, terms=terms("points"))
    first = next_round(tournament)
    for table in first.tables.all():
        finish(table)
    [final] = next_round(tournament).tables.all()
    seated = [_at(final, seat).pk for seat in range(final.placings.count())]
    _out(_at(final, 0))
    finish(final, *(10 * seat for seat in range(len(seated))))
    others = [entry for entry in seated if entry != seated[0]]
    ranking = _finals(tournament)
    assert set(ranking[: len(others)]) == set(others)
    assert ranking[len(others)] == seated[0]


def test_who_won_his_table_and_left_is_not_seated_in_the_next_round() -> None:
    tournament = started(Shape.KNOCKOUT, 12, terms=terms("points"))
    for table in next_round(tournament).tables.all():
        finish(table)
    winners = list(tournament.entries.filter(state=EntryState.PLAYING))
    assert len(winners) == 2
    gone = _gone(winners[0])
    assert next_round(tournament) is None
    assert _finals(tournament)[:2] == [winners[1].pk, gone.pk]


def test_the_next_opponent_of_who_left_a_bracket_goes_on_without_playing() -> None:
    tournament = started(Shape.HEADS_UP, 8, terms=terms("heads_up"))
    first = next_round(tournament)
    for table in first.tables.all():
        finish(table)
    opened = next_round(tournament)
    [one, two] = opened.tables.all()
    finish(one)
    finalist = Entry.objects.get(placings__table=one, placings__goes_on=True)
    _gone(finalist)
    finish(two)
    run_out(tournament)
    final = RoundTable.objects.get(round__tournament=tournament, round__number=3)
    assert final.is_over
    assert Match.objects.get(pk=final.match_id).deals_dealt == 0
    assert not final.placings.get(entry=finalist).goes_on
    assert _finals(tournament)[1] == finalist.pk


def test_a_whole_tournament_with_a_disqualification_pays_everything_once() -> None:
    tournament = started(Shape.KNOCKOUT, 7, terms=terms("points"))
    opened = next_round(tournament)
    _out(_at(opened.tables.first(), 0))
    for table in RoundTable.objects.filter(round=opened, is_over=False):
        finish(table)
    run_out(tournament)
    services.complete(tournament_id=tournament.pk, now=LATER)
    totals = money.totals_of(tournament)
    assert totals.paid + totals.fee + totals.refunded == totals.received + totals.overlay
    assert set(tournament.entries.values_list("state", flat=True)) == {EntryState.RANKED}
    assert tournament.entries.get(left="disqualified").rank is not None


def test_in_a_pause_somebody_can_be_disqualified_and_the_others_lose_no_time() -> None:
    tournament = started(Shape.KNOCKOUT, 3, terms=terms("points"))
    [table] = next_round(tournament).tables.all()
    deal = _deal(table)
    before = Deal.objects.get(pk=deal.pk).deadline_at
    assert before is not None
    pausing.pause(tournament_id=tournament.pk, actor="arbiter", now=NOW + timedelta(seconds=10))
    state = state_of(deal)
    idle = next(seat.seat for seat in state.seats if seat.seat != state.turn)
    _out(_at(table, idle), now=NOW + timedelta(seconds=100))
    assert Deal.objects.get(pk=deal.pk).paused_at == NOW + timedelta(seconds=100)
    back = NOW + timedelta(hours=1)
    pausing.resume(tournament_id=tournament.pk, actor="arbiter", now=back)
    deal.refresh_from_db()
    assert deal.deadline_at is not None
    left = (deal.deadline_at - back) - (before - NOW - timedelta(seconds=10))
    assert timedelta(0) <= left < timedelta(seconds=1)
    assert check_deal(deal).is_sound


def test_a_table_that_a_disqualification_opens_in_a_pause_is_paused_too() -> None:
    tournament = started(Shape.HEADS_UP, 4, terms=terms("heads_up"))
    table = next_round(tournament).tables.first()
    pausing.pause(tournament_id=tournament.pk, actor="arbiter", now=LATER)
    _out(_at(table, 0), now=LATER)
    open_now = Match.objects.filter(table__owner=f"tournament:{tournament.pk}", over_at=None)
    assert open_now.count() == open_now.filter(paused_at__isnull=False).count() == 1


def test_the_decision_says_who_what_when_and_which_games_were_forfeited() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    table = next_round(tournament).tables.first()
    gone = _at(table, 0)
    _out(gone)
    decision = Decision.objects.get(tournament=tournament)
    assert (decision.kind, decision.entry, decision.actor, decision.reason, decision.at) == (
        "disqualified",
        gone,
        "arbiter",
        "hit the table",
        LATER,
    )
    assert decision.after == {"state": "out", "forfeits": ["round 1, table 1"]}
    with pytest.raises(TypeError):
        decision.save()
    with pytest.raises(TypeError):
        decision.delete()


def test_nobody_leaves_twice_nor_before_the_start_nor_without_being_in() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    next_round(tournament)
    entry = tournament.entries.first()
    assert entry is not None
    _gone(entry)
    with pytest.raises(TournamentRefusal) as twice:
        _out(entry)
    assert twice.value.code is TournamentCode.NOT_ENTERED
    stranger = User.objects.create(username="stranger")
    with pytest.raises(TournamentRefusal) as unknown:
        desk.withdraw(
            tournament_id=tournament.pk, player_id=stranger.pk, actor="stranger", now=LATER
        )
    assert unknown.value.code is TournamentCode.NOT_ENTERED
    with pytest.raises(TournamentRefusal) as early:
        desk.withdraw(
            tournament_id=a_tournament().pk, player_id=stranger.pk, actor="stranger", now=LATER
        )
    assert early.value.code is TournamentCode.NOT_RUNNING


def test_a_disqualification_needs_a_reason() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    entry = tournament.entries.first()
    assert entry is not None
    with pytest.raises(TournamentRefusal) as refusal:
        _out(entry, " ")
    assert (refusal.value.code, refusal.value.field) == (TournamentCode.BAD_REASON, "reason")
    entry.refresh_from_db()
    assert entry.state == EntryState.PLAYING


def test_who_left_does_not_come_back_by_paying_again() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    next_round(tournament)
    entry = tournament.entries.first()
    assert entry is not None
    _out(entry)
    with pytest.raises(TournamentRefusal) as refusal:
        late.re_enter(
            tournament_id=tournament.pk, player_id=entry.player_id, actor="him", now=LATER
        )
    assert refusal.value.code is TournamentCode.NOT_OUT


def test_the_sweep_looks_at_a_tournament_that_somebody_left() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    table = next_round(tournament).tables.first()
    assert tournament.pk not in progress.waiting_to_go_on()
    _gone(_at(table, 0))
    assert tournament.pk in progress.waiting_to_go_on()
    assert Seat.objects.get(match_id=table.match_id, number=0).left


@pytest.mark.parametrize("is_paused", [False, True])
def test_at_a_table_with_real_cards_it_is_written_on_the_sheet_even_in_a_pause(
    is_paused: bool,
) -> None:
    tournament = started(Shape.KNOCKOUT, 7, terms=terms("points"), in_person=True)
    table = next_round(tournament).tables.first()
    if is_paused:
        pausing.pause(tournament_id=tournament.pk, actor="arbiter", now=NOW)
    _out(_at(table, 0))
    match = Match.objects.get(pk=table.match_id)
    [line] = match.sheet_lines.all()
    assert line.actor == "arbiter"
    assert not load_game(match).is_in(0)
    assert (match.paused_at is not None) is is_paused


def _asked_at_a_pool() -> tuple[Tournament, RoundTable, Match]:
    """A pool for one table, written by hand: one is left, two are asked whether they come back."""
    tournament = started(Shape.SINGLE, 3, terms=terms("pool101"), in_person=True)
    table = next_round(tournament).tables.get()
    match = Match.objects.get(pk=table.match_id)
    for _ in range(2):
        enter(match, 0, {1: 79, 2: 79})
    match.refresh_from_db()
    assert match.status == MatchStatus.ASKING
    return tournament, table, match


@pytest.mark.parametrize("is_paused", [False, True])
def test_the_only_one_left_may_be_put_out_while_others_are_asked_and_does_not_win(
    is_paused: bool,
) -> None:
    tournament, table, match = _asked_at_a_pool()
    if is_paused:
        pausing.pause(tournament_id=tournament.pk, actor="arbiter", now=NOW)
    gone = _out(_at(table, 0))
    match.refresh_from_db()
    assert (match.status, match.paused_at is not None) == (MatchStatus.ASKING, is_paused)
    if is_paused:
        pausing.resume(tournament_id=tournament.pk, actor="arbiter", now=LATER)
    tables.answer_on_sheet(
        match_id=match.pk,
        entry=TimePassed(),
        actor="scorer",
        sheet_version=match.version,
        now=LATER,
    )
    assert not table.placings.get(entry=gone).goes_on
    assert table.placings.filter(goes_on=True).count() >= 1
    services.complete(tournament_id=tournament.pk, now=LATER)
    gone.refresh_from_db()
    assert gone.rank == 3
    assert money.faults(now=LATER) == ()


def test_who_is_asked_whether_he_comes_back_and_is_put_out_has_said_no() -> None:
    _, table, match = _asked_at_a_pool()
    _out(_at(table, 1))
    [entry] = [e for e in load_game(match).log if isinstance(e, PlayerLeft)]
    assert entry.seat == 1
    match.refresh_from_db()
    assert match.status == MatchStatus.ASKING


def test_who_leaves_timed_levels_is_not_seated_at_the_next_and_ranks_behind_who_played_on() -> None:
    tournament, (first, second, third) = begun(3)
    level = opened_level(tournament)
    gone = _gone(entry_of(tournament, first))
    end_level(level, {})
    following = opened_level(tournament, 700)
    seated = Placing.objects.filter(table__round=following).values_list("entry__player", flat=True)
    assert set(seated) == {second.pk, third.pk}
    end_level(following, {second.pk: 1500, third.pk: 500}, 1300)
    assert _finals(tournament)[-1] == gone.pk
