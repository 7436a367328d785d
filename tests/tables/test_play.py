"""The one door through which deals are played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
import pytest
from django.db import connection, transaction
from django.dispatch import Signal
from django.test.utils import CaptureQueriesContext

from tables import services, signals, store
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, DealEvent, Match, MatchEntry, MatchStatus
from tables.rules import commands as cm
from tables.rules.bots import Strength
from tables.rules.errors import Code, RuleViolation
from tables.rules.formats import format_named
from tables.rules.formats.base import (
    DealScored,
    LotDrawn,
    PlayerLeft,
    RejoinAnswered,
    TimePassed,
)
from tables.rules.profiles import profile_named
from tables.rules.results import DealResult, Outcome, SeatScore
from tables.rules.shoe import draw_lot
from tables.rules.terms import ClockTerms
from tables.services import closing
from tests.tables.helpers import NOW, a_match, dealt, play_out, players, secret_for, state_of

pytestmark = pytest.mark.django_db


def _play(deal: Deal, command: cm.Command, command_id: str = "c1") -> services.Played:
    return services.play(deal_id=deal.pk, command=command, command_id=command_id, now=NOW)


def test_a_move_is_written_to_the_log_and_repeated_in_the_deals_row() -> None:
    deal, state = dealt(a_match())
    played = _play(deal, cm.DrawClosed(state.turn or 0))
    row = Deal.objects.get(pk=deal.pk)
    assert row.version == played.version == DealEvent.objects.filter(deal=deal).count()
    assert row.phase == "discard"
    assert row.deadline_at == store.from_ms(played.state.deadline or 0)  # type: ignore[union-attr]
    assert state_of(deal) == played.state


def test_the_same_command_id_acts_once_and_is_answered_the_same() -> None:
    deal, state = dealt(a_match())
    first = _play(deal, cm.DrawClosed(state.turn or 0))
    again = _play(deal, cm.DrawClosed(state.turn or 0))
    assert (again.version, again.events, again.repeated) == (first.version, first.events, True)
    assert Deal.objects.get(pk=deal.pk).version == first.version


def test_a_repeated_command_that_would_be_legal_again_still_acts_once() -> None:
    """Arranging is always legal, so only the command id can tell a repetition."""
    deal, state = dealt(a_match())
    groups = (state.seats[0].hand[:3],)
    first = _play(deal, cm.Arrange(state.seats[0].seat, groups))
    again = _play(deal, cm.Arrange(state.seats[0].seat, groups))
    assert again.repeated
    assert again.events == first.events
    assert Deal.objects.get(pk=deal.pk).version == first.version


def test_an_answer_given_again_ends_where_the_next_command_begins() -> None:
    deal, state = dealt(a_match())
    seat = state.turn or 0
    first = _play(deal, cm.DrawClosed(seat), "draw")
    card = first.state.seat_state(seat).hand[0]  # type: ignore[union-attr]
    _play(deal, cm.Discard(seat, card), "discard")
    assert _play(deal, cm.DrawClosed(seat), "draw").events == first.events


def test_a_refused_move_writes_nothing() -> None:
    deal, state = dealt(a_match())
    before = Deal.objects.values().get(pk=deal.pk)
    with pytest.raises(RuleViolation) as refusal:
        _play(deal, cm.Discard(state.turn or 0, state.seats[0].hand[0]))
    assert refusal.value.code is Code.DRAW_FIRST
    assert Deal.objects.values().get(pk=deal.pk) == before
    assert DealEvent.objects.filter(deal=deal).count() == before["version"]


@pytest.mark.django_db(transaction=True)
def test_a_remembered_state_is_used_only_for_the_version_that_was_committed() -> None:
    deal, state = dealt(a_match())
    assert store.states.get(deal.public_id, state.version) == state
    played = _play(deal, cm.DrawClosed(state.turn or 0))
    assert store.states.get(deal.public_id, state.version) is None
    assert store.states.get(deal.public_id, played.version) == played.state
    with pytest.raises(RuleViolation):
        _play(deal, cm.DrawClosed(state.turn or 0), "again")
    assert store.states.get(deal.public_id, played.version) == played.state


def test_the_states_least_used_are_let_go_first() -> None:
    _, state = dealt(a_match())
    kept = store.StateCache(size=2)
    kept.put("a", state)
    kept.put("b", state)
    assert kept.get("a", state.version) is state
    kept.put("c", state)
    assert kept.get("b", state.version) is None
    assert kept.get("a", state.version) is state


@pytest.mark.parametrize("command_id", ["", "x" * 65])
def test_a_command_id_is_bounded(command_id: str) -> None:
    deal, state = dealt(a_match())
    with pytest.raises(TableRefusal) as refusal:
        _play(deal, cm.DrawClosed(state.turn or 0), command_id)
    assert refusal.value.code is TableCode.BAD_COMMAND_ID


def test_an_unknown_deal_is_refused() -> None:
    with pytest.raises(TableRefusal) as refusal:
        services.play(deal_id=404, command=cm.Expire(), command_id="x", now=NOW)
    assert refusal.value.code is TableCode.UNKNOWN_DEAL


def test_a_finished_deal_enters_the_match_and_the_next_one_falls_due() -> None:
    match = a_match(format_name="deals", bot=Strength.STEADY)
    last = play_out(match)
    match.refresh_from_db()
    entry = MatchEntry.objects.get(match=match)
    assert entry.kind == "deal_scored"
    assert match.status == MatchStatus.DEALING
    assert match.due_at is not None
    assert match.due_at > NOW
    assert last.result is not None


def test_a_second_deal_cannot_be_dealt_while_one_is_played() -> None:
    match = a_match()
    dealt(match)
    with pytest.raises(TableRefusal) as refusal:
        dealt(match)
    assert refusal.value.code is TableCode.DEAL_RUNNING
    assert match.deals.count() == 1


def test_a_receiver_that_fails_undoes_the_move_that_ended_the_deal() -> None:
    """The owner's books and the deal's log change together or not at all."""
    match = a_match()
    deal, state = dealt(match)
    seat = state.turn or 0

    def fail(**_: object) -> None:
        raise LookupError("the owner's books are closed")

    with _listening(signals.match_finished, fail), pytest.raises(LookupError):
        _play(deal, cm.Drop(seat))
    assert Deal.objects.get(pk=deal.pk).over_at is None
    assert Match.objects.get(pk=match.pk).status == MatchStatus.PLAYING
    assert not state_of(deal).is_over
    assert _play(deal, cm.Drop(seat), "again").state.is_over  # type: ignore[union-attr]


def test_the_owner_is_told_before_anything_of_the_table_is_locked() -> None:
    told: list[str] = []

    def hear(*, owner: str, **_: object) -> None:
        told.append(owner)

    match = a_match(owner="club:9")
    deal, state = dealt(match)
    with _listening(signals.deal_closing, hear):
        _play(deal, cm.DrawClosed(state.turn or 0), "draw")
        assert told == []
        _play(deal, cm.Leave(state.turn or 0), "leave")
    assert told == ["club:9"]


def test_who_leaves_during_a_deal_leaves_the_match_with_it() -> None:
    match = a_match(3, format_name="pool101")
    deal, state = dealt(match)
    gone, *others = [seat.seat for seat in state.seats]
    _play(deal, cm.Leave(gone), "leave")
    _play(deal, cm.Drop(others[0]), "drop")
    match.refresh_from_db()
    assert [e.kind for e in match.entries.all()] == ["deal_scored", "player_left"]
    assert {s.number: s.left for s in match.seats.all()} == {
        gone: True,
        others[0]: False,
        others[1]: False,
    }
    state = dealt(match).state
    assert {seat.seat for seat in state.seats} == set(others)


def test_auto_drop_is_carried_into_the_next_deal_and_acts_there_at_once() -> None:
    match = a_match(format_name="pool101")
    deal, state = dealt(match)
    first, second = (seat.seat for seat in state.seats)
    _play(deal, cm.SetAutoDrop(second, True), "auto")
    _play(deal, cm.Drop(first), "drop")
    state = dealt(match).state
    assert state.is_over
    assert state.seat_state(second).outcome is Outcome.FIRST_DROP
    assert match.deals.count() == 2


def test_a_rejoin_is_told_to_the_owner_who_may_refuse_it() -> None:
    match = a_match(3, format_name="pool51")
    loser = _one_player_is_eliminated(match)
    told: list[tuple[int, int]] = []

    def refuse(**_: object) -> None:
        raise LookupError("no points left")

    def hear(*, news: signals.Rejoined, **_: object) -> None:
        told.append((news.player, news.number))

    answer = RejoinAnswered(loser, True)
    with _listening(signals.rejoined, refuse), pytest.raises(LookupError):
        services.answer(match_id=match.pk, entry=answer, now=NOW)
    match.refresh_from_db()
    assert match.status == MatchStatus.ASKING
    with _listening(signals.rejoined, hear):
        services.answer(match_id=match.pk, entry=answer, now=NOW)
    match.refresh_from_db()
    assert told == [(match.seats.get(number=loser).player_id, 1)]
    assert match.status == MatchStatus.DEALING


def _one_player_is_eliminated(match: Match) -> int:
    """The first player makes a wrong declaration, 80 points in a pool of 51; the next drops."""
    deal, state = dealt(match)
    loser = state.turn or 0
    drawn = _play(deal, cm.DrawClosed(loser), "draw")
    card = drawn.state.seat_state(loser).hand[0]  # type: ignore[union-attr]
    _play(deal, cm.Finish(loser, card), "finish")
    wrong = _play(deal, cm.Declare(loser, ()), "declare")
    _play(deal, cm.Drop(wrong.state.turn or 0), "drop")  # type: ignore[union-attr]
    return loser


@contextmanager
def _listening(signal: Signal, receiver: Callable[..., None]) -> Iterator[None]:
    signal.connect(receiver)
    try:
        yield
    finally:
        signal.disconnect(receiver)


def test_nothing_is_answered_while_a_deal_is_played() -> None:
    match = a_match()
    dealt(match)
    with pytest.raises(TableRefusal) as refusal:
        services.answer(match_id=match.pk, entry=TimePassed(), now=NOW)
    assert refusal.value.code is TableCode.DEAL_RUNNING


def test_a_player_may_leave_between_two_deals() -> None:
    match = a_match(3, format_name="pool101")
    services.answer(match_id=match.pk, entry=PlayerLeft(1), now=NOW)
    assert match.seats.get(number=1).left
    assert {seat.seat for seat in dealt(match).state.seats} == {0, 2}


def test_a_tied_set_of_games_is_decided_by_a_lot_anybody_can_draw_again() -> None:
    match = a_match(format_name="heads_up", profile="g24_knockout")
    secret = secret_for("the last deal")
    for winner, loser in ((0, 1), (1, 0)):
        result = DealResult((SeatScore(winner, 0, Outcome.WON), SeatScore(loser, 40, Outcome.LOST)))
        with transaction.atomic():
            row = closing.lock_match(match.pk)
            closing.enter(match=row, entry=DealScored(result), secret=secret, now=NOW)
    match.refresh_from_db()
    lot = match.entries.get(kind="lot_drawn")
    drawn = draw_lot((0, 1), secret, "club/table-1", "2")
    assert lot.payload == msgspec.json.encode(LotDrawn(drawn)).decode()
    assert match.status == MatchStatus.OVER


def test_log_rows_are_written_once() -> None:
    deal, _ = dealt(a_match())
    event = DealEvent.objects.filter(deal=deal).first()
    assert event is not None
    with pytest.raises(TypeError):
        event.save()
    with pytest.raises(TypeError):
        event.delete()


def test_opening_many_tables_takes_as_many_queries_as_opening_one() -> None:
    def queries(tables: int) -> int:
        people = [user.pk for user in players(2 * tables)]
        with CaptureQueriesContext(connection) as captured:
            services.open_matches(
                owner="club:1",
                tables=[
                    services.TableSpec(
                        number=n,
                        label=f"table-{n}",
                        places=(services.Place(people[2 * n]), services.Place(people[2 * n + 1])),
                    )
                    for n in range(tables)
                ],
                options=format_named("points"),
                profile=profile_named("rummycircle"),
                clock=ClockTerms(),
                secret_for=secret_for,
                now=NOW,
            )
        return len(captured)

    assert queries(1) == queries(40)
