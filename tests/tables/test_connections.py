"""Sockets of a seat are counted: what opens, closes, is seen no more, and dies in between."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from tables.models import Connection, Match, Seat
from tables.services import connections
from tests.tables.helpers import NOW, a_match, dealt

pytestmark = pytest.mark.django_db

LATER = NOW + connections.GONE_AFTER


def _seat(match: Match, number: int = 0) -> Seat:
    return match.seats.get(number=number)


def _opened(seat: Seat, *channels: str) -> list[str]:
    for channel in channels:
        connections.socket_opened(seat_id=seat.pk, channel=channel, now=NOW)
    return list(channels)


def _is_online(seat: Seat) -> bool:
    return Seat.objects.get(pk=seat.pk).online


def _kinds(match: Match) -> list[str]:
    events = match.deals.get().events.order_by("seq")
    return [kind for kind in events.values_list("kind", flat=True) if kind.startswith("player_")]


def test_with_the_last_socket_and_not_before_the_player_is_cut_off() -> None:
    match = a_match()
    dealt(match)
    seat = _seat(match)
    _opened(seat, "a", "b")
    assert connections.sockets_closed(channels=["a"], now=NOW) == 1
    assert _is_online(seat)
    assert connections.sockets_closed(channels=["b"], now=NOW) == 1
    assert not _is_online(seat)
    assert _kinds(match) == ["player_went_offline"]


def test_a_socket_that_opens_while_the_last_one_closes_keeps_its_player_online() -> None:
    """It is counted, and waits for the match's lock, which the closing one holds."""
    match = a_match()
    dealt(match)
    seat = _seat(match)
    _opened(seat, "old")
    Connection.objects.create(seat=seat, channel="new", seen_at=NOW)
    connections.sockets_closed(channels=["old"], now=NOW)
    assert _is_online(seat)
    assert _kinds(match) == []


def test_many_tabs_closed_at_once_cost_as_many_queries_as_two() -> None:
    costs = []
    for tabs in (2, 30):
        seat = _seat(a_match())
        channels = _opened(seat, *(f"{tabs}-{number}" for number in range(tabs)))
        with CaptureQueriesContext(connection) as queries:
            assert connections.sockets_closed(channels=channels, now=NOW) == tabs
        costs.append(len(queries))
        assert not _is_online(seat)
    assert costs[0] == costs[1]


def test_a_socket_counted_no_more_cuts_nobody_off() -> None:
    seat = _seat(a_match())
    _opened(seat, "a")
    assert connections.sockets_closed(channels=["another", "c"], now=NOW) == 0
    assert _is_online(seat)


def test_a_crash_while_a_player_is_cut_off_leaves_his_socket_to_the_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seat = _seat(a_match())
    _opened(seat, "a")

    def dies(**_: object) -> None:
        raise DatabaseError("the server closed the connection")

    with monkeypatch.context() as patched:
        patched.setattr(connections, "disconnected", dies)
        with pytest.raises(DatabaseError):
            connections.sockets_closed(channels=["a"], now=NOW)
    assert (Connection.objects.count(), _is_online(seat)) == (1, True)
    assert connections.drop_unseen(now=LATER) == 1
    assert not _is_online(seat)


def test_what_is_seen_is_not_swept_and_what_is_not_seen_is() -> None:
    match = a_match()
    here, gone = _seat(match, 0), _seat(match, 1)
    _opened(here, "here")
    _opened(gone, "gone")
    assert connections.sockets_seen(channels=["here"], now=LATER) == set()
    assert connections.drop_unseen(now=LATER) == 1
    assert (_is_online(here), _is_online(gone)) == (True, False)


def test_a_socket_seen_while_the_sweep_begins_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = _seat(a_match())
    _opened(seat, "slow")
    matches_of = connections.matches_of

    def seen_meanwhile(*, channels: list[str]) -> list[int]:
        connections.sockets_seen(channels=channels, now=LATER)
        return matches_of(channels=channels)

    monkeypatch.setattr(connections, "matches_of", seen_meanwhile)
    assert connections.drop_unseen(now=LATER) == 0
    assert _is_online(seat)


def test_an_open_socket_that_was_swept_is_told_and_counted_again_for_its_own_player() -> None:
    seat = _seat(a_match())
    _opened(seat, "open")
    connections.drop_unseen(now=LATER)
    assert connections.sockets_seen(channels=["open"], now=LATER) == {"open"}
    other = User.objects.create(username="other")
    for user_id, counted in ((other.pk, False), (None, False), (seat.player_id, True)):
        again = connections.counted(seat_id=seat.pk, user_id=user_id, channel="open", now=LATER)
        assert (again, _is_online(seat)) == (counted, counted)


def test_giving_up_costs_the_same_for_few_and_many_sockets() -> None:
    seat, costs = _seat(a_match()), []
    for sockets in (10, 150):
        channels = [f"socket-{number}" for number in range(sockets)]
        Connection.objects.bulk_create(
            Connection(seat=seat, channel=channel, seen_at=NOW) for channel in channels
        )
        with CaptureQueriesContext(connection) as queries:
            connections.given_up(channels=channels, now=NOW)
        costs.append(len(queries))
        assert connections.drop_unseen(now=NOW) == sockets
    assert costs[0] == costs[1]


def test_after_a_stop_only_those_are_cut_off_who_have_not_come_back() -> None:
    match = a_match()
    dealt(match)
    back, gone = _seat(match, 0), _seat(match, 1)
    channels = _opened(back, "first") + _opened(gone, "second")
    connections.given_up(channels=channels, now=NOW)
    assert (_is_online(back), _is_online(gone)) == (True, True)
    soon = NOW + timedelta(seconds=2)
    connections.socket_opened(seat_id=back.pk, channel="third", now=soon)
    assert connections.drop_unseen(now=soon) == 2
    assert (_is_online(back), _is_online(gone)) == (True, False)
    assert _kinds(match) == ["player_went_offline"]
