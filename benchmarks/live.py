"""Live tables on a real server with real sockets, beside a bare move on the same server.

For the embedded profile (`manage.py serve`, SQLite) and the server profile (two `serve --web`, a
worker and a beat on PostgreSQL and Redis), each with a database of its own:
- moves a second in a closed loop, every table of four moving as soon as all its seats saw the last
  move, and the time from a move's frame sent to the last of the other seats having seen it, in that
  loop and at a steady 250 moves a second;
- in the same run, in turns with it: *bare moves* through the same server, channel layer and
  database threads (one row locked and updated, one inserted, one group message), a bare echo at
  every socket, and bare commits through the driver;
- deadlines: 2,000 in one instant and 2,000 spread over 25 seconds: lost, acted on twice, and how
  late, as written in the log and as seen at a socket;
- a storm: the sockets of 300 players are cut at once and all open new ones at once: how long until
  each has his snapshot, and whether anybody is refused.

The ratio of moves to bare moves is the claim. Beside it stands the ratio of the time that the web
processes spend on a processor for each, which no neighbour on the machine disturbs. Players draw
from the closed deck and discard what they drew. The limit of frames a second is lifted, as no
person moves so fast.

Run: python -m benchmarks.live [--json] [--sockets 50,200,1000] [--profile embedded|services|both]
     [--seconds N] [--deadlines N] [--storm N] [--postgresql postgres://…] [--redis redis://…]
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from statistics import median
from typing import Any

from benchmarks.common import percentile, report
from benchmarks.live_parts.site import EmbeddedSite, Players, ServicesSite, Site
from benchmarks.live_parts.storm import storm

SEATS = 4
STEADY = 250
REPEATS = 3
AFTERWARDS_SECONDS = 6.0
"""How long after the last deadline what has not been acted on counts as lost."""

Figures = dict[str, Any]


def main() -> None:
    """Measure what was asked for and print it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped."))  # and clear up on the way
    options = _options()
    found: Figures = {"load_before": os.getloadavg()}
    for profile in ("embedded", "services"):
        if options.profile not in (profile, "both"):
            continue
        figures: Figures = {}
        for sockets in options.sockets:
            figures[f"{sockets}_sockets"] = _moves(
                _site(profile, options), sockets, options.seconds
            )
        if options.deadlines:
            figures["deadlines"] = _deadlines(_site(profile, options), options.deadlines)
        if options.storm:
            figures["storm"] = storm(_site(profile, options), options.storm, SEATS)
        found[profile] = figures
    report(found | {"load_after": os.getloadavg()}, as_json=options.json)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--sockets", type=_numbers, default=[50, 200, 1000], help="e.g. 50; 0: none"
    )
    parser.add_argument("--profile", choices=("embedded", "services", "both"), default="both")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each part of a repeat")
    parser.add_argument("--deadlines", type=int, default=2000, help="in one instant; 0 for none")
    parser.add_argument("--storm", type=int, default=300, help="players cut off at once; 0: none")
    server = os.environ.get("DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
    parser.add_argument("--postgresql", default=server, help="a server for a database of our own")
    server = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379")
    parser.add_argument("--redis", default=server, help="a server with an empty database")
    return parser.parse_args()


def _numbers(text: str) -> list[int]:
    numbers = [int(part) for part in text.split(",") if part != "0"]
    if min(numbers, default=SEATS) < SEATS:
        raise argparse.ArgumentTypeError(f"a table has {SEATS} sockets")
    return numbers


def _site(profile: str, options: argparse.Namespace) -> Site:
    if profile == "embedded":
        return EmbeddedSite()
    return ServicesSite(options.postgresql, options.redis)


def _moves(site: Site, sockets: int, seconds: float) -> Figures:
    """Repeats of every part in turns, with all sockets open the whole time."""
    parts: dict[str, list[Any]] = {
        "closed": [seconds],
        "bare": [seconds],
        "steady": [seconds, STEADY],
        "bare_steady": [seconds, STEADY],
        "echo": [min(seconds, 2.0)],
    }
    runs: dict[str, list[Figures]] = {name: [] for name in parts}
    commits: list[float] = []
    with site:
        plan = site.prepare("tables", sockets // SEATS, SEATS)
        site.start()
        with Players(plan | {"sites": site.addresses, "bare": True}) as players:
            connected = players.answer()["connected_seconds"]
            for _ in range(REPEATS):
                for name, given in parts.items():
                    spent = site.cpu_seconds
                    run = players.ask(name, *given)
                    runs[name].append(run | {"cpu": site.cpu_seconds - spent})
                commits.append(site.commits())
    return _move_figures(runs, commits) | {"connected_in_seconds": round(connected, 1)}


def _move_figures(runs: dict[str, list[Figures]], commits: list[float]) -> Figures:
    moves, bare = _rate(runs["closed"]), _rate(runs["bare"])
    return {
        "moves_to_bare_moves": round(moves / bare, 2),
        "bare_moves_cpu_to_moves_cpu": round(_cpu(runs["bare"]) / (_cpu(runs["closed"]) or 1), 2),
        "moves_a_second": round(moves),
        "moves_ms": _times(runs["closed"]),
        "move_cpu_ms": round(_cpu(runs["closed"]), 2),
        "bare_moves_a_second": round(bare),
        "bare_moves_ms": _times(runs["bare"]),
        "bare_move_cpu_ms": round(_cpu(runs["bare"]), 2),
        f"at_{STEADY}_a_second_ms": _times(runs["steady"]),
        f"moves_a_second_at_{STEADY}": round(_rate(runs["steady"])),
        f"bare_at_{STEADY}_a_second_ms": _times(runs["bare_steady"]),
        "echoes_a_second": round(_rate(runs["echo"])),
        "commits_a_second": round(median(commits)),
    }


def _rate(runs: list[Figures]) -> float:
    return median(len(run["ms"]) / run["seconds"] for run in runs)


def _cpu(runs: list[Figures]) -> float:
    """Milliseconds of a processor that the web processes use for a move."""
    return median(1000 * run["cpu"] / len(run["ms"]) for run in runs)


def _times(runs: list[Figures]) -> Figures:
    """Medians, over the repeats, of the median and the 99th percentile."""
    return {
        "p50": round(median(median(run["ms"]) for run in runs), 1),
        "p99": round(median(percentile(run["ms"], 0.99) for run in runs), 1),
    }


def _deadlines(site: Site, number: int) -> Figures:
    """All in one instant, then the others one by one."""
    with site:
        plan = site.prepare("deadlines", number, 2)
        site.start()
        with Players(plan | {"sites": site.addresses, "bare": False}) as players:
            players.answer()
            if time.time() > plan["instant"] - 1:
                sys.exit(
                    "The deadlines came before the site was ready; try again when it is quiet."
                )
            ends_at = plan["last"] + AFTERWARDS_SECONDS
            seen = players.ask("watch", ends_at - time.time())["seen"]
        deals = site.prepare("lateness")["deals"]
    instant = plan["instant"]
    figures: Figures = {}
    for name, first, last in (
        ("in_one_instant", instant, instant),
        ("spread_over_25_s", instant + 1, plan["last"]),
    ):
        acted = [(due, at) for due, at in deals if first <= due <= last + 0.001]
        late = [(at[0] - due) * 1000 for due, at in acted if at]
        shown = [ms for due, ms in seen if first <= due <= last + 0.001]
        figures[name] = {
            "due": len(acted),
            "lost": number - len(late),
            "twice": sum(len(at) > 1 for _, at in acted),
            "late_ms": _late(late),
            "late_at_a_socket_ms": _late(shown),
        }
    return figures


def _late(ms: list[float]) -> Figures:
    return {"p50": round(median(ms), 1), "p99": round(percentile(ms, 0.99), 1)} if ms else {}


if __name__ == "__main__":
    main()
