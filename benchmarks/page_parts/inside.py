"""Pages of a knock-out and of a bracket with many entrants, measured.

Run by `benchmarks.pages` as `python -m benchmarks.page_parts.inside JOB`, JOB being JSON; prints
one JSON object.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Any

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import F  # noqa: E402
from django.test import Client, override_settings  # noqa: E402

from benchmarks.common import interleaved, percentiles  # noqa: E402
from tournaments import play, services  # noqa: E402
from tournaments.models import Entry, EntryState, RoundTable, Shape, Tournament  # noqa: E402
from tournaments.structure.lifecycle import State  # noqa: E402
from tournaments.structure.prize_text import read_prizes  # noqa: E402

NOW = datetime(2026, 3, 1, 18, tzinfo=UTC)
Figures = dict[str, Any]


def main(text: str) -> None:
    """Make the tournaments and measure their pages."""
    job: Figures = json.loads(text)
    connection.settings_dict["NAME"] = job["name"]
    call_command("migrate", verbosity=0)
    with play.silence(), override_settings(ROOT_URLCONF="benchmarks.tournament_parts.pages"):
        cup = _running(Shape.KNOCKOUT, "points", job["entrants"])
        bracket = _running(Shape.HEADS_UP, "heads_up", job["entrants"])
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


def _running(shape: Shape, format_name: str, entrants: int) -> Tournament:
    """A tournament in its first round, its entrants made without registering each."""
    terms = play.simulated_terms(
        format_name=format_name, profile_name=None, prizes=read_prizes("50,30,20")
    )
    made = services.create(
        name=f"{shape.label} of {entrants}",
        shape=shape,
        terms=terms,
        entry_fee=0,
        house_fee=0,
        capacity=entrants,
        now=NOW,
    )
    services.open_registration(tournament_id=made.pk, actor="x", now=NOW)
    people = User.objects.bulk_create(
        User(username=f"{shape.value}-{number}") for number in range(entrants)
    )
    Entry.objects.bulk_create(
        Entry(
            tournament=made, player=person, number=number, state=EntryState.PLAYING, joined_at=NOW
        )
        for number, person in enumerate(people, 1)
    )
    rows = Tournament.objects.filter(pk=made.pk)
    rows.update(state=State.RUNNING, started_at=NOW, numbers_given=entrants)
    services.open_round(tournament_id=made.pk, now=NOW)
    return rows.get()


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
