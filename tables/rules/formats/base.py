"""What all match formats share: steps, the entries of a match's log, and common answers.

A *match* is one table's game in a *format*. It consumes deal results and asks for the next *step*:
another deal, answers to a rejoin or split offer, a lot, or nothing more. Every change is an *entry*
in the match's log. Rules 6.1 to 6.5.

Nothing here looks at cards, knows the time, draws lots or moves money: shares of a prize are
integer weights, and deadlines are the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any, Final, Self

import msgspec

from tables.rules.errors import Code, RuleViolation
from tables.rules.results import DealResult, Outcome
from tables.rules.terms import DealTerms

Seats = tuple[int, ...]
Places = tuple[Seats, ...]
"""Seats from best to worst, tied seats together."""
SeatAmounts = tuple[tuple[int, int], ...]
"""(seat, amount) for each seat concerned."""

MISSED_DEAL: Final = 80
"""Points for each deal a player is not there for (rule 5.8), and chips a deal (rule 6.2)."""
MAX_DEALS: Final = 200
"""Upper bound of the deals of any match."""


# Steps: what a match wants next.


class NextDeal(msgspec.Struct, frozen=True, tag="next_deal", tag_field="step"):
    """Deal to `seats`.

    With `dealer` None a toss comes first (rule 5.1) and `seats` stand in the order of the table;
    else they stand in the order of play, the dealer last. A tie-break deal changes no totals.
    `no_drop` are the seats whose totals leave them no drop (rule 6.3.2).
    """

    seats: Seats
    dealer: int | None
    terms: DealTerms
    tie_break: bool = False
    no_drop: Seats = ()


class AwaitRejoin(msgspec.Struct, frozen=True, tag="await_rejoin", tag_field="step"):
    """`seats` may still say whether they buy in again; who does comes back with that total."""

    seats: Seats
    comes_back_with: int
    seconds: int


class AwaitRebuy(msgspec.Struct, frozen=True, tag="await_rebuy", tag_field="step"):
    """`seats` are below the minimum of chips and may still say whether they buy `chips` more."""

    seats: Seats
    chips: int
    seconds: int


class AwaitSplit(msgspec.Struct, frozen=True, tag="await_split", tag_field="step"):
    """`offered_by` wants the prize pool shared by `weights`; `seats` have not answered yet."""

    offered_by: int
    seats: Seats
    weights: SeatAmounts
    seconds: int


class DrawLot(msgspec.Struct, frozen=True, tag="draw_lot", tag_field="step"):
    """Draw one of `seats` by lot; the seat drawn goes on, or else it is the one that goes out."""

    seats: Seats
    drawn_goes_on: bool


class MatchOver(msgspec.Struct, frozen=True, kw_only=True, tag="match_over", tag_field="step"):
    """The match's outcome.

    `scores` are totals of points, chips or winnings, as the format counts. `split_weights`, when
    the prize pool is split, say in which proportion; `buy_ins` are entries plus rejoins.
    """

    places: Places
    scores: SeatAmounts
    buy_ins: int
    split_weights: SeatAmounts | None = None


Step = NextDeal | AwaitRejoin | AwaitRebuy | AwaitSplit | DrawLot | MatchOver


# Entries: what happened in a match, in order. Replaying them makes the same match again.


class DealScored(msgspec.Struct, frozen=True, tag="deal_scored"):
    """A deal was finished with this result."""

    result: DealResult


class RejoinAnswered(msgspec.Struct, frozen=True, tag="rejoin_answered"):
    """Who is out, or below the minimum of chips, said whether he buys in again."""

    seat: int
    comes_back: bool


class SplitOffered(msgspec.Struct, frozen=True, tag="split_offered"):
    """A player offered to share the prize pool."""

    seat: int


class SplitAnswered(msgspec.Struct, frozen=True, tag="split_answered"):
    """A player accepted or refused the open offer."""

    seat: int
    accepts: bool


class LotDrawn(msgspec.Struct, frozen=True, tag="lot_drawn"):
    """The lot fell on this seat."""

    seat: int


class PlayerLeft(msgspec.Struct, frozen=True, tag="player_left"):
    """A player left the table for good between two deals."""

    seat: int


class PlayerJoined(msgspec.Struct, frozen=True, tag="player_joined"):
    """A new player took a seat between two deals."""

    seat: int


class TimePassed(msgspec.Struct, frozen=True, tag="time_passed"):
    """The time to answer ran out; whoever has not answered has said no."""


class DealsStopped(msgspec.Struct, frozen=True, tag="deals_stopped"):
    """The table's owner lets no further deal begin."""


