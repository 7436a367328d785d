"""A deal as it stands: who holds what, whose turn it is, which deadlines run.

The same type serves the server, which knows every card, and a viewer, for whom hidden cards are
`??` (see `visibility`). It never decides: `deal` does, and `evolve` applies what was decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum

import msgspec

from tables.rules.cards import Card, Rank, is_joker, parse_card
from tables.rules.commands import Groups
from tables.rules.errors import Code, RuleViolation
from tables.rules.events import Cause
from tables.rules.profiles import Absence
from tables.rules.results import DealResult, Outcome
from tables.rules.terms import DealTerms


class Phase(StrEnum):
    """Where a deal is."""

    NEW = "new"
    """Opened, not dealt yet; nobody can command anything."""
    DRAW = "draw"
    DISCARD = "discard"
    FINISH = "finish"
    """The finisher declares."""
    SHOW = "show"
    """Everybody else, or at a limit everybody, declares."""
    OVER = "over"


class SeatState(msgspec.Struct, frozen=True, kw_only=True):
    """One player in a deal."""

    seat: int
    hand: tuple[Card, ...] = ()
    drew: bool = False
    """Has drawn a card in this deal, so a drop is a middle drop."""
    turns: int = 0
    misses: int = 0
    """Turns missed one after the other."""
    auto_turns: int = 0
    online: bool = True
    no_drop: bool = False
    auto_drop: bool = False
    """The switch as it stands; it acts from the next deal on."""
    drops_at_once: bool = False
    """Auto drop was on when the deal began."""
    extra_ms: int
    until: int | None = None
    """When this player's time is up, his extra time included."""
    left: bool = False
    """Left for good during this deal."""
    arranged: Groups = ()
    declared: Groups | None = None
    declared_by: Cause | None = None
    outcome: Outcome | None = None
    points: int | None = None

    @property
    def is_in(self) -> bool:
        """Still playing for this deal."""
        return self.outcome is None

    def check_holds(self, card: Card) -> None:
        """Raise `RuleViolation`: `BAD_CARD` for no card, `CARD_NOT_IN_HAND` for one not held."""
        if parse_card(card) not in self.hand:
            raise RuleViolation(Code.CARD_NOT_IN_HAND, f"{card} is not in your hand.", field="card")


class DealState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about one deal; `version` counts the events behind it."""

    deal_id: str
    terms: DealTerms
    commitment: str
    secret: str
    nonces: tuple[str, ...]
    opened_at: int
    seats: tuple[SeatState, ...]
    """In order of play; the last one deals."""
    version: int = 0
    phase: Phase = Phase.NEW
    turn: int | None = None
    turn_at: int = 0
    """When the running turn or declaration began."""
    closed: tuple[Card, ...] = ()
    """Next card first."""
    open: tuple[Card, ...] = ()
    """Top card last."""
    wild_card: Card | None = None
    wild_rank: Rank = ""
    drawn: Card | None = None
    """The card drawn in the running turn."""
    taken: Card | None = None
    """The same, when it came from the open deck."""
    first_turn: bool = True
    """The first player's first turn is not over: he may take a joker turned up first."""
    reshuffles: int = 0
    finisher: int | None = None
    finish_slot: Card | None = None
    discards: tuple[tuple[int, Card], ...] = ()
    """Who discarded what, oldest first."""
    result: DealResult | None = None

    def seat_state(self, seat: int) -> SeatState:
        """A seat's state; raises `RuleViolation(NOT_SEATED)`."""
        for state in self.seats:
            if state.seat == seat:
                return state
        raise RuleViolation(Code.NOT_SEATED, f"Seat {seat} is not in this deal.", field="seat")

    @property
    def is_over(self) -> bool:
        """The deal has its result, or was called off and has none."""
        return self.phase is Phase.OVER

    @property
    def still_in(self) -> tuple[SeatState, ...]:
        """Players who have not gone out, in order of play."""
        return tuple(seat for seat in self.seats if seat.is_in)

    @property
    def to_declare(self) -> tuple[SeatState, ...]:
        """Players whose declaration is awaited now."""
        if self.phase is Phase.FINISH:
            return tuple(s for s in self.seats if s.seat == self.finisher)
        if self.phase is Phase.SHOW:
            return tuple(s for s in self.still_in if s.declared_by is None)
        return ()

    @property
    def time_limit(self) -> int | None:
        """When the whole deal is to end by a show, in milliseconds since 1970."""
        seconds = self.terms.profile.max_deal_seconds
        return None if seconds is None else self.opened_at + 1000 * seconds

    @property
    def deadline(self) -> int | None:
        """The next moment at which an alarm has something to do; None when nothing runs."""
        due = [seat.until for seat in self.seats if seat.until is not None]
        if self.phase in (Phase.DRAW, Phase.DISCARD) and self.time_limit is not None:
            due.append(self.time_limit)
        return min(due, default=None)

    @property
    def open_top(self) -> Card | None:
        """The card on top of the open deck."""
        return self.open[-1] if self.open else None

    @property
    def may_take_open(self) -> bool:
        """Whether the player to move may take the top open card (rule 5.4)."""
        top = self.open_top
        if top is None:
            return False
        if self.first_turn or self.terms.profile.may_take_discarded_jokers:
            return True
        return not is_joker(top, self.wild_rank)

    def is_auto_played(self, seat: SeatState) -> bool:
        """Whether the clock plays this seat's turns now (rule 5.12)."""
        profile = self.terms.profile
        if seat.online or profile.absence is not Absence.AUTO_PLAY:
            return False
        limit = profile.auto_play_turns
        return limit is None or seat.auto_turns < limit

    def cards(self) -> Counter[Card]:
        """Every card of the shoe with the number of its copies, wherever it lies."""
        return Counter(self._places())

    def _places(self) -> Iterator[Card]:
        yield from self.closed
        yield from self.open
        for seat in self.seats:
            yield from seat.hand
        if self.wild_card is not None:
            yield self.wild_card
        if self.finish_slot is not None:
            yield self.finish_slot
