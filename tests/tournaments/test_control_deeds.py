"""The deeds of the control room: foretold, confirmed, audited, and refused in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from players.models import Notice
from staff.models import StaffAction
from tables import services as tables
from tables.errors import TableRefusal
from tables.models import Connection, Seat
from tests.pages import page_of
from tests.tournaments.control_helpers import (
    arbiter_of,
    deed_at,
    do,
    look,
    organiser_of,
    room_of,
    seat_of,
    seven,
    token_of,
)
from tests.tournaments.helpers import (
    finish,
    next_round,
    open_tables,
    players,
    secret_for,
    wallet,
)
from tournaments import services
from tournaments.models import (
    Call,
    Decision,
    EntryState,
    Placing,
    Tournament,
)
from tournaments.structure.rounds import BestOfTable

pytestmark = pytest.mark.django_db


def test_pausing_is_foretold_confirmed_and_stands_in_the_audit_log() -> None:
    """Two tables stop; the line says who, and how it was before and after."""
    tournament = seven()
    client = organiser_of(tournament)
    address = deed_at(tournament, "pause")
    assert "2 tables stop" in page_of(client, address)
    assert Tournament.objects.get(pk=tournament.pk).state == "running"
    answer = do(client, address, reason="the hall has no light")
    assert answer.status_code == 302
    assert Tournament.objects.get(pk=tournament.pk).state == "paused"
    line = StaffAction.objects.get(action="tournaments.pause")
    assert (line.actor_name, line.reason) == ("olga", "the hall has no light")
    assert (line.before["state"], line.after["state"]) == ("running", "paused")
    assert do(client, deed_at(tournament, "resume")).status_code == 302
    assert Tournament.objects.get(pk=tournament.pk).state == "running"


def test_what_changed_since_the_look_is_shown_in_place_of_being_done() -> None:
    """A table ends between the two presses, so other tables would stop than was said."""
    tournament = seven()
    client = organiser_of(tournament)
    address = deed_at(tournament, "pause")
    token = token_of(page_of(client, address))
    finish(open_tables(tournament)[1], 10, 20, 30, places=(1, 2, 3))
    answer = client.post(address, {"do": "", "confirmed": token})
    assert answer.status_code == 409
    assert "1 table stops" in answer.content.decode()
    assert Tournament.objects.get(pk=tournament.pk).state == "running"
    assert not StaffAction.objects.filter(action="tournaments.pause").exists()


def test_more_time_is_refused_beside_its_field() -> None:
    """Zero seconds and a day are no time to give."""
    tournament = seven()
    client = organiser_of(tournament)
    table = open_tables(tournament)[0]
    for seconds in ("0", "86400", "soon"):
        html = look(client, deed_at(tournament, "extend", table=table.pk), seconds=seconds)
        assert 'id="id_seconds_error"' in html
    tables.deal_next(match_id=table.match_id, secret_for=secret_for, now=datetime.now(UTC))
    answer = do(client, deed_at(tournament, "extend", table=table.pk), seconds="60")
    assert answer.status_code == 302
    assert Decision.objects.get().table_name == f"round 1, table {table.number}"


def test_a_disqualification_is_tried_told_and_undone_until_it_is_confirmed() -> None:
    """The look says what becomes of him; nothing is written before the second press."""
    tournament = seven()
    client = organiser_of(tournament)
    table = open_tables(tournament)[0]
    entry = seat_of(table, 0)
    address = deed_at(tournament, "disqualify", table=table.pk, player=entry.player_id)
    html = look(client, address, reason="signalled to a neighbour")
    assert f"{entry.player.username}: playing → knocked out." in html
    entry.refresh_from_db()
    assert entry.state == EntryState.PLAYING
    assert not Decision.objects.exists()
    assert do(client, address, reason="signalled to a neighbour").status_code == 302
    entry.refresh_from_db()
    assert (entry.state, entry.left) == (EntryState.OUT, "disqualified")
    line = StaffAction.objects.get(action="tournaments.disqualify")
    assert line.subject_kind == "entry"
    assert (line.before["entry"], line.after["entry"]) == ("playing", "out")


def test_a_grave_deed_without_a_reason_is_refused_beside_its_field() -> None:
    """Disqualifying, withdrawing, overriding, redoing and calling off need a word."""
    tournament = seven()
    client = organiser_of(tournament)
    table = open_tables(tournament)[0]
    about = {"table": table.pk, "player": seat_of(table, 0).player_id}
    for name in ("disqualify", "withdraw", "redo", "abort"):
        html = look(client, deed_at(tournament, name, **about))
        assert 'id="id_reason_error"' in html
    assert not StaffAction.objects.filter(action__startswith="tournaments.").exists()


def test_an_arbiter_gives_a_result_and_it_replaces_the_table_s() -> None:
    """Places and points of every seat; what follows stands there before."""
    tournament = seven(advance=BestOfTable(1))
    client = arbiter_of(tournament)
    table = next(one for one in open_tables(tournament) if one.placings.count() == 3)
    finish(table, 0, 40, 80)
    sent = {"reason": "the video shows it"}
    for seat, (place, score) in enumerate([(3, 80), (2, 40), (1, 0)]):
        sent |= {f"place_{seat}": str(place), f"score_{seat}": str(score)}
    answer = do(client, deed_at(tournament, "override", table=table.pk), **sent)
    assert answer.status_code == 302
    places = Placing.objects.filter(table=table).order_by("seat").values_list("place", flat=True)
    assert list(places) == [3, 2, 1]
    assert StaffAction.objects.get(action="tournaments.override").reason == "the video shows it"


def test_places_that_no_table_can_have_are_refused_in_words() -> None:
    """Two first places need a third one after them, not a second."""
    tournament = seven(advance=BestOfTable(1))
    table = next(one for one in open_tables(tournament) if one.placings.count() == 3)
    finish(table, 0, 40, 80)
    sent = {"reason": "so it was"}
    for seat, place in enumerate((1, 1, 2)):
        sent |= {f"place_{seat}": str(place), f"score_{seat}": "5"}
    html = look(arbiter_of(tournament), deed_at(tournament, "override", table=table.pk), **sent)
    assert "such as 1 2 2 4" in html
    assert token_of(html) == ""


def test_later_tables_are_discarded_only_where_somebody_says_so() -> None:
    """The final was opened on the strength of the result; a tick is needed to throw it away."""
    tournament = seven(advance=BestOfTable(1))
    client = organiser_of(tournament)
    one, two = open_tables(tournament)
    finish(one, 0, 40, 60, 80)
    finish(two, 0, 40, 80)
    next_round(tournament)
    address = deed_at(tournament, "redo", table=one.pk)
    html = look(client, address, reason="wrong cards")
    assert "These later tables are discarded" in html
    refused = client.post(address, {"do": "", "confirmed": token_of(html), "reason": "wrong cards"})
    assert refused.status_code == 200
    assert not Decision.objects.exists()
    answer = do(client, address, reason="wrong cards", force="on")
    assert answer.status_code == 302
    assert Decision.objects.get().kind == "redone"


def test_a_player_moves_to_another_table_of_his_round_before_the_first_deal() -> None:
    """The choice lists the other tables; the consequences are told."""
    tournament = seven()
    client = organiser_of(tournament)
    one, two = sorted(open_tables(tournament), key=lambda table: -table.placings.count())
    entry = seat_of(one, 0)
    address = deed_at(tournament, "move", table=one.pk, player=entry.player_id)
    assert do(client, address, to=str(two.pk), reason="sits beside his wife").status_code == 302
    assert Placing.objects.get(entry=entry).table_id == two.pk
    html = look(client, address, to="999999", reason="nowhere")
    assert 'id="id_to_error"' in html


def test_a_substitute_takes_the_seat_and_the_fee_changes_hands() -> None:
    """By the name he logs in with; an unknown name is refused beside the field."""
    tournament = seven()
    client = organiser_of(tournament)
    table = open_tables(tournament)[0]
    leaves = seat_of(table, 0)
    comes = players(8)[7]
    address = deed_at(tournament, "substitute", table=table.pk, player=leaves.player_id)
    html = look(client, address, username="nobody-of-that-name", reason="ill")
    assert 'id="id_username_error"' in html
    before = wallet(comes)
    assert do(client, address, username=comes.username, reason="ill").status_code == 302
    assert wallet(comes) != before
    assert Placing.objects.get(table=table, seat=0).entry.player == comes


def test_calling_again_reaches_who_is_not_there_and_nobody_else() -> None:
    """One sits at the table already; his call stays as it was."""
    tournament = seven()
    table = open_tables(tournament)[0]
    here = Seat.objects.get(match=table.match_id, number=0)
    Connection.objects.create(seat=here, channel="one", seen_at=datetime.now(UTC))
    before = datetime.now(UTC) - timedelta(minutes=3)
    Call.objects.update(at=before)
    Notice.objects.filter(kind="called").update(read_at=datetime.now(UTC), is_waiting=False)
    answer = do(arbiter_of(tournament), deed_at(tournament, "call", table=table.pk))
    assert answer.status_code == 302
    again = Call.objects.filter(table=table, at__gt=before)
    assert again.count() == table.placings.count() - 1
    assert not again.filter(entry__player=here.player).exists()
    waiting = Notice.objects.filter(kind="called", is_waiting=True, read_at__isnull=True)
    assert waiting.count() == table.placings.count() - 1


def test_calling_off_tells_who_gets_what_and_pays_it() -> None:
    """Everybody has his fee back, to the last point."""
    tournament = seven()
    client = organiser_of(tournament)
    address = deed_at(tournament, "abort")
    html = look(client, address, reason="fire alarm")
    assert "7 players get 3,500 play points in all." in html
    assert do(client, address, reason="fire alarm").status_code == 302
    assert Tournament.objects.get(pk=tournament.pk).state == "aborted"
    assert StaffAction.objects.get(action="tournaments.abort").after["state"] == "aborted"


@pytest.mark.parametrize("about", ["table=0", "table=99999999999999", "player=0", "table=x"])
def test_a_deed_about_what_is_not_there_is_not_found(about: str) -> None:
    """Another tournament's table is not there either."""
    tournament, other = seven(), seven()
    client = organiser_of(tournament)
    for name in ("extend", "disqualify", "override"):
        assert client.get(f"{room_of(tournament)}{name}/?{about}").status_code == 404
    theirs = open_tables(other)[0]
    address = deed_at(tournament, "extend", table=theirs.pk)
    assert client.get(address).status_code == 404


