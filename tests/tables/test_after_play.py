"""After play: replays, hand histories, and the shuffle's checks; and who may see what of them."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import count
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tables import services
from tables.explaining import explain
from tables.faces import face_of
from tables.models import Deal, Match
from tables.rules import events as ev
from tables.rules.bots import Strength
from tables.rules.cards import PACK, PRINTED_JOKER
from tables.rules.commands import Arrange, Discard, DrawClosed, DrawOpen, Drop
from tables.rules.deal import shoe_order
from tables.rules.profiles import PROFILES
from tables.rules.results import Outcome
from tables.rules.state import DealState
from tables.store import events_of
from tests.pages import Addresses, page_of, queries_of, spoken_cards, text_of
from tests.tables.helpers import NOW, a_match, dealt, play_out, state_of, tampering

pytestmark = pytest.mark.django_db
_serial = count(1)


def play(deal: Deal, command: Any) -> DealState:
    """One command, whatever it brings."""
    done = services.play(deal_id=deal.pk, command=command, command_id=f"t{next(_serial)}", now=NOW)
    assert done.state is not None
    return done.state


def half_played(match: Match, turns: int = 6) -> tuple[Deal, DealState]:
    """A running deal in which everybody has drawn, discarded and arranged his cards."""
    deal, state = dealt(match)
    for turn in range(turns):
        mover = state.turn
        assert mover is not None
        takes = turn % 3 == 2 and state.may_take_open
        state = play(deal, DrawOpen(mover) if takes else DrawClosed(mover))
        hand = [card for card in state.seat_state(mover).hand if card != state.taken]
        state = play(deal, Discard(mover, hand[0]))
        left = state.seat_state(mover).hand
        state = play(deal, Arrange(mover, (left[:3], left[3:7])))
    deal.refresh_from_db()
    return deal, state


def reader(match: Match, seat: int | None) -> Client:
    """Somebody's browser; a stranger's without a seat."""
    client = Client()
    if seat is None:
        client.force_login(User.objects.create_user(f"stranger-{next(_serial)}"))
    else:
        client.force_login(match.seats.get(number=seat).player)
    return client


def known_to(deal: Deal, seat: int | None) -> set[str]:
    """Every card that a player could have seen by now, told independently of `redact`."""
    known: set[str] = set()
    for event in events_of(deal):
        match event:
            case ev.TossMade():
                known.update(card for _, cards in event.toss for card in cards)
            case ev.CardsDealt():
                known |= {event.wild_card, event.open_card, *dict(event.hands).get(seat or 0, ())}
                if seat is None:
                    known -= set(dict(event.hands).get(0, ())) - {event.wild_card, event.open_card}
            case ev.CardDrawn() if event.seat == seat or event.deck is ev.Deck.OPEN:
                known.add(event.card)
            case ev.CardDiscarded() | ev.CardFinished():
                known.add(event.card)
    return known


def shown_in(payload: str) -> set[str]:
    """Every card that a payload names: as a code, as a sign, or as it is read aloud."""
    found = set()
    text = unescape(payload)
    for card in (*PACK, PRINTED_JOKER):
        face = face_of(card)
        signs = [rf'"{card}"', rf'aria-label="{face.spoken}[",]']
        if face.suit:
            signs.append(rf"(?<![0-9]){face.rank}{face.suit[0]}")
        if any(re.search(sign, text) for sign in signs):
            found.add(card)
    return found


def everything(client: Client, deal: Deal) -> dict[str, str]:
    """All that a reader can get of a deal, by address; nothing where he gets nothing."""
    base = f"/deals/{deal.public_id}"
    addresses = [f"{base}/", f"{base}/verify/", f"{base}/replay/", f"{base}/replay/?hands=all"]
    addresses += [f"{base}/history.json", f"{base}/history.txt"]
    table = f"/tables/{deal.match.table.public_id}"
    addresses += [f"{table}/history.json", f"{table}/history.txt"]
    addresses += [f"{base}/replay/?step={step}&hands=all" for step in range(1, 40)]
    got = {}
    for address in addresses:
        for headers in ({}, {"HX-Request": "true"}):
            answer = client.get(address, headers=headers)
            assert answer.status_code in (200, 302, 404)
            got[f"{address} {headers}"] = answer.content.decode()
    return got


# Secrecy of a deal that is being played


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_nothing_of_a_running_deal_shows_what_a_player_may_not_know(profile: str) -> None:
    match = a_match(2, profile=profile)
    deal, state = half_played(match)
    for seat in (0, 1):
        known = known_to(deal, seat)
        for address, payload in everything(reader(match, seat), deal).items():
            assert shown_in(payload) <= known, address
            assert state.secret not in payload, address


def test_a_player_sees_his_own_hand_at_every_step() -> None:
    match = a_match(2)
    deal, state = half_played(match)
    client = reader(match, 0)
    html = page_of(client, f"/deals/{deal.public_id}/replay/?step=99")
    spoken = spoken_cards(html)
    for card in state.seat_state(0).hand:
        assert face_of(card, state.wild_rank).spoken in spoken
    assert "13 cards" in text_of(html)
    log = json.loads(client.get(f"/deals/{deal.public_id}/history.json").content)
    [told] = log["deals"]
    assert told["seat"] == 0
    [hands] = [dict(event["hands"]) for event in told["events"] if event["kind"] == "cards_dealt"]
    assert "??" not in hands[0]
    assert set(hands[1]) == {"??"}


@pytest.mark.parametrize("logged_in", [True, False])
def test_who_plays_no_seat_gets_no_card_of_a_running_deal(logged_in: bool) -> None:
    match = a_match(3)
    deal, state = half_played(match)
    client = reader(match, None) if logged_in else Client()
    for address, payload in everything(client, deal).items():
        assert shown_in(payload.partition("<main")[2]) == set(), address
        assert "??" not in payload
        assert state.secret not in payload, address
    assert client.get(f"/deals/{deal.public_id}/history.json").status_code == 404


def test_who_plays_no_seat_of_a_running_deal_does_not_even_have_its_log_read() -> None:
    match = a_match(3)
    deal, _ = half_played(match)
    statements = queries_of(Client(), f"/deals/{deal.public_id}/replay/")
    assert [s for s in statements if "tables_dealevent" in s["sql"]] == []


def test_a_bots_owner_reads_no_hand_through_it() -> None:
    match = a_match(2, bot=Strength.STEADY)
    deal, _ = dealt(match)
    text = text_of(page_of(reader(match, 0), f"/deals/{deal.public_id}/replay/"))
    assert "It can be replayed when it is over." in text


# Deals that are over


def test_steps_before_the_last_stay_as_they_were_seen_while_the_match_goes_on() -> None:
    match = a_match(2, format_name="points", deals=2)
    deal, state = half_played(match)
    assert state.turn is not None
    play(deal, Drop(state.turn))
    match.refresh_from_db()
    assert match.status != "over"
    client = Client()
    last = 100
    for step in range(1, 15):
        html = page_of(client, f"/deals/{deal.public_id}/replay/?step={step}&hands=all")
        last = int(re.findall(r'max="(\d+)"', html)[0])
        assert shown_in(html.partition("<main")[2]) <= known_to(deal, None)
        assert step < last
    text = text_of(page_of(client, f"/deals/{deal.public_id}/replay/?step={last}&hands=all"))
    assert "Every hand and its points" in text


def test_all_hands_of_every_step_are_open_once_the_match_is_over() -> None:
    match = a_match(2, format_name="points")
    deal, state = half_played(match)
    assert state.turn is not None
    play(deal, Drop(state.turn))
    match.refresh_from_db()
    assert match.status == "over"
    [hands] = [dict(e.hands) for e in events_of(deal) if isinstance(e, ev.CardsDealt)]
    address = f"/deals/{deal.public_id}/replay/"
    everybody = page_of(Client(), f"{address}?hands=all")
    assert all({*hand} <= shown_in(everybody.replace(", joker", "")) for hand in hands.values())
    mine = page_of(reader(match, 0), address)
    assert shown_in(mine.replace(", joker", "").partition("<main")[2]) <= known_to(deal, 0)


def test_a_replay_goes_from_the_first_step_to_the_result_and_no_further() -> None:
    match = a_match(2, bot=Strength.STEADY)
    state = play_out(match)
    deal = match.deals.get()
    address = f"/deals/{deal.public_id}/replay/"
    first = page_of(Client(), f"{address}?step=1")
    assert 'data-go="before" href="?step=1" aria-label="Step back" aria-disabled="true"' in first
    end = text_of(page_of(Client(), f"{address}?step=99999999"))
    assert "The deal is over: a complete hand was declared." in end
    assert state.result is not None
    for score in state.result.scores:
        assert f"{score.points} point" in end
    for odd in ("?step=-1", "?step=x", "?step=²", "?step=" + "9" * 400):
        assert page_of(Client(), f"{address}{odd}")


def test_a_step_alone_is_sent_to_a_script() -> None:
    match = a_match(2, bot=Strength.STEADY)
    play_out(match)
    address = f"/deals/{match.deals.get().public_id}/replay/?step=3"
    part = Client().get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert "Step 3 of" in part
    assert part.strip() in page_of(Client(), address)


def test_pages_and_files_of_a_deal_take_as_many_queries_however_long_it_was() -> None:
    short = a_match(2)
    deal, state = dealt(short)
    assert state.turn is not None
    play(deal, Drop(state.turn))
    long = a_match(4, bot=Strength.STEADY)
    play_out(long)
    for page, most in (("replay/", 3), ("history.json", 3), ("history.txt", 3), ("verify/", 4)):
        counts = {
            len(queries_of(Client(), f"/deals/{match.deals.get().public_id}/{page}"))
            for match in (short, long)
        }
        assert counts == {most}


# Points explained


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_counted_cards_and_the_limit_give_the_points_of_every_hand(profile: str) -> None:
    lost = 0
    for _ in range(6):
        match = a_match(2, profile=profile, bot=Strength.STEADY)
        state = play_out(match)
        deal = match.deals.get()
        ended = events_of(deal)[-1]
        assert isinstance(ended, ev.DealEnded)
        for shown in ended.revealed:
            score = next(s for s in ended.result.scores if s.seat == shown.seat)
            hand = explain(state, score, shown, "Asha")
            assert hand.reasons
            cards = [card for group in hand.groups for card in group.cards]
            assert len(cards) == len(shown.hand)
            if score.outcome in (Outcome.LOST, Outcome.FULL_COUNT):
                lost += 1
                cap = state.terms.profile.cap
                flat = "whatever its cards are" in " ".join(hand.reasons)
                second = "somebody was first" in " ".join(hand.reasons)
                if not flat and not second:
                    assert score.points == min(hand.counted, cap or hand.counted)
            elif score.outcome is Outcome.WON:
                assert hand.counted == 0
    assert lost


# Files


def test_a_table_is_kept_whole_by_its_players_alone() -> None:
    match = a_match(2, format_name="points", deals=2)
    for _ in range(2):
        deal, state = dealt(match)
        assert state.turn is not None
        play(deal, Drop(state.turn))
    address = f"/tables/{match.table.public_id}/history"
    client = reader(match, 0)
    kept = json.loads(client.get(f"{address}.json").content)
    assert (kept["format"], kept["version"]) == ("rummy-hand-history", 1)
    assert [deal["number"] for deal in kept["deals"]] == [1, 2]
    text = client.get(f"{address}.txt")
    assert text.headers["Content-Disposition"].startswith("attachment;")
    assert text.content.decode().count("Secret of the shuffle:") == 2
    assert reader(match, None).get(f"{address}.json").status_code == 404
    assert Client().get(f"{address}.json").status_code == 302
    assert client.get(f"{address}.exe").status_code == 404


def test_the_log_in_a_file_is_the_log_of_the_deal_once_the_match_is_over() -> None:
    match = a_match(3, format_name="points", bot=Strength.STEADY)
    play_out(match)
    deal = match.deals.get()
    [kept] = json.loads(Client().get(f"/deals/{deal.public_id}/history.json").content)["deals"]
    stored = [json.loads(payload) for payload in deal.events.values_list("payload", flat=True)]
    assert kept["events"] == stored
    assert kept["commitment"] == deal.commitment


# The shuffle's checks


def checks_of(client: Client, deal: Deal) -> list[dict[str, Any]]:
    html = page_of(client, f"/deals/{deal.public_id}/verify/")
    found = re.search(r'data-checks="([^"]*)"', html)
    return json.loads(unescape(found[1])) if found else []


def test_a_running_deal_shows_its_commitment_and_nothing_to_compute() -> None:
    match = a_match(2)
    deal, state = half_played(match)
    html = page_of(reader(match, 0), f"/deals/{deal.public_id}/verify/")
    assert deal.commitment in html
    assert state.secret not in html
    assert "data-checks" not in html


def test_a_finished_deal_gives_a_browser_all_it_needs() -> None:
    match = a_match(3, bot=Strength.STEADY)
    play_out(match)
    deal = match.deals.get()
    state = state_of(deal)
    by_id = {check["id"]: check for check in checks_of(Client(), deal)}
    assert by_id["commitment"]["published"] == deal.commitment
    secret = bytes.fromhex(by_id["shoe"]["secret"])
    assert tuple(by_id["shoe"]["found"]) == shoe_order(
        state.terms, 3, secret, deal.label, state.nonces
    )
    assert "The server's own check found nothing wrong." in text_of(
        page_of(Client(), f"/deals/{deal.public_id}/verify/")
    )


def test_a_log_that_was_changed_still_gives_pages_that_say_so() -> None:
    match = a_match(2, bot=Strength.STEADY)
    play_out(match)
    deal = match.deals.get()
    with tampering() as cursor:
        cursor.execute("DELETE FROM tables_dealevent WHERE deal_id = %s AND seq = 9", [deal.pk])
    base = f"/deals/{deal.public_id}"
    assert "own check found this:" in text_of(page_of(Client(), f"{base}/verify/"))
    assert page_of(Client(), f"{base}/replay/?step=99")
    assert Client().get(f"{base}/history.txt").status_code == 200


@pytest.mark.parametrize("secret", ["", "00", "xy" * 32])
def test_a_revealed_secret_that_is_none_is_found_and_spoils_no_page(secret: str) -> None:
    match = a_match(2, bot=Strength.STEADY)
    deal, state = match.deals, play_out(match)
    with tampering() as cursor:
        cursor.execute(
            "UPDATE tables_dealevent SET payload = REPLACE(payload, %s, %s) WHERE deal_id = %s",
            [state.secret, secret, deal.get().pk],
        )
    for page in ("", "verify/"):
        html = page_of(Client(), f"/deals/{deal.get().public_id}/{page}")
        assert "The revealed secret is not the one that was committed to." in text_of(html)


# All of them


def test_pages_after_play_hold_nothing_inline_and_load_nothing_from_elsewhere() -> None:
    match = a_match(2, bot=Strength.STEADY)
    play_out(match)
    base = f"/deals/{match.deals.get().public_id}"
    for page in ("replay/", "replay/?step=999", "verify/"):
        found = Addresses(page_of(Client(), f"{base}/{page}"))
        assert found.inline == []
        assert [a for a in found.addresses if not a.startswith(("/", "#", "?"))] == []


@pytest.mark.parametrize("page", ["replay/", "verify/", "history.json", "history.txt"])
def test_what_is_not_there_is_not_found(page: str) -> None:
    assert Client().get(f"/deals/nothing/{page}").status_code == 404
    match = a_match(2, bot=Strength.STEADY)
    play_out(match)
    assert Client().post(f"/deals/{match.deals.get().public_id}/{page}").status_code == 405
