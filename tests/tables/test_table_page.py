"""The page where people play: who sees it, what it holds at first, results and hints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tables import services
from tables.faces import faces_of
from tables.models import Deal, Match
from tables.rules.bots import Strength
from tables.rules.cards import Card, in_order
from tables.rules.commands import Arrange, Drop
from tables.rules.hands import best_grouping
from tables.rules.profiles import PROFILES
from tables.rules.state import DealState
from tests.pages import Addresses, page_of, queries_of, spoken_cards, text_of
from tests.tables.helpers import NOW, a_match, dealt, play_out, players, state_of

pytestmark = pytest.mark.django_db


def as_seat(match: Match, seat: int) -> Client:
    """A browser in which the player of this seat is logged in."""
    client = Client()
    client.force_login(match.seats.get(number=seat).player)
    return client


def a_stranger() -> Client:
    client = Client()
    client.force_login(players(1)[0])
    return client


def address(match: Match) -> str:
    return f"/tables/{match.table.public_id}/"


def is_live(html: str) -> bool:
    return 'id="table"' in html


def first_frame(html: str) -> dict[str, Any]:
    """The snapshot that the page holds."""
    found = re.search(r'data-snapshot="([^"]*)"', html)
    assert found is not None
    frame: dict[str, Any] = json.loads(unescape(found[1]))
    return frame


def hints_on(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(hints=True)


# Who sees the table, and who the sheet


def test_a_player_and_who_looks_on_see_the_table_while_it_is_played() -> None:
    match = a_match()
    dealt(match)
    assert is_live(page_of(as_seat(match, 0), address(match)))
    assert is_live(page_of(a_stranger(), address(match)))


def test_a_visitor_who_is_not_logged_in_sees_the_sheet(client: Client) -> None:
    match = a_match()
    dealt(match)
    assert not is_live(page_of(client, address(match)))


def test_whoever_asks_for_the_sheet_has_it() -> None:
    match = a_match()
    dealt(match)
    html = page_of(as_seat(match, 0), address(match) + "?sheet")
    assert not is_live(html)
    assert "still being played" in text_of(html)


def test_before_the_first_deal_a_player_can_take_his_seat() -> None:
    match = a_match()
    frame = first_frame(page_of(as_seat(match, 1), address(match)))
    assert frame["seat"] == 1
    assert frame["state"] is None
    assert frame["scoreboard"]["status"] == "dealing"


def test_a_finished_match_and_one_that_was_called_off_have_their_sheet() -> None:
    match = a_match(2, bot=Strength.STEADY)
    play_out(match)
    assert not is_live(page_of(a_stranger(), address(match)))
    void = a_match()
    Match.objects.filter(pk=void.pk).update(status="void", over_at=NOW, due_at=None)
    assert not is_live(page_of(as_seat(void, 0), address(void)))


def test_real_cards_have_their_sheet() -> None:
    match = a_match()
    Match.objects.filter(pk=match.pk).update(in_person=True, due_at=None)
    assert not is_live(page_of(as_seat(match, 0), address(match)))


# What the page holds


def test_the_page_holds_the_players_own_cards_and_nobody_elses() -> None:
    match = a_match(3)
    _, state = dealt(match)
    for seat in range(3):
        shown = first_frame(page_of(as_seat(match, seat), address(match)))["state"]
        hands = {s["seat"]: s["hand"] for s in shown["seats"]}
        assert hands[seat] == list(state.seat_state(seat).hand)
        assert {card for other, hand in hands.items() if other != seat for card in hand} == {"??"}
        assert set(shown["closed"]) == {"??"}
        assert shown["secret"] == ""


def drawn_cards(html: str) -> list[str]:
    """The cards of the hand that the page draws itself, as they are read aloud."""
    rack = html.partition('data-part="rack"')[2].partition('class="actions"')[0]
    return spoken_cards(rack)


def test_the_page_draws_the_players_own_hand_in_suits_until_he_arranges_it() -> None:
    match = a_match(3)
    deal, state = dealt(match)
    hand = in_order(state.seat_state(1).hand)
    for seat in range(3):
        own = sorted(faces(state, state.seat_state(seat).hand))
        assert sorted(drawn_cards(page_of(as_seat(match, seat), address(match)))) == own
    arrange = Arrange(1, (hand[::-1],))
    services.play(deal_id=deal.pk, command=arrange, command_id="arrange", now=NOW)
    html = page_of(as_seat(match, 1), address(match))
    assert drawn_cards(html) == faces(state, hand[::-1])


def faces(state: DealState, cards: Iterable[Card]) -> list[str]:
    """Cards as they are read aloud."""
    return [face.spoken for face in faces_of(cards, state.wild_rank)]


def test_who_looks_on_gets_no_card_of_a_running_deal() -> None:
    match = a_match(3)
    _, state = dealt(match)
    html = page_of(a_stranger(), address(match))
    assert drawn_cards(html) == []
    frame = first_frame(html)
    assert (frame["seat"], frame["state"], frame["legal"]) == (None, None, [])
    assert state.secret not in html


def test_it_holds_nothing_inline_and_loads_nothing_from_elsewhere() -> None:
    match = a_match()
    dealt(match)
    found = Addresses(page_of(as_seat(match, 0), address(match)))
    assert found.inline == []
    assert [a for a in found.addresses if not a.startswith(("/", "#", "?", "data:"))] == []


def test_a_name_that_is_markup_is_written_as_text() -> None:
    match = a_match()
    seat = match.seats.get(number=1)
    User.objects.filter(pk=seat.player_id).update(first_name='"><img src=x>')
    html = page_of(as_seat(match, 0), address(match))
    assert "<img" not in html
    names = [player["name"] for player in first_frame(html)["scoreboard"]["players"]]
    assert '"><img src=x>' in names


def test_it_is_kept_in_no_cache() -> None:
    match = a_match()
    answer = as_seat(match, 0).get(address(match))
    assert "no-store" in answer.headers["Cache-Control"]
    assert "private" in answer.headers["Cache-Control"]


def test_it_takes_as_many_queries_for_six_as_for_two() -> None:
    counts = []
    for people in (2, 6):
        match = a_match(people)
        dealt(match)
        counts.append(len(queries_of(as_seat(match, 0), address(match))))
    assert counts[0] == counts[1]


def test_its_texts_are_in_the_readers_language_and_all_there() -> None:
    from tables.table_texts import TEXTS

    html = page_of(as_seat(a_match(), 0), "/tables/" + Match.objects.get().table.public_id + "/")
    found = re.search(r'data-texts="([^"]*)"', html)
    assert found is not None
    assert set(json.loads(unescape(found[1]))) == set(TEXTS)


# Results


def dropped(match: Match) -> tuple[Deal, DealState]:
    """A deal in which the first player drops at once."""
    deal, state = dealt(match)
    assert state.turn is not None
    services.play(deal_id=deal.pk, command=Drop(state.turn), command_id="drop", now=NOW)
    deal.refresh_from_db()
    return deal, state_of(deal)


def test_the_result_explains_every_hand_card_by_card(client: Client) -> None:
    match = a_match(2, bot=Strength.STEADY)
    state = play_out(match)
    assert state.result is not None
    html = client.get(f"/deals/{match.deals.get().public_id}/result/").content.decode()
    assert html.count("pc-rank") == 26
    for score in state.result.scores:
        assert f"{score.points} point" in html


def test_the_result_of_a_running_deal_is_not_there(client: Client) -> None:
    deal, _ = dealt(a_match())
    assert client.get(f"/deals/{deal.public_id}/result/").status_code == 404
    assert client.get("/deals/nothing/result/").status_code == 404


def test_the_result_of_a_drop_says_what_it_cost(client: Client) -> None:
    deal, _ = dropped(a_match())
    html = client.get(f"/deals/{deal.public_id}/result/").content.decode()
    assert "20 points" in html


# Hints


def test_hints_are_off_unless_the_match_gives_them() -> None:
    match = a_match()
    dealt(match)
    client = as_seat(match, 0)
    assert 'data-do="hint"' not in page_of(client, address(match))
    assert client.get(address(match) + "hint/").status_code == 403
    hints_on(match)
    assert 'data-do="hint"' in page_of(client, address(match))
    assert client.get(address(match) + "hint/").status_code == 200


def test_a_hint_is_the_best_grouping_of_ones_own_hand() -> None:
    match = a_match()
    _, state = dealt(match)
    hints_on(match)
    answer = as_seat(match, 0).get(address(match) + "hint/").json()
    best = best_grouping(state.seat_state(0).hand, state.wild_rank, PROFILES["rummycircle"])
    assert answer == {"groups": [list(group.cards) for group in best.groups]}


def test_nobody_without_a_hand_gets_a_hint(client: Client) -> None:
    match = a_match(3)
    hints_on(match)
    hint = address(match) + "hint/"
    assert as_seat(match, 0).get(hint).status_code == 404
    _, state = dealt(match)
    assert client.get(hint).status_code == 404
    assert a_stranger().get(hint).status_code == 404
    assert client.get("/tables/nothing/hint/").status_code == 404
    assert state.turn is not None
    deal = match.deals.get()
    services.play(deal_id=deal.pk, command=Drop(state.turn), command_id="drop", now=NOW)
    assert as_seat(match, state.turn).get(hint).status_code == 404
