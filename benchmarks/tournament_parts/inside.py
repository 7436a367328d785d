"""One tournament measured, or the pages of one.

Run by `benchmarks.tournaments` as `python -m benchmarks.tournament_parts.inside JOB`, JOB being
JSON; prints one JSON object.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from statistics import fmean
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from benchmarks.common import pace  # noqa: E402
from benchmarks.tournament_parts.pages import measure_pages  # noqa: E402
from benchmarks.tournament_parts.raw import Raw, rows_of  # noqa: E402
from tournaments import money, play, services  # noqa: E402
from tournaments.management import casting, simulation  # noqa: E402
from tournaments.management.casting import Cast  # noqa: E402
from tournaments.management.course import START, Course, by_rounds  # noqa: E402
from tournaments.management.level_bots import open_tables  # noqa: E402
from tournaments.models import Shape, Tournament  # noqa: E402
from tournaments.play import bots, papers  # noqa: E402
from tournaments.structure.prizes import Percentages  # noqa: E402

FEE = 1000
BATCH = 100
"""Registrations by the service, then as many by the driver."""
PACE_EVERY = 20
"""Tables, between two looks at the processor's pace."""

Figures = dict[str, Any]


def main(text: str) -> None:
    """Open the database that the job names, and do it."""
    job: Figures = json.loads(text)
    connection.settings_dict["NAME"] = job["name"]
    if connection.vendor == "sqlite":
        command = connection.settings_dict["OPTIONS"]["init_command"]
        full = command.replace("synchronous = OFF", "synchronous = FULL")
        connection.settings_dict["OPTIONS"]["init_command"] = full
    call_command("migrate", verbosity=0)
    with play.silence():
        found = _Stage(job).measure() if job["job"] == "tournament" else _pages(job)
    sys.stdout.write(json.dumps(found))


def plan_of(entrants: int, format_name: str, seed: str) -> simulation.Plan:
    """A knock-out without cards, with equal prizes for a quarter of its field."""
    prizes = max(2, entrants // 4)
    least, more = divmod(10_000, prizes)
    shares = tuple(least + (rank < more) for rank in range(prizes))
    terms = play.simulated_terms(
        format_name=format_name, profile_name=None, prizes=Percentages(shares)
    )
    return simulation.Plan(
        shape=Shape.KNOCKOUT,
        terms=play.fitted(Shape.KNOCKOUT, terms),
        entrants=entrants,
        fee=FEE,
        house_fee=FEE // 10,
        seed=seed,
        name=f"{seed} of {entrants}",
        strength=bots.Strength.STEADY,
        fast=True,
    )


class _Clocked:
    """Seconds, seconds on a processor and statements of what is done inside."""

    def __init__(self) -> None:
        self.seconds, self.cpu, self.queries = 0.0, 0.0, 0
        self._counting: Any = None

    def _count(self, execute: Callable[..., Any], *rest: Any) -> Any:
        self.queries += 1
        return execute(*rest)

    def __enter__(self) -> _Clocked:
        self._counting = connection.execute_wrapper(self._count)
        self._counting.__enter__()
        self._begun = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *error: object) -> None:
        self.seconds += time.perf_counter() - self._begun[0]
        self.cpu += time.process_time() - self._begun[1]
        self._counting.__exit__(*error)


