"""Paper for the hall: sign-in list, seating, score sheets to be filled in by hand, results.

The pages are plain, and a print style sheet makes them fit; nothing is made of them but HTML.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import play, selectors
from tournaments.amounts import in_unit
from tournaments.models import HOLDS_A_SEAT, Entry, Tournament
from tournaments.play.words import in_words
from tournaments.selectors.lists import player_name

DEALS_ON_A_SHEET: Final = 12
MOST: Final = 5_000


def _sign_in(tournament: Tournament) -> dict[str, Any]:
    """Who has a seat, by name, with room to sign."""
    rows = _seated(tournament).order_by("player__last_name", "player__username")
    return {"entries": [(entry, player_name(entry)) for entry in rows[:MOST]]}


def _seated(tournament: Tournament) -> Any:
    return tournament.entries.filter(state__in=HOLDS_A_SEAT).select_related("player")


def _seating(tournament: Tournament) -> dict[str, Any]:
    """Tables, and everybody by name with his table."""
    tables = selectors.seating_list(tournament.public_id).tables
    where = sorted(
        ((name, table, seat) for table in tables for seat, name in enumerate(table.names, 1)),
        key=lambda one: one[0].casefold(),
    )
    return {"tables": tables, "where": where}


def _score_sheets(tournament: Tournament) -> dict[str, Any]:
    """A sheet a table, with a row a deal."""
    words = in_words(play.terms_of(tournament))
    return {
        "tables": selectors.seating_list(tournament.public_id).tables,
        "deals": range(1, DEALS_ON_A_SHEET + 1),
        "format": words.format,
        "facts": words.facts[:4],
    }


def _results(tournament: Tournament) -> dict[str, Any]:
    """Ranks and prizes as far as they are settled."""
    rows = _seated(tournament).filter(rank__isnull=False).order_by("rank", "number")
    page = Paginator(rows, MOST).get_page(1)
    return {"rows": [_result(entry, tournament.asset) for entry in page]}


def _result(entry: Entry, asset: str) -> tuple[int | None, str, str, str]:
    prize = in_unit(entry.prize, asset) if entry.prize else ""
    return entry.rank, player_name(entry), prize, entry.prize_reason or entry.reason


Made = Callable[[Tournament], dict[str, Any]]
PAPERS: Final[dict[str, tuple[Any, Made]]] = {
    "sign-in": (_("Sign-in list"), _sign_in),
    "seating": (_("Seating"), _seating),
    "score-sheets": (_("Score sheets"), _score_sheets),
    "results": (_("Results"), _results),
}


def paper(request: HttpRequest, tournament: Tournament, what: str) -> HttpResponseBase:
    """One of the papers."""
    if what not in PAPERS or (tournament.state == "draft" and what != "sign-in"):
        raise Http404
    title, made = PAPERS[what]
    context = {
        "tournament": tournament,
        "title": title,
        "now": timezone.now(),
        "papers": [(name, words) for name, (words, _made) in PAPERS.items()],
        "what": what,
        **made(tournament),
    }
    return render(request, f"admin/tournaments/paper/{what}.html", context)
