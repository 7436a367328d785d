"""Who takes part in a simulated tournament, and what they do before it starts.

What each does stands in a *script*, and how far it has come is read from the entries. So it goes on
after a crash, and nobody does a thing twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import Enum
from typing import Final, NamedTuple

import msgspec
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password

from tournaments import money, play, services
from tournaments.models import EntryState, Tournament
from tournaments.play import bots
from tournaments.structure.due import StartKind, Times

FEES_GRANTED: Final = 10
"""Entry fees each simulated player is given; more than he can spend on rejoins."""
ACTOR: Final = "simulation"

_CLOSES: Final = timedelta(minutes=60)
_CHECK_IN: Final = (timedelta(minutes=30), timedelta(minutes=65))
_STARTS: Final = timedelta(minutes=70)
_CHECKS_IN: Final = timedelta(minutes=40)


class Act(Enum):
    """What a player does before the start."""

    JOINS = "joins"
    LEAVES = "leaves"


class Line(NamedTuple):
    """One line of the script: who, by his place among the players, and what."""

    place: int
    act: Act


class Cast(msgspec.Struct, frozen=True, kw_only=True):
    """How many take part and how; `late` of them withdraw, and as many wait in vain."""

    entrants: int
    start_kind: StartKind
    secret: bytes
    strength: bots.Strength
    decides: bool = False
    """Whether the organiser decides who plays; he turns `late` of those who apply away."""
    newcomers: int = 0
    """How many enter after the start; they are the last places of all."""

    @property
    def late(self) -> int:
        """How many withdraw, and so how many of the waitlist get a seat; as many do not."""
        return max(1, self.entrants // 10)

    @property
    def on_time(self) -> int:
        """How many want to play from the start on."""
        return self.entrants + 2 * self.late + self.refused

    @property
    def size(self) -> int:
        """How many players there are in all."""
        return self.on_time + self.newcomers

    @property
    def refused(self) -> int:
        """How many are turned away; they are the last of those, and the first who apply."""
        return self.late if self.decides else 0

    def some(self, among: int) -> tuple[int, ...]:
        """`late` of the first so many places, drawn."""
        return play.drawn_order(range(among), self.secret, "who")[: self.late]


def times_of(kind: StartKind, opens: datetime) -> Times:
    """When what happens; with a fixed time there is a check-in, too."""
    if kind is not StartKind.FIXED_TIME:
        return Times(kind=kind)
    return Times(
        kind=kind,
        closes_at=opens + _CLOSES,
        check_in_opens_at=opens + _CHECK_IN[0],
        check_in_closes_at=opens + _CHECK_IN[1],
        starts_at=opens + _STARTS,
    )


def script_of(cast: Cast) -> Iterator[Line]:
    """What is done, in order.

    Fixed players may leave only before the last seat is taken; else everybody comes first, some of
    those with a seat leave again, and every third of these comes back to the end of the waitlist.
    """
    size = cast.on_time - cast.refused
    early = size
    if cast.start_kind is StartKind.FIXED_PLAYERS:
        early = cast.entrants - 1
    leavers = cast.some(min(early, cast.entrants))
    for place in (*range(size, cast.on_time), *range(early)):
        yield Line(place, Act.JOINS)
    for place in leavers:
        yield Line(place, Act.LEAVES)
    for place in range(early, size):
        yield Line(place, Act.JOINS)
    for place in leavers[2::3]:
        yield Line(place, Act.JOINS)


def players_of(cast: Cast) -> list[int]:
    """Ids of simulated players in order, made when they are new; nobody can log in as one."""
    users = get_user_model()
    wanted = [f"sim-{number:05}" for number in range(1, cast.size + 1)]
    unusable = make_password(None)
    known = set(users.objects.filter(username__in=wanted).values_list("username", flat=True))
    users.objects.bulk_create(
        (
            users(username=name, first_name="Player", last_name=name[4:], password=unusable)
            for name in wanted
            if name not in known
        ),
        batch_size=500,
    )
    ids = dict(users.objects.filter(username__in=wanted).values_list("username", "id"))
    return [ids[name] for name in wanted]


def give_points(tournament: Tournament, players: list[int], *, now: datetime) -> None:
    """What they pay their fees with; given once."""
    if tournament.entry_fee:
        money.grant(
            asset=tournament.asset,
            player_ids=players,
            amount=FEES_GRANTED * tournament.entry_fee,
            key=f"simulation:{tournament.pk}",
            actor=ACTOR,
            now=now,
        )


def perform(
    tournament: Tournament, cast: Cast, players: list[int], *, now: datetime
) -> Iterator[bool]:
    """Do what the script still holds, a step at a time."""
    done = _done(tournament)
    yield from _decide(tournament, cast, players, now)
    for line in script_of(cast):
        player = players[line.place]
        if done.get(player, 0) > 0:
            done[player] -= 1
            continue
        if line.act is Act.JOINS:
            services.register(
                tournament_id=tournament.pk,
                player_id=player,
                actor=money.player_owner(player),
                bot=cast.strength,
                now=now,
            )
        else:
            services.withdraw(
                tournament_id=tournament.pk,
                player_id=player,
                actor=money.player_owner(player),
                now=now,
            )
        yield False
        yield from _decide(tournament, cast, players, now)


def _decide(
    tournament: Tournament, cast: Cast, players: list[int], now: datetime
) -> Iterator[bool]:
    """The organiser says yes or no to everybody who has applied."""
    if not cast.decides:
        return
    turned_away = set(players[cast.on_time - cast.refused : cast.on_time])
    applied = tournament.entries.filter(state=EntryState.APPLIED).order_by("number")
    for player in list(applied.values_list("player_id", flat=True)):
        if player in turned_away:
            services.refuse(
                tournament_id=tournament.pk, player_id=player, actor=ACTOR, reason="", now=now
            )
        else:
            services.approve(tournament_id=tournament.pk, player_id=player, actor=ACTOR, now=now)
        yield False


def _done(tournament: Tournament) -> dict[int, int]:
    """How many lines of the script each player has done: his joinings and withdrawals."""
    rows = tournament.entries.values_list("player_id", "attempt", "state")
    return {
        player: 2 * attempt - (state != EntryState.WITHDRAWN) for player, attempt, state in rows
    }


def check_in(tournament: Tournament, cast: Cast, *, opens: datetime) -> Iterator[bool]:
    """Everybody with a seat says that he is there, except the no-shows."""
    entered = list(
        tournament.entries.filter(state=EntryState.ENTERED)
        .order_by("number")
        .values_list("player_id", "checked_in_at")
    )
    absent = set(cast.some(len(entered)))
    for place, (player, checked_in_at) in enumerate(entered):
        if place in absent or checked_in_at is not None:
            continue
        services.check_in(
            tournament_id=tournament.pk,
            player_id=player,
            actor=money.player_owner(player),
            now=opens + _CHECKS_IN,
        )
        yield False
