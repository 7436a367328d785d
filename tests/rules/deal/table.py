"""A table to try the deal engine at: chosen cards, moves in one line, and checks after every event.

Seats are 1, 2, 3 … in order of play. `dealt` writes the beginning of a log by hand, so that a test
chooses every card; `opened` deals by the engine. Time is in milliseconds and starts at `T0`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final, TypeVar

import pytest

from tables.rules import commands as cm
from tables.rules import events as ev
from tables.rules.cards import Card
from tables.rules.codec import decode_event, encode_event
from tables.rules.deal import DealSpec, decide, evolve, open_deal, replay
from tables.rules.errors import Code, RuleViolation
from tables.rules.profiles import profile_named
from tables.rules.results import Outcome
from tables.rules.shoe import commitment_of, new_shoe
from tables.rules.state import DealState, Phase, SeatState
from tables.rules.terms import ClockTerms, DealTerms

E = TypeVar("E")

T0: Final = 1_700_000_000_000
SECRET: Final = bytes(range(32))
CLOCK: Final = ClockTerms(extra_seconds=10)

WIN: Final = "2S 3S 4S | 5H 6H 7H 8H | 9C TC JC | KS KH KD"
"""A valid declaration under every profile while aces are wild; its cards count 94."""
JUNK: Final = "KC QD JS TD 9S 8C 7D 6C 5S 4D QH JH QS"
"""Counts 109 while aces are wild."""
LOW: Final = "2D 2H 3C 3D 4C 4H 5D 5C 6D 6S 7C 7S 8D"
"""Counts 62 while aces are wild."""
PARTLY: Final = "4C 5C 6C | 9D TD JD | KC | QH | 8S | 7D | 5S | 3C | 2D"
"""Two pure sequences of three; the cards outside them count 45, all cards 89."""


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text; bars between groups are ignored."""
    return tuple(text.replace("|", " ").split())


def groups(text: str) -> cm.Groups:
    """The groups of a text, parted by bars."""
    return tuple(cards(group) for group in text.split("|"))


def terms(
    profile: str = "rummycircle",
    *,
    drops: tuple[int, int] | None = (20, 40),
    clock: ClockTerms = CLOCK,
    wrong: int = 80,
    **changes: Any,
) -> DealTerms:
    """Terms of a deal; `drops` are the first and the middle drop, None for no drop."""
    first, middle = drops or (None, None)
    return DealTerms(
        profile=profile_named(profile, **changes),
        first_drop=first,
        middle_drop=middle,
        wrong_declaration=wrong,
        clock=clock,
    )


class Table:
    """A deal being played. Cards are counted and hands measured after every single event."""

    def __init__(self, log: Iterable[ev.Event]) -> None:
        self.log = list(log)
        self.state: DealState = replay(self.log)
        self.now = self.log[-1].at
        self.cards = self.state.cards()

    def do(self, *commands: cm.Command) -> list[ev.Event]:
        """Let commands happen now, one after the other; the events they brought about."""
        before = len(self.log)
        for command in commands:
            for event in decide(self.state, command, self.now):
                self.log.append(event)
                self.state = evolve(self.state, event)
                check_cards(self.state, self.cards)
        return self.log[before:]

    def wait(self, seconds: float) -> Table:
        """Let time pass."""
        self.now += round(1000 * seconds)
        return self

    def ring(self) -> list[ev.Event]:
        """Let time pass to the next deadline and ring the alarm."""
        assert self.state.deadline is not None
        self.now = max(self.now, self.state.deadline)
        return self.do(cm.Expire())

    def refusal(self, command: cm.Command) -> Code:
        """The code of the refusal of a command that has to be refused."""
        with pytest.raises(RuleViolation) as refused:
            decide(self.state, command, self.now)
        sentence = refused.value.sentence
        assert sentence.endswith(".")
        assert len(sentence) < 200
        return refused.value.code

    def pass_turns(self, count: int = 1) -> Table:
        """Whoever is to move draws from the closed deck and discards that card."""
        for _ in range(count):
            seat = self.to_move
            self.do(cm.DrawClosed(seat))
            assert self.state.drawn is not None
            self.do(cm.Discard(seat, self.state.drawn))
        return self

    def finish(self, seat: int) -> Table:
        """Draw from the closed deck and put that card into the finish slot."""
        self.do(cm.DrawClosed(seat))
        assert self.state.drawn is not None
        self.do(cm.Finish(seat, self.state.drawn))
        return self

    def show(self, seat: int, text: str = WIN) -> Table:
        """Finish and declare these groups."""
        self.finish(seat).do(cm.Declare(seat, groups(text)))
        return self

    def restart(self) -> Table:
        """The same deal read back from its stored log, as after a restart of the process."""
        again = Table(decode_event(encode_event(event)) for event in self.log)
        again.now = self.now
        return again

    @property
    def to_move(self) -> int:
        """The seat whose turn it is."""
        assert self.state.turn is not None
        return self.state.turn

    @property
    def phase(self) -> Phase:
        """Where the deal is."""
        return self.state.phase

    def seat(self, seat: int) -> SeatState:
        """A player's state."""
        return self.state.seat_state(seat)

    def seconds_left(self, seat: int) -> float:
        """Seconds until this player's time is up, extra time included."""
        until = self.seat(seat).until
        assert until is not None
        return (until - self.now) / 1000

    @property
    def scores(self) -> dict[int, tuple[int, Outcome]]:
        """Points and outcome of every seat once the deal is over."""
        assert self.state.result is not None
        return {s.seat: (s.points, s.outcome) for s in self.state.result.scores}


