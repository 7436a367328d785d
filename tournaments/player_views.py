"""Pages after play: my play, my results, leaders, a player's public page, draws computed again."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments import money
from tournaments.amounts import in_unit
from tournaments.draw_checks import draw_page
from tournaments.errors import TournamentRefusal
from tournaments.play.after import hand_history
from tournaments.selectors.leaderboards import Measure, leaderboard
from tournaments.selectors.mine import my_play
from tournaments.selectors.results import matches_of, my_result, profile_of

MEASURES: Final = (
    (Measure.WINS, _("Tournaments won")),
    (Measure.PRIZES, _("Prizes")),
    (Measure.NET, _("Won less paid")),
)
_MEDIA: Final = {"json": "application/json", "txt": "text/plain; charset=utf-8"}


@login_required
@require_safe
@never_cache
def mine(request: HttpRequest) -> HttpResponse:
    """What waits for the player, what he has entered, plays and has played."""
    user: Any = request.user
    found = my_play(player_id=user.pk, page=request.GET.get("page", 1), now=datetime.now(UTC))
    return render(request, "tournaments/mine.html", {"mine": found})


@login_required
@require_safe
@never_cache
def result(request: HttpRequest, public_id: str) -> HttpResponse:
    """What the player made of one tournament, table by table and deal by deal."""
    user: Any = request.user
    try:
        found = my_result(public_id, user.pk)
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    return render(request, "tournaments/result.html", {"result": found})


@login_required
@require_safe
@never_cache
def history(request: HttpRequest, public_id: str, form: str) -> HttpResponse:
    """All deals that the player has played in a tournament, as a file."""
    user: Any = request.user
    if form not in _MEDIA:
        raise Http404
    try:
        matches = matches_of(public_id, user.pk)
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    return HttpResponse(
        hand_history(matches, user.pk, form),
        content_type=_MEDIA[form],
        headers={"Content-Disposition": f'attachment; filename="tournament-{public_id}.{form}"'},
    )


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Who did best in a month, by wins, prizes or what was won less what was paid."""
    year, month = _month(request.GET.get("month", ""), datetime.now(UTC).date())
    measure = _measure(request.GET.get("by", ""))
    try:
        board = leaderboard(
            year=year, month=month, measure=measure, page=request.GET.get("page", 1)
        )
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    rows = [(line, _value(measure, line.value)) for line in board.lines]
    shown = {
        "board": board,
        "rows": rows,
        "measures": MEASURES,
        "month": f"{year:04}-{month:02}",
        "month_begins": date(year, month, 1),
        "at": f"&month={year:04}-{month:02}&by={measure.value}",
    }
    return render(request, "tournaments/leaderboards.html", shown)


def _month(text: str, today: date) -> tuple[int, int]:
    """Year and month of `2026-03`; this month for what is none."""
    try:
        asked = datetime.strptime(text, "%Y-%m").replace(tzinfo=UTC)
    except ValueError:
        return today.year, today.month
    return asked.year, asked.month


def _measure(text: str) -> Measure:
    return Measure(text) if text in list(Measure) else Measure.WINS


def _value(measure: Measure, value: int) -> str:
    return str(value) if measure is Measure.WINS else in_unit(value, money.PLAY_POINTS)


@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    """What everybody may know of a player: results, rating, last matches."""
    try:
        found = profile_of(username, request.GET.get("page", 1))
    except TournamentRefusal as refusal:
        raise Http404("There is no such player.") from refusal
    return render(request, "tournaments/player.html", {"profile": found})


@require_safe
def verify_draw(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """A round's draw, with all that a browser needs to compute it again."""
    try:
        found = draw_page(public_id, number)
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal
    shown = {"draw": found, "checks": found.checks, "data": json.dumps(found.checks)}
    return render(request, "tournaments/verify_draw.html", shown)