GameEntry = (
    DealScored
    | RejoinAnswered
    | SplitOffered
    | SplitAnswered
    | LotDrawn
    | PlayerLeft
    | PlayerJoined
    | TimePassed
    | DealsStopped
)
"""What happens in a match; a correction tells what happened instead."""


class DealCorrected(msgspec.Struct, frozen=True, tag="deal_corrected"):
    """The last deal had another result than was entered.

    Both stay in the log. What was answered since is void; who left or joined since has still done
    so, but for the seats of `stay`, which were entered as gone by mistake.
    """

    result: DealResult
    stay: Seats = ()


Entry = GameEntry | DealCorrected


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the scoreboard; tied seats carry the same place (1, 2, 2, 4)."""

    seat: int
    place: int
    score: int
    still_in: bool
    drops_left: int | None = None


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A match's state in one format; what a format does not know is refused here."""

    terms: DealTerms
    seats: Seats

    @property
    def buy_ins(self) -> int:
        """Entries plus rejoins."""
        return len(self.seats)

    def drops_left(self, seat: int) -> int | None:
        """First drops the seat can still afford, None where that decides nothing."""
        return None

    def split_weights_now(self) -> SeatAmounts | None:
        """The weights a split would have if it were offered now; None when it cannot be."""
        return None

    def joined(self, seat: int) -> Self:
        """Refused: `NO_JOIN`."""
        raise RuleViolation(
            Code.NO_JOIN, f"Nobody can join at seat {seat}: this match has begun.", field="seat"
        )

    def rejoin_answered(self, seat: int, comes_back: bool) -> Self:
        """Refused: `NO_REJOIN`."""
        raise cannot_rejoin(seat)

    def split_offered(self, seat: int) -> Self:
        """Refused: `NO_SPLIT`."""
        raise RuleViolation(Code.NO_SPLIT, "Prizes are not split in this format; play on.")

    def split_answered(self, seat: int, accepts: bool) -> Self:
        """Refused: `NO_SPLIT`."""
        raise RuleViolation(Code.NO_SPLIT, "No split is on offer; play on.")

    def lot_drawn(self, seat: int) -> Self:
        """Refused: `NO_LOT`."""
        raise RuleViolation(Code.NO_LOT, "No lot is to be drawn; ask for the next step.")

    def stopped(self) -> Self:
        """Refused: `NO_STOP`."""
        raise RuleViolation(Code.NO_STOP, "This match ends by its own rules; play it to its end.")

    def time_passed(self) -> Self:
        """Refused: `NOT_DUE`."""
        raise RuleViolation(Code.NOT_DUE, "No answer is awaited; ask for the next step.")


def cannot_rejoin(seat: int) -> RuleViolation:
    """The refusal of a seat that is not asked about a rejoin."""
    return RuleViolation(
        Code.NO_REJOIN, f"Seat {seat} cannot buy in again now; see the next step.", field="seat"
    )


def not_seated(seat: int) -> RuleViolation:
    """The refusal of a seat that is not, or no longer, in the match."""
    return RuleViolation(
        Code.NOT_SEATED, f"Seat {seat} is not in this match any more.", field="seat"
    )


def ranked(seats: Iterable[int], key: Callable[[int], Any]) -> Places:
    """The seats by ascending `key`, those with equal keys together, each group in seat order."""
    ordered = sorted(seats, key=lambda seat: (key(seat), seat))
    return tuple(tuple(group) for _, group in groupby(ordered, key=key))


def amount_of(amounts: SeatAmounts, seat: int) -> int:
    """The seat's amount; raises `RuleViolation(NOT_SEATED)`."""
    for owner, amount in amounts:
        if owner == seat:
            return amount
    raise not_seated(seat)


def add_up(amounts: SeatAmounts, changes: Mapping[int, int]) -> SeatAmounts:
    """`amounts` with each seat's change added."""
    return tuple((seat, amount + changes.get(seat, 0)) for seat, amount in amounts)


def points_by_seat(result: DealResult) -> dict[int, int]:
    """Every player's points of the deal."""
    return {score.seat: score.points for score in result.scores}


def leavers(result: DealResult) -> Seats:
    """Seats that left for good during the deal (rule 5.8)."""
    return tuple(score.seat for score in result.scores if score.outcome is Outcome.LEFT)
