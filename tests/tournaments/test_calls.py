"""Players are called when a table of theirs opens, and by e-mail where they asked for it."""

from __future__ import annotations

from datetime import timedelta
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from celery import current_app
from celery.exceptions import Retry
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.helpers import (
    NOW,
    finish,
    next_round,
    open_tables,
    players,
    started,
    terms,
)
from tests.tournaments.round_helpers import leave, tie_breaks
from tournaments import services, tasks
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Call, Entry, Shape, Tournament
from tournaments.selectors import calls_of
from tournaments.services import calls
from tournaments.structure.lifecycle import State

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The calls that tasks were asked to send."""
    asked: list[int] = []

    def send_task(name: str, args: list[int]) -> None:
        assert name == tasks.send_call.name
        asked.extend(args)

    monkeypatch.setattr(current_app, "send_task", send_task)
    return asked


def a_knock_out(entrants: int = 7) -> Tournament:
    """A running knock-out, nothing opened yet."""
    return started(Shape.KNOCKOUT, entrants, terms=terms("points"))


def asks_for_email(entry: Entry, address: str = "asha@example.org") -> Entry:
    """The player wants an e-mail and has an address."""
    User.objects.filter(pk=entry.player_id).update(email=address)
    Entry.objects.filter(pk=entry.pk).update(call_by_email=True)
    entry.refresh_from_db()
    return entry


def called(tournament: Tournament) -> Call:
    """The call of the first entry."""
    return Call.objects.get(entry__tournament=tournament, entry__number=1)


def test_everybody_at_a_new_table_is_called_but_no_bot() -> None:
    tournament = a_knock_out()
    tournament.entries.filter(number__lte=2).update(bot="steady")
    next_round(tournament)
    numbers = Call.objects.order_by("entry__number").values_list("entry__number", flat=True)
    assert list(numbers) == [3, 4, 5, 6, 7]
    assert set(Call.objects.values_list("at", flat=True)) == {NOW}


def test_a_player_is_called_again_to_his_next_table_and_to_a_tie_break() -> None:
    tournament = a_knock_out()
    next_round(tournament)
    first, second = open_tables(tournament)
    finish(first, 0, 0, 30, 40, places=(1, 1, 3, 4))
    finish(second)
    next_round(tournament)
    [table] = tie_breaks(tournament)
    for placing in table.placings.select_related("entry"):
        [line] = calls_of(placing.entry.player_id)
        assert (line.table_number, line.is_tie_break, line.round_number) == (3, True, 1)
    finish(table)
    next_round(tournament)
    [final] = open_tables(tournament)
    for placing in final.placings.select_related("entry"):
        [line] = calls_of(placing.entry.player_id)
        assert (line.round_number, line.is_tie_break) == (2, False)
        assert line.table == final.match.table.public_id
        assert line.tournament == tournament.public_id


def test_calls_of_tables_that_are_over_or_tournaments_left_are_not_shown() -> None:
    tournament = a_knock_out()
    next_round(tournament)
    first, second = open_tables(tournament)
    out = first.placings.get(seat=1).entry
    gone = second.placings.get(seat=0).entry
    assert len(calls_of(out.player_id)) == len(calls_of(gone.player_id)) == 1
    finish(first)
    leave(gone)
    assert calls_of(out.player_id) == calls_of(gone.player_id) == ()
    other = second.placings.get(seat=1).entry
    Tournament.objects.filter(pk=tournament.pk).update(state=State.ABORTED)
    assert calls_of(other.player_id) == ()


def test_all_calls_of_a_player_are_read_by_one_query() -> None:
    tournament = a_knock_out()
    player = tournament.entries.get(number=1).player_id
    next_round(tournament)
    other = a_knock_out()
    Entry.objects.filter(tournament=other, number=1).update(player_id=player)
    next_round(other)
    with CaptureQueriesContext(connection) as captured:
        lines = calls_of(player)
    assert [line.tournament for line in lines] == [other.public_id, tournament.public_id]
    assert len(captured) == 1


def test_a_call_that_was_seen_stays_seen_since_the_first_time() -> None:
    tournament = a_knock_out()
    next_round(tournament)
    player = tournament.entries.get(number=1).player_id
    later = NOW + timedelta(minutes=1)
    assert services.mark_seen(player_id=player, now=NOW) == 1
    assert services.mark_seen(player_id=player, now=later) == 0
    assert calls_of(player)[0].seen_at == NOW
    assert Call.objects.filter(seen_at=None).count() == 6


def test_a_player_asks_for_emails_and_takes_it_back() -> None:
    tournament = a_knock_out()
    entry = tournament.entries.get(number=1)

    def ask(wanted: bool, player: int = entry.player_id) -> Entry:
        return services.set_by_email(tournament_id=tournament.pk, player_id=player, wanted=wanted)

    with pytest.raises(TournamentRefusal) as refusal:
        ask(True)
    assert (refusal.value.code, refusal.value.field) == (TournamentCode.NO_ADDRESS, "email")
    User.objects.filter(pk=entry.player_id).update(email="asha@example.org")
    assert ask(True).call_by_email
    assert Entry.objects.get(pk=entry.pk).call_by_email
    assert not ask(False).call_by_email
    [stranger] = players(1)
    with pytest.raises(TournamentRefusal) as refusal:
        ask(True, stranger.pk)
    assert refusal.value.code is TournamentCode.NOT_ENTERED


def test_an_email_is_asked_for_on_commit_and_for_who_wants_one_only(
    sent: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    tournament = a_knock_out()
    asks_for_email(tournament.entries.get(number=1))
    with django_capture_on_commit_callbacks(execute=True):
        next_round(tournament)
        assert sent == []
    assert sent == [called(tournament).pk]


def test_a_round_that_is_undone_sends_nothing(
    sent: list[int], django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = a_knock_out()
    asks_for_email(tournament.entries.get(number=1))
    monkeypatch.setattr("tournaments.services.opening._forfeit", lambda *_: 1 / 0)
    with (
        django_capture_on_commit_callbacks(execute=True) as waiting,
        pytest.raises(ZeroDivisionError),
    ):
        next_round(tournament)
    assert (waiting, sent) == ([], [])
    assert not Call.objects.exists()


def test_a_broker_that_is_down_spoils_no_round(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def down(*_: object, **__: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(current_app, "send_task", down)
    tournament = a_knock_out()
    asks_for_email(tournament.entries.get(number=1))
    with django_capture_on_commit_callbacks(execute=True):
        assert next_round(tournament) is not None
    assert tournament.rounds.count() == 1


def test_the_email_says_where_to_go_and_goes_out_once() -> None:
    tournament = a_knock_out()
    asks_for_email(tournament.entries.get(number=1))
    next_round(tournament)
    call = called(tournament)
    assert tasks.send_call(call.pk) is True
    assert tasks.send_call(call.pk) is False
    [message] = mail.outbox
    assert message.to == ["asha@example.org"]
    assert message.subject == "Spring cup: take your seat"
    assert f"table {call.table.number}" in message.body


def test_a_name_of_several_lines_makes_one_subject_and_no_header_of_its_own() -> None:
    tournament = a_knock_out()
    asks_for_email(tournament.entries.get(number=1))
    next_round(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(name="Cup\r\nBcc: all@example.org")
    assert tasks.send_call(called(tournament).pk) is True
    [message] = mail.outbox
    assert message.subject == "Cup Bcc: all@example.org: take your seat"
    assert message.recipients() == ["asha@example.org"]


def _gone(call: Call) -> None:
    leave(call.entry)


def _over(call: Call) -> None:
    finish(call.table)


def _no_address(call: Call) -> None:
    User.objects.filter(pk=call.entry.player_id).update(email="")


def _changed_his_mind(call: Call) -> None:
    Entry.objects.filter(pk=call.entry_id).update(call_by_email=False)


@pytest.mark.parametrize("happens", [_gone, _over, _no_address, _changed_his_mind])
def test_no_email_goes_to_who_has_left_or_needs_none_any_more(happens: Any) -> None:
    tournament = a_knock_out()
    asks_for_email(tournament.entries.get(number=1))
    next_round(tournament)
    call = called(tournament)
    happens(call)
    assert tasks.send_call(call.pk) is False
    assert mail.outbox == []


def test_an_email_that_fails_is_tried_again_and_not_noted_as_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tournament = a_knock_out()
    asks_for_email(tournament.entries.get(number=1))
    next_round(tournament)
    call = called(tournament)

    def down(**_: object) -> None:
        raise SMTPServerDisconnected

    with monkeypatch.context() as broken:
        broken.setattr(calls, "send_mail", down)
        with pytest.raises(Retry):
            tasks.send_call.apply(args=(call.pk,), throw=True)
    call.refresh_from_db()
    assert call.emailed_at is None
    assert tasks.send_call(call.pk) is True


def test_emails_whose_tasks_were_lost_are_asked_for_again_while_they_are_of_use() -> None:
    tournament = a_knock_out()
    asks_for_email(tournament.entries.get(number=1))
    next_round(tournament)
    call = called(tournament)

    def at(minutes: int) -> list[int]:
        return calls.unsent(now=NOW + timedelta(minutes=minutes))

    assert [at(1), at(3), at(16)] == [[], [call.pk], []]
    calls.send_by_email(call_id=call.pk, now=NOW)
    assert at(3) == []
