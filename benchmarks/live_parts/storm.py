"""Everybody loses the connection in the same moment and comes back in the next one."""

from __future__ import annotations

import time
from statistics import median
from typing import Any

from benchmarks.common import percentile
from benchmarks.live_parts.site import Players, Site

REPEATS = 3
QUIET_SECONDS = 6.0
"""After each storm: by then whoever was counted as gone for a moment is counted as back."""


def storm(site: Site, players: int, seats: int) -> dict[str, Any]:
    """How long after the cut everybody has his snapshot again, and how many have not.

    `wrongly_offline` are those who are back and, some seconds later, still shown as gone.
    """
    runs: list[dict[str, Any]] = []
    offline: list[int] = []
    with site:
        plan = site.prepare("tables", players // seats, seats)
        site.start()
        with Players(plan | {"sites": site.addresses, "bare": False}) as crowd:
            crowd.answer()
            for _ in range(REPEATS):
                runs.append(crowd.ask("storm"))
                time.sleep(QUIET_SECONDS)
                offline.append(site.prepare("presence")["offline"])
    found = [run["ms"] for run in runs if run["ms"]]
    return {
        "players": players,
        "all_back_ms": round(median(max(ms) for ms in found)) if found else None,
        "p50_ms": round(median(median(ms) for ms in found)) if found else None,
        "p99_ms": round(median(percentile(ms, 0.99) for ms in found)) if found else None,
        "errors": sum(len(run["errors"]) for run in runs),
        "first_error": next((fault for run in runs for fault in run["errors"]), None),
        "wrongly_offline": sum(offline),
    }
