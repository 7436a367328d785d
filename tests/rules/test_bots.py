"""Bots: they see what a seat sees, answer what the rules allow, and are as strong as they say."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from statistics import fmean

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tables.rules import commands as cm
from tables.rules import deal
from tables.rules.bots import Chance, Strength, choose, play_deal, seat_to_move, steps_of, thinking
from tables.rules.bots.sight import Sight
from tables.rules.cards import HIDDEN, PACK, Card
from tables.rules.errors import Code, RuleViolation
from tables.rules.hands import best_grouping
from tables.rules.profiles import PROFILES
from tables.rules.results import Outcome
from tables.rules.state import DealState, Phase, SeatState
from tables.rules.terms import DealTerms
from tables.rules.visibility import view_of

CHANCE = Chance(b"tests")
CONTEST_DEALS = 100
"""The benchmark plays a thousand."""
ALL = tuple(Strength)
TABLES = [
    (profile.name, players)
    for profile in PROFILES.values()
    for players in (2, 6)
    if players <= profile.max_players
]


def spec_of(number: int, profile: str = "rummycircle", players: int = 2) -> deal.DealSpec:
    return deal.DealSpec(
        deal_id=f"deal-{number}",
        terms=DealTerms(profile=PROFILES[profile]),
        seats=tuple(range(players)),
        dealer=number % players,
        secret=hashlib.sha256(str(number).encode()).digest(),
    )


def states_of(spec: deal.DealSpec, strengths: Mapping[int, Strength]) -> Iterator[DealState]:
    """The states of a deal played by bots in which somebody is to move."""
    for _, state in steps_of(spec, strengths, CHANCE, 0):
        if not state.is_over:
            yield state


def mixed(players: int) -> dict[int, Strength]:
    return {seat: ALL[seat % len(ALL)] for seat in range(players)}


def view_with(hand: str, *, open_top: str = "2C", wild: str = "3", **changes: object) -> DealState:
    """Seat 0 of two to draw, or to discard when `hand` has 14 cards; the wild card is of spades."""
    cards = tuple(hand.split())
    phase = Phase.DRAW if len(cards) == 13 else Phase.DISCARD
    seats = (
        SeatState(seat=0, hand=cards, drew=len(cards) == 14, turns=1, extra_ms=0),
        SeatState(seat=1, hand=(HIDDEN,) * 13, extra_ms=0),
    )
    fields: dict[str, object] = {
        "deal_id": "made-up",
        "terms": DealTerms(profile=PROFILES["rummycircle"]),
        "commitment": "",
        "secret": "",
        "nonces": (),
        "opened_at": 0,
        "seats": seats,
        "phase": phase,
        "turn": 0,
        "closed": (HIDDEN,) * 60,
        "open": (open_top,),
        "wild_card": wild + "S",
        "wild_rank": wild,
        "first_turn": False,
    }
    return DealState(**(fields | changes))  # type: ignore[arg-type]


def answer(view: DealState, strength: Strength, seat: int = 0) -> cm.SeatCommand:
    return choose(view, deal.legal_commands(view, seat), strength=strength, chance=CHANCE)


# --- what every bot keeps to -------------------------------------------------------------------


@pytest.mark.parametrize(("profile", "players"), TABLES)
def test_bots_of_every_strength_end_every_deal_under_every_profile(
    profile: str, players: int
) -> None:
    """`play_deal` raises on the first illegal command, so ending means all were legal."""
    for number in range(3):
        _, state = play_deal(spec_of(number, profile, players), mixed(players), CHANCE, 0)
        assert state.is_over
        assert state.result is not None


@pytest.mark.parametrize("strength", ALL)
def test_no_bot_comes_or_goes_or_declares_a_hand_that_is_not_complete(strength: Strength) -> None:
    """A made wrong declaration, a missed turn or a leave would show in the outcomes."""
    allowed = {Outcome.WON, Outcome.LOST, Outcome.FIRST_DROP}
    for number in range(10):
        spec = spec_of(number, players=3)
        _, state = play_deal(spec, dict.fromkeys(range(3), strength), CHANCE, 0)
        assert state.result is not None
        assert {score.outcome for score in state.result.scores} <= allowed
        assert all(seat.online for seat in state.seats)


@pytest.mark.parametrize("strength", ALL)
def test_a_bot_answers_the_same_to_the_same_view_and_chance(strength: Strength) -> None:
    first, _ = play_deal(spec_of(7), dict.fromkeys(range(2), strength), CHANCE, 0)
    again, _ = play_deal(spec_of(7), dict.fromkeys(range(2), strength), CHANCE, 0)
    assert first == again


def test_another_chance_makes_another_deal() -> None:
    strengths = dict.fromkeys(range(2), Strength.RANDOM_LEGAL)
    first, _ = play_deal(spec_of(7), strengths, Chance(b"one"), 0)
    other, _ = play_deal(spec_of(7), strengths, Chance(b"two"), 0)
    assert first != other


@pytest.mark.parametrize("strength", ALL)
def test_a_bot_does_not_look_behind_hidden_cards(strength: Strength) -> None:
    """Shown the whole deal it moves as it does on its seat's view."""
    for state in states_of(spec_of(3), dict.fromkeys(range(2), strength)):
        seat = seat_to_move(state)
        assert seat is not None
        legal = deal.legal_commands(state, seat)
        with_all = choose(state, legal, strength=strength, chance=CHANCE)
        assert with_all == answer(view_of(state, seat), strength, seat)


