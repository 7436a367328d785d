"""What every benchmark shares: medians and 99th percentiles, interleaved repeats, printing.

A benchmark prints figures and asserts nothing about absolute time. Where it has a yardstick, that
is measured in the same run, in turns with the thing itself: machines are shared, and the ratio of
two medians survives a noisy neighbour better than either of them.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import perf_counter_ns
from typing import Any


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share (0 to 1) of the values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def percentiles(values: Sequence[float], *, digits: int = 2) -> dict[str, float]:
    """Median and 99th percentile, in the unit of the values."""
    return {
        "median": round(median(values), digits),
        "p99": round(percentile(values, 0.99), digits),
    }


def microseconds(work: Callable[[], object]) -> float:
    """The time one call takes."""
    begun = perf_counter_ns()
    work()
    return (perf_counter_ns() - begun) / 1000


def pace() -> float:
    """Milliseconds that a fixed piece of Python takes at this moment.

    A shared processor is quick for a second and slower for the next minutes, so what lasts long
    looks dearer than what is over at once. Looked at within each run, this tells how much.
    """
    begun = perf_counter_ns()
    json.loads(json.dumps(sorted({str(number): number for number in range(1500)}.items())))
    return (perf_counter_ns() - begun) / 1e6


def interleaved(works: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    """Microseconds of every piece of work, done in turns so many times over."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            times[name].append(microseconds(work))
    return times


def report(figures: Mapping[str, Any], *, as_json: bool) -> None:
    """Print figures: one JSON object, or an indented list for people."""
    if as_json:
        print(json.dumps(figures))
        return
    for line in _lines(figures, 0):
        print(line)


def _lines(figures: Mapping[str, Any], depth: int) -> list[str]:
    lines = []
    for name, value in figures.items():
        head = f"{'  ' * depth}{str(name).replace('_', ' ')}"
        if isinstance(value, Mapping):
            lines += [f"{head}:", *_lines(value, depth + 1)]
        elif isinstance(value, list | tuple) and any(isinstance(one, Mapping) for one in value):
            lines.append(f"{head}:")
            for place, one in enumerate(value):
                lines += [""] * bool(place) + _lines(one, depth + 1)
        else:
            lines.append(f"{head:<40} {value}")
    return lines


def in_own_process(module: str, job: Mapping[str, Any], *, database_url: str) -> dict[str, Any]:
    """Run a job in a fresh process of `python -m module` on a database; the figures it printed."""
    environment = {"DJANGO_SETTINGS_MODULE": "rummy_site.settings.test"} | os.environ
    done = subprocess.run(
        [sys.executable, "-m", module, json.dumps(job)],
        env=environment | {"DATABASE_URL": database_url},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures
