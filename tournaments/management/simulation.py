"""A whole tournament played by bots, from registration to paid prizes.

It goes through the services that players and organisers use, each step a transaction of its own:
what is interrupted stays as it is and can be gone on with. Chance and time are made of the seed, so
the same seed gives the same tournament on every machine, with or without crashes.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec
from django.db import transaction

from tournaments import play, services
from tournaments.management import calling_off, casting, crashing, invariants, ticket_final
from tournaments.management.casting import Cast
from tournaments.management.course import START, Course, steps
from tournaments.management.reports import Report, report_of
from tournaments.models import Shape, Tournament
from tournaments.play import bots
from tournaments.structure.due import StartKind
from tournaments.structure.levels import Level, LevelSchedule
from tournaments.structure.rebuys import LevelTerms, Rebuy
from tournaments.structure.rounds import plan_rounds

MOST_CHECKED_AFTER_CRASHES: Final = 60
"""Entrants up to which everything is looked at after each crash, and not only at the end."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What to simulate; `entrants` play in the end, others withdraw or wait in vain.

    `fast` enters results without cards; `crash_every` is about how many statements it takes until
    the work is cut off and gone on with, 0 for never.
    """

    shape: Shape
    terms: play.TournamentTerms
    entrants: int
    fee: int
    house_fee: int
    seed: str
    name: str
    strength: bots.Strength
    start_kind: StartKind = StartKind.BY_HAND
    fast: bool = False
    crash_every: int = 0
    newcomers: int = 0
    """How many enter after the start; the terms say until when."""
    tickets: int = 0
    """How many of the best ranks win an entry into a final, which is played too."""
    called_off: bool = False
    """At a moment that is drawn, before the start or in the middle of a table."""


LEVELS: Final = LevelTerms(
    schedule=LevelSchedule((Level(5, 800, 2), Level(8, 900, 2), Level(12, 1000, 2))),
    starting_chips=1000,
    rebuy=Rebuy(chips=900, fee=400, house_fee=40, most=2, until_level=2),
)
"""Levels short enough for a simulation, in which some have to buy chips."""


Progress = Callable[[], Any]
"""Called after each table."""


def tables_to_play(shape: Shape, entrants: int, seats: int) -> int:
    """How many tables a simulation will have at least, for a progress bar."""
    if shape is Shape.HEADS_UP:
        return entrants - 1
    if shape is Shape.SINGLE:
        return 1
    if shape is Shape.LEVELS:
        return len(LEVELS.schedule.levels)
    return sum(len(plan.sizes) for plan in plan_rounds(entrants, seats))


def run(plan: Plan, progress: Progress) -> Report:
    """Play the tournament of a plan to its paid prizes. Raises what its services refuse."""
    return go_on(announce(plan), plan, progress)


def announce(plan: Plan) -> Tournament:
    """The tournament of a plan, a draft that nobody has entered, and the final of its tickets."""
    with transaction.atomic():
        return _announce(plan)


def _announce(plan: Plan) -> Tournament:
    terms, label = _with_late_seats(plan), hashlib.sha256(plan.seed.encode()).hexdigest()[:16]
    if plan.tickets:
        target = ticket_final.announce(
            plan.terms,
            label=f"simulation-final-{label}",
            name=f"{plan.name}: final",
            entry_fee=plan.fee,
            house_fee=plan.house_fee,
            in_person=plan.fast,
            now=START,
        )
        tickets = ticket_final.prizes(target, plan.tickets, plan.fee)
        terms = msgspec.structs.replace(terms, tickets=tickets)
    return services.create(
        name=plan.name,
        shape=plan.shape,
        terms=terms,
        entry_fee=plan.fee,
        house_fee=plan.house_fee,
        capacity=plan.entrants,
        times=casting.times_of(plan.start_kind, START),
        in_person=plan.fast,
        draw_label=f"simulation-{label}",
        now=START,
    )


def _with_late_seats(plan: Plan) -> play.TournamentTerms:
    """The terms; where there is a check-in, the waitlist gets the seats of no-shows."""
    moves_up = plan.start_kind is StartKind.FIXED_TIME
    entering = msgspec.structs.replace(plan.terms.entering, waitlist_moves_up=moves_up)
    return msgspec.structs.replace(plan.terms, entering=entering)


def go_on(tournament: Tournament, plan: Plan, progress: Progress) -> Report:
    """Play a tournament of this plan from where it stands to its paid prizes."""
    began = time.perf_counter()
    secret_for = _secrets(plan)
    cast = Cast(
        entrants=plan.entrants,
        start_kind=plan.start_kind,
        secret=secret_for("withdrawals"),
        strength=plan.strength,
        decides=plan.terms.entering.needs_approval,
        newcomers=plan.newcomers,
    )
    course = Course(
        tournament_id=tournament.pk,
        cast=cast,
        secret_for=secret_for,
        fast=plan.fast,
        off=_moment_off(plan, cast, secret_for),
    )
    with play.silence():
        crashes, faults = _lived_through(course, plan, progress)
    seconds = time.perf_counter() - began
    tournament.refresh_from_db()
    for played in _with_final(tournament):
        faults += invariants.faults_when_over(played, now=START)
        faults += _faults_of_settling_again(played)
    faults += tuple(ticket_final.faults(tournament))
    newcomers = casting.players_of(cast)[cast.on_time :]
    return report_of(tournament, newcomers, seconds=seconds, crashes=crashes, faults=faults)


def _with_final(tournament: Tournament) -> list[Tournament]:
    """A tournament, and the one that it gives tickets for."""
    return [one for one in (tournament, ticket_final.final_of(tournament)) if one is not None]


def _moment_off(
    plan: Plan, cast: Cast, secret_for: Callable[[str], bytes]
) -> calling_off.Moment | None:
    if not plan.called_off:
        return None
    return calling_off.drawn(
        bots.Chance(secret_for("called off")),
        players=cast.size,
        tables=tables_to_play(plan.shape, plan.entrants, plan.terms.seats),
        moments=calling_off.SHEETS if plan.fast else calling_off.MOVES,
    )


def _lived_through(course: Course, plan: Plan, progress: Progress) -> tuple[int, tuple[str, ...]]:
    """Do all steps, however often they are cut off; how often, and what was wrong after that."""
    if not plan.crash_every:
        _do(course, progress)
        return 0, ()
    faults: tuple[str, ...] = ()
    crasher = crashing.Crasher(bots.Chance(course.secret_for("crashes")), plan.crash_every)
    while True:
        try:
            with crasher.at_work():
                _do(course, progress)
            return crasher.crashes, faults
        except crashing.Crash:
            crashing.survive()
            if plan.entrants <= MOST_CHECKED_AFTER_CRASHES:
                tournament = Tournament.objects.get(pk=course.tournament_id)
                for played in _with_final(tournament):
                    found = invariants.faults_while_running(played, now=START)
                    faults += tuple(f"After crash {crasher.crashes}: {fault}" for fault in found)


def _do(course: Course, progress: Progress) -> None:
    for is_table in steps(course):
        if is_table:
            progress()


def _faults_of_settling_again(tournament: Tournament) -> tuple[str, ...]:
    """What a second settle, and calling off what is over, has changed: nothing may."""
    before = invariants.snapshot_of(tournament)
    services.complete(tournament_id=tournament.pk, now=START)
    calling_off.call_off_again(tournament, now=START)
    tournament.refresh_from_db()
    after = invariants.snapshot_of(tournament)
    changed = [name for name, value in before.items() if after[name] != value]
    return tuple(f"Settling again has changed the {name}." for name in changed)


def _secrets(plan: Plan) -> Callable[[str], bytes]:
    """Secrets that anybody with the seed can make again; only a simulation may use such."""

    def secret_for(label: str) -> bytes:
        return hashlib.sha256(f"{plan.seed}\0{label}".encode()).digest()

    return secret_for
