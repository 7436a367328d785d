"""All that tournaments hear from tables, in the transaction that closes the thing."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from tables.signals import (
    DealCorrected,
    DealFinished,
    MatchFinished,
    MatchReopened,
    Rejoined,
    WalkedOver,
    deal_closing,
    deal_corrected,
    deal_due,
    deal_finished,
    match_finished,
    match_reopened,
    rejoined,
    stood_still,
    walked_over,
)
from tournaments.services import in_person, level_clock
from tournaments.services import tables as heard


@receiver(deal_closing)
def take_lock(*, owner: str, **_: Any) -> None:
    """The tournament's lock comes before those of its tables."""
    heard.lock_owner(owner)


@receiver(deal_due)
def let_deal(*, owner: str, match_id: int, at: datetime, **_: Any) -> bool:
    """A level that is nearly over lets no further deal begin."""
    return heard.may_deal(owner=owner, match_id=match_id, now=at)


@receiver([deal_finished, walked_over])
def settle_chips(*, news: DealFinished | WalkedOver, **_: Any) -> None:
    """Chips won in a deal, or by being the last one there, move in the ledger too."""
    heard.deal_finished(
        owner=news.owner,
        match_id=news.match_id,
        deal=news.name,
        changes=news.changes,
        now=news.at,
    )


@receiver(match_reopened)
def take_result_back(*, news: MatchReopened, **_: Any) -> None:
    """A result is taken back, or stands because something was built on it."""
    in_person.match_reopened(
        owner=news.owner,
        match_id=news.match_id,
        actor=news.actor,
        reason=news.reason,
        now=news.at,
    )


@receiver(deal_corrected)
def move_back(*, news: DealCorrected, **_: Any) -> None:
    """What followed from a wrong deal is moved back in the ledger."""
    in_person.deal_corrected(
        owner=news.owner,
        match_id=news.match_id,
        void=news.void,
        void_rejoins=news.void_rejoins,
        deal=news.name,
        changes=news.changes,
        stay=news.stay,
        actor=news.actor,
        reason=news.reason,
        now=news.at,
    )


@receiver(rejoined)
def take_buy_in(*, news: Rejoined, **_: Any) -> None:
    """A rejoin is paid for, or does not happen."""
    heard.rejoined(owner=news.owner, player_id=news.player, number=news.number, now=news.at)


@receiver(match_finished)
def advance(*, news: MatchFinished, **_: Any) -> None:
    """A table's winners go on, the others are out."""
    heard.match_finished(
        owner=news.owner,
        match_id=news.match_id,
        outcome=news.outcome,
        results=news.results,
        now=news.at,
    )


@receiver(stood_still)
def move_levels(*, since: datetime, until: datetime, **_: Any) -> None:
    """Levels last longer by the time in which the site stood still."""
    level_clock.move_on(since=since, until=until)
