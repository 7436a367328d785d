"""Pages of a knock-out and of a bracket with many entrants, measured.

Run by `benchmarks.pages` as `python -m benchmarks.page_parts.inside JOB`, JOB being JSON; prints
one JSON object.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import F  # noqa: E402
from django.test import Client, override_settings  # noqa: E402

from benchmarks.common import interleaved, percentiles  # noqa: E402
from benchmarks.page_parts.running import running  # noqa: E402
from tournaments import play  # noqa: E402
from tournaments.models import RoundTable, Shape, Tournament  # noqa: E402

Figures = dict[str, Any]


def main(text: str) -> None:
    """Make the tournaments and measure their pages."""
    job: Figures = json.loads(text)
    connection.settings_dict["NAME"] = job["name"]
    call_command("migrate", verbosity=0)
    with play.silence(), override_settings(ROOT_URLCONF="benchmarks.tournament_parts.pages"):
        cup = running(Shape.KNOCKOUT, "points", job["entrants"])
        bracket = running(Shape.HEADS_UP, "heads_up", job["entrants"])
        table = RoundTable.objects.filter(round__tournament=cup).select_related("match__table")
        address = f"/tournaments/{cup.public_id}/"
        pages = {
            "lobby": "/",
            "tournament": address,
            "standings": f"{address}entrants/",
            "round": f"{address}rounds/",
            "bracket": f"/tournaments/{bracket.public_id}/rounds/",
            "table": f"/tables/{table[0].match.table.public_id}/",
        }
        found = {name: _measured(page, job["repeats"]) for name, page in pages.items()}
    sys.stdout.write(json.dumps({"client": "Django's test client", **found}))


def _measured(page: str, repeats: int) -> Figures:
    client = Client()

    def get(address: str) -> None:
        if client.get(address).status_code != 200:
            raise SystemExit(f"{address} does not answer.")

    def changed() -> None:
        Tournament.objects.update(changes=F("changes") + 1)
        get(page)

    get(page)
    get("/hello/")
    kept = interleaved({"page": lambda: get(page), "hello": lambda: get("/hello/")}, repeats)
    fresh = interleaved({"page": changed, "hello": lambda: get("/hello/")}, max(5, repeats // 6))
    plain = percentiles(kept["hello"])
    return {
        "pages_a_second": round(1e6 / percentiles(kept["page"])["median"], 1),
        "hello_a_second": round(1e6 / plain["median"], 1),
        "ratio": round(plain["median"] / percentiles(kept["page"])["median"], 3),
        "page_us": percentiles(kept["page"]),
        "fresh_us": percentiles(fresh["page"]),
        "ratio_fresh": round(
            percentiles(fresh["hello"])["median"] / percentiles(fresh["page"])["median"], 3
        ),
    }


if __name__ == "__main__":
    main(sys.argv[1])