@pytest.mark.parametrize("strength", ALL)
def test_a_bot_that_is_not_awaited_is_refused_an_answer(strength: Strength) -> None:
    view = view_of(deal.replay(deal.open_deal(spec_of(0), 0)), 0)
    waiting = next(seat.seat for seat in view.seats if seat.seat != view.turn)
    with pytest.raises(RuleViolation) as refusal:
        answer(view, strength, waiting)
    assert refusal.value.code is Code.NOT_YOUR_TURN
    with pytest.raises(RuleViolation):
        choose(view, (), strength=strength, chance=CHANCE)


@pytest.mark.parametrize("strength", ALL)
def test_every_bot_shows_the_grouping_with_the_fewest_points(strength: Strength) -> None:
    hand = "4S 5S 6S 8H 9H TH 2D 2C 2S KD QC 7C 9C"
    view = view_with(hand, phase=Phase.SHOW, turn=None)
    best = best_grouping(tuple(hand.split()), "3", PROFILES["rummycircle"])
    shown = answer(view, strength)
    assert isinstance(shown, cm.Declare)
    assert shown.groups == tuple(group.cards for group in best.groups)


@pytest.mark.parametrize("strength", [Strength.STEADY, Strength.SHARP])
def test_a_bot_finishes_with_the_card_that_leaves_a_complete_hand(strength: Strength) -> None:
    view = view_with("4S 5S 6S 8H 9H TH JH 2D 2C 2S 9D 9C 9S KD")
    assert answer(view, strength) == cm.Finish(0, "KD")


def test_the_random_bot_finishes_when_its_discard_happens_to_complete_the_hand() -> None:
    """With any of the run's ends or the king gone; other discards it makes as they come."""
    kinds = set()
    for version in range(60):
        hand = "4S 5S 6S 8H 9H TH JH 2D 2C 2S 9D 9C 9S KD"
        move = answer(view_with(hand, version=version), Strength.RANDOM_LEGAL)
        assert isinstance(move, cm.Finish | cm.Discard)
        assert isinstance(move, cm.Finish) == (move.card == "KD")
        kinds.add(type(move))
    assert kinds == {cm.Finish, cm.Discard}


# --- how steady and sharp bots play --------------------------------------------------------------


@pytest.mark.parametrize("strength", [Strength.STEADY, Strength.SHARP])
@pytest.mark.parametrize("top", ["6H", "9H"])
def test_an_open_card_that_makes_a_pure_sequence_is_taken(strength: Strength, top: Card) -> None:
    view = view_with("7H 8H KS QD 2C 4S 9D JC 6D TS AC 5C 2D", open_top=top)
    assert answer(view, strength) == cm.DrawOpen(0)


@pytest.mark.parametrize("strength", [Strength.STEADY, Strength.SHARP])
def test_an_open_card_that_goes_with_nothing_is_left(strength: Strength) -> None:
    """With a joker in the hand, so that nobody thinks of dropping it."""
    view = view_with("7H 8H KS QD 2C 4S 9D JC 6D TS AC JK 2D", open_top="5C")
    assert answer(view, strength) == cm.DrawClosed(0)


@pytest.mark.parametrize("strength", [Strength.STEADY, Strength.SHARP])
def test_a_joker_is_taken_and_never_discarded(strength: Strength) -> None:
    hand = "7H 8H KS QD 2C 4S 9D JC 6D TS AC 5C 3H"
    drawn = answer(view_with(hand, open_top="JK", first_turn=True), strength)
    assert drawn == cm.DrawOpen(0)
    discarded = answer(view_with(hand + " JK", drawn="JK", taken="JK"), strength)
    assert isinstance(discarded, cm.Discard)
    assert discarded.card not in {"JK", "3H"}


