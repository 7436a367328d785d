"""The deal engine by itself: no database, no sockets, the cheapest bots.

Prints for each profile and number of players the deals a second (bots included) and the
microseconds of a command (`deal.advance`: decide and evolve, bots not included); the same with 1,
100 and 1,000 deals alive at once, which must be flat; the bytes of a live deal; and how the bots
fare: the time of a choice, wins, and points a deal.

Run: python -m benchmarks.engine [--json] [--deals N] [--contest N]
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import tracemalloc
from collections.abc import Mapping, Sequence
from statistics import fmean, median
from time import perf_counter, perf_counter_ns
from typing import Any

from benchmarks.common import percentiles, report
from tables.rules import deal
from tables.rules.bots import Chance, Strength, choose, seat_to_move
from tables.rules.profiles import PROFILES
from tables.rules.state import DealState
from tables.rules.terms import DealTerms
from tables.rules.visibility import view_of

CHANCE = Chance(b"benchmark")
PLAYERS = (2, 4, 6)
LIVE = (1, 100, 1000)
REPEATS = 3
COMMANDS_ALIVE = 4000
COMMANDS_BEFORE_WEIGHING = 40


def spec_of(profile: str, players: int, number: int) -> deal.DealSpec:
    """The numbered deal; the same cards on every machine."""
    return deal.DealSpec(
        deal_id=f"benchmark-{number}",
        terms=DealTerms(profile=PROFILES[profile]),
        seats=tuple(range(players)),
        dealer=number % players,
        secret=hashlib.sha256(f"benchmark {number}".encode()).digest(),
    )


def opened(profile: str, players: int, number: int) -> DealState:
    """A deal with its cards dealt."""
    return deal.replay(deal.open_deal(spec_of(profile, players, number), 0))


class Stopwatch:
    """Nanoseconds of every command and of every choice."""

    def __init__(self) -> None:
        self.commands: list[int] = []
        self.choices: dict[Strength, list[int]] = {strength: [] for strength in Strength}

    def step(self, state: DealState, strengths: Mapping[int, Strength]) -> DealState:
        """One command of a deal that is not over."""
        seat = seat_to_move(state)
        assert seat is not None
        view = view_of(state, seat)
        legal = deal.legal_commands(view, seat)
        begin = perf_counter_ns()
        command = choose(view, legal, strength=strengths[seat], chance=CHANCE)
        chosen = perf_counter_ns()
        state = deal.advance(state, command, state.version)[1]
        self.commands.append(perf_counter_ns() - chosen)
        self.choices[strengths[seat]].append(chosen - begin)
        return state


def all_random(players: int) -> Mapping[int, Strength]:
    """The cheapest bot on every seat."""
    return dict.fromkeys(range(players), Strength.RANDOM_LEGAL)


def in_us(nanoseconds: Sequence[int]) -> dict[str, float]:
    """Median and 99th percentile."""
    return percentiles([value / 1000 for value in nanoseconds])


def time_deals(profile: str, players: int, deals: int) -> dict[str, Any]:
    """Whole deals one after the other."""
    watch, begin = Stopwatch(), perf_counter()
    for number in range(deals):
        state = opened(profile, players, number)
        while not state.is_over:
            state = watch.step(state, all_random(players))
    seconds = perf_counter() - begin
    return {
        "profile": profile,
        "players": players,
        "deals": deals,
        "deals_per_second": round(deals / seconds, 1),
        "commands_per_deal": round(len(watch.commands) / deals, 1),
        "command_us": in_us(watch.commands),
    }


def time_live(live: int, commands: int) -> list[int]:
    """Nanoseconds of so many commands spread over deals alive at once, one command each in turn."""
    watch, number = Stopwatch(), live
    states = [opened("rummycircle", 2, n) for n in range(live)]
    while len(watch.commands) < commands:
        for place, state in enumerate(states):
            if state.is_over:
                states[place] = opened("rummycircle", 2, number)
                number += 1
            else:
                states[place] = watch.step(state, all_random(2))
    return watch.commands


def compare_live(commands: int) -> dict[str, Any]:
    """Many live deals against one, measured in turns."""
    times: dict[int, list[list[int]]] = {live: [] for live in LIVE}
    for _ in range(REPEATS):
        for live in LIVE:
            times[live].append(time_live(live, commands))
    medians = {live: median(median(run) for run in runs) for live, runs in times.items()}
    return {
        "commands": REPEATS * commands,
        "live_deals": [
            {"live": live, "command_us": in_us([t for run in runs for t in run])}
            for live, runs in times.items()
        ],
        "ratio_of_medians": {
            f"{live} to {LIVE[0]}": round(medians[live] / medians[LIVE[0]], 2) for live in LIVE[1:]
        },
    }


def weigh(live: int, players: int) -> dict[str, Any]:
    """Bytes that a deal in mid-play keeps in memory, its log not included."""
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    states = [_in_mid_play(n, players) for n in range(live)]
    gc.collect()
    size = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return {"players": players, "live": len(states), "bytes_per_deal": round(size / live)}


def _in_mid_play(number: int, players: int) -> DealState:
    """A deal after some commands, or the last state before it ended sooner."""
    watch, state = Stopwatch(), opened("rummycircle", players, number)
    for _ in range(COMMANDS_BEFORE_WEIGHING):
        after = watch.step(state, all_random(players))
        if after.is_over:
            break
        state = after
    return state


def contest(one: Strength, other: Strength, deals: int) -> dict[str, Any]:
    """Two bots against each other; each plays first in half of the deals."""
    watch, begin = Stopwatch(), perf_counter()
    ends = [_played_out(watch, number, {0: one, 1: other}) for number in range(deals)]
    seconds = perf_counter() - begin
    results = [end.result for end in ends if end.result is not None]
    return {
        "bots": [str(one), str(other)],
        "deals": deals,
        "won_share": round(fmean(result.winner == 0 for result in results), 4),
        "points_per_deal": [
            round(fmean(result.points_of(seat) for result in results), 1) for seat in (0, 1)
        ],
        "turns_per_deal": round(fmean(end.seats[0].turns for end in ends), 1),
        "deals_per_second": round(deals / seconds, 1),
        "choice_us": {str(bot): in_us(watch.choices[bot]) for bot in sorted({one, other})},
    }


def _played_out(watch: Stopwatch, number: int, strengths: Mapping[int, Strength]) -> DealState:
    state = opened("rummycircle", 2, number)
    while not state.is_over:
        state = watch.step(state, strengths)
    return state


def measure(deals: int, contest_deals: int) -> dict[str, Any]:
    """Every figure of this benchmark."""
    opponents = (
        (Strength.SHARP, Strength.RANDOM_LEGAL),
        (Strength.STEADY, Strength.RANDOM_LEGAL),
        (Strength.SHARP, Strength.STEADY),
    )
    return {
        "whole_deals": [
            time_deals(name, players, deals)
            for name, profile in PROFILES.items()
            for players in PLAYERS
            if players <= profile.max_players
        ],
        "many_deals_alive": compare_live(COMMANDS_ALIVE),
        "memory": [weigh(500, players) for players in PLAYERS],
        "bots": [contest(one, other, contest_deals) for one, other in opponents],
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="The deal engine by itself.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--deals", type=int, default=30, help="deals a profile and table size")
    parser.add_argument("--contest", type=int, default=1000, help="deals between two bots")
    options = parser.parse_args()
    report(measure(options.deals, options.contest), as_json=options.json)


if __name__ == "__main__":
    main()
