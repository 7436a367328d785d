"""What follows a deal: the match's log, the next step, and the news for the table's owner.

Runs inside the caller's transaction with the owner's, the match's and the deal's locks held.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final, assert_never

from tables import broadcast, signals, store
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, Match, MatchStatus
from tables.rules.formats import (
    AwaitRebuy,
    AwaitRejoin,
    AwaitSplit,
    DealsStopped,
    DrawLot,
    Entry,
    MatchOver,
    NextDeal,
)
from tables.rules.formats import (
    Match as Game,
)
from tables.rules.formats.base import DealScored, LotDrawn, PlayerLeft, RejoinAnswered
from tables.rules.shoe import draw_lot
from tables.rules.state import DealState

NEXT_DEAL_SECONDS: Final = 8


def lock_match(match_id: int) -> Match:
    """The match's row, locked after its owner's. Raises `TableRefusal(UNKNOWN_MATCH)`."""
    owner = Match.objects.filter(pk=match_id).values_list("table__owner", flat=True).first()
    if owner is None:
        raise TableRefusal(TableCode.UNKNOWN_MATCH, "There is no such match.", field="match_id")
    signals.deal_closing.send(sender=Match, owner=owner)
    return Match.objects.select_for_update(of=("self",)).select_related("table").get(pk=match_id)


def lock_match_of_deal(deal_id: int) -> Match:
    """The match of a deal, locked. Raises `TableRefusal(UNKNOWN_DEAL)`."""
    match_id = Deal.objects.filter(pk=deal_id).values_list("match_id", flat=True).first()
    if match_id is None:
        raise TableRefusal(TableCode.UNKNOWN_DEAL, "There is no such deal.", field="deal_id")
    return lock_match(match_id)


def close_deal(*, match: Match, deal: Deal, state: DealState, now: datetime) -> None:
    """Enter a finished deal into its match and take the match to its next step."""
    if state.result is None:
        raise TableRefusal(TableCode.DEAL_RUNNING, "This deal is not over yet.")
    keep_presence(match, state)
    before = store.load_game(match)
    game = _after(match, before, DealScored(state.result), now)
    signals.deal_finished.send(
        sender=Deal,
        news=signals.DealFinished(
            owner=match.table.owner,
            match_id=match.pk,
            name=str(deal.pk),
            deal_number=deal.number,
            format_name=match.format_name,
            tie_break=deal.tie_break,
            result=state.result,
            changes=_changes(before, game),
            players=players_of(match),
            at=now,
        ),
    )
    proceed(match=match, game=game, secret=bytes.fromhex(state.secret), now=now)


def _changes(before: Game, after: Game) -> dict[int, int]:
    scores = {line.seat: line.score for line in before.standings()}
    return {line.seat: line.score - scores.get(line.seat, 0) for line in after.standings()}


def keep_presence(match: Match, state: DealState) -> None:
    """Carry who is offline, on auto drop or gone over to the match, where it changed."""
    seats = {seat.number: seat for seat in match.seats.all()}
    for played in state.seats:
        seat = seats[played.seat]
        now = (played.online, played.auto_drop, played.left)
        if (seat.online, seat.auto_drop, seat.left) != now:
            seat.online, seat.auto_drop, seat.left = now
            seat.save(update_fields=["online", "auto_drop", "left"])


def players_of(match: Match) -> dict[int, int]:
    """Players' ids by seat number."""
    return dict(match.seats.values_list("number", "player_id"))


def enter(*, match: Match, entry: Entry, secret: bytes, now: datetime) -> Game:
    """Enter something else than a deal - an answer, a departure - and go on from there."""
    if match.status == MatchStatus.VOID:
        raise TableRefusal(TableCode.MATCH_VOID, "This match was called off; nothing counts in it.")
    game = _after(match, store.load_game(match), entry, now)
    if isinstance(entry, PlayerLeft):
        match.seats.filter(number=entry.seat).update(left=True)
    if isinstance(entry, RejoinAnswered) and entry.comes_back:
        answers = [e for e in game.log if isinstance(e, RejoinAnswered) and e.comes_back]
        signals.rejoined.send(
            sender=Match,
            news=signals.Rejoined(
                owner=match.table.owner,
                match_id=match.pk,
                player=players_of(match)[entry.seat],
                number=sum(answer.seat == entry.seat for answer in answers),
                at=now,
            ),
        )
    return proceed(match=match, game=game, secret=secret, now=now)


def proceed(*, match: Match, game: Game, secret: bytes, now: datetime) -> Game:
    """Bring the match's row to what the game wants next; draws a lot itself.

    The lot comes from the last deal's secret, whose commitment stood before the deal.
    """
    game = _without_leavers(match, game, now)
    step = game.next_step()
    if not isinstance(step, MatchOver) and not may_deal(match=match, game=game, now=now):
        game = _after(match, game, DealsStopped(), now)
        step = game.next_step()
    while isinstance(step, DrawLot):
        lot = draw_lot(step.seats, secret, match.table.label, str(match.version))
        game = _after(match, game, LotDrawn(lot), now)
        step = game.next_step()
    match step:
        case NextDeal():
            match.status = MatchStatus.DEALING
            match.due_at = now + timedelta(seconds=NEXT_DEAL_SECONDS)
        case (
            AwaitRejoin(seconds=seconds) | AwaitRebuy(seconds=seconds) | AwaitSplit(seconds=seconds)
        ):
            match.status = MatchStatus.ASKING
            match.due_at = now + timedelta(seconds=seconds)
        case MatchOver():
            match.status, match.due_at, match.over_at = MatchStatus.OVER, None, now
        case _:
            assert_never(step)
    match.save(update_fields=["status", "due_at", "over_at", "version"])
    broadcast.announce_match(match_id=match.pk)
    if isinstance(step, MatchOver):
        _tell_over(match, game, step, now)
    return game


def may_deal(*, match: Match, game: Game, now: datetime) -> bool:
    """Whether the table's owner lets another deal begin, where that is his to say."""
    if not game.runs_until_stopped:
        return True
    owner = match.table.owner
    answers: list[tuple[Any, Any]] = signals.deal_due.send(
        sender=Match, owner=owner, match_id=match.pk, at=now
    )
    return all(answer is not False for _, answer in answers)


def _after(match: Match, game: Game, entry: Entry, now: datetime) -> Game:
    game = game.after(entry)
    store.append_entry(match, entry, now=now)
    return game


def _without_leavers(match: Match, game: Game, now: datetime) -> Game:
    """Who left during a deal leaves the match, as soon as no answers are awaited."""
    for seat in match.seats.filter(left=True).values_list("number", flat=True):
        if isinstance(game.next_step(), NextDeal) and game.is_in(seat):
            game = _after(match, game, PlayerLeft(seat), now)
    return game


def _tell_over(match: Match, game: Game, outcome: MatchOver, now: datetime) -> None:
    signals.match_finished.send(
        sender=Match,
        news=signals.MatchFinished(
            owner=match.table.owner,
            match_id=match.pk,
            outcome=outcome,
            results=game.results,
            players=players_of(match),
            at=now,
        ),
    )