@pytest.mark.parametrize("strength", [Strength.STEADY, Strength.SHARP])
def test_a_lone_high_card_goes_before_parts_of_sequences(strength: Strength) -> None:
    view = view_with("4S 5S 6S 8H 9H TH 2D 3D 6C 7C 5D 6D KD 4H", wild="Q")
    assert answer(view, strength) == cm.Discard(0, "KD")


NO_HEARTS = [card for card in PACK if card[1] != "H"]
ENDS_BY_BREAKING_IT = ["AS", "2S", "3S", "5S", "6S", "5C", "7S", "8S", "9S", "TS", "6D"]
"""With 5H and 6H two sequences and two sets: a complete hand, which is worth the 7H."""


@settings(max_examples=40)
@example(ENDS_BY_BREAKING_IT)
@given(st.permutations(NO_HEARTS))
def test_a_steady_bot_breaks_a_pure_sequence_without_neighbours_only_to_end(
    others: list[Card],
) -> None:
    cards = ["5H", "6H", "7H", *others[:11]]
    move = answer(view_with(" ".join(cards)), Strength.STEADY)
    assert isinstance(move, cm.Discard | cm.Finish)
    cards.remove(move.card)
    if isinstance(move, cm.Finish):
        assert best_grouping(tuple(cards), "3", PROFILES["rummycircle"]).complete
    else:
        assert move.card not in {"5H", "6H", "7H"}


# --- what a sharp bot sees besides ---------------------------------------------------------------


def test_counted_cards_are_live_exactly_where_they_are_hidden_and_not_known_to_be_taken() -> None:
    """Every live copy lies in the closed deck or in another hand, and the other way round."""
    for number in range(4):
        for state in states_of(spec_of(number, players=3), mixed(3)):
            if state.turn is None or state.phase not in (Phase.DRAW, Phase.DISCARD):
                continue
            sight = Sight(view_of(state, state.turn), state.turn)
            taken = sight.taken_by_others()
            hidden = Counter(state.closed)
            for seat in state.seats:
                hidden.update(seat.hand if seat.seat != state.turn else ())
            hidden.subtract(card for cards in taken.values() for card in cards)
            live = sight.live_counted(taken)
            assert {card: hidden[card] for card in PACK} == dict(live)


def test_what_a_bot_takes_others_to_hold_they_hold() -> None:
    seen = 0
    for number in range(6):
        for state in states_of(spec_of(number, players=3), mixed(3)):
            for seat in state.seats if state.phase is Phase.DRAW else ():
                for other, cards in (
                    Sight(view_of(state, seat.seat), seat.seat).taken_by_others().items()
                ):
                    assert not Counter(cards) - Counter(state.seat_state(other).hand)
                    seen += len(cards)
    assert seen


def test_a_sharp_bot_does_not_discard_next_to_what_the_next_player_took() -> None:
    """He took the ten of diamonds, so the jack is kept and a king goes that nobody asked for."""
    hand = "4S 5S 6S 8H 9H TH 2D 2C 6C 7C 5D 6D JD KC"
    quiet = view_with(hand, wild="Q")
    assert answer(quiet, Strength.SHARP) in (cm.Discard(0, "JD"), cm.Discard(0, "KC"))
    fed = view_with(
        hand, wild="Q", open=("2H", "8C"), discards=((0, "TD"), (1, "8C")), open_top="8C"
    )
    assert Sight(fed, 0).taken_by_others() == {1: ["TD"]}
    assert answer(fed, Strength.SHARP) == cm.Discard(0, "KC")
    fed_with_kings = view_with(
        hand, wild="Q", open=("2H", "8C"), discards=((0, "KS"), (1, "8C")), open_top="8C"
    )
    assert answer(fed_with_kings, Strength.SHARP) == cm.Discard(0, "JD")


def test_a_sharp_bot_gives_up_what_can_no_longer_be_completed() -> None:
    """Every seven and ten of hearts lies open; the steady bot keeps its eight and nine for them."""
    hand = "2S 3S 4S 2D 3D 4D 5D 2C 3C 4C 8H 9H JS QS"
    view = view_with(hand, wild="A", open=("7H", "TH", "7H", "TH", "KD"))
    assert answer(view, Strength.SHARP) == cm.Discard(0, "9H")
    assert answer(view, Strength.STEADY) in (cm.Discard(0, "JS"), cm.Discard(0, "QS"))


