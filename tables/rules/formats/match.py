"""A match: who opened it under what, and the log of all that happened since.

The log alone makes the match: `replayed` applies it again from the start, which is how a match is
read back and how its last deal is corrected. A correction is an entry like any other: the log goes
on to tell what was entered at first, `kept` is what counts of it.

A match is never changed; every method that lets something happen returns the match after it, or
raises `RuleViolation` and leaves all as it was. Whoever calls makes sure that no deal is being
played meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

import msgspec

from tables.rules.errors import Code, RuleViolation
from tables.rules.formats.base import (
    DealCorrected,
    DealScored,
    DealsStopped,
    Entry,
    GameEntry,
    LotDrawn,
    MatchOver,
    NextDeal,
    PlayerJoined,
    PlayerLeft,
    RejoinAnswered,
    SeatAmounts,
    Seats,
    SplitAnswered,
    SplitOffered,
    Standing,
    Step,
    TimePassed,
)
from tables.rules.formats.checks import check_result, check_seats
from tables.rules.formats.deals import DealsFormat, DealsGame
from tables.rules.formats.heads_up import HeadsUpFormat, HeadsUpGame
from tables.rules.formats.highest_out import HighestOutFormat, HighestOutGame
from tables.rules.formats.level import LevelFormat, LevelGame
from tables.rules.formats.points import PointsFormat, PointsGame
from tables.rules.formats.pool import PoolGame
from tables.rules.formats.pool_table import PoolFormat
from tables.rules.profiles import RuleProfile
from tables.rules.results import DealResult
from tables.rules.terms import ClockTerms

AnyFormat = PointsFormat | PoolFormat | DealsFormat | HeadsUpFormat | HighestOutFormat | LevelFormat
AnyGame = PointsGame | PoolGame | DealsGame | HeadsUpGame | HighestOutGame | LevelGame


class Opening(msgspec.Struct, frozen=True):
    """What a match is played under, and its seats clockwise."""

    format: AnyFormat
    profile: RuleProfile
    clock: ClockTerms
    seats: Seats


class Match(msgspec.Struct, frozen=True):
    """A match after everything in its log; `order` is the order of play of its last deal.

    `kept` is the log without what corrections made void, and without the corrections.
    """

    opening: Opening
    game: AnyGame
    log: tuple[Entry, ...] = ()
    order: Seats = ()
    kept: tuple[Entry, ...] = ()

    # What the match says

    def next_step(self) -> Step:
        """What has to happen next; for a deal, with the dealer who is due (rule 5.1)."""
        step = self.game.step()
        if not isinstance(step, NextDeal) or set(step.seats) != set(self.order):
            return step
        first, *others = self.order
        return msgspec.structs.replace(step, seats=(*others, first), dealer=first)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be played or answered."""
        return isinstance(self.game.step(), MatchOver)

    def is_in(self, seat: int) -> bool:
        """Whether the seat is neither eliminated nor gone."""
        return self.game.is_in(seat)

    @property
    def runs_until_stopped(self) -> bool:
        """Whether the table's owner says when the last deal was, and not the match itself."""
        return isinstance(self.opening.format, LevelFormat)

    @property
    def buy_ins(self) -> int:
        """Entries plus rejoins, the number of entry fees in the prize pool."""
        return self.game.buy_ins

    @property
    def results(self) -> tuple[DealResult, ...]:
        """The results of all deals as they count now, tie-break deals included."""
        return tuple(entry.result for entry in self.kept if isinstance(entry, DealScored))

    @property
    def split_weights_now(self) -> SeatAmounts | None:
        """The shares a split would give if it were offered now; None when it cannot be."""
        return None if self.is_over else self.game.split_weights_now()

    def standings(self) -> tuple[Standing, ...]:
        """The scoreboard, best place first."""
        lines: list[Standing] = []
        for tied in self.game.places():
            place = len(lines) + 1
            lines.extend(
                Standing(
                    seat=seat,
                    place=place,
                    score=self.game.score_of(seat),
                    still_in=self.game.is_in(seat),
                    drops_left=self.game.drops_left(seat),
                )
                for seat in tied
            )
        return tuple(lines)

    # What can happen to it

    def record(self, result: DealResult) -> Match:
        """The awaited deal was finished. Raises `DEAL_NOT_EXPECTED` or `BAD_RESULT`."""
        return self.after(DealScored(result))

    def leave(self, seat: int) -> Match:
        """A player leaves for good. Raises `NOT_SEATED` or `ANSWERS_OPEN`."""
        return self.after(PlayerLeft(seat))

    def join(self, seat: int) -> Match:
        """A new player sits down. Raises `NO_JOIN` or `BAD_SEATS`."""
        return self.after(PlayerJoined(seat))

    def answer_rejoin(self, seat: int, comes_back: bool) -> Match:
        """An eliminated player buys in again, or does not. Raises `NO_REJOIN`."""
        return self.after(RejoinAnswered(seat, comes_back))

    def offer_split(self, seat: int) -> Match:
        """A player asks the others to share the prize pool. Raises `NO_SPLIT`."""
        return self.after(SplitOffered(seat))

    def answer_split(self, seat: int, accepts: bool) -> Match:
        """A player accepts the open offer, or refuses it. Raises `NO_SPLIT`."""
        return self.after(SplitAnswered(seat, accepts))

    def draw_lot(self, seat: int) -> Match:
        """The lot has fallen on this seat. Raises `NO_LOT` or `NOT_SEATED`."""
        return self.after(LotDrawn(seat))

    def stop(self) -> Match:
        """No further deal begins. Raises `NO_STOP` where the match ends by its own rules."""
        return self.after(DealsStopped())

    def time_passed(self) -> Match:
        """The time to answer is over; silence is a no. Raises `NOT_DUE`."""
        return self.after(TimePassed())

    def after(self, entry: Entry) -> Match:
        """The match after `entry`. Raises `MATCH_OVER`, or as the entry's own method does."""
        if isinstance(entry, DealCorrected):
            return self._corrected(entry)
        step = self.next_step()
        if isinstance(step, MatchOver):
            raise RuleViolation(Code.MATCH_OVER, "This match is over; start another one.")
        if isinstance(entry, DealScored):
            _check_deal(step, entry.result)
        return Match(
            self.opening,
            _after(self.game, entry),
            (*self.log, entry),
            _order_after(self.order, step, entry),
            (*self.kept, entry),
        )

    # Corrections

    def correct_last(self, result: DealResult) -> Match:
        """The match as if the last deal had had this result. Raises `NO_DEAL_YET`, `BAD_RESULT`.

        Answers given after that deal are void and asked again; who left or joined since has still
        done so, where that still fits. The log holds no trace of it; see `correct`.
        """
        before = self.before_last_deal()
        return _with_departures(before.record(result), self.since_last_deal)

    def take_back_last(self) -> Match:
        """The match as if the last deal had not been played. Raises `NO_DEAL_YET`."""
        return _with_departures(self.before_last_deal(), self.since_last_deal)

    def correct(self, result: DealResult, stay: Seats = ()) -> Match:
        """As `correct_last`, and the log tells of it; the seats of `stay` have not left.

        Raises `NO_DEAL_YET` or `BAD_RESULT`.
        """
        return self.after(DealCorrected(result, stay))

    def before_last_deal(self) -> Match:
        """The match as it was when its last deal was dealt. Raises `NO_DEAL_YET`."""
        return replayed(self.opening, self.kept[: self._last_deal])

    @property
    def since_last_deal(self) -> tuple[Entry, ...]:
        """What of the log still counts and came after the last deal. Raises `NO_DEAL_YET`."""
        return self.kept[self._last_deal + 1 :]

    @property
    def _last_deal(self) -> int:
        places = [at for at, entry in enumerate(self.kept) if isinstance(entry, DealScored)]
        if not places:
            raise RuleViolation(Code.NO_DEAL_YET, "No deal of this match has been scored yet.")
        return places[-1]

    def _corrected(self, entry: DealCorrected) -> Match:
        since = [
            kept
            for kept in self.since_last_deal
            if not (isinstance(kept, PlayerLeft) and kept.seat in entry.stay)
        ]
        match = _with_departures(self.before_last_deal().record(entry.result), since)
        return msgspec.structs.replace(match, log=(*self.log, entry))


