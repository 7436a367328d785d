"""The course of a simulated tournament, step after step, each read from the database.

`steps` asks what is there and does what comes next, so whoever begins it anew after a crash goes on
where the other stopped. Chance and time are made of the seed and of what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from tournaments import money, services
from tournaments.management import calling_off, casting, ticket_final
from tournaments.management.casting import ACTOR, Cast
from tournaments.management.latecomers import Door, let_in, make_room, now_in
from tournaments.management.level_bots import level_steps, open_tables
from tournaments.models import RoundTable, Shape, Tournament
from tournaments.play import bots, papers
from tournaments.services import sweep
from tournaments.structure.due import StartKind
from tournaments.structure.lifecycle import State, is_over

START: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """How a tournament is taken from a draft to paid prizes; `fast` means without cards.

    With a moment `off` it is called off then, unless it is over before.
    """

    tournament_id: int
    cast: Cast
    secret_for: Callable[[str], bytes]
    fast: bool = False
    off: calling_off.Moment | None = None
    start: datetime = START


def steps(course: Course) -> Iterator[bool]:
    """Take the tournament to its end from where it stands; True for a step that was a table."""
    try:
        for is_table in _undisturbed(course):
            yield is_table
            if course.off is not None and calling_off.is_come(course.off, _read(course)):
                raise calling_off.Interrupted
    except calling_off.Interrupted:
        tournament = _read(course)
        if course.off is not None:
            calling_off.call_off(course.off, tournament, now=_now(tournament))
        yield False
    yield from _final(course)


def _undisturbed(course: Course) -> Iterator[bool]:
    players = casting.players_of(course.cast)
    tournament = _read(course)
    casting.give_points(tournament, players, now=START)
    yield False
    if tournament.state == State.DRAFT:
        services.open_registration(
            tournament_id=tournament.pk, actor=ACTOR, secret_for=course.secret_for, now=START
        )
        yield False
    tournament = _read(course)
    if tournament.state == State.REGISTERING:
        yield from casting.perform(tournament, course.cast, players, now=START)
    yield from _played(course, players)


def _played(course: Course, players: Sequence[int]) -> Iterator[bool]:
    """From the end of entering to paid prizes."""
    yield from _started(course)
    tournament = _read(course)
    if not is_over(State(tournament.state)):
        by_levels = tournament.shape == Shape.LEVELS
        played = (_by_levels if by_levels else by_rounds)(course, tournament)
        yield from let_in(played, _door(course, players), otherwise=START)
    services.complete(tournament_id=tournament.pk, now=_now(tournament))
    yield False


def _door(course: Course, players: Sequence[int]) -> Door:
    chance = bots.Chance(course.secret_for("reentries"))
    return Door(course.tournament_id, course.cast, players[course.cast.on_time :], chance)


def _final(course: Course) -> Iterator[bool]:
    """The tournament that this one has given tickets for, from its entries to its prizes."""
    final = ticket_final.final_of(_read(course))
    if final is None:
        return
    of_final = _course_of_final(course, final, start=_now(_read(course)))
    if final.state == State.REGISTERING:
        players, strength = casting.players_of(course.cast), course.cast.strength
        yield from ticket_final.enter(final, players, strength, now=of_final.start)
    yield from _played(of_final, ())
    services.pay_out_unused(now=_now(final))
    yield False


def _course_of_final(course: Course, final: Tournament, *, start: datetime) -> Course:
    """It is started by hand and not called off."""

    def secret_for(label: str) -> bytes:
        return course.secret_for(f"final/{label}")

    cast = msgspec.structs.replace(course.cast, start_kind=StartKind.BY_HAND, newcomers=0)
    return Course(
        tournament_id=final.pk, cast=cast, secret_for=secret_for, fast=course.fast, start=start
    )


def _read(course: Course) -> Tournament:
    return Tournament.objects.get(pk=course.tournament_id)


def _started(course: Course) -> Iterator[bool]:
    """From the last entry to the start, by the organiser's hand or by the clock."""
    tournament = _read(course)
    is_by_hand = course.cast.start_kind is StartKind.BY_HAND
    if tournament.state == State.REGISTERING and is_by_hand:
        services.close_registration(tournament_id=tournament.pk, actor=ACTOR, now=course.start)
        yield False
    if tournament.check_in_opens_at is not None and tournament.check_in_ended_at is None:
        yield from casting.check_in(tournament, course.cast, opens=course.start)
    while (tournament := _read(course)).due_at is not None:
        if not make_room(tournament, course.cast, now=tournament.due_at):
            sweep.act_on(tournament_id=tournament.pk, now=tournament.due_at)
        yield False
    if make_room(tournament, course.cast, now=course.start):
        yield False
    if tournament.state == State.CLOSED and is_by_hand:
        services.start(tournament_id=tournament.pk, actor=ACTOR, now=course.start)
        yield False


def _by_levels(course: Course, tournament: Tournament) -> Iterator[bool]:
    start, secret_for = _now(tournament), course.secret_for
    for run in level_steps(tournament=tournament, secret_for=secret_for, start=start):
        yield run is not None


def by_rounds(course: Course, tournament: Tournament) -> Iterator[bool]:
    """Play a tournament that runs, round after round, until nothing more is due."""
    moments = bots.ticking(_now(tournament))
    while True:
        opened = services.open_round(
            tournament_id=tournament.pk, secret_for=course.secret_for, now=next(moments)
        )
        yield False
        tables = open_tables(tournament)
        if not tables and opened is None:
            return
        for table in tables:
            _play(course, tournament, table, moments)
            yield True


def _now(tournament: Tournament) -> datetime:
    return now_in(tournament, START)


def _play(
    course: Course, tournament: Tournament, table: RoundTable, moments: Iterator[datetime]
) -> None:
    seed = course.secret_for(f"bots/{table.round.number}/{table.number}")
    play_it = papers.score_table if course.fast else bots.play_table
    if course.off is not None:
        moments = calling_off.cut(course.off, tournament, moments)
    play_it(
        match_id=table.match_id,
        secret_for=course.secret_for,
        chance=bots.Chance(seed),
        may_rejoin=lambda player: money.can_pay_fee(tournament, player),
        moments=moments,
    )
