"""What follows a deal: the match's log, the next step, and the news for the table's owner.

Runs inside the caller's transaction with the owner's, the match's and the deal's locks held.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, assert_never

from tables import broadcast, signals, store
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, Match, MatchStatus
from tables.rules.errors import Code, RuleViolation
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
from tables.rules.results import DealResult
from tables.rules.shoe import draw_lot
from tables.rules.state import DealState


def lock_match(match_id: int) -> Match:
    """The match's row, locked after its owner's. Raises `TableRefusal(UNKNOWN_MATCH)`."""
    owner = Match.objects.filter(pk=match_id).values_list("table__owner", flat=True).first()
    if owner is None:
        raise TableRefusal(TableCode.UNKNOWN_MATCH, "There is no such match.", field="match_id")
    signals.deal_closing.send(sender=Match, owner=owner)
    return Match.objects.select_for_update(of=("self",)).select_related("table").get(pk=match_id)


def check_online(match: Match) -> None:
    """Raises `TableRefusal(IN_PERSON)` for a match with real cards."""
    if match.in_person:
        raise TableRefusal(
            TableCode.IN_PERSON,
            "This table is played in person; tell its scorer, who enters deals and answers.",
        )


def check_runs(match: Match) -> None:
    """Raises `TableRefusal(PAUSED)` while the match is paused."""
    if match.paused_at is not None:
        raise paused()


def check_goes_on(match: Match) -> None:
    """Raises `MATCH_VOID` or `MATCH_OVER` once no deal follows in the match."""
    if match.status == MatchStatus.VOID:
        raise TableRefusal(TableCode.MATCH_VOID, "This match was called off; nothing counts in it.")
    if match.status == MatchStatus.OVER:
        raise RuleViolation(Code.MATCH_OVER, "This match is over; start another one.")


def paused() -> TableRefusal:
    """What whoever wants to do something in a pause is told."""
    return TableRefusal(
        TableCode.PAUSED, "Play is paused and all clocks stand still; wait until it goes on."
    )


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
    score_deal(
        match=match,
        result=state.result,
        name=str(deal.pk),
        number=deal.number,
        tie_break=deal.tie_break,
        secret=bytes.fromhex(state.secret),
        now=now,
    )


def score_deal(
    *,
    match: Match,
    result: DealResult,
    name: str,
    number: int,
    tie_break: bool,
    secret: bytes,
    now: datetime,
) -> Game:
    """Enter a deal's result, wherever it comes from, and go on from there."""
    before = store.load_game(match)
    game = _after(match, before, DealScored(result), now)
    signals.deal_finished.send(
        sender=Deal,
        news=signals.DealFinished(
            owner=match.table.owner,
            match_id=match.pk,
            name=name,
            deal_number=number,
            format_name=match.format_name,
            tie_break=tie_break,
            result=result,
            changes=changes(before, game),
            players=players_of(match),
            at=now,
        ),
    )
    return proceed(match=match, game=game, secret=secret, now=now)


def changes(before: Game, after: Game) -> dict[int, int]:
    """By how much each seat's total has changed."""
    scores = {line.seat: line.score for line in before.standings()}
    return {line.seat: line.score - scores.get(line.seat, 0) for line in after.standings()}


def keep_presence(match: Match, state: DealState) -> None:
    """Carry who is offline, on auto drop or gone over to the match, where it changed.

    Whom an arbiter took out of the match stays out, whatever the deal knows.
    """
    seats = {seat.number: seat for seat in match.seats.all()}
    for played in state.seats:
        seat = seats[played.seat]
        now = (played.online, played.auto_drop, played.left or seat.left)
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
            match.due_at = _due(match, now, game.opening.clock.next_deal_seconds)
        case (
            AwaitRejoin(seconds=seconds) | AwaitRebuy(seconds=seconds) | AwaitSplit(seconds=seconds)
        ):
            match.status = MatchStatus.ASKING
            match.due_at = _due(match, now, seconds)
        case MatchOver():
            match.status, match.due_at, match.over_at = MatchStatus.OVER, None, now
            match.paused_at = None
        case _:
            assert_never(step)
    match.save(update_fields=["status", "due_at", "over_at", "paused_at", "version"])
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


def _due(match: Match, now: datetime, seconds: int) -> datetime | None:
    """No clock runs at a real table."""
    return None if match.in_person else now + timedelta(seconds=seconds)


def _after(match: Match, game: Game, entry: Entry, now: datetime) -> Game:
    after = game.after(entry)
    store.append_entry(match, entry, now=now)
    moved = changes(game, after) if isinstance(entry, PlayerLeft) else {}
    if any(moved.values()):
        news = signals.WalkedOver(
            owner=match.table.owner,
            match_id=match.pk,
            name=entry_name(match, match.version),
            changes=moved,
            at=now,
        )
        signals.walked_over.send(sender=Match, news=news)
    return after


def entry_name(match: Match, number: int) -> str:
    """Names what an entry of a match's log has moved."""
    return f"match-{match.pk}-{number}"


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