def check_cards(state: DealState, all_cards: Counter[Card]) -> None:
    """No card is lost or made, and every hand has 13 cards, or 14 between draw and discard.

    When all others leave in a player's turn, the deal ends with his fourteen.
    """
    assert state.cards() == all_cards
    if state.phase is Phase.NEW:
        return
    for seat in state.seats:
        if state.result is not None:
            assert len(seat.hand) == 13 or seat.seat == state.result.winner
        elif state.phase is not Phase.DISCARD or seat.seat != state.turn:
            assert len(seat.hand) == 13
        else:
            assert len(seat.hand) == 13 + seat.is_in - _just_discarded(state, seat)


def _just_discarded(state: DealState, seat: SeatState) -> bool:
    """Between the discard and the next turn; the log is looked at after every single event."""
    return seat.is_in and seat.until is None


def only(kind: type[E], events: Iterable[ev.Event]) -> E:
    """The one event of this kind among the events."""
    (found,) = (event for event in events if isinstance(event, kind))
    return found


def dealt(
    *hands: str,
    players: int = 0,
    wild: Card = "AD",
    open_card: Card = "9H",
    closed: str = "",
    nothing_else: bool = False,
    deal_terms: DealTerms | None = None,
    **opening: Any,
) -> Table:
    """A table with chosen hands, wild card, open card and next cards of the closed deck.

    Hands not stated and the rest of the closed deck come from the rest of the shoe; with
    `nothing_else` the closed deck holds the stated cards only. `opening` goes into `DealOpened`.
    """
    deal_terms = deal_terms or terms()
    seats = range(1, max(players, len(hands), 2) + 1)
    shoe = new_shoe(deal_terms.profile.shoe_for(len(seats)))
    chosen = [cards(hand) for hand in hands]
    used = Counter([wild, open_card, *cards(closed)]) + Counter(c for hand in chosen for c in hand)
    assert nothing_else or not used - Counter(shoe), "more copies than the shoe has"
    rest = list((Counter(shoe) - used).elements())
    while len(chosen) < len(seats):
        # Every seventh card, so that hands not chosen are of no use by chance.
        chosen.append(tuple(rest.pop(7 * i % len(rest)) for i in range(13)))
    opening.setdefault("commitment", commitment_of(SECRET))
    until = T0 + 1000 * (deal_terms.clock.turn_seconds + deal_terms.clock.extra_seconds)
    return Table(
        [
            ev.DealOpened(
                at=T0,
                deal_id="d1",
                terms=deal_terms,
                order=tuple(seats),
                secret=SECRET.hex(),
                nonces=(),
                **opening,
            ),
            ev.CardsDealt(
                at=T0,
                hands=tuple(zip(seats, chosen, strict=True)),
                wild_card=wild,
                open_card=open_card,
                closed=cards(closed) + (() if nothing_else else tuple(rest)),
            ),
            ev.TurnStarted(at=T0, seat=1, until=until),
        ]
    )


def opened(
    players: int = 3,
    *,
    deal_terms: DealTerms | None = None,
    secret: bytes = SECRET,
    toss: bool = False,
    **spec: Any,
) -> Table:
    """A table dealt by the engine; seats 1, 2, 3 …, the last one deals unless there is a toss."""
    seats = tuple(range(1, players + 1))
    return Table(
        open_deal(
            DealSpec(
                deal_id="d1",
                terms=deal_terms or terms(),
                seats=seats,
                dealer=None if toss else seats[-1],
                secret=secret,
                **spec,
            ),
            T0,
        )
    )
