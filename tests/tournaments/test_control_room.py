"""The control room: what it shows, who may do what, and that every deed is foretold and audited."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from players.models import Notice
from rummy_site.roles import ARBITERS, ORGANISERS
from staff.models import StaffAction
from tables import services as tables
from tables.models import Connection, Deal, Match, Seat
from tests.pages import logged_in, page_of, queries_of
from tests.staff.helpers import member
from tests.tournaments.helpers import (
    NOW,
    finish,
    next_round,
    open_tables,
    players,
    secret_for,
    started,
    terms,
    wallet,
)
from tournaments import services
from tournaments.models import (
    Call,
    Decision,
    Entry,
    EntryState,
    Placing,
    RoundTable,
    Shape,
    StaffRole,
    Tournament,
    TournamentStaff,
)
from tournaments.structure.rounds import BestOfTable

pytestmark = pytest.mark.django_db


def _in_charge(tournament: Tournament, group: str, role: StaffRole, name: str) -> Client:
    user = member(name, group)
    TournamentStaff.objects.create(tournament=tournament, user=user, role=role)
    return logged_in(user)


def _organiser(tournament: Tournament) -> Client:
    return _in_charge(tournament, ORGANISERS, StaffRole.ORGANISER, "olga")


def _arbiter(tournament: Tournament) -> Client:
    return _in_charge(tournament, ARBITERS, StaffRole.ARBITER, "arun")


def _seven(**changes: Any) -> Tournament:
    """Tables of four and three, opened."""
    tournament = started(Shape.KNOCKOUT, 7, terms=terms(**changes))
    next_round(tournament)
    return tournament


def _room(tournament: Tournament) -> str:
    return f"/admin/tournaments/tournament/{tournament.pk}/control/"


def _deed(tournament: Tournament, name: str, **about: int) -> str:
    query = "&".join(f"{key}={value}" for key, value in about.items())
    return f"{_room(tournament)}{name}/?{query}"


def _token(html: str) -> str:
    found = re.search(r'name="confirmed" value="(\w+)"', html)
    return "" if found is None else found[1]


def _look(client: Client, address: str, **sent: Any) -> str:
    answer = client.post(address, {"_look": "", **sent})
    assert answer.status_code == 200
    return answer.content.decode()


def _do(client: Client, address: str, **sent: Any) -> Any:
    """Look, and confirm what was foretold."""
    token = _token(_look(client, address, **sent))
    return client.post(address, {"_do": "", "confirmed": token, **sent})


def _seat_of(table: RoundTable, number: int) -> Entry:
    return Entry.objects.select_related("player").get(placings__table=table, placings__seat=number)


def test_the_room_shows_rounds_tables_and_who_is_not_there() -> None:
    """Nobody has come yet; the first to open a socket is shown as here."""
    tournament = _seven()
    html = page_of(_organiser(tournament), _room(tournament))
    assert html.count('class="panel control-table') == 2
    assert '<dd class="bad">7</dd>' in html
    seat = Seat.objects.order_by("pk").first()
    assert seat is not None
    Connection.objects.create(seat=seat, channel="one", seen_at=datetime.now(UTC))
    again = page_of(logged_in(User.objects.get(username="olga")), _room(tournament))
    assert '<dd class="bad">6</dd>' in again
    assert 'class="presence is-here"' in again


def test_who_was_called_long_ago_is_late_and_who_saw_the_call_has_no_connection() -> None:
    """Called at the test's far past; one has seen it, another is called just now."""
    tournament = _seven()
    first, second, *_rest = Call.objects.order_by("pk")
    Call.objects.filter(pk=first.pk).update(seen_at=datetime.now(UTC))
    Call.objects.filter(pk=second.pk).update(at=datetime.now(UTC))
    html = page_of(_organiser(tournament), _room(tournament))
    assert html.count('class="presence is-away"') == 2  # in the list and at the table
    assert html.count('class="presence is-called"') == 2
    assert html.count('class="presence is-late"') == 10


def test_no_card_of_a_running_deal_stands_in_the_room() -> None:
    """Neither the page nor its live part names a card; they say whose move it is."""
    tournament = _seven()
    for match in Match.objects.filter(over_at__isnull=True):
        tables.deal_next(match_id=match.pk, secret_for=secret_for, now=NOW)
    assert Deal.objects.filter(over_at__isnull=True).count() == 2
    client = _organiser(tournament)
    for address in (_room(tournament), f"{_room(tournament)}floor/"):
        html = page_of(client, address)
        assert html.count('<tr class="is-awaited">') == 2
        assert not re.search(r"[2-9TJQKA][SHDC♠♥♦♣][\" ,<]|\w+ of (spades|hearts)", html)


