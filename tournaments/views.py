"""Pages of one tournament, for everybody to look at. They change nothing.

What is the same for everybody is kept until the tournament changes (see `fragments`); around it
stands what is the reader's own, made anew each time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from tournaments import bracket_drawing, selectors
from tournaments.access import may_organise
from tournaments.calendars import token_of
from tournaments.errors import TournamentRefusal
from tournaments.fragments import fragment, parts, stamp
from tournaments.models import Shape, Tournament
from tournaments.play import owner_of
from tournaments.play.sheets import may_enter_deals
from tournaments.pollers import name_of, polled
from tournaments.structure.sections import listed_sections
from tournaments.views_entering import context_of
from tournaments.views_sharing import address_of

MOST_PAGES = 100_000

Context = Callable[[], Mapping[str, Any]]


def _found(public_id: str) -> Tournament:
    try:
        return selectors.tournament_named(public_id)
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal


def _number(request: HttpRequest, name: str = "page") -> int:
    """A number out of the address; 1 for what is none."""
    text = request.GET.get(name, "")
    return min(int(text), MOST_PAGES) if text.isascii() and text.isdigit() and len(text) < 9 else 1


def _head(tournament: Tournament) -> SafeString:
    return fragment(
        tournament,
        "head",
        lambda: {"card": selectors.cards_of([tournament])[0], "tournament": tournament},
    )


def _page(
    request: HttpRequest, tournament: Tournament, part: str, html: SafeString
) -> HttpResponse:
    """A page of a tournament: its head, the reader's buttons, and one part."""
    user: Any = request.user
    context = context_of(request, tournament) | {
        "part": part,
        "html": html,
        "head": _head(tournament),
        "head_name": name_of(request, stamp(tournament, "head")),
        "address": address_of(request, tournament),
        "token": token_of(user) if part == "overview" and user.is_authenticated else "",
        "is_bracket": tournament.shape == Shape.HEADS_UP,
    }
    return render(request, "tournaments/tournament.html", context)


def _part(
    request: HttpRequest,
    public_id: str,
    part: str,
    context: Callable[[Tournament], Any],
    *about: Any,
) -> HttpResponse:
    tournament = _found(public_id)
    try:
        html = fragment(
            tournament, part, lambda: {**context(tournament), "tournament": tournament}, *about
        )
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    return _page(request, tournament, part, html)


def _paged(
    request: HttpRequest, public_id: str, part: str, sheet: Callable[[Tournament, int], Any]
) -> HttpResponse:
    number = _number(request)
    return _part(request, public_id, part, lambda found: {"sheet": sheet(found, number)}, number)


@require_safe
def tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    """Facts, first prizes and rules."""
    return _part(request, public_id, "overview", lambda found: {"sheet": selectors.overview(found)})


@require_safe
def entrants(request: HttpRequest, public_id: str) -> HttpResponse:
    """Entrants, or standings with what decided each rank."""
    return _paged(request, public_id, "entrants", selectors.entrants_page)


@require_safe
def prizes(request: HttpRequest, public_id: str) -> HttpResponse:
    """Every prize, expected and actual, and where the points went."""
    return _paged(request, public_id, "prizes", selectors.prizes_page)


@require_safe
def log(request: HttpRequest, public_id: str) -> HttpResponse:
    """What happened, by whom and why."""
    return _part(request, public_id, "log", lambda found: {"log": selectors.log_of(found)})


@require_safe
def rounds(request: HttpRequest, public_id: str) -> HttpResponse:
    """The bracket, or the rounds with the latest one's tables as they stand."""
    section = _number(request, "section") if "section" in request.GET else 0
    return _part(
        request,
        public_id,
        "rounds",
        lambda found: _rounds(found, section),
        section,
    )


def _rounds(tournament: Tournament, section: int) -> dict[str, Any]:
    listed = selectors.round_list(tournament)
    context: dict[str, Any] = {"rounds": listed}
    if not listed:
        return context
    if tournament.shape != Shape.HEADS_UP:
        live = selectors.live_round(tournament.public_id, listed[0].number)
        return context | {"live": live, "tables": parts("live_table", live.tables)}
    try:
        bracket = selectors.live_bracket(tournament.public_id, section)
    except TournamentRefusal:
        return context
    sections = bracket.sections
    return context | {
        "drawing": bracket_drawing.draw(bracket.shown, bracket.round_count),
        "section": bracket.section,
        "sections": listed_sections(bracket.section, sections) if sections > 1 else (),
        "last_section": sections,
    }


@require_safe
def live(request: HttpRequest, public_id: str) -> HttpResponse:
    """State, seats and pool alone, for who has the page open."""
    found = _found(public_id)
    context = {"tournament": found, "head": _head(found), "now": timezone.now()}
    return polled(request, stamp(found, "head"), "tournaments/_head.html", context)


@require_safe
def tournament_round(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """One round with all its tables and its draw."""
    found, page = _found(public_id), _number(request)
    try:
        html = fragment(
            found,
            "round",
            lambda: {"page": selectors.round_page(public_id, number, page)},
            number,
            page,
        )
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    context = {"tournament": found, "number": number, "html": html}
    return render(request, "tournaments/round.html", context)


@require_safe
def seating(request: HttpRequest, public_id: str) -> HttpResponse:
    """Who sits where now, to be put on the wall."""
    try:
        found = selectors.seating_list(public_id)
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    shown, user = found.tournament, request.user
    context = {
        "seating": found,
        "keeps_score": shown.in_person and may_enter_deals(user, owner_of(shown)),
        "may_go_on": shown.in_person and shown.state == "running" and may_organise(user, shown),
    }
    return render(request, "tournaments/seating.html", context)


@require_safe
def table_owner(request: HttpRequest, owner: str) -> HttpResponse:
    """From a table to whoever it belongs to."""
    try:
        found = selectors.tournament_of(owner)
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    return redirect("tournaments:tournament", found.public_id)