def test_before_the_start_and_after_the_end_nothing_can_be_done() -> None:
    """The room says so; a deed that was opened before is refused with the reason."""
    tournament = seven()
    client = organiser_of(tournament)
    token = token_of(page_of(client, deed_at(tournament, "pause")))
    services.abort(tournament_id=tournament.pk, actor="otto", reason="rain", now=datetime.now(UTC))
    answer = client.post(deed_at(tournament, "pause"), {"do": "", "confirmed": token})
    assert answer.status_code in (200, 409)
    assert Tournament.objects.get(pk=tournament.pk).state == "aborted"
    html = page_of(client, room_of(tournament))
    assert "control/pause/" not in html


def test_an_arbiter_mutes_who_writes_badly_and_lets_him_write_again() -> None:
    """What was said stands on the chat's page, with a link; both deeds are audited."""
    tournament = seven()
    client = arbiter_of(tournament)
    table = open_tables(tournament)[0]
    seat = Seat.objects.get(match=table.match_id, number=0)
    tables.say(seat_id=seat.pk, text="you are all <b>fools</b>", now=datetime.now(UTC))
    html = page_of(client, f"{room_of(tournament)}chat/{table.pk}/")
    assert "you are all &lt;b&gt;fools&lt;/b&gt;" in html
    about = {"table": table.pk, "player": seat.player_id}
    assert do(client, deed_at(tournament, "mute", **about), reason="rude").status_code == 302
    with pytest.raises(TableRefusal):
        tables.say(seat_id=seat.pk, text="still here", now=datetime.now(UTC))
    assert do(client, deed_at(tournament, "unmute", **about)).status_code == 302
    assert tables.say(seat_id=seat.pk, text="sorry", now=datetime.now(UTC)).text == "sorry"
    lines = StaffAction.objects.filter(action__in=["tournaments.mute", "tournaments.unmute"])
    assert [line.reason for line in lines.order_by("pk")] == ["rude", ""]


def test_the_chat_of_another_tournament_s_table_is_not_found() -> None:
    """Nor that of no table."""
    tournament, other = seven(), seven()
    client = organiser_of(tournament)
    for pk in (open_tables(other)[0].pk, 0):
        assert client.get(f"{room_of(tournament)}chat/{pk}/").status_code == 404
