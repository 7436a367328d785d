"""A whole tournament played by bots, from registration to paid prizes.

It goes through the services that players and organisers use. Chance and time are made of the seed,
so the same seed gives the same tournament on every machine.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password

from tournaments import money, play, services
from tournaments.models import EntryState, Shape, Tournament
from tournaments.play import bots
from tournaments.structure.rounds import plan_rounds

START: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
FEES_GRANTED: Final = 10
"""Entry fees each simulated player is given; more than he can spend on rejoins."""
ACTOR: Final = "simulation"


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What to simulate; `entrants` play in the end, others withdraw or wait in vain."""

    shape: Shape
    terms: play.TournamentTerms
    entrants: int
    fee: int
    house_fee: int
    seed: str
    name: str
    strength: bots.Strength

    @property
    def late(self) -> int:
        """How many withdraw, and so how many of the waitlist get a seat; as many do not."""
        return max(1, self.entrants // 10)


class Line(msgspec.Struct, frozen=True):
    """One line of the final standings."""

    rank: int
    name: str
    prize_minor: int


class Report(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of it. Amounts are in the smallest unit of the asset."""

    entries: int
    standings: tuple[Line, ...]
    received_minor: int
    refunded_minor: int
    paid_minor: int
    fee_minor: int
    books_balanced: bool
    rounds: int
    tables: int
    deals: int
    commands: int
    seconds: float
    faults: tuple[str, ...] = ()


Progress = Callable[[], Any]
"""Called after each table."""


def tables_to_play(shape: Shape, entrants: int, seats: int) -> int:
    """How many tables a simulation will have, for a progress bar."""
    if shape is Shape.HEADS_UP:
        return entrants - 1
    if shape is Shape.SINGLE:
        return 1
    return sum(len(plan.sizes) for plan in plan_rounds(entrants, seats))


def run(plan: Plan, progress: Progress) -> Report:
    """Play the tournament of a plan to its paid prizes. Raises what its services refuse."""
    began = time.perf_counter()
    with play.silence():
        tournament, runs, rounds = _played(plan, progress)
    return _report(tournament, runs, rounds, time.perf_counter() - began)


def _played(plan: Plan, progress: Progress) -> tuple[Tournament, Sequence[bots.TableRun], int]:
    tournament = _announce(plan)
    _fill(tournament, plan)
    services.close_registration(tournament_id=tournament.pk, actor=ACTOR, now=START)
    services.start(tournament_id=tournament.pk, actor=ACTOR, now=START)
    runs, rounds = _play(tournament, plan, progress)
    services.complete(tournament_id=tournament.pk, now=START)
    return tournament, runs, rounds


def _announce(plan: Plan) -> Tournament:
    tournament = services.create(
        name=plan.name,
        shape=plan.shape,
        terms=plan.terms,
        entry_fee=plan.fee,
        house_fee=plan.house_fee,
        capacity=plan.entrants,
        draw_label=f"simulation-{hashlib.sha256(plan.seed.encode()).hexdigest()[:16]}",
        now=START,
    )
    return services.open_registration(
        tournament_id=tournament.pk, actor=ACTOR, secret_for=_secrets(plan), now=START
    )


def _secrets(plan: Plan) -> Callable[[str], bytes]:
    """Secrets that anybody with the seed can make again; only a simulation may use such."""

    def secret_for(label: str) -> bytes:
        return hashlib.sha256(f"{plan.seed}\0{label}".encode()).digest()

    return secret_for


def _fill(tournament: Tournament, plan: Plan) -> None:
    """Everybody registers; some who have a seat withdraw, and the waitlist moves up."""
    players = _players(plan.entrants + 2 * plan.late)
    if plan.fee:
        money.grant(
            asset=tournament.asset,
            player_ids=players,
            amount=FEES_GRANTED * plan.fee,
            key=f"simulation:{tournament.pk}",
            actor=ACTOR,
            now=START,
        )
    for player in players:
        services.register(
            tournament_id=tournament.pk,
            player_id=player,
            actor=ACTOR,
            bot=plan.strength,
            now=START,
        )
    seated = range(plan.entrants)
    for place in play.drawn_order(seated, _secrets(plan)("withdrawals"), "who")[: plan.late]:
        services.withdraw(
            tournament_id=tournament.pk, player_id=players[place], actor=ACTOR, now=START
        )


def _players(count: int) -> list[int]:
    """Ids of simulated players in order, made when they are new; nobody can log in as one."""
    users = get_user_model()
    wanted = [f"sim-{number:05}" for number in range(1, count + 1)]
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


def _play(
    tournament: Tournament, plan: Plan, progress: Progress
) -> tuple[Sequence[bots.TableRun], int]:
    secret_for = _secrets(plan)
    runs: list[bots.TableRun] = []
    rounds = 0
    moments = bots.ticking(START)
    while opened := services.open_round(
        tournament_id=tournament.pk, secret_for=secret_for, now=next(moments)
    ):
        rounds += 1
        for table in opened.tables.order_by("number"):
            seed = secret_for(f"bots/{rounds}/{table.number}")
            runs.append(
                bots.play_table(
                    match_id=table.match_id,
                    secret_for=secret_for,
                    chance=bots.Chance(seed),
                    may_rejoin=lambda player: money.can_pay_fee(tournament, player),
                    moments=moments,
                )
            )
            progress()
    return runs, rounds


def _report(
    tournament: Tournament, runs: Sequence[bots.TableRun], rounds: int, seconds: float
) -> Report:
    ranked = tournament.entries.filter(state=EntryState.RANKED).order_by("rank", "number")
    totals = money.totals_of(tournament)
    faults = money.faults(now=START)
    unsound = sum(run.unsound_deals for run in runs)
    lost_cards = (f"{unsound} deals ended with another number of cards.",) if unsound else ()
    return Report(
        entries=ranked.count(),
        standings=tuple(
            Line(entry.rank or 0, entry.player.get_full_name(), entry.prize)
            for entry in ranked.select_related("player")
        ),
        received_minor=totals.received,
        refunded_minor=totals.refunded,
        paid_minor=totals.paid,
        fee_minor=totals.fee,
        books_balanced=not faults and _adds_up(totals),
        rounds=rounds,
        tables=len(runs),
        deals=sum(run.deals for run in runs),
        commands=sum(run.commands for run in runs),
        seconds=round(seconds, 3),
        faults=faults + lost_cards,
    )


def _adds_up(totals: money.Totals) -> bool:
    """What came in for the tournament went out again, to the last unit."""
    came_in = totals.received - totals.refunded + totals.overlay
    return came_in == totals.paid + totals.fee
