"""Coming and going of a player's sockets."""

from __future__ import annotations

import pytest

from tables import services
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, Match
from tables.rules import commands as cm
from tables.services.presence import connected, disconnected
from tests.tables.helpers import NOW, a_match, dealt, state_of

pytestmark = pytest.mark.django_db


def _online(match: Match) -> dict[int, bool]:
    return dict(match.seats.values_list("number", "online"))


def _last(deal: Deal) -> str:
    return str(deal.events.latest("seq").kind)


def test_going_and_coming_back_is_part_of_the_deals_log() -> None:
    match = a_match()
    deal, state = dealt(match)
    disconnected(match_id=match.pk, seat=1, now=NOW)
    assert (_last(deal), state_of(deal).seat_state(1).online) == ("player_went_offline", False)
    assert _online(match) == {0: True, 1: False}
    connected(match_id=match.pk, seat=1, now=NOW)
    assert (_last(deal), state_of(deal).seat_state(1).online) == ("player_came_back", True)
    assert _online(match) == {0: True, 1: True}
    assert state_of(deal).deadline == state.deadline


@pytest.mark.parametrize("tell", [connected, disconnected])
def test_what_is_so_already_is_not_written_again(tell: object) -> None:
    match = a_match()
    deal, _ = dealt(match)
    for _ in range(3):
        tell(match_id=match.pk, seat=1, now=NOW)  # type: ignore[operator]
    kinds = list(deal.events.values_list("kind", flat=True))
    assert kinds.count("player_went_offline") == (tell is disconnected)
    assert kinds.count("player_came_back") == 0


def test_coming_and_going_many_times_is_written_each_time() -> None:
    match = a_match()
    deal, state = dealt(match)
    for _ in range(4):
        disconnected(match_id=match.pk, seat=0, now=NOW)
        connected(match_id=match.pk, seat=0, now=NOW)
    assert Deal.objects.get(pk=deal.pk).version == state.version + 8


def test_a_second_tab_does_not_end_auto_drop() -> None:
    match = a_match(format_name="pool101")
    deal, _ = dealt(match)
    on = cm.SetAutoDrop(1, True)
    services.play(deal_id=deal.pk, command=on, command_id="auto", now=NOW)
    connected(match_id=match.pk, seat=1, now=NOW)
    assert _last(deal) == "auto_drop_set"
    assert state_of(deal).seat_state(1).auto_drop


def test_reconnecting_ends_absence_but_auto_drop_only_by_the_players_word() -> None:
    match = a_match(format_name="pool101")
    deal, _ = dealt(match)
    on = cm.SetAutoDrop(1, True)
    services.play(deal_id=deal.pk, command=on, command_id="auto", now=NOW)
    disconnected(match_id=match.pk, seat=1, now=NOW)
    connected(match_id=match.pk, seat=1, now=NOW)
    me = state_of(deal).seat_state(1)
    assert (me.online, me.auto_drop) == (True, True)


def test_between_two_deals_it_stands_with_the_seat_and_holds_in_the_next_deal() -> None:
    match = a_match()
    disconnected(match_id=match.pk, seat=1, now=NOW)
    assert _online(match) == {0: True, 1: False}
    _, state = dealt(match)
    assert not state.seat_state(1).online
    assert state.seat_state(0).online


def test_who_is_not_in_the_deal_may_come_and_go_too() -> None:
    match = a_match(3, format_name="pool101")
    deal, state = dealt(match)
    gone, other = state.seats[0].seat, state.seats[1].seat
    for number, seat in enumerate((gone, other)):
        command: cm.Command = cm.Leave(seat) if seat == gone else cm.Drop(seat)
        services.play(deal_id=deal.pk, command=command, command_id=str(number), now=NOW)
    following, _ = dealt(match)
    disconnected(match_id=match.pk, seat=gone, now=NOW)
    assert not _online(match)[gone]
    assert _last(following) != "player_went_offline"


def test_an_unknown_match_is_refused() -> None:
    with pytest.raises(TableRefusal) as refusal:
        connected(match_id=404, seat=0, now=NOW)
    assert refusal.value.code is TableCode.UNKNOWN_MATCH
