"""The floor of an event: what each of many tables does now, and who of its players is there.

For those who run the event. No card is shown here. The number of queries does not depend on the
number of tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from tables import store
from tables.models import ChatLine, Connection, Deal, Match, MatchStatus, Seat
from tables.rules.formats.base import AwaitRebuy, AwaitRejoin, AwaitSplit
from tables.rules.state import DealState, Phase
from tables.seats import shown_name

__all__ = [
    "Floor",
    "FloorSeat",
    "Said",
    "MatchStatus",
    "Missing",
    "Phase",
    "chat_of",
    "floors_of",
    "missing_at",
    "seated_at",
    "stamp_of",
]


class FloorSeat(NamedTuple):
    """A player at a table that is played; `is_here` while a socket of his is open.

    `was_here` is he who had one open and has lost it.
    """

    number: int
    player_id: int
    is_bot: bool
    is_here: bool
    was_here: bool
    left: bool
    muted: bool
    misses: int
    """Turns missed one after the other in the running deal."""


class Floor(NamedTuple):
    """What a match does. `awaits` are the seats whose move, declaration or answer is due."""

    status: MatchStatus
    deal: int
    """Number of deals dealt, the running one with them."""
    phase: Phase | None
    awaits: tuple[int, ...]
    due_at: datetime | None
    paused_at: datetime | None
    seats: tuple[FloorSeat, ...]


def floors_of(match_ids: Sequence[int]) -> dict[int, Floor]:
    """What these matches do, by id."""
    matches = list(Match.objects.filter(pk__in=match_ids))
    deals = Deal.objects.filter(match__in=match_ids, over_at__isnull=True)
    running = {deal.match_id: deal for deal in deals}
    states = store.load_all(list(running.values()))
    asked = _asked([m.pk for m in matches if m.status == MatchStatus.ASKING])
    seats: dict[int, list[Seat]] = {match.pk: [] for match in matches}
    for seat in _with_presence(Seat.objects.filter(match__in=match_ids)).order_by("number"):
        seats[seat.match_id].append(seat)
    found = {}
    for match in matches:
        deal = running.get(match.pk)
        state = None if deal is None else states[deal.pk]
        awaits = _awaited(state) if state is not None else asked.get(match.pk, ())
        found[match.pk] = Floor(
            status=MatchStatus(match.status),
            deal=match.deals_dealt,
            phase=None if state is None else state.phase,
            awaits=awaits,
            due_at=match.due_at if deal is None else deal.deadline_at,
            paused_at=match.paused_at,
            seats=tuple(_seat(seat, state) for seat in seats[match.pk]),
        )
    return found


class Missing(NamedTuple):
    """Somebody who should sit at a table that is played, and has no socket open (any more)."""

    match_id: int
    seat: int
    player_id: int
    was_here: bool


def missing_at(owner: str, limit: int) -> tuple[int, list[Missing]]:
    """How many players of an owner's online tables are not there, and up to `limit` of them."""
    seats = Seat.objects.filter(
        match__table__owner=owner, match__over_at__isnull=True, match__in_person=False
    )
    away = _with_presence(seats.filter(bot="", left=False)).filter(is_here=False)
    rows = away.order_by("match_id", "number")
    found = rows.values_list("match_id", "number", "player_id", "online")[:limit]
    return away.count(), [
        Missing(match, seat, player, was_here=not online) for match, seat, player, online in found
    ]


class Said(NamedTuple):
    """A line of the chat."""

    seat: int
    player_id: int
    name: str
    text: str
    at: datetime
    is_muted: bool


def chat_of(match_id: int, limit: int) -> list[Said]:
    """The last lines of a match's chat, oldest first. Two queries."""
    lines = list(ChatLine.objects.filter(match=match_id).order_by("-pk")[:limit])
    rows = Seat.objects.filter(match=match_id).select_related("player")
    seats = {seat.number: seat for seat in rows}
    return [
        Said(
            line.seat,
            seats[line.seat].player_id,
            shown_name(seats[line.seat].player),
            line.text,
            line.at,
            seats[line.seat].muted,
        )
        for line in reversed(lines)
    ]


def seated_at(match_id: int) -> list[int]:
    """The players who have a socket open at a match now."""
    here = _with_presence(Seat.objects.filter(match=match_id)).filter(is_here=True)
    return list(here.order_by("number").values_list("player_id", flat=True))


def stamp_of(owner: str) -> tuple[int, ...]:
    """Numbers that differ after anything happened at an owner's open tables. Three queries."""
    open_ones = Q(match__table__owner=owner, match__over_at__isnull=True)
    matches = Match.objects.filter(table__owner=owner, over_at__isnull=True).aggregate(
        count=Count("pk"), steps=Sum("version"), paused=Count("paused_at")
    )
    deals = Deal.objects.filter(open_ones, over_at__isnull=True).aggregate(moves=Sum("version"))
    sockets = Connection.objects.filter(
        seat__match__table__owner=owner, seat__match__over_at__isnull=True
    ).aggregate(count=Count("pk"), last=Sum("pk"))
    return tuple(int(one or 0) for one in (*matches.values(), *deals.values(), *sockets.values()))


def _with_presence(seats: QuerySet[Seat]) -> QuerySet[Any]:
    return seats.annotate(is_here=Exists(Connection.objects.filter(seat=OuterRef("pk"))))


def _seat(seat: Seat, state: DealState | None) -> FloorSeat:
    played = () if state is None else (s.misses for s in state.seats if s.seat == seat.number)
    return FloorSeat(
        number=seat.number,
        player_id=seat.player_id,
        is_bot=bool(seat.bot),
        is_here=bool(getattr(seat, "is_here", False)),
        was_here=not seat.online and not getattr(seat, "is_here", False),
        left=seat.left,
        muted=seat.muted,
        misses=next(iter(played), 0),
    )


def _awaited(state: DealState) -> tuple[int, ...]:
    if state.phase in (Phase.FINISH, Phase.SHOW):
        return tuple(seat.seat for seat in state.to_declare)
    return () if state.turn is None else (state.turn,)


def _asked(match_ids: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Whose answer to a rejoin, re-buy or split is awaited, by match."""
    found: dict[int, tuple[int, ...]] = {}
    for match_id, game in store.load_games(list(match_ids)).items():
        step = game.next_step()
        if isinstance(step, AwaitRejoin | AwaitRebuy | AwaitSplit):
            found[match_id] = step.seats
    return found
