"""`manage.py simulate_tournament`: a whole tournament by one command, played by bots."""

from __future__ import annotations

import argparse
import sys
from typing import Any, Final

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from tqdm import tqdm

from tournaments import money, play
from tournaments.management import killing, simulation, ticket_final
from tournaments.management.latecomers import late_until
from tournaments.management.reports import Report
from tournaments.models import Shape, Tournament
from tournaments.play import bots
from tournaments.services.late import SEATS_ANEW
from tournaments.structure.conditions import EntryRules
from tournaments.structure.due import StartKind
from tournaments.structure.prize_text import read_prizes
from tournaments.structure.rounds import Advance, BestOfTable, BestOverall

MAX_ENTRANTS: Final = 10_000
MAX_NEWCOMERS: Final = 1_000
MAX_SEED_LENGTH: Final = 100
CRASH_EVERY: Final = 400
MOST_KILLED: Final = 12


class Command(BaseCommand):
    """Registers players, plays every deal, pays the prizes, and checks the books."""

    help = (
        "Play a whole tournament with bots, from registration to paid prizes, and check all that "
        "must be true of it. One in ten of the players withdraws and is replaced from the "
        "waitlist, so that --entrants play. The same seed gives the same tournament. Each step is "
        "kept as it is done: what was interrupted is gone on with by --go-on and the same options."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """See `--help`."""
        add = parser.add_argument
        add("--shape", choices=Shape.values, default=Shape.HEADS_UP.value)
        add("--format", choices=play.format_names(), default="deals")
        add("--profile", default=None, help="rule profile; by default one that fits the format")
        add("--entrants", type=int, default=8, metavar="N")
        add("--start", choices=[k.value for k in StartKind], default=StartKind.BY_HAND.value)
        add("--fee", type=int, default=1000, metavar="MINOR_UNITS", help="entry fee")
        add("--house-fee", type=int, default=0, metavar="MINOR_UNITS", help="part of the fee kept")
        add("--prizes", default=None, help="winner, or 50,30,20 in percent, or fixed:500,300,200")
        add("--seed", default="1", metavar="S")
        add("--name", default=None, help="the tournament's name")
        add("--bots", choices=[s.value for s in bots.Strength], default="steady")
        add("--advance", default="1", metavar="K|P%", help="who goes on from a knock-out's tables")
        add("--third-place", action="store_true", help="a bracket's match for third place")
        add("--reentries", type=int, default=0, metavar="N", help="how often who is out comes back")
        add("--newcomers", type=int, default=0, metavar="N", help="how many enter after the start")
        add(
            "--tickets",
            type=int,
            default=0,
            metavar="N",
            help="best ranks that win a seat in a final",
        )
        add("--approval", action="store_true", help="the organiser decides who plays")
        add("--called-off", action="store_true", help="the organiser calls it off, at random")
        add("--fast", action="store_true", help="results on score sheets, no card is played")
        add(
            "--chaos",
            choices=["crash", "kill"],
            nargs="?",
            const="crash",
            help="cut the work off at random and go on with it: crash statements and commits, or "
            "kill the process",
        )
        add("--crash-every", type=int, default=CRASH_EVERY, metavar="STATEMENTS")
        add("--go-on", metavar="PUBLIC_ID", help="play on a simulation that was interrupted")
        add("--as-child", action="store_true", help=argparse.SUPPRESS)
        add("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run it; fails with a sentence that names the option at fault."""
        if play.is_beating(now=timezone.now()):
            raise CommandError(
                "The site is running, and its clock would play along. Stop it first (Ctrl-C), or "
                "simulate in a database of its own."
            )
        try:
            plan, kills = _plan(options), options["chaos"] == "kill"
            report = self._killed(plan, options) if kills else self._run(plan, options)
        except Exception as refusal:
            if not hasattr(refusal, "sentence"):
                raise
            raise CommandError(_named(refusal)) from refusal
        if options["json"]:
            self.stdout.write(msgspec.json.encode(report).decode())
        else:
            self._print(report)
        if report.faults:
            raise CommandError("\n".join(report.faults))

    def _run(self, plan: simulation.Plan, options: dict[str, Any]) -> Report:
        tournament = _interrupted(options) or simulation.announce(plan)
        if options["as_child"]:
            self.stdout.write(killing.READY)
            self.stdout.flush()
        total = simulation.tables_to_play(plan.shape, plan.entrants, plan.terms.seats)
        with tqdm(total=total, unit="table", file=sys.stderr, leave=False) as bar:
            return simulation.go_on(tournament, plan, bar.update)

    def _killed(self, plan: simulation.Plan, options: dict[str, Any]) -> Report:
        """The same in children that are killed."""
        tournament = simulation.announce(plan)
        lived = killing.live_through(
            [*to_go_on(tournament.public_id, options), "--as-child", "--json"],
            chance=bots.Chance(plan.seed.encode()),
            most=MOST_KILLED,
        )
        try:
            report = msgspec.json.decode(lived.output, type=Report)
        except msgspec.DecodeError as fault:
            raise CommandError("The last process failed; see above.") from fault
        return msgspec.structs.replace(report, crashes=lived.killed)

    def _print(self, report: Report) -> None:
        self.stdout.write(f"{'Rank':>5}  {'Player':<16}{'Prize':>14}")
        for line in report.standings:
            prize = f"{line.prize_minor:,}" if line.prize_minor else "-"
            self.stdout.write(f"{line.rank:>5}  {line.name:<16}{prize:>14}")
        crashes = f", {report.crashes} crashes" if report.crashes else ""
        self.stdout.write(
            f"\n{report.entries} entries, {report.rounds} rounds, {report.tables} tables, "
            f"{report.deals} deals, {report.commands} commands, {report.seconds} s{crashes}"
        )
        for name in ("received", "refunded", "paid", "fee"):
            self.stdout.write(f"{name:>10} {getattr(report, f'{name}_minor'):>14,}")
        self.stdout.write(f"\n{'Asset':<16}{'Debits':>16}{'Credits':>16}{'On hold':>12}")
        for totals in money.trial_balance():
            self.stdout.write(
                f"{totals.asset:<16}{totals.debits:>16,}{totals.credits:>16,}"
                f"{totals.debits_held:>12,}"
            )
        balanced = "balanced" if report.books_balanced else "NOT BALANCED"
        self.stdout.write(f"Trial balance: {balanced}.")


def _interrupted(options: dict[str, Any]) -> Tournament | None:
    """The tournament to go on with, if one is named."""
    if not options["go_on"]:
        return None
    found = Tournament.objects.filter(public_id=options["go_on"]).first()
    if found is None:
        raise CommandError("go-on: there is no such tournament.")
    return found


def _plan(options: dict[str, Any]) -> simulation.Plan:
    """The options, checked before anything is written."""
    for field, low, high in (
        ("entrants", 2, MAX_ENTRANTS),
        ("fee", 0, 10**12),
        ("crash_every", 2, 10**6),
        ("newcomers", 0, MAX_NEWCOMERS),
        ("tickets", 0, ticket_final.MOST_TICKETS),
    ):
        if not low <= options[field] <= high:
            raise CommandError(f"{field.replace('_', '-')}: must be from {low:,} to {high:,}.")
    if not 0 <= options["house_fee"] <= options["fee"]:
        raise CommandError("house-fee: must be from 0 to the entry fee.")
    seed = str(options["seed"])
    if not 0 < len(seed) <= MAX_SEED_LENGTH:
        raise CommandError(f"seed: must have 1 to {MAX_SEED_LENGTH} characters.")
    shape = Shape(options["shape"])
    _check_late(shape, options)
    return simulation.Plan(
        shape=shape,
        terms=play.fitted(shape, _terms(shape, options)),
        entrants=options["entrants"],
        fee=options["fee"],
        house_fee=options["house_fee"],
        seed=seed,
        name=options["name"] or f"Simulation {seed} of {options['entrants']}",
        strength=bots.Strength(options["bots"]),
        start_kind=StartKind(options["start"]),
        fast=options["fast"],
        newcomers=options["newcomers"],
        tickets=options["tickets"],
        called_off=options["called_off"],
        crash_every=options["crash_every"] if options["chaos"] == "crash" else 0,
    )


def _check_late(shape: Shape, options: dict[str, Any]) -> None:
    """Who comes after the start needs a shape that draws anew, and a seat."""
    for field in ("reentries", "newcomers"):
        if options[field] and shape not in SEATS_ANEW:
            raise CommandError(f"{field}: only a knock-out and timed levels take players in later.")
    if options["newcomers"] and options["start"] == StartKind.FIXED_PLAYERS:
        raise CommandError("newcomers: what starts when it is full has no seat for them.")


def _terms(shape: Shape, options: dict[str, Any]) -> play.TournamentTerms:
    prizes = options["prizes"] or ("winner" if shape is Shape.SINGLE else "50,30,20")
    if shape is Shape.LEVELS and options["fast"]:
        raise CommandError("fast: timed levels take their time; play them with cards.")
    takes_in = options["reentries"] or options["newcomers"]
    terms = play.simulated_terms(
        format_name=options["format"], profile_name=options["profile"], prizes=read_prizes(prizes)
    )
    return msgspec.structs.replace(
        terms,
        levels=simulation.LEVELS if shape is Shape.LEVELS else None,
        advance=_advance(options["advance"]),
        third_place=options["third_place"],
        entering=EntryRules(
            needs_approval=options["approval"],
            late_until_round=late_until(shape) if takes_in else 0,
            reentries=options["reentries"],
        ),
    )


def _advance(text: str) -> Advance:
    """`2` for the best two of each table, `25%` for the best quarter of a round."""
    number = text.removesuffix("%")
    if not (number.isascii() and number.isdigit() and len(number) < 4):
        raise CommandError("advance: write 2 for the best two of each table, or 25% of them all.")
    return BestOverall(int(number)) if text.endswith("%") else BestOfTable(int(number))


def to_go_on(public_id: str, options: dict[str, Any]) -> list[str]:
    """The arguments of a process that goes on with a tournament of these options."""
    names = "shape format entrants start seed bots advance reentries newcomers tickets"
    arguments = [f"--{name}={options[name]}" for name in names.split()]
    arguments.append(f"--go-on={public_id}")  # in one word, since it may begin with a hyphen
    flags = ("fast", "third_place", "approval", "called_off")
    return arguments + [f"--{flag.replace('_', '-')}" for flag in flags if options[flag]]


def _named(refusal: Any) -> str:
    """The refusal with the name of the option, as it is typed."""
    names = {"entry_fee": "fee", "capacity": "entrants", "house_fee": "house-fee"}
    field = names.get(refusal.field or "", refusal.field)
    return f"{field}: {refusal.sentence}" if field else refusal.sentence