def opened(opening: Opening) -> Match:
    """The match before its first deal. Raises `BAD_SEATS` or `BAD_OPTION`."""
    options, seats = opening.format, opening.seats
    check_seats(seats, opening.profile)
    terms = options.terms(opening.profile, opening.clock)
    game: AnyGame
    match options:
        case PointsFormat():
            game = PointsGame.opened(options, terms, seats)
        case PoolFormat():
            game = PoolGame.opened(options, terms, seats)
        case DealsFormat():
            game = DealsGame.opened(options, terms, seats)
        case HeadsUpFormat():
            game = HeadsUpGame.opened(options, terms, seats)
        case HighestOutFormat():
            game = HighestOutGame.opened(options, terms, seats)
        case LevelFormat():
            game = LevelGame.opened(options, terms, seats)
        case _:
            assert_never(options)
    return Match(opening, game)


def replayed(opening: Opening, log: Iterable[Entry]) -> Match:
    """The match after the whole log. Raises `RuleViolation` at the first entry that cannot be."""
    match = opened(opening)
    for entry in log:
        match = match.after(entry)
    return match


def _check_deal(step: Step, result: DealResult) -> None:
    if not isinstance(step, NextDeal):
        raise RuleViolation(
            Code.DEAL_NOT_EXPECTED, "No deal is due before all answers are in or the lot is drawn."
        )
    check_result(step, result)


def _after(game: AnyGame, entry: GameEntry) -> AnyGame:
    match entry:
        case DealScored(result):
            return game.scored(result)
        case RejoinAnswered(seat, comes_back):
            return game.rejoin_answered(seat, comes_back)
        case SplitOffered(seat):
            return game.split_offered(seat)
        case SplitAnswered(seat, accepts):
            return game.split_answered(seat, accepts)
        case LotDrawn(seat):
            return game.lot_drawn(seat)
        case PlayerLeft(seat):
            return game.left(seat)
        case PlayerJoined(seat):
            return game.joined(seat)
        case TimePassed():
            return game.time_passed()
        case DealsStopped():
            return game.stopped()
        case _:
            assert_never(entry)


def _order_after(order: Seats, step: Step, entry: GameEntry) -> Seats:
    """The order of play to go on from: the toss's where there was one."""
    match entry, step:
        case DealScored(result), NextDeal(dealer=None):
            return tuple(score.seat for score in result.scores)
        case DealScored(), NextDeal(seats=seats):
            return seats
        case _:
            return order


def _with_departures(match: Match, since: Iterable[Entry]) -> Match:
    """`match` after those of the entries that are no answers, as far as they still fit."""
    for entry in since:
        if not isinstance(entry, PlayerLeft | PlayerJoined | DealsStopped):
            continue
        try:
            match = match.after(entry)
        except RuleViolation:
            # The corrected deal has put this player out already, or has ended the match.
            continue
    return match
