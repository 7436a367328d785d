"""A button of the staff's that changes nothing says so, and leaves no line in the audit log.

The same of money is in `ledger/test_desk`, `tournaments/test_payout_audit` and
`site/test_approvals`, of schedules in `tournaments/test_desk_lists_pages`, of keys in `test_keys`.
"""

from __future__ import annotations

import pytest

from rummy_site.roles import ARBITERS
from staff.models import StaffAction
from tests.pages import page_of
from tests.staff.helpers import member
from tests.tournaments import control_helpers as room
from tests.tournaments.desk_helpers import desk, page
from tests.tournaments.helpers import NOW, a_tournament, join, open_tables, players
from tests.tournaments.test_check_in import with_check_in
from tests.tournaments.test_desk_entrants_pages import chosen
from tournaments import services
from tournaments.models import Decision

pytestmark = pytest.mark.django_db

NOTHING = "Nothing was changed; there was nothing to do."


def lines(action: str) -> int:
    """How many lines there are of an action."""
    return StaffAction.objects.filter(action=f"tournaments.{action}").count()


def test_what_is_paused_already_is_paused_once() -> None:
    tournament = room.seven()
    client = room.organiser_of(tournament)
    for _twice in range(2):
        assert room.do(client, room.deed_at(tournament, "pause")).status_code == 302
    assert NOTHING in page_of(client, room.room_of(tournament))
    assert lines("pause") == 1
    assert tournament.log.filter(action="pause").count() == 1


def test_who_is_mute_already_is_muted_once() -> None:
    tournament = room.seven()
    client = room.arbiter_of(tournament)
    table = open_tables(tournament)[0]
    player = table.placings.first().entry.player_id  # type: ignore[union-attr]
    for name in ("mute", "unmute"):
        for _twice in range(2):
            about = {"table": table.pk, "player": player}
            room.do(client, room.deed_at(tournament, name, **about), reason="rude")
        assert NOTHING in page_of(client, room.room_of(tournament))
        assert lines(name) == 1


def test_where_nobodys_time_runs_more_of_it_is_no_decision() -> None:
    """Before the first deal nothing is waited for."""
    tournament = room.seven()
    client = room.organiser_of(tournament)
    room.do(client, room.deed_at(tournament, "extend_all"), seconds="60", reason="noise")
    assert NOTHING in page_of(client, room.room_of(tournament))
    assert lines("extend_all") == 0
    assert not Decision.objects.exists()


def test_a_duty_that_somebody_has_or_has_not_is_given_and_taken_once() -> None:
    tournament = a_tournament()
    client = room.organiser_of(tournament)
    address = page(tournament, "staff/")
    member("arun", ARBITERS)
    for button, action in (("_appoint", "appoint"), ("_dismiss", "dismiss")):
        for _twice in range(2):
            client.post(address, {"username": "arun", "role": "arbiter", button: ""})
        assert NOTHING in page_of(client, address)
        assert lines(action) == 1


def test_who_is_in_already_is_not_entered_again_by_name_or_from_a_file() -> None:
    """Somebody new beside him is, and has the only line."""
    tournament = a_tournament(capacity=6)
    client = desk(tournament)
    one, two = players(2)
    for names in (one.username, one.username, f"{one.username} {two.username}"):
        client.post(page(tournament, "entrants/add/"), {"names": names})
    assert lines("add") == 2
    page_of(client, page(tournament, "entrants/"))
    file = chosen(f"username\n{one.username}\n") | {"_enter": ""}
    assert client.post(page(tournament, "entrants/import/"), file).status_code == 302
    assert NOTHING in page_of(client, page(tournament, "entrants/"))
    assert lines("import_entrants") == 0


def test_who_is_on_the_list_already_is_invited_once() -> None:
    tournament = a_tournament(opened=False)
    client = desk(tournament)
    [one] = players(1)
    for sent in ({}, {"remove": ""}):
        for _twice in range(2):
            client.post(page(tournament, "invitations/"), {"names": one.username, **sent})
    assert (lines("invite"), lines("uninvite")) == (1, 1)


def test_check_in_that_has_ended_is_ended_once() -> None:
    tournament = with_check_in()
    join(tournament, *players(2))
    services.close_registration(tournament_id=tournament.pk, actor="organiser", now=NOW)
    client = desk(tournament)
    for _twice in range(2):
        tournament.refresh_from_db()
        sent = {"version": tournament.version}
        assert client.post(page(tournament, "do/end_check_in/"), sent).status_code == 302
    assert NOTHING in page_of(client, page(tournament, "entrants/"))
    assert lines("end_check_in") == 1
