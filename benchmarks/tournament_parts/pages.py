"""The pages of a small and of a large tournament, beside a view that says hello.

A page is kept until its tournament changes. So its queries are counted when nothing is kept, and it
is timed both ways: kept, and made anew (`fresh`).
"""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import include, path, reverse

from benchmarks.common import interleaved, percentiles
from benchmarks.page_parts.running import running
from tournaments.fragments import cache
from tournaments.models import Shape, Tournament

REPEATS = 30

Figures = dict[str, Any]


def hello(request: HttpRequest) -> HttpResponse:
    """The least a view can say."""
    return HttpResponse("hello")


urlpatterns = [path("hello/", hello), path("", include("rummy_site.urls"))]


def measure_pages(small: Tournament, large: Tournament) -> Figures:
    """Queries and pages a second of every page, for tournaments of both sizes.

    The lobby is the same page for both; it is asked for before the large one is public, and after.
    """
    sizes = {"small": small, "large": large}
    with override_settings(ROOT_URLCONF=__name__):
        client = Client()
        found = {"lobby": _beside_hello(client, {"small": f"/?q={small.name}", "large": "/"})}
        for name in ("tournament", "entrants", "rounds", "round"):
            addresses = {size: _address(name, one) for size, one in sizes.items()}
            found[name] = _beside_hello(client, addresses)
        addresses = {size: _first_part(_bracket_like(one)) for size, one in sizes.items()}
        found["bracket"] = _beside_hello(client, addresses)
    return found


def _bracket_like(one: Tournament) -> Tournament:
    """A heads-up bracket in its first round, with as many entrants."""
    return running(Shape.HEADS_UP, "heads_up", one.entries.count())


def _first_part(bracket: Tournament) -> str:
    """Where its first tables are drawn; a small bracket has no other part."""
    return f"{_address('rounds', bracket)}?section=1"


def _address(name: str, tournament: Tournament) -> str:
    numbers = [1] if name == "round" else []
    return reverse(f"tournaments:{name}", args=[tournament.public_id, *numbers])


def _beside_hello(client: Client, addresses: dict[str, str]) -> Figures:
    def get(address: str) -> None:
        answer = client.get(address)
        if answer.status_code != 200:
            raise SystemExit(f"{address} answers {answer.status_code}.")

    for address in (*addresses.values(), "/hello/"):
        get(address)  # composes templates and statements

    def fresh(size: str) -> None:
        cache.clear()
        get(addresses[size])

    kept = interleaved(
        {"page": lambda: get(addresses["large"]), "hello": lambda: get("/hello/")}, REPEATS
    )
    made = interleaved({"page": lambda: fresh("large")}, REPEATS // 3)
    page, plain = percentiles(kept["page"]), percentiles(kept["hello"])
    anew = percentiles(made["page"])
    return {
        "queries_small": _queries(lambda: fresh("small")),
        "queries_large": _queries(lambda: fresh("large")),
        "pages_a_second": round(1e6 / page["median"], 1),
        "hello_a_second": round(1e6 / plain["median"], 1),
        "ratio": round(plain["median"] / page["median"], 3),
        "ratio_fresh": round(plain["median"] / anew["median"], 3),
        "page_us": page,
        "fresh_us": anew,
    }


def _queries(work: Any) -> int:
    with CaptureQueriesContext(connection) as seen:
        work()
    return len(seen.captured_queries)
