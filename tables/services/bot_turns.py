"""Bots at live tables: they take a human-like pause, then play through the same door as people.

When a bot moves follows from the log: the moment of the last event and a pause made from the deal's
name and version. Nothing is remembered, so a process that dies forgets nothing. Between two deals a
bot takes every offered split and does not buy in again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db.models import Exists, OuterRef, Subquery

from tables import store
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, DealEvent, Match, MatchEntry, MatchStatus, Seat
from tables.rules.bots import Chance, Strength
from tables.rules.errors import RuleViolation
from tables.rules.formats import AwaitRebuy, AwaitRejoin, AwaitSplit, Entry
from tables.rules.formats.base import RejoinAnswered, SplitAnswered
from tables.rules.state import DealState, Phase
from tables.services.attempts import Attempts
from tables.services.bots import bot_move
from tables.services.matches import answer
from tables.services.play import play

SHORTEST: Final = timedelta(milliseconds=600)
LONGEST: Final = timedelta(milliseconds=2500)

BATCH: Final = 5
"""Moves made with one reading of the time, since a bot thinks for some milliseconds."""

attempts: Final = Attempts()


def move_bots(*, now: datetime, limit: int = BATCH) -> int:
    """Let bots act whose pause is over, up to `limit` of them in deals; how many did.

    A fault of one stops no other. Raises `DatabaseError` only when the database is gone.
    """
    attempts.bring_back(now)
    return _move_in_deals(now, limit) + _answer_in_matches(now)


def pause_of(name: str, version: int) -> timedelta:
    """How long a bot seems to think, from 0.6 to 2.5 seconds, always the same for the same move."""
    digest = hashlib.sha256(f"{name}\0{version}".encode()).digest()
    return SHORTEST + (LONGEST - SHORTEST) * (int.from_bytes(digest[:4]) / 2**32)


def bot_to_move(state: DealState, bots: Mapping[int, Strength]) -> int | None:
    """The bot that a deal waits for; while hands are shown, the first of them."""
    if state.phase in (Phase.DRAW, Phase.DISCARD):
        return state.turn if state.turn in bots else None
    return next((me.seat for me in state.to_declare if me.seat in bots), None)


def _move_in_deals(now: datetime, limit: int) -> int:
    last = DealEvent.objects.filter(deal=OuterRef("pk"), seq=OuterRef("version")).values("at")
    live = Deal.objects.filter(_has_bots("match"), over_at__isnull=True, paused_at__isnull=True)
    deals = list(live.annotate(last_at=Subquery(last)).order_by("last_at"))
    bots = _bots({deal.match_id for deal in deals})
    moved = 0
    for deal in deals:
        key = (deal.pk, deal.version)
        if deal.last_at is not None and not attempts.is_aside(key):
            act = partial(_move, deal, bots[deal.match_id], deal.last_at, now)
            moved += attempts.run(key, act, now=now)
        if moved == limit:
            break
    return moved


def _has_bots(match: str) -> Exists:
    return Exists(Seat.objects.filter(match=OuterRef(match), bot__gt=""))


def _bots(match_ids: set[int]) -> dict[int, dict[int, Strength]]:
    found: dict[int, dict[int, Strength]] = {match_id: {} for match_id in match_ids}
    seats = Seat.objects.filter(match__in=match_ids, bot__gt="")
    for match_id, number, bot in seats.values_list("match_id", "number", "bot"):
        found[match_id][number] = Strength(bot)
    return found


def _move(deal: Deal, bots: Mapping[int, Strength], last_at: datetime, now: datetime) -> bool:
    state = store.load(deal)
    store.states.put(deal.public_id, state)
    seat = bot_to_move(state, bots)
    if seat is None or now < last_at + _pause_in(deal, last_at):
        return False
    chance = Chance(hmac.digest(bytes.fromhex(state.secret), b"bots", "sha256"))
    command = bot_move(state, seat, bots[seat], chance)
    try:
        played = play(deal_id=deal.pk, command=command, command_id=f"bot:{state.version}", now=now)
    except (RuleViolation, TableRefusal) as refusal:
        is_paused = refusal.code is TableCode.PAUSED
        if not is_paused and Deal.objects.filter(pk=deal.pk, version=deal.version).exists():
            raise
        return False  # somebody else has moved meanwhile, so it is another question now
    return not played.repeated


def _pause_in(deal: Deal, last_at: datetime) -> timedelta:
    """The pause; where time is short, half of what is left."""
    pause = pause_of(deal.public_id, deal.version)
    return pause if deal.deadline_at is None else min(pause, (deal.deadline_at - last_at) / 2)


def _answer_in_matches(now: datetime) -> int:
    last = MatchEntry.objects.filter(match=OuterRef("pk"), seq=OuterRef("version")).values("at")
    asking = Match.objects.filter(
        _has_bots("pk"), status=MatchStatus.ASKING, paused_at__isnull=True
    )
    matches = list(asking.annotate(last_at=Subquery(last)).order_by("pk"))
    bots = _bots({match.pk for match in matches})
    answered = 0
    for match in matches:
        key = ("match", match.pk, match.version)
        is_due = match.last_at is not None and now >= match.last_at + pause_of(
            f"match {match.pk}", match.version
        )
        if is_due and not attempts.is_aside(key):
            answered += attempts.run(key, partial(_answer, match, bots[match.pk], now), now=now)
    return answered


def _answer(match: Match, bots: Mapping[int, Strength], now: datetime) -> bool:
    step = store.load_game(match).next_step()
    if not isinstance(step, AwaitRejoin | AwaitRebuy | AwaitSplit):
        return False
    seat = next((seat for seat in step.seats if seat in bots), None)
    if seat is None:
        return False
    entry: Entry = SplitAnswered(seat, True)
    if not isinstance(step, AwaitSplit):
        entry = RejoinAnswered(seat, False)
    try:
        answer(match_id=match.pk, entry=entry, now=now)
    except (RuleViolation, TableRefusal) as refusal:
        is_paused = refusal.code is TableCode.PAUSED
        if not is_paused and Match.objects.filter(pk=match.pk, version=match.version).exists():
            raise
        return False  # answered meanwhile
    return True
