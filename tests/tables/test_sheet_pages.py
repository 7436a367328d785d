"""The page of a score sheet: who may use it, what it asks, and what it says to a fault."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from tables.models import Match, MatchStatus, SheetLine
from tables.selectors import game_of
from tests.pages import Addresses, page_of, queries_of, text_of
from tests.tables.helpers import a_match, play_out
from tests.tables.sheet_helpers import (
    a_club_match,
    correct,
    enter,
    enter_rows,
    leave,
    rejoin,
    row,
    totals,
    version,
)

pytestmark = pytest.mark.django_db


def a_user(*, staff: bool, may: bool, name: str = "scorer") -> User:
    user = User.objects.create_user(name, password="!", is_staff=staff)
    if may:
        user.user_permissions.add(Permission.objects.get(codename="enter_deals"))
    return user


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(a_user(staff=True, may=True))
    return client


def address(match: Match) -> str:
    return f"/tables/{match.table.public_id}/sheet/"


def deal_fields(winner: int, losses: dict[int, str | int], **more: str) -> dict[str, str]:
    fields = {f"kind-{winner}": "won"}
    for seat, loss in losses.items():
        fields[f"kind-{seat}"] = "lost" if isinstance(loss, int) else loss
        fields[f"points-{seat}"] = str(loss) if isinstance(loss, int) else ""
    return fields | more


def press(client: Client, match: Match, do: str, fields: dict[str, str] | None = None) -> Any:
    sent = {"do": do, "version": str(version(match))} | (fields or {})
    return client.post(address(match), sent, follow=True)


def text(answer: Any) -> str:
    return text_of(answer.content.decode())


# Who may


@pytest.mark.parametrize(("staff", "may"), [(False, True), (True, False), (False, False)])
def test_only_staff_with_the_permission_see_or_use_a_sheet(
    client: Client, staff: bool, may: bool
) -> None:
    match = a_club_match()
    client.force_login(a_user(staff=staff, may=may))
    assert client.get(address(match)).status_code == 403
    assert press(client, match, "enter", deal_fields(0, {1: 5})).status_code == 403
    assert version(match) == 0


def test_a_visitor_is_sent_to_log_in(client: Client) -> None:
    match = a_club_match()
    assert client.get(address(match)).headers["Location"].startswith("/login/")
    answer = client.post(address(match), deal_fields(0, {1: 5}) | {"do": "enter", "version": "0"})
    assert answer.status_code == 302
    assert version(match) == 0


def test_a_table_that_is_played_online_or_is_not_there_has_no_sheet(desk: Client) -> None:
    assert desk.get(address(a_match())).status_code == 404
    assert desk.get("/tables/nothing/sheet/").status_code == 404


def test_a_form_of_another_site_is_refused() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(a_user(staff=True, may=True))
    match = a_club_match()
    sent = deal_fields(0, {1: 5}) | {"do": "enter", "version": "0"}
    assert client.post(address(match), sent).status_code == 403


def test_the_scoreboard_shows_the_way_to_the_sheet_to_scorers_only(desk: Client) -> None:
    match = a_club_match()
    table = f"/tables/{match.table.public_id}/"
    assert address(match) in page_of(desk, table)
    assert address(match) not in page_of(Client(), table)
    online = a_match()
    assert "/sheet/" not in page_of(desk, f"/tables/{online.table.public_id}/")


# A deal


def test_the_sheet_says_what_is_asked_and_what_a_row_may_say(desk: Client) -> None:
    match = a_club_match(3, format_name="pool201")
    shown = text_of(page_of(desk, address(match)))
    assert "who wins the toss plays first" in shown
    assert "first drop (25 points)" in shown
    assert "lost (0 to 80 points, or the cards)" in shown
    assert "Nothing yet." in shown


def test_a_deal_is_checked_then_entered_and_told_of(desk: Client) -> None:
    match = a_club_match(3)
    fields = deal_fields(0, {1: 80, 2: "drop"}, first="1")
    checked = press(desk, match, "check", fields)
    assert checked.status_code == 200
    assert "What it comes to" in text(checked)
    assert version(match) == 0
    entered = press(desk, match, "enter", fields)
    assert "Deal 1 is entered." in text(entered)
    assert totals(match) == {0: 0, 1: 80, 2: 20}
    assert [score.seat for score in game_of(match.pk).results[0].scores] == [1, 2, 0]
    assert SheetLine.objects.get(match=match).actor == "scorer"


def test_a_check_says_who_would_be_out_and_who_may_come_back(desk: Client) -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 80, 2: 5})
    names = [seat.player.username for seat in match.seats.select_related("player")]
    checked = text(press(desk, match, "check", deal_fields(0, {1: 30, 2: 5})))
    assert f"{names[1]} is out." in checked
    assert f"{names[1]} may buy in again." in checked


def test_every_fault_stands_beside_its_field(desk: Client) -> None:
    match = a_club_match(3, format_name="deals")
    fields = deal_fields(0, {1: 81}, **{"kind-2": "drop", "points-2": "x"})
    answer = press(desk, match, "check", fields)
    assert answer.status_code == 400
    html = answer.content.decode()
    assert re.search(r'id="points-2-error">Write the points as a whole number', html)
    fields["points-2"] = ""
    html = press(desk, match, "enter", fields).content.decode()
    assert re.search(r'id="points-1-error">A hand counts 0 to 80 points here, not 81\.', html)
    assert re.search(r'id="kind-2-error">There is no drop in this match', html)
    assert 'value="81"' in html
    assert version(match) == 0


def test_a_row_without_a_kind_is_asked_for(desk: Client) -> None:
    match = a_club_match()
    html = press(desk, match, "enter", deal_fields(0, {})).content.decode()
    assert re.search(r'id="kind-1-error">Say how this player came out', html)


def test_a_deal_without_a_winner_is_refused_above_the_rows(desk: Client) -> None:
    match = a_club_match()
    fields = {"kind-0": "drop", "kind-1": "drop"}
    html = press(desk, match, "enter", fields).content.decode()
    assert 'role="alert">Nobody has won' in html


def test_cards_are_counted_and_a_missing_wild_joker_is_asked_for(desk: Client) -> None:
    match = a_club_match()
    cards = "2H 3H 4H | 5C 6C QD | 8D 8S 5C | 2D 2C | KS QS"
    fields = deal_fields(0, {1: "lost"}, **{"cards-1": cards})
    html = press(desk, match, "enter", fields).content.decode()
    assert 'id="wild-error">Say which rank was turned up' in html
    press(desk, match, "enter", fields | {"wild": "Q"})
    assert totals(match)[1] == 35


def test_what_another_scorer_entered_meanwhile_is_shown_and_nothing_is_entered(
    desk: Client,
) -> None:
    match = a_club_match()
    enter(match, 0, {1: 5}, actor="another")
    sent = deal_fields(1, {0: 66}) | {"do": "enter", "version": "0"}
    answer = desk.post(address(match), sent)
    assert answer.status_code == 400
    assert "Somebody else has written on this sheet meanwhile" in text(answer)
    assert 'value="66"' not in answer.content.decode()
    assert totals(match) == {0: 0, 1: 5}


@pytest.mark.parametrize("sent", ["", "-1", "x", "9" * 30])
def test_a_form_without_a_version_enters_nothing(desk: Client, sent: str) -> None:
    match = a_club_match()
    answer = desk.post(address(match), deal_fields(0, {1: 5}) | {"do": "enter", "version": sent})
    assert answer.status_code == 400
    assert version(match) == 0


def test_a_scorer_with_a_very_long_name_signs_with_its_beginning(client: Client) -> None:
    client.force_login(a_user(staff=True, may=True, name="s" * 150))
    match = a_club_match()
    assert press(client, match, "enter", deal_fields(0, {1: 5})).status_code == 200
    assert SheetLine.objects.get().actor == "s" * 120


# Answers


def test_a_rejoin_is_answered_by_a_button(desk: Client) -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 80, 2: 5})
    enter(match, 0, {1: 30, 2: 5})
    shown = page_of(desk, address(match))
    assert "buy in again, with a total of 11?" in text_of(shown)
    assert "What a row may say" not in text_of(shown)
    press(desk, match, "answer", {"answer": "rejoin-yes-1"})
    assert game_of(match.pk).buy_ins == 4


def test_nobody_else_answers_by_a_button(desk: Client) -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 80, 2: 80})
    enter(match, 0, {1: 30, 2: 30})
    press(desk, match, "answer", {"answer": "nobody-else"})
    match.refresh_from_db()
    assert match.status == MatchStatus.OVER
    assert "The match is over." in text_of(page_of(desk, address(match)))


def test_a_split_is_offered_and_answered_by_buttons(desk: Client) -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 80, 2: 5})
    enter(match, 0, {1: 30, 2: 5})
    rejoin(match, 1, False)
    press(desk, match, "answer", {"answer": "offer-0"})
    assert "offers to split the prize" in text_of(page_of(desk, address(match)))
    press(desk, match, "answer", {"answer": "split-yes-2"})
    match.refresh_from_db()
    assert match.status == MatchStatus.OVER


def test_somebody_leaves_by_a_button(desk: Client) -> None:
    match = a_club_match(3)
    press(desk, match, "answer", {"answer": "leave-0", "seat": "2"})
    assert not game_of(match.pk).is_in(2)


@pytest.mark.parametrize("button", ["", "rejoin-maybe-1", "rejoin-yes-", "rejoin-yes-x", "win-0"])
def test_a_button_that_the_sheet_has_not_is_refused(desk: Client, button: str) -> None:
    match = a_club_match(3)
    answer = press(desk, match, "answer", {"answer": button})
    assert answer.status_code == 400
    assert "Press one of the buttons" in text(answer)
    assert version(match) == 0


def test_an_answer_nobody_asked_for_is_refused_in_a_sentence(desk: Client) -> None:
    match = a_club_match(3)
    answer = press(desk, match, "answer", {"answer": "rejoin-yes-1"})
    assert answer.status_code == 400
    assert "cannot buy in again now" in text(answer)


# Corrections


def test_the_last_deal_is_corrected_from_what_was_written(desk: Client) -> None:
    match = a_club_match(3)
    enter_rows(match, [row(1, "won"), row(2, 9, leaves=True), row(0, "drop")])
    html = page_of(desk, f"{address(match)}?correct=1")
    assert "Correct deal 1" in text_of(html)
    assert '<option value="1" selected>' in html
    assert re.search(r'name="points-2"[^>]* value="9"', html)
    assert re.search(r'name="leaves-2" checked', html)
    fields = deal_fields(1, {2: 8, 0: "drop"}, first="1", reason="misheard")
    fields["leaves-2"] = "on"
    checked = text(press(desk, match, "check-correction", fields))
    assert "is void and asked again" in checked
    answer = press(desk, match, "correct", fields)
    assert "Deal 1 is corrected." in text(answer)
    assert totals(match) == {0: 20, 1: 0, 2: 8}
    assert "by scorer: misheard" in text(answer)


def test_a_correction_without_a_reason_is_asked_for_one(desk: Client) -> None:
    match = a_club_match()
    enter(match, 0, {1: 5})
    html = press(desk, match, "correct", deal_fields(0, {1: 6})).content.decode()
    assert 'id="reason-error">Say why the deal is corrected' in html
    assert "Correct deal 1" in html


def test_a_departure_after_the_deal_is_ticked_when_it_is_corrected(desk: Client) -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 5, 2: 9})
    leave(match, 2)
    assert re.search(r'name="leaves-2" checked', page_of(desk, f"{address(match)}?correct=1"))


def test_before_the_first_deal_there_is_nothing_to_correct(desk: Client) -> None:
    match = a_club_match()
    html = page_of(desk, f"{address(match)}?correct=1")
    assert "Correct deal" not in text_of(html)
    assert press(desk, match, "correct", deal_fields(0, {1: 6})).status_code == 400


def test_the_board_strikes_out_what_was_corrected_and_says_so() -> None:
    match = a_club_match()
    enter(match, 0, {1: 5})
    correct(match, 1, {0: 7})
    html = page_of(Client(), f"/tables/{match.table.public_id}/")
    assert '<tr class="void">' in html
    assert "Deal 1 is corrected; answers after it are void." in text_of(html)
    assert "Played in person" in text_of(html)


# All of it


def test_the_page_works_without_scripts_and_loads_nothing_from_elsewhere(desk: Client) -> None:
    match = a_club_match(3)
    enter(match, 0, {1: 80, 2: 80})
    for html in (page_of(desk, address(match)), page_of(desk, f"{address(match)}?correct=1")):
        found = Addresses(html)
        assert found.inline == []
        assert [a for a in found.addresses if not a.startswith(("/", "#", "?"))] == []


def test_names_are_shown_as_text(desk: Client) -> None:
    match = a_club_match()
    user = match.seats.get(number=1).player
    user.first_name, user.last_name = "<b>Eve", "& Co"
    user.save()
    html = page_of(desk, address(match))
    assert "<b>Eve" not in html
    assert "&lt;b&gt;Eve &amp; Co" in html


def test_a_sheet_takes_as_many_queries_after_many_deals_as_after_one(desk: Client) -> None:
    match = a_club_match(6, format_name="deals", deals=20)
    enter(match, 0, dict.fromkeys(range(1, 6), 5))
    after_one = len(queries_of(desk, address(match)))
    for _ in range(6):
        enter(match, 0, dict.fromkeys(range(1, 6), 5))
    assert len(queries_of(desk, address(match))) == after_one


def test_a_deal_entered_is_as_one_played_on_the_same_board() -> None:
    from tables.rules.bots import Strength

    played = a_match(2, format_name="points", deals=2, bot=Strength.STEADY)
    play_out(played)
    by_hand = a_club_match(2, format_name="points", deals=2)
    result = game_of(played.pk).results[0]
    enter(
        by_hand,
        result.winner,
        {s.seat: s.points for s in result.scores if s.seat != result.winner},
    )
    assert totals(by_hand) == totals(played)
