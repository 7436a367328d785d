"""Players are called when a table of theirs opens, and by e-mail where they asked for it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from celery import current_app
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Profile
from players.models.inbox import Notice, NoticeKind
from players.selectors.inbox import news_of
from players.services.inbox import send_mail
from tests.tournaments.helpers import NOW, finish, next_round, open_tables, players, started, terms
from tests.tournaments.round_helpers import leave, tie_breaks
from tests.tournaments.test_desk_moving import _move
from tests.tournaments.test_desk_overrides import LATER, _override, _redo
from tests.tournaments.test_desk_substitution import _substitute
from tournaments import services
from tournaments.models import Call, Entry, RoundTable, Shape, Tournament
from tournaments.selectors import calls_of
from tournaments.services import desk
from tournaments.structure.lifecycle import State

pytestmark = pytest.mark.django_db


def a_knock_out(entrants: int = 7) -> Tournament:
    """A running knock-out, nothing opened yet."""
    return started(Shape.KNOCKOUT, entrants, terms=terms("points"))


def asks_for_email(entry: Entry, language: str = "") -> Entry:
    """The player has an address and wants to be called by e-mail."""
    User.objects.filter(pk=entry.player_id).update(email="asha@example.org")
    Profile.objects.create(user_id=entry.player_id, mail_calls=True, language=language)
    return entry


def mailed(now: datetime) -> list[Any]:
    """Every e-mail that calls somebody to a table, once those that are due have gone out."""
    send_mail(now=now)
    calls = ("Take your seat", "अपनी सीट")
    return [message for message in mail.outbox if message.subject.startswith(calls)]


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


def test_who_asked_for_it_is_called_by_email_in_his_language_and_nobody_else(
    django_capture_on_commit_callbacks: Any,
) -> None:
    tournament = a_knock_out()
    first, second = tournament.entries.filter(number__lte=2).order_by("number")
    asks_for_email(first, language="hi")
    User.objects.filter(pk=second.player_id).update(email="ravi@example.org")
    with django_capture_on_commit_callbacks(execute=True):
        next_round(tournament)
    assert mailed(NOW) == mailed(NOW)
    [message] = mailed(NOW)
    assert message.to == ["asha@example.org"]
    call = called(tournament)
    assert "Spring cup" in message.subject
    assert "अपनी सीट" in message.subject
    assert f"/tables/{call.table.match.table.public_id}/" in message.body


def test_a_round_that_is_undone_calls_nobody(
    django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = a_knock_out()
    asks_for_email(tournament.entries.get(number=1))
    monkeypatch.setattr("tournaments.services.opening._forfeit", lambda *_: 1 / 0)
    with (
        django_capture_on_commit_callbacks(execute=True) as waiting,
        pytest.raises(ZeroDivisionError),
    ):
        next_round(tournament)
    assert waiting == []
    assert mailed(NOW) == []
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
    assert len(mailed(NOW)) == 1


def _gone(call: Call) -> None:
    desk.withdraw(
        tournament_id=call.entry.tournament_id,
        player_id=call.entry.player_id,
        actor="desk",
        now=NOW,
    )


def _over(call: Call) -> None:
    finish(call.table)


def _no_address(call: Call) -> None:
    User.objects.filter(pk=call.entry.player_id).update(email="")


def _called_off(call: Call) -> None:
    services.abort(
        tournament_id=call.entry.tournament_id, actor="organiser", reason="fire", now=NOW
    )


@pytest.mark.parametrize("happens", [_gone, _over, _no_address, _called_off])
def test_no_email_calls_who_has_left_or_whose_table_is_over(happens: Any) -> None:
    tournament = a_knock_out()
    entry = asks_for_email(tournament.entries.get(number=1))
    next_round(tournament)
    happens(called(tournament))
    assert mailed(NOW) == []
    calls = Notice.objects.filter(player_id=entry.player_id, kind=NoticeKind.CALLED)
    assert [(one.mail_at, one.mailed_at) for one in calls] == [(None, None)]


def test_an_email_that_would_come_too_late_to_be_of_use_is_not_sent() -> None:
    tournament = a_knock_out()
    asks_for_email(tournament.entries.get(number=1))
    next_round(tournament)
    assert mailed(NOW + timedelta(minutes=15)) == []


def test_who_is_called_again_has_another_email() -> None:
    tournament = a_knock_out()
    asks_for_email(tournament.entries.get(number=1))
    next_round(tournament)
    later = NOW + timedelta(minutes=5)
    assert len(mailed(NOW)) == len(mailed(later)) == 1
    table = called(tournament).table
    services.call_again(tournament_id=tournament.pk, table_id=table.pk, now=later)
    assert len(mailed(later)) == 2


def waits_for(entry: Entry) -> list[str]:
    """The addresses of the tables that call a player on every page of his."""
    return [call.link for call in news_of(entry.player_id).calls]


def address_of(table: RoundTable) -> str:
    return f"/tables/{table.match.table.public_id}/"


def test_who_is_moved_is_called_to_his_new_table_alone_and_back_again_too() -> None:
    tournament = a_knock_out()
    one, two = next_round(tournament).tables.all()
    entry = one.placings.get(seat=0).entry
    assert waits_for(entry) == [address_of(one)]
    _move(entry, two)
    assert waits_for(entry) == [address_of(two)]
    _move(entry, one)
    assert waits_for(entry) == [address_of(one)]


def test_a_table_that_is_discarded_calls_nobody_any_more() -> None:
    tournament = a_knock_out()
    next_round(tournament)
    one, two = open_tables(tournament)
    finish(one)
    finish(two)
    old = next_round(tournament).tables.get()
    entries = [placing.entry for placing in old.placings.select_related("entry")]
    assert [waits_for(entry) for entry in entries] == [[address_of(old)]] * 2
    _override(one, 2, 1, 3, 4, force=True)
    assert [waits_for(entry) for entry in entries] == [[], []]


def test_a_table_that_is_played_again_calls_its_players_again() -> None:
    tournament = a_knock_out()
    next_round(tournament)
    table = open_tables(tournament)[0]
    entries = [placing.entry for placing in table.placings.select_related("entry")]
    finish(table)
    assert [waits_for(entry) for entry in entries] == [[]] * 4
    _redo(table)
    assert [waits_for(entry) for entry in entries] == [[address_of(table)]] * 4
    assert set(Call.objects.filter(table=table).values_list("at", flat=True)) == {LATER}


def test_who_gave_his_seat_away_is_called_no_more_and_his_substitute_is() -> None:
    tournament = a_knock_out()
    next_round(tournament)
    entry = tournament.entries.select_related("player").get(number=1)
    [table] = waits_for(entry)
    substitute = _substitute(entry, players(1)[0])
    assert (waits_for(entry), waits_for(substitute)) == ([], [table])
