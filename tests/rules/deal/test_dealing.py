"""Rules 5.1 and 5.2: the order of play and the dealing of the cards."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from tables.rules import events as ev
from tables.rules.deal import DealSpec, open_deal, shoe_order
from tables.rules.errors import Code, RuleViolation
from tables.rules.shoe import toss
from tables.rules.visibility import redact
from tests.rules.deal.table import SECRET, T0, only, opened, terms


def spec(**changes: Any) -> DealSpec:
    given: dict[str, Any] = {
        "deal_id": "d1",
        "terms": terms(),
        "seats": (4, 7, 9, 2),
        "dealer": 7,
        "secret": SECRET,
    }
    return DealSpec(**(given | changes))


def test_dealer_plays_last_and_the_seat_after_him_first() -> None:
    state = opened(4).state
    assert [seat.seat for seat in state.seats] == [1, 2, 3, 4]
    log = open_deal(spec(), T0)
    assert [seat for seat, _ in only(ev.CardsDealt, log).hands] == [9, 2, 4, 7]
    assert only(ev.TurnStarted, log).seat == 9


def test_without_a_dealer_a_toss_orders_the_seats_and_the_lowest_deals() -> None:
    log = open_deal(spec(dealer=None, nonces=("x", "y")), T0)
    tossed = only(ev.TossMade, log).toss
    assert tossed == toss((4, 7, 9, 2), 2, SECRET, "d1", "x", "y")
    order = [seat for seat, _ in tossed]
    assert [seat for seat, _ in only(ev.CardsDealt, log).hands] == order
    assert only(ev.TurnStarted, log).seat == order[0]


def test_cards_are_dealt_one_at_a_time_then_the_wild_card_then_the_first_open_card() -> None:
    order = shoe_order(terms(), 3, SECRET, "d1", ())
    state = opened(3).state
    for place, seat in enumerate(state.seats):
        assert list(seat.hand) == [order[3 * round_ + place] for round_ in range(13)]
    assert state.wild_card == order[39]
    assert state.open == (order[40],)
    assert state.closed == order[41:]


def test_the_commitment_is_in_the_log_before_the_cards() -> None:
    first, second, *_ = open_deal(spec(), T0)
    assert isinstance(first, ev.DealOpened)
    assert isinstance(second, ev.CardsDealt)
    assert first.commitment == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_nonces_change_the_cards_of_everybody() -> None:
    plain, salted = opened(2).state, opened(2, nonces=("mine",)).state
    assert all(a.hand != b.hand for a, b in zip(plain.seats, salted.seats, strict=True))


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"seats": (4, 7, 4)}, Code.BAD_SEATS, "seats"),
        ({"seats": (4,), "dealer": 4}, Code.BAD_SEATS, "players"),
        ({"seats": tuple(range(7)), "dealer": 0}, Code.BAD_SEATS, "players"),
        ({"dealer": 5}, Code.BAD_SEATS, "dealer"),
        ({"nonces": ("a",) * 5}, Code.BAD_OPTION, "nonces"),
        ({"nonces": ("a" * 65,)}, Code.BAD_OPTION, "nonces"),
        # A lone surrogate has no bytes: it must not come up only when the cards are dealt.
        ({"nonces": ("\ud800",)}, Code.BAD_OPTION, "nonces"),
    ],
)
def test_a_deal_that_cannot_be_dealt_is_refused_with_the_field(
    changes: dict[str, Any], code: Code, field: str
) -> None:
    with pytest.raises(RuleViolation) as refused:
        spec(**changes)
    assert (refused.value.code, refused.value.field) == (code, field)


def test_anybody_can_check_the_shuffle_with_what_the_end_reveals() -> None:
    """Only from events as a spectator sees them: commitment, nonces, secret and every card."""
    table = opened(3, nonces=("a", "b", "c"))
    while not table.state.is_over:
        table.ring()
    seen = [redact(event, None) for event in table.log]
    first, ended = only(ev.DealOpened, seen), only(ev.DealEnded, seen)
    secret = bytes.fromhex(ended.secret)
    assert first.secret == ""
    assert first.commitment == hashlib.sha256(secret).hexdigest()
    order = shoe_order(first.terms, len(first.order), secret, first.deal_id, first.nonces)
    dealt = only(ev.CardsDealt, table.log)
    hands = [hand for _, hand in dealt.hands]
    assert order[:39] == tuple(card for round_ in zip(*hands, strict=True) for card in round_)
    assert order[39:] == (dealt.wild_card, dealt.open_card, *dealt.closed)
