"""The pages of a small and of a large tournament, beside a view that says hello."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import include, path, reverse

from benchmarks.common import interleaved, percentiles
from tournaments.models import Tournament

REPEATS = 30

Figures = dict[str, Any]


def hello(request: HttpRequest) -> HttpResponse:
    """The least a view can say."""
    return HttpResponse("hello")


urlpatterns = [path("hello/", hello), path("", include("rummy_site.urls"))]


def measure_pages(small: Tournament, large: Tournament) -> Figures:
    """Queries and pages a second of every page, for both tournaments."""
    with override_settings(ROOT_URLCONF=__name__):
        client = Client()
        pages = {"lobby": {"small": "/", "large": "/"}}
        for name in ("tournament", "entrants", "rounds", "round"):
            pages[name] = {"small": _address(name, small), "large": _address(name, large)}
        found: Figures = {}
        for name, addresses in pages.items():
            found[name] = _beside_hello(client, addresses)
    return found


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
    times = interleaved(
        {"page": lambda: get(addresses["large"]), "hello": lambda: get("/hello/")}, REPEATS
    )
    page, plain = percentiles(times["page"]), percentiles(times["hello"])
    return {
        "queries_small": _queries(lambda: get(addresses["small"])),
        "queries_large": _queries(lambda: get(addresses["large"])),
        "pages_a_second": round(1e6 / page["median"], 1),
        "hello_a_second": round(1e6 / plain["median"], 1),
        "ratio": round(plain["median"] / page["median"], 3),
        "page_us": page,
    }


def _queries(work: Any) -> int:
    with CaptureQueriesContext(connection) as seen:
        work()
    return len(seen.captured_queries)
