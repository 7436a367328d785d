"""Tables whose seats are all played by bots, through the services that people's moves take.

A bot's choice follows from its seed and what it sees, so a match that was left in the middle - of a
deal, or of the answers between two - goes on as it would have gone.
"""

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
    Match,
    MatchOver,
    NextDeal,
)
from tables.rules.formats.base import RejoinAnswered, SplitAnswered, SplitOffered
from tables.rules.shoe import new_shoe
from tables.rules.state import DealState
from tables.services.bots import deal_being_played
from tournaments.play.tables import SecretSource

__all__ = ["Chance", "Strength", "Table", "TableRun", "play_table", "ticking"]

_PACE = timedelta(seconds=1)
Said = RejoinAnswered | SplitOffered | SplitAnswered
"""What is said between two deals."""

_OFFERS_EVERY = 3
"""A split is offered one time in so many that it can be."""


class TableRun(NamedTuple):
    """What happened at a table: deals and commands played, deals that lost a card."""

    deals: int
    commands: int
    unsound_deals: int


class Table(NamedTuple):
    """A match to be played, and what its players' choices depend on."""

    match_id: int
    secret_for: SecretSource
    chance: Chance
    may_rejoin: Callable[[int], bool]
    moments: Iterator[datetime]


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
    """Play a match from where it stands to its end: every deal, every answer between deals.

    `may_rejoin` says of a player whether he can pay another buy-in or re-buy. Where deals go on
    until the table's owner stops them, the moments have to come to when he does.
    """
    table = Table(match_id, secret_for, chance, may_rejoin, moments)
    run = _played(table, deal_being_played(match_id))
    while True:
        game = selectors.game_of(match_id)
        entry = between_deals(table, game)
        if entry is not None:
            services.answer(match_id=match_id, entry=entry, now=next(moments))
        elif isinstance(game.next_step(), NextDeal):
            more = _played(table, _dealt(table, game))
            run = TableRun(*(sum(both) for both in zip(run, more, strict=True)))
        else:
            return run


def _dealt(table: Table, game: Match) -> services.Dealt | None:
    """Deal; None from a match that goes on until it is stopped and is over instead."""
    now = next(table.moments)
    if game.runs_until_stopped and services.stop_if_due(match_id=table.match_id, now=now):
        return None
    return services.deal_next(match_id=table.match_id, secret_for=table.secret_for, now=now)


def _played(table: Table, dealt: services.Dealt | None) -> TableRun:
    """Play a deal to its end from where it stands; nothing where there is none."""
    if dealt is None:
        return TableRun(0, 0, 0)
    commands, state = services.play_deal_with_bots(
        deal=dealt.deal, state=dealt.state, chance=table.chance, moments=table.moments
    )
    return TableRun(1, commands, not _is_whole(state))


def _is_whole(state: DealState) -> bool:
    """Whether the deal ended with every card of its shoe."""
    return state.cards() == Counter(new_shoe(state.terms.profile.shoe_for(len(state.seats))))


def between_deals(table: Table, game: Match) -> Said | None:
    """What a player says now between two deals; None where nobody is asked and nobody speaks.

    Every offered split is taken, and a buy-in every other time that it can be paid.
    """
    step, at = game.next_step(), str(len(game.log))
    match step:
        case AwaitSplit():
            return SplitAnswered(step.seats[0], True)
        case AwaitRejoin() | AwaitRebuy():
            seat = step.seats[0]
            what = step.chips if isinstance(step, AwaitRebuy) else step.comes_back_with
            wants = table.chance.below(2, "rejoin", str(what), str(seat)) == 1
            comes_back = wants and table.may_rejoin(selectors.players_of(table.match_id)[seat])
            return RejoinAnswered(seat, comes_back)
        case NextDeal():
            weights = game.split_weights_now
            if weights is None or table.chance.below(_OFFERS_EVERY, "offers", at):
                return None
            return SplitOffered(weights[0][0])
        case MatchOver():
            return None
        case DrawLot():
            raise RuntimeError("Tables draw their lots themselves.")
        case _:
            assert_never(step)