def test_outs_are_the_live_cards_that_complete_a_hand_after_a_discard() -> None:
    """Without the aces the sixes wait for four cards, without the sixes the aces wait for two."""
    hand = "4S 5S 6S 9D TD JD QD 2C 3C 4C 6H 7H AC AD"
    sight = Sight(view_with(hand, wild="K", open=("AS", "AH", "2H")), 0)
    costs = dict.fromkeys(("6H", "7H", "AC", "AD"), 1.0)
    outs = thinking.outs_of_discards(sight.hand, costs, sight.live_counted({}))
    assert outs == {"AC": 4, "AD": 4, "6H": 2, "7H": 2}


HOPELESS = "2H 5H 9H JH 3S 8S QS 6D TD KD 4C 7C KC"


def test_a_sharp_bot_drops_a_hopeless_hand_before_its_first_card_only() -> None:
    first = view_with(HOPELESS, wild="A")
    assert answer(first, Strength.SHARP) == cm.Drop(0)
    later = replace(first, seats=(replace(first.seats[0], drew=True), first.seats[1]))
    assert answer(later, Strength.SHARP) == cm.DrawClosed(0)
    assert answer(first, Strength.STEADY) == cm.DrawClosed(0)


@pytest.mark.parametrize(
    "hand",
    [
        pytest.param("2H 5H 9H JH 3S 8S QS 6D TD KD 4C AC KC", id="wild joker"),
        pytest.param("2H 5H 9H JH 3S 8S QS 6D TD KD 4C 7C JK", id="printed joker"),
        pytest.param("2H 5H 6H 7H 3S 8S QS 6D TD KD 4C 7C KC", id="three in a row"),
    ],
)
def test_a_joker_or_three_in_a_row_is_worth_playing(hand: str) -> None:
    assert answer(view_with(hand, wild="A"), Strength.SHARP) == cm.DrawClosed(0)


def test_a_costly_drop_is_not_taken() -> None:
    """At fifty points for the drop the same hand is played."""
    terms = DealTerms(profile=PROFILES["rummycircle"], first_drop=50, middle_drop=80)
    assert not isinstance(
        answer(view_with(HOPELESS, wild="A", terms=terms), Strength.SHARP), cm.Drop
    )


def test_a_hand_that_may_not_be_dropped_is_played() -> None:
    terms = DealTerms(profile=PROFILES["rummycircle"], first_drop=None, middle_drop=None)
    assert answer(view_with(HOPELESS, wild="A", terms=terms), Strength.SHARP) == cm.DrawClosed(0)


def test_a_sharp_bot_saves_its_best_grouping_once_and_then_draws() -> None:
    hand = "4S 5S 6S 8H 9H TH 2D 2C 2S KD QC 7C 9C"
    view = view_with(hand)
    saved = answer(view, Strength.SHARP)
    assert isinstance(saved, cm.Arrange)
    me = replace(view.seats[0], arranged=saved.groups)
    assert isinstance(
        answer(replace(view, seats=(me, view.seats[1])), Strength.SHARP),
        cm.DrawClosed | cm.DrawOpen,
    )


# --- strength ------------------------------------------------------------------------------------


def contest(one: Strength, other: Strength, deals: int) -> tuple[float, float, float]:
    """The share of deals the first one wins, and the points a deal of both."""
    results = []
    for number in range(deals):
        _, state = play_deal(spec_of(number), {0: one, 1: other}, CHANCE, 0)
        assert state.result is not None
        results.append(state.result)
    points = [fmean(result.points_of(seat) for result in results) for seat in (0, 1)]
    return fmean(result.winner == 0 for result in results), points[0], points[1]


def test_the_sharp_bot_beats_random_legal_in_more_than_nine_of_ten_deals() -> None:
    won, points, others = contest(Strength.SHARP, Strength.RANDOM_LEGAL, CONTEST_DEALS)
    assert won > 0.9
    assert points < 5
    assert others > 60


def test_the_steady_bot_beats_random_legal_in_more_than_nine_of_ten_deals() -> None:
    won, _, _ = contest(Strength.STEADY, Strength.RANDOM_LEGAL, CONTEST_DEALS)
    assert won > 0.9


# --- chance --------------------------------------------------------------------------------------


@given(st.binary(max_size=40), st.integers(1, 500), st.lists(st.text(max_size=8), max_size=3))
def test_chance_gives_one_number_below_its_bound(
    seed: bytes, bound: int, context: list[str]
) -> None:
    number = Chance(seed).below(bound, *context)
    assert 0 <= number < bound
    assert number == Chance(seed).below(bound, *context)


def test_chance_reaches_every_number_about_equally_often() -> None:
    counts = Counter(Chance(b"even").below(6, str(i)) for i in range(6000))
    assert set(counts) == set(range(6))
    assert all(850 < count < 1150 for count in counts.values())
