"""Tables whose seats are all played by bots, through the services that people's moves take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple, assert_never

from tables import selectors, services
from tables.rules.bots import Chance, Strength
from tables.rules.formats import (
    AwaitRebuy,
    AwaitRejoin,
    AwaitSplit,
    DrawLot,
    MatchOver,
    NextDeal,
)
from tables.rules.formats.base import RejoinAnswered, SplitAnswered
from tables.rules.shoe import new_shoe
from tables.rules.state import DealState
from tournaments.play.tables import SecretSource

__all__ = ["Chance", "Strength", "TableRun", "play_table", "ticking"]

_PACE = timedelta(seconds=1)


class TableRun(NamedTuple):
    """What happened at a table: deals and commands played, deals that lost a card."""

    deals: int
    commands: int
    unsound_deals: int


def ticking(start: datetime) -> Iterator[datetime]:
    """Moments a second apart."""
    moment = start
    while True:
        moment += _PACE
        yield moment


def play_table(
    *,
    match_id: int,
    secret_for: SecretSource,
    chance: Chance,
    may_rejoin: Callable[[int], bool],
    moments: Iterator[datetime],
) -> TableRun:
    """Play a match to its end: every deal, every answer between deals.

    `may_rejoin` says of a player whether he can pay another buy-in or re-buy. Where deals go on
    until the table's owner stops them, the moments have to come to when he does.
    """
    deals = commands = unsound = 0
    while True:
        game = selectors.game_of(match_id)
        step = game.next_step()
        match step:
            case MatchOver():
                return TableRun(deals, commands, unsound)
            case NextDeal():
                now = next(moments)
                if game.runs_until_stopped and services.stop_if_due(match_id=match_id, now=now):
                    continue
                played, state = _play_deal(match_id, secret_for, chance, now, moments)
                deals, commands = deals + 1, commands + played
                unsound += not _is_whole(state)
            case AwaitRejoin() | AwaitRebuy() | AwaitSplit():
                _answer(match_id, step, chance, may_rejoin, next(moments))
            case DrawLot():
                raise RuntimeError("Tables draw their lots themselves.")
            case _:
                assert_never(step)


def _play_deal(
    match_id: int,
    secret_for: SecretSource,
    chance: Chance,
    now: datetime,
    moments: Iterator[datetime],
) -> tuple[int, DealState]:
    deal, state = services.deal_next(match_id=match_id, secret_for=secret_for, now=now)
    return services.play_deal_with_bots(deal=deal, state=state, chance=chance, moments=moments)


def _answer(
    match_id: int,
    step: AwaitRejoin | AwaitRebuy | AwaitSplit,
    chance: Chance,
    may_rejoin: Callable[[int], bool],
    now: datetime,
) -> None:
    """A bot takes every offered split and buys in again every other time, if it can pay."""
    seat = step.seats[0]
    if isinstance(step, AwaitSplit):
        services.answer(match_id=match_id, entry=SplitAnswered(seat, True), now=now)
        return
    what = step.chips if isinstance(step, AwaitRebuy) else step.comes_back_with
    wants = chance.below(2, "rejoin", str(what), str(seat)) == 1
    comes_back = wants and may_rejoin(selectors.players_of(match_id)[seat])
    services.answer(match_id=match_id, entry=RejoinAnswered(seat, comes_back), now=now)


def _is_whole(state: DealState) -> bool:
    """Whether the deal ended with every card of its shoe."""
    return state.cards() == Counter(new_shoe(state.terms.profile.shoe_for(len(state.seats))))
