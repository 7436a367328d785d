"""Who enters a simulated tournament after its start: newcomers, and players who come back.

When a newcomer comes is drawn, and who has come stands in the entries. So whoever goes on after a
crash lets in those who are still to come, and nobody twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from tournaments import money, play, services
from tournaments.management.casting import ACTOR, Cast
from tournaments.models import EntryState, Round, TableKind, Tournament
from tournaments.play import bots, checks
from tournaments.services import late
from tournaments.structure.lifecycle import State


class Door(NamedTuple):
    """Who may still come to a tournament that runs, and the chance that decides when."""

    tournament_id: int
    cast: Cast
    newcomers: Sequence[int]
    """Ids of players."""
    chance: bots.Chance


def late_until(shape: str) -> int:
    """The last round in which a simulated tournament takes players in.

    Who is out of timed levels is out as the next level begins, so they come back in level 2.
    """
    return 2 if shape == "levels" else 1


def make_room(tournament: Tournament, cast: Cast, *, now: datetime) -> bool:
    """More seats for newcomers, once nobody can move up any more; whether there are more now."""
    waits = tournament.check_in_closes_at is not None and tournament.check_in_ended_at is None
    wanted = cast.entrants + cast.newcomers
    is_time = tournament.state == State.CLOSED and not waits
    if not cast.newcomers or not is_time or tournament.capacity >= wanted:
        return False
    services.change_capacity(tournament_id=tournament.pk, capacity=wanted, actor=ACTOR, now=now)
    return True


def now_in(tournament: Tournament, otherwise: datetime) -> datetime:
    """The moment after which nothing has happened yet."""
    last = tournament.rounds.order_by("-number").values_list("opened_at", flat=True).first()
    known = (tournament.started_at, checks.last_moment(tournament), last)
    return max((at for at in known if at is not None), default=otherwise)


def let_in(steps: Iterator[bool], door: Door, *, otherwise: datetime) -> Iterator[bool]:
    """The steps of a tournament, and between them whoever comes in then."""
    yield from _coming(door, otherwise)
    for is_table in steps:
        yield is_table
        yield from _coming(door, otherwise)


def _coming(door: Door, otherwise: datetime) -> Iterator[bool]:
    tournament = Tournament.objects.get(pk=door.tournament_id)
    rules = play.terms_of(tournament).entering
    if not rules.late_until_round:
        return
    for come in (_newcomers, _coming_back):
        for enter in come(tournament, door):
            if not late.takes_newcomers(tournament):
                return
            enter(now_in(tournament, otherwise))
            yield False


Enter = Callable[[datetime], object]
"""Lets somebody in at a moment."""


def _newcomers(tournament: Tournament, door: Door) -> Iterator[Enter]:
    """Who enters for the first time: some before round 1, the others before a table of it ends."""
    known = set(tournament.entries.values_list("player_id", flat=True))
    first = tournament.rounds.filter(number=1).first()
    for number, player in enumerate(door.newcomers):
        if player not in known and _is_here(door.chance, number, first):
            yield _entering(tournament, door.cast, player)


def _is_here(chance: bots.Chance, number: int, first: Round | None) -> bool:
    if first is None:
        return chance.below(3, "newcomer", str(number)) == 0
    tables = first.tables.filter(kind=TableKind.PLAY)
    over = tables.filter(is_over=True).count()
    return chance.below(tables.count(), "table", str(number)) <= over


def _entering(tournament: Tournament, cast: Cast, player: int) -> Enter:
    def enter(now: datetime) -> None:
        if cast.decides:
            services.add(
                tournament_id=tournament.pk,
                player_id=player,
                actor=ACTOR,
                bot=cast.strength,
                now=now,
            )
            return
        services.register(
            tournament_id=tournament.pk,
            player_id=player,
            actor=money.player_owner(player),
            bot=cast.strength,
            now=now,
        )

    return enter


def _coming_back(tournament: Tournament, door: Door) -> Iterator[Enter]:
    """Every other player who is out and may pays to come back."""
    allowed = play.terms_of(tournament).entering.reentries
    out = tournament.entries.filter(state=EntryState.OUT, left="", reentries__lt=allowed)
    for entry in out.order_by("number"):
        wants = door.chance.below(2, str(entry.number), str(entry.reentries)) == 1
        if wants and money.can_pay_fee(tournament, entry.player_id):
            yield _re_entering(tournament, entry.player_id)


def _re_entering(tournament: Tournament, player: int) -> Enter:
    def enter(now: datetime) -> None:
        services.re_enter(
            tournament_id=tournament.pk,
            player_id=player,
            actor=money.player_owner(player),
            now=now,
        )

    return enter
