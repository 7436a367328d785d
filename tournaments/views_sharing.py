"""What leads out of the site: calendar files, a code to be photographed, the wall's screen."""

from __future__ import annotations

import io
from typing import Any, Final

import segno
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments import people, selectors
from tournaments.calendars import calendar_of, owner_of, tournaments_of
from tournaments.entry_codes import code_of
from tournaments.errors import TournamentRefusal
from tournaments.fragments import fragment, stamp
from tournaments.models import Entry, EntryState, Shape, Tournament
from tournaments.pollers import name_of, polled
from tournaments.structure.lifecycle import State, is_live

TABLES_ON_SCREEN: Final = 24
RANKS_ON_SCREEN: Final = 12


def _found(public_id: str) -> Tournament:
    try:
        return selectors.tournament_named(public_id)
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal


def address_of(request: HttpRequest, tournament: Tournament) -> str:
    """A tournament's whole address, to be sent to somebody."""
    return request.build_absolute_uri(
        reverse("tournaments:tournament", args=[tournament.public_id])
    )


@require_safe
def event(request: HttpRequest, public_id: str) -> HttpResponse:
    """One tournament for a calendar; not found where no start is set."""
    tournament = _found(public_id)
    if tournament.starts_at is None:
        raise Http404(_("It has no time that is set."))
    return _calendar(request, [tournament], "tournament.ics")


@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """A player's own calendar, for programs that ask for it; the address is its only key."""
    user = owner_of(token)
    if user is None:
        raise Http404
    name = _("Rummy tournaments of %(name)s") % {"name": user.get_username()}
    with timezone.override(people.zone_of(user.pk)):  # the program that asks is not logged in
        answer = _calendar(request, tournaments_of(user.pk), "my-tournaments.ics", name)
    answer["X-Robots-Tag"] = "noindex"
    return answer


def _calendar(
    request: HttpRequest, tournaments: list[Tournament], file_name: str, name: str = ""
) -> HttpResponse:
    text = calendar_of(
        tournaments,
        address_of=lambda tournament: address_of(request, tournament),
        zone=timezone.get_current_timezone_name(),
        now=timezone.now(),
        name=name,
    )
    answer = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{file_name}"'
    patch_cache_control(answer, private=True, no_cache=True)
    return answer


@require_safe
def qr(request: HttpRequest, public_id: str) -> HttpResponse:
    """A tournament's address as a QR code, as large as it is shown."""
    answer = _drawn(address_of(request, _found(public_id)))
    patch_cache_control(answer, public=True, max_age=3600)
    return answer


@login_required
@require_safe
def my_code(request: HttpRequest, public_id: str) -> HttpResponse:
    """The reader's own code for the desk as a QR code: the address that the staff's phone opens.

    Not found for who has no seat there.
    """
    rows = Entry.objects.filter(player_id=request.user.pk, state=EntryState.ENTERED)
    entry = rows.filter(tournament__public_id=public_id).first()
    if entry is None:
        raise Http404
    desk = reverse("admin:tournaments_check_in_code", args=[entry.tournament_id, code_of(entry)])
    answer = _drawn(request.build_absolute_uri(desk))
    patch_cache_control(answer, private=True, no_store=True)
    return answer


def _drawn(text: str) -> HttpResponse:
    made = segno.make(text, error="m", micro=False)
    drawn = io.BytesIO()
    made.save(drawn, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False)
    return HttpResponse(drawn.getvalue(), content_type="image/svg+xml")


@require_safe
def screen(request: HttpRequest, public_id: str) -> HttpResponse:
    """The tournament in large type for a wall, without anything to press."""
    tournament = _found(public_id)
    context = _screen(tournament)
    name = name_of(request, _seen(tournament))
    return render(request, "tournaments/screen.html", context | {"seen_name": name})


@require_safe
def screen_part(request: HttpRequest, public_id: str) -> HttpResponse:
    """What changes on the wall."""
    tournament = _found(public_id)
    return polled(request, _seen(tournament), "tournaments/_screen.html", _screen(tournament))


def _seen(tournament: Tournament) -> str:
    return stamp(tournament, "screen")


def _screen(tournament: Tournament) -> dict[str, Any]:
    html = fragment(tournament, "screen", lambda: _screen_context(tournament))
    return {"tournament": tournament, "html": html, "now": timezone.now()}


def _screen_context(tournament: Tournament) -> dict[str, Any]:
    context: dict[str, Any] = {"sheet": selectors.overview(tournament), "tournament": tournament}
    if is_live(State(tournament.state)) and tournament.shape != Shape.LEVELS:
        seating = selectors.seating_list(tournament.public_id)
        return context | {
            "tables": seating.tables[:TABLES_ON_SCREEN],
            "more": max(0, len(seating.tables) - TABLES_ON_SCREEN),
        }
    return context | {"rows": selectors.entrants_page(tournament).rows[:RANKS_ON_SCREEN]}