def test_the_room_takes_the_same_statements_for_two_tables_and_for_twelve() -> None:
    """Entries and tables add none."""
    few = _seven()
    many = started(Shape.KNOCKOUT, 66, terms=terms())
    next_round(many)
    counts = []
    for number, tournament in enumerate((few, many)):
        client = _in_charge(tournament, ORGANISERS, StaffRole.ORGANISER, f"olga{number}")
        counts.append(len(queries_of(client, _room(tournament))))
    assert len(open_tables(many)) >= 11
    assert counts[0] == counts[1]


def test_the_live_part_says_that_nothing_is_new() -> None:
    """Asked again with the name of what was shown, it answers without a body."""
    tournament = _seven()
    client = _organiser(tournament)
    first = client.get(f"{_room(tournament)}floor/")
    assert first.status_code == 200
    again = client.get(f"{_room(tournament)}floor/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    services.pause(tournament_id=tournament.pk, actor="olga", now=datetime.now(UTC))
    after = client.get(f"{_room(tournament)}floor/", headers={"If-None-Match": first["ETag"]})
    assert after.status_code == 200


def test_pausing_is_foretold_confirmed_and_stands_in_the_audit_log() -> None:
    """Two tables stop; the line says who, and how it was before and after."""
    tournament = _seven()
    client = _organiser(tournament)
    address = _deed(tournament, "pause")
    assert "2 tables stop" in page_of(client, address)
    assert Tournament.objects.get(pk=tournament.pk).state == "running"
    answer = _do(client, address, reason="the hall has no light")
    assert answer.status_code == 302
    assert Tournament.objects.get(pk=tournament.pk).state == "paused"
    line = StaffAction.objects.get(action="tournaments.pause")
    assert (line.actor_name, line.reason) == ("olga", "the hall has no light")
    assert (line.before["state"], line.after["state"]) == ("running", "paused")
    assert _do(client, _deed(tournament, "resume")).status_code == 302
    assert Tournament.objects.get(pk=tournament.pk).state == "running"


def test_what_changed_since_the_look_is_shown_in_place_of_being_done() -> None:
    """A table ends between the two presses, so other tables would stop than was said."""
    tournament = _seven()
    client = _organiser(tournament)
    address = _deed(tournament, "pause")
    token = _token(page_of(client, address))
    finish(open_tables(tournament)[1], 10, 20, 30, places=(1, 2, 3))
    answer = client.post(address, {"_do": "", "confirmed": token})
    assert answer.status_code == 409
    assert "1 table stops" in answer.content.decode()
    assert Tournament.objects.get(pk=tournament.pk).state == "running"
    assert not StaffAction.objects.filter(action="tournaments.pause").exists()


def test_more_time_is_refused_beside_its_field() -> None:
    """Zero seconds and a day are no time to give."""
    tournament = _seven()
    client = _organiser(tournament)
    table = open_tables(tournament)[0]
    for seconds in ("0", "86400", "soon"):
        html = _look(client, _deed(tournament, "extend", table=table.pk), seconds=seconds)
        assert 'id="id_seconds_error"' in html
    answer = _do(client, _deed(tournament, "extend", table=table.pk), seconds="60")
    assert answer.status_code == 302
    assert Decision.objects.get().table_name == f"round 1, table {table.number}"


def test_a_disqualification_is_tried_told_and_undone_until_it_is_confirmed() -> None:
    """The look says what becomes of him; nothing is written before the second press."""
    tournament = _seven()
    client = _organiser(tournament)
    table = open_tables(tournament)[0]
    entry = _seat_of(table, 0)
    address = _deed(tournament, "disqualify", table=table.pk, player=entry.player_id)
    html = _look(client, address, reason="signalled to a neighbour")
    assert f"{entry.player.username}: playing → knocked out." in html
    entry.refresh_from_db()
    assert entry.state == EntryState.PLAYING
    assert not Decision.objects.exists()
    assert _do(client, address, reason="signalled to a neighbour").status_code == 302
    entry.refresh_from_db()
    assert (entry.state, entry.left) == (EntryState.OUT, "disqualified")
    line = StaffAction.objects.get(action="tournaments.disqualify")
    assert line.subject_kind == "entry"
    assert (line.before["entry"], line.after["entry"]) == ("playing", "out")


def test_a_grave_deed_without_a_reason_is_refused_beside_its_field() -> None:
    """Disqualifying, withdrawing, overriding, redoing and calling off need a word."""
    tournament = _seven()
    client = _organiser(tournament)
    table = open_tables(tournament)[0]
    about = {"table": table.pk, "player": _seat_of(table, 0).player_id}
    for name in ("disqualify", "withdraw", "redo", "abort"):
        html = _look(client, _deed(tournament, name, **about))
        assert 'id="id_reason_error"' in html
    assert not StaffAction.objects.filter(action__startswith="tournaments.").exists()


def test_an_arbiter_gives_a_result_and_it_replaces_the_table_s() -> None:
    """Places and points of every seat; what follows stands there before."""
    tournament = _seven(advance=BestOfTable(1))
    client = _arbiter(tournament)
    table = next(one for one in open_tables(tournament) if one.placings.count() == 3)
    finish(table, 0, 40, 80)
    sent = {"reason": "the video shows it"}
    for seat, (place, score) in enumerate([(3, 80), (2, 40), (1, 0)]):
        sent |= {f"place_{seat}": str(place), f"score_{seat}": str(score)}
    answer = _do(client, _deed(tournament, "override", table=table.pk), **sent)
    assert answer.status_code == 302
    places = Placing.objects.filter(table=table).order_by("seat").values_list("place", flat=True)
    assert list(places) == [3, 2, 1]
    assert StaffAction.objects.get(action="tournaments.override").reason == "the video shows it"


def test_places_that_no_table_can_have_are_refused_in_words() -> None:
    """Two first places need a third one after them, not a second."""
    tournament = _seven(advance=BestOfTable(1))
    table = next(one for one in open_tables(tournament) if one.placings.count() == 3)
    finish(table, 0, 40, 80)
    sent = {"reason": "so it was"}
    for seat, place in enumerate((1, 1, 2)):
        sent |= {f"place_{seat}": str(place), f"score_{seat}": "5"}
    html = _look(_arbiter(tournament), _deed(tournament, "override", table=table.pk), **sent)
    assert "such as 1 2 2 4" in html
    assert _token(html) == ""


def test_later_tables_are_discarded_only_where_somebody_says_so() -> None:
    """The final was opened on the strength of the result; a tick is needed to throw it away."""
    tournament = _seven(advance=BestOfTable(1))
    client = _organiser(tournament)
    one, two = open_tables(tournament)
    finish(one, 0, 40, 60, 80)
    finish(two, 0, 40, 80)
    next_round(tournament)
    address = _deed(tournament, "redo", table=one.pk)
    html = _look(client, address, reason="wrong cards")
    assert "These later tables are discarded" in html
    refused = client.post(address, {"_do": "", "confirmed": _token(html), "reason": "wrong cards"})
    assert refused.status_code == 200
    assert not Decision.objects.exists()
    answer = _do(client, address, reason="wrong cards", force="on")
    assert answer.status_code == 302
    assert Decision.objects.get().kind == "redone"


def test_a_player_moves_to_another_table_of_his_round_before_the_first_deal() -> None:
    """The choice lists the other tables; the consequences are told."""
    tournament = _seven()
    client = _organiser(tournament)
    one, two = sorted(open_tables(tournament), key=lambda table: -table.placings.count())
    entry = _seat_of(one, 0)
    address = _deed(tournament, "move", table=one.pk, player=entry.player_id)
    assert _do(client, address, to=str(two.pk), reason="sits beside his wife").status_code == 302
    assert Placing.objects.get(entry=entry).table_id == two.pk
    html = _look(client, address, to="999999", reason="nowhere")
    assert 'id="id_to_error"' in html


def test_a_substitute_takes_the_seat_and_the_fee_changes_hands() -> None:
    """By the name he logs in with; an unknown name is refused beside the field."""
    tournament = _seven()
    client = _organiser(tournament)
    table = open_tables(tournament)[0]
    leaves = _seat_of(table, 0)
    comes = players(8)[7]
    address = _deed(tournament, "substitute", table=table.pk, player=leaves.player_id)
    html = _look(client, address, username="nobody-of-that-name", reason="ill")
    assert 'id="id_username_error"' in html
    before = wallet(comes)
    assert _do(client, address, username=comes.username, reason="ill").status_code == 302
    assert wallet(comes) != before
    assert Placing.objects.get(table=table, seat=0).entry.player == comes


def test_calling_again_reaches_who_is_not_there_and_nobody_else() -> None:
    """One sits at the table already; his call stays as it was."""
    tournament = _seven()
    table = open_tables(tournament)[0]
    here = Seat.objects.get(match=table.match_id, number=0)
    Connection.objects.create(seat=here, channel="one", seen_at=datetime.now(UTC))
    Call.objects.update(seen_at=datetime.now(UTC) - timedelta(minutes=3))
    Notice.objects.filter(kind="called").update(read_at=datetime.now(UTC), is_waiting=False)
    answer = _do(_arbiter(tournament), _deed(tournament, "call", table=table.pk))
    assert answer.status_code == 302
    unseen = Call.objects.filter(table=table, seen_at__isnull=True)
    assert unseen.count() == table.placings.count() - 1
    assert not unseen.filter(entry__player=here.player).exists()
    waiting = Notice.objects.filter(kind="called", is_waiting=True, read_at__isnull=True)
    assert waiting.count() == table.placings.count() - 1


def test_calling_off_tells_who_gets_what_and_pays_it() -> None:
    """Everybody has his fee back, to the last point."""
    tournament = _seven()
    client = _organiser(tournament)
    address = _deed(tournament, "abort")
    html = _look(client, address, reason="fire alarm")
    assert "7 players get 3,500 play points in all." in html
    assert _do(client, address, reason="fire alarm").status_code == 302
    assert Tournament.objects.get(pk=tournament.pk).state == "aborted"
    assert StaffAction.objects.get(action="tournaments.abort").after["state"] == "aborted"


def test_an_arbiter_may_not_do_what_only_organisers_may() -> None:
    """He sees the room, and neither finds nor may use the organisers' deeds."""
    tournament = _seven()
    client = _arbiter(tournament)
    html = page_of(client, _room(tournament))
    assert "control/pause/" not in html
    assert "control/override/" in html
    table = open_tables(tournament)[0]
    about = {"table": table.pk, "player": _seat_of(table, 0).player_id}
    for name in ("pause", "abort", "redo", "move", "substitute", "withdraw", "disqualify"):
        address = _deed(tournament, name, **about)
        assert client.get(address).status_code == 403
        assert client.post(address, {"_look": "", "reason": "x"}).status_code == 403


def test_somebody_else_s_tournament_has_no_control_room() -> None:
    """Another organiser finds nothing there, a player not even the admin."""
    tournament = _seven()
    other = logged_in(member("otto", ORGANISERS))
    for address in (_room(tournament), f"{_room(tournament)}floor/", _deed(tournament, "pause")):
        assert other.get(address).status_code == 404
        assert logged_in(Entry.objects.all()[0].player).get(address).status_code == 302


@pytest.mark.parametrize("about", ["table=0", "table=99999999999999", "player=0", "table=x"])
def test_a_deed_about_what_is_not_there_is_not_found(about: str) -> None:
    """Another tournament's table is not there either."""
    tournament, other = _seven(), _seven()
    client = _organiser(tournament)
    for name in ("extend", "disqualify", "override"):
        assert client.get(f"{_room(tournament)}{name}/?{about}").status_code == 404
    theirs = open_tables(other)[0]
    address = _deed(tournament, "extend", table=theirs.pk)
    assert client.get(address).status_code == 404


def test_before_the_start_and_after_the_end_nothing_can_be_done() -> None:
    """The room says so; a deed that was opened before is refused with the reason."""
    tournament = _seven()
    client = _organiser(tournament)
    token = _token(page_of(client, _deed(tournament, "pause")))
    services.abort(tournament_id=tournament.pk, actor="otto", reason="rain", now=datetime.now(UTC))
    answer = client.post(_deed(tournament, "pause"), {"_do": "", "confirmed": token})
    assert answer.status_code in (200, 409)
    assert Tournament.objects.get(pk=tournament.pk).state == "aborted"
    html = page_of(client, _room(tournament))
    assert "control/pause/" not in html
