"""Pages of tables and deals: everything of a finished deal, nothing of a running one."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tables import services
from tables.faces import face_of
from tables.models import Deal, Match
from tables.rules.bots import Strength
from tables.rules.cards import PACK, PRINTED_JOKER
from tables.rules.commands import Drop
from tables.rules.state import DealState
from tests.pages import Addresses, page_of, queries_of, spoken_cards, text_of
from tests.tables.helpers import NOW, a_match, dealt, play_out, tampering

pytestmark = pytest.mark.django_db


def dropped(match: Match) -> tuple[Deal, DealState]:
    """The next deal, over at once: the first player drops."""
    deal, state = dealt(match)
    assert state.turn is not None
    played = services.play(deal_id=deal.pk, command=Drop(state.turn), command_id="drop", now=NOW)
    assert played.state is not None
    return deal, played.state


def deal_page(client: Client, deal: Deal) -> str:
    return page_of(client, f"/deals/{deal.public_id}/")


def table_page(client: Client, match: Match) -> str:
    return page_of(client, f"/tables/{match.table.public_id}/")


# A running deal


def test_the_page_of_a_running_deal_shows_no_card_and_no_secret(client: Client) -> None:
    deal, state = dealt(a_match(3))
    html = deal_page(client, deal)
    assert "still being played" in text_of(html)
    assert "pc-rank" not in html
    assert spoken_cards(html) == []
    assert not re.search(r"[♠♥♦♣★]", html.partition("<main")[2])
    assert state.secret not in html
    assert deal.commitment in html


def test_the_page_of_a_running_deal_does_not_even_read_its_log(client: Client) -> None:
    deal, _ = dealt(a_match())
    statements = queries_of(client, f"/deals/{deal.public_id}/")
    assert statements
    assert [s for s in statements if "tables_dealevent" in s["sql"]] == []


def test_the_scoreboard_of_a_running_deal_shows_no_card(client: Client) -> None:
    match = a_match()
    dealt(match)
    html = table_page(client, match)
    assert "still being played" in text_of(html)
    assert "pc-rank" not in html


# A finished deal


def test_a_finished_deal_shows_every_hand_and_what_it_counted(client: Client) -> None:
    deal, state = dropped(a_match())
    html = deal_page(client, deal)
    spoken = spoken_cards(html)
    for seat in state.seats:
        for card in seat.hand:
            assert face_of(card, state.wild_rank).spoken in spoken
    assert "first drop 20 points" in text_of(html)
    assert "won 0 points" in text_of(html)


def test_a_finished_deal_tells_its_log_with_the_players_names(client: Client) -> None:
    match = a_match()
    deal, _ = dropped(match)
    text = text_of(deal_page(client, deal))
    names = [seat.player.username for seat in match.seats.select_related("player")]
    assert all(f"{name}:" in text for name in names)
    assert any(
        f"Turn 1 · {name} is out: first drop, 20 points (own decision)" in text for name in names
    )


def test_a_finished_deal_shows_that_the_shuffle_is_the_committed_one(client: Client) -> None:
    deal, state = dropped(a_match())
    html = deal_page(client, deal)
    assert "Yes. The cards were dealt in the order that the secret gives" in text_of(html)
    assert state.secret in html
    assert deal.commitment in html


def test_a_declared_hand_is_shown_in_its_groups(client: Client) -> None:
    match = a_match(2, bot=Strength.STEADY)
    play_out(match)
    html = deal_page(client, match.deals.get())
    winner = html.partition("hand winner")[2].partition("</li>")[0]
    assert "pure sequence" in winner
    assert "A player declared a complete hand." in text_of(html)


def test_a_log_changed_afterwards_is_shown_as_such(client: Client) -> None:
    deal, state = dropped(a_match())
    with tampering() as cursor:
        cursor.execute(
            "UPDATE tables_dealevent SET payload = REPLACE(payload, %s, %s) WHERE deal_id = %s",
            [state.secret, "00" * 32, deal.pk],
        )
    text = text_of(deal_page(client, deal))
    assert "No. The revealed secret is not the one that was committed to." in text


def test_a_log_that_breaks_off_still_gives_a_page(client: Client) -> None:
    deal, _ = dropped(a_match())
    with tampering() as cursor:
        cursor.execute("DELETE FROM tables_dealevent WHERE deal_id = %s AND seq > 2", [deal.pk])
    text = text_of(deal_page(client, deal))
    assert "does not give its result" in text
    assert "The log has 2 events" in text


def test_a_deal_takes_as_many_queries_however_long_it_was(client: Client) -> None:
    short, _ = dropped(a_match())
    match = a_match(3, bot=Strength.STEADY)
    play_out(match)
    long = match.deals.get()
    assert long.version > short.version
    counts = [len(queries_of(client, f"/deals/{deal.public_id}/")) for deal in (short, long)]
    assert counts == [3, 3]


# The scoreboard


def test_the_scoreboard_leads_to_every_deal_and_adds_up(client: Client) -> None:
    match = a_match(2, format_name="points", deals=3)
    deals = [dropped(match)[0] for _ in range(3)]
    html = table_page(client, match)
    assert all(f"/deals/{deal.public_id}/" in html for deal in deals)
    match.refresh_from_db()
    assert match.status == "over"
    assert "Place" in text_of(html)
    totals = re.findall(r"<b>(-?\d+)</b>", html.partition("<tfoot>")[2])
    assert sum(map(int, totals[:2])) == 0


def test_the_scoreboard_takes_as_many_queries_for_three_deals_as_for_one(client: Client) -> None:
    match = a_match(2, format_name="points", deals=3)
    dropped(match)
    address = f"/tables/{match.table.public_id}/"
    after_one = len(queries_of(client, address))
    dropped(match)
    dropped(match)
    assert len(queries_of(client, address)) == after_one


def test_a_table_says_in_words_what_is_played(client: Client) -> None:
    text = text_of(table_page(client, a_match(4, format_name="pool101")))
    assert "Pool 101, RummyCircle rules" in text
    assert "A first drop costs 20 points, a middle drop 40." in text
    assert "No deal has been dealt yet." in text


# All of them


@pytest.mark.parametrize("address", ["/deals/nothing/", "/deals/1/", "/tables/nothing/"])
def test_what_is_not_there_is_not_found(client: Client, address: str) -> None:
    dropped(a_match())
    assert client.get(address).status_code == 404


def test_a_deal_is_not_found_by_its_number_in_the_database(client: Client) -> None:
    deal, _ = dropped(a_match())
    assert client.get(f"/deals/{deal.pk}/").status_code == 404


def test_pages_are_only_to_be_looked_at(client: Client) -> None:
    deal, _ = dropped(a_match())
    assert client.post(f"/deals/{deal.public_id}/").status_code == 405
    assert client.post(f"/tables/{deal.match.table.public_id}/").status_code == 405


def test_pages_hold_nothing_inline_and_load_nothing_from_elsewhere(client: Client) -> None:
    match = a_match()
    deal, _ = dropped(match)
    for html in (deal_page(client, deal), table_page(client, match)):
        found = Addresses(html)
        assert found.inline == []
        assert [a for a in found.addresses if not a.startswith(("/", "#", "?"))] == []


def test_every_card_has_a_face_of_its_own() -> None:
    faces = [face_of(card) for card in (*PACK, PRINTED_JOKER)]
    assert len({face.spoken for face in faces}) == 53
    assert {face.suit_name for face in faces} == {
        "spades", "hearts", "diamonds", "clubs", "printed",
    }  # fmt: skip


def test_jokers_are_marked_and_said(client: Client) -> None:
    assert face_of("7H", "7").is_joker
    assert face_of("7H", "7").spoken == "7 of hearts, joker"
    assert not face_of("7H", "8").is_joker
    assert face_of(PRINTED_JOKER, "8").spoken == "printed joker"
