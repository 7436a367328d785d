"""Pages of tournaments, for everybody to look at. They change nothing."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from tournaments import selectors
from tournaments.errors import TournamentRefusal


@require_safe
def tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    """One tournament: terms, standings, rounds, draws, money, log."""
    try:
        sheet = selectors.tournament_sheet(public_id, request.GET.get("page", 1))
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    return render(request, "tournaments/tournament.html", {"sheet": sheet})


@require_safe
def tournament_round(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """One round with all its tables."""
    try:
        page = selectors.round_page(public_id, number, request.GET.get("page", 1))
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    return render(request, "tournaments/round.html", {"page": page})


@require_safe
def seating(request: HttpRequest, public_id: str) -> HttpResponse:
    """Who sits where now, to be put on the wall."""
    try:
        found = selectors.seating_list(public_id)
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    return render(request, "tournaments/seating.html", {"seating": found})


@require_safe
def table_owner(request: HttpRequest, owner: str) -> HttpResponse:
    """From a table to whoever it belongs to."""
    try:
        found = selectors.tournament_of(owner)
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    return redirect("tournaments:tournament", found.public_id)