class _Stage:
    """A tournament that is led through its parts, each of them measured."""

    def __init__(self, job: Figures) -> None:
        self.plan = plan_of(job["entrants"], job["format"], job["seed"])
        self.secret_for = simulation._secrets(self.plan)
        self.tournament = simulation.announce(self.plan)
        services.open_registration(
            tournament_id=self.tournament.pk, actor="x", secret_for=self.secret_for, now=START
        )
        self.cast = Cast(
            entrants=self.plan.entrants,
            start_kind=self.plan.start_kind,
            secret=self.secret_for("withdrawals"),
            strength=self.plan.strength,
        )
        self.players = casting.players_of(self.cast)[: self.plan.entrants]
        casting.give_points(self.tournament, self.players, now=START)
        self.whole = _Clocked()
        self.paces = [pace()]

    def measure(self) -> Figures:
        """Every part's figures, the whole among them."""
        found = {"register": self._registered()}
        tables, found["start_and_seat"] = self._seated()
        found["close_a_round"] = self._closed(tables)
        self._rest()
        found["settle"] = self._settled()
        entrants, whole, pace_ms = self.plan.entrants, self.whole, fmean(self.paces)
        found["whole"] = {
            "pace_ms": pace_ms,
            "paces_per_entrant": 1000 * whole.seconds / entrants / pace_ms,
            "seconds": whole.seconds,
            "ms_per_entrant": 1000 * whole.seconds / entrants,
            "cpu_ms_per_entrant": 1000 * whole.cpu / entrants,
            "queries_per_entrant": whole.queries / entrants,
        }
        return found

    def _registered(self) -> Figures:
        """Batches by the service, and the same rows by the driver, in turns."""
        raw, raw_seconds, raw_cpu = Raw(self.tournament.pk), 0.0, 0.0
        self._entered(self.players[:1])  # composes the statements
        self.whole = _Clocked()
        for start in range(0, len(self.players), BATCH):
            batch = self.players[start : start + BATCH]
            with self.whole:
                entries = self._entered(batch)
            keys = [f"entry:{self.tournament.pk}:{player}:1" for player in batch]
            rows = [rows_of(*pair) for pair in zip(entries, keys, strict=True)]
            begun, begun_cpu = time.perf_counter(), time.process_time()
            for each in rows:
                raw.insert(each, self.tournament.pk)
            raw_seconds += time.perf_counter() - begun
            raw_cpu += time.process_time() - begun_cpu
            self.paces.append(pace())
        raw.close()
        entries_made = len(self.players)
        return {
            "entries_a_second": entries_made / self.whole.seconds,
            "raw_a_second": entries_made / raw_seconds,
            "ratio": raw_seconds / self.whole.seconds,
            "cpu_ms_per_entry": 1000 * self.whole.cpu / entries_made,
            "raw_cpu_ms_per_entry": 1000 * raw_cpu / entries_made,
            "queries_per_entry": self.whole.queries / entries_made,
        }

    def _entered(self, players: list[int]) -> list[int]:
        return [
            services.register(
                tournament_id=self.tournament.pk,
                player_id=player,
                actor=money.player_owner(player),
                bot=self.cast.strength,
                now=START,
            ).pk
            for player in players
        ]

    def _seated(self) -> tuple[int, Figures]:
        part = _Clocked()
        with self.whole, part:
            pk = self.tournament.pk
            services.close_registration(tournament_id=pk, actor="x", now=START)
            services.start(tournament_id=pk, actor="x", now=START)
            services.open_round(tournament_id=pk, secret_for=self.secret_for, now=START)
        tables = len(open_tables(self.tournament))
        return tables, {
            "tables": tables,
            "seconds": part.seconds,
            "ms_per_table": 1000 * part.seconds / tables,
            "queries": part.queries,
        }

    def _closed(self, tables: int) -> Figures:
        part, moments = _Clocked(), bots.ticking(START)
        with self.whole, part:
            for number, table in enumerate(open_tables(self.tournament)):
                if number % PACE_EVERY == 0:  # a thousandth of what the tables take
                    self.paces.append(pace())
                papers.score_table(
                    match_id=table.match_id,
                    secret_for=self.secret_for,
                    chance=bots.Chance(self.secret_for(f"bots/1/{table.number}")),
                    may_rejoin=lambda _: False,
                    moments=moments,
                )
        return {
            "seconds": part.seconds,
            "ms_per_table": 1000 * part.seconds / tables,
            "cpu_ms_per_table": 1000 * part.cpu / tables,
            "queries_per_table": part.queries / tables,
        }

    def _rest(self) -> None:
        """Every later round, up to the prizes."""
        course = Course(
            tournament_id=self.tournament.pk,
            cast=self.cast,
            secret_for=self.secret_for,
            fast=True,
        )
        self.tournament.refresh_from_db()
        with self.whole:
            for _ in by_rounds(course, self.tournament):
                pass

    def _settled(self) -> Figures:
        part = _Clocked()
        with self.whole, part:
            services.complete(tournament_id=self.tournament.pk, now=START)
        prizes = self.tournament.payments.filter(paid_at__isnull=False).count()
        return {
            "prizes": prizes,
            "seconds": part.seconds,
            "ms_per_prize": 1000 * part.seconds / prizes,
            "queries": part.queries,
        }


def _pages(job: Figures) -> Figures:
    """The pages of the tournament that is there, beside those of one with 10 entrants."""
    large = Tournament.objects.get()
    small = simulation.announce(plan_of(10, job["format"], "small"))
    simulation.go_on(small, plan_of(10, job["format"], "small"), lambda: None)
    return measure_pages(small, large)


if __name__ == "__main__":
    main(sys.argv[1])
