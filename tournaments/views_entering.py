"""Joining, leaving, checking in, coming back, buying chips: one button each, one service each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments import money, selectors, services
from tournaments.errors import TournamentRefusal
from tournaments.models import Entry, EntryState, Tournament
from tournaments.offers import Act, Offers, known_of, offers_of
from tournaments.pollers import name_of, polled
from tournaments.refusals import sentence_of
from wording import told
from wording.typed import read_key

MAX_CODE: Final = 64


def offers_to(request: HttpRequest, tournament: Tournament) -> Offers:
    """What the reader is told; nothing where the terms cannot be read."""
    user: Any = request.user
    try:
        return offers_of(
            known_of(tournament, user.pk if user.is_authenticated else None, timezone.now())
        )
    except TournamentRefusal as refusal:
        return Offers(told(refusal.sentence))


def context_of(request: HttpRequest, tournament: Tournament, refusal: str = "") -> dict[str, Any]:
    """What `_offers.html` needs."""
    offers = offers_to(request, tournament)
    return {
        "tournament": tournament,
        "mine": offers,
        "refusal": refusal,
        "now": timezone.now(),
        "seen_name": name_of(request, offers),
    }


@require_safe
def mine(request: HttpRequest, public_id: str) -> HttpResponse:
    """What the reader can do, alone, for who has the page open."""
    tournament = _found(public_id)
    offers = offers_to(request, tournament)
    context = {"tournament": tournament, "mine": offers, "now": timezone.now()}
    return polled(request, offers, "tournaments/_offers.html", context)


@require_POST
def act(request: HttpRequest, public_id: str, wanted: str) -> HttpResponse:
    """Do what a button says, or say beside it why not."""
    tournament = _found(public_id)
    if wanted not in set(Act):
        raise Http404
    page = reverse("tournaments:tournament", args=[public_id])
    if not request.user.is_authenticated:
        return redirect_to_login(page)
    try:
        said = _DOES[Act(wanted)](request, tournament)
    except Exception as refusal:
        return _refused(request, tournament, sentence_of(refusal))
    if getattr(request, "htmx", False):
        answer = render(
            request, "tournaments/_offers.html", context_of(request, _found(public_id), "")
        )
        answer["HX-Trigger"] = "tournament-changed"
        return answer
    messages.success(request, said)
    return redirect(page)


def _refused(request: HttpRequest, tournament: Tournament, sentence: str) -> HttpResponse:
    context = context_of(request, tournament, sentence)
    if getattr(request, "htmx", False):
        return render(request, "tournaments/_offers.html", context)
    return render(request, "tournaments/refused.html", context, status=409)


def _found(public_id: str) -> Tournament:
    try:
        return selectors.tournament_named(public_id)
    except TournamentRefusal as refusal:
        raise Http404(refusal.sentence) from refusal


def _who(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    player: Any = request.user.pk
    return {
        "tournament_id": tournament.pk,
        "player_id": player,
        "actor": money.player_owner(player),
        "now": timezone.now(),
    }


def _join(request: HttpRequest, tournament: Tournament) -> str:
    code = request.POST.get("code", "")[:MAX_CODE]
    return _joined(services.register(code=code, **_who(request, tournament)))


def _joined(entry: Entry) -> str:
    if entry.state == EntryState.WAITING:
        return _("You are on the waitlist; you will be told when a seat is yours.")
    if entry.state == EntryState.APPLIED:
        return _("You have applied; you will be told what the organiser decides.")
    return _("You are in.")


def _withdraw(request: HttpRequest, tournament: Tournament) -> str:
    services.withdraw(**_who(request, tournament))
    return _("You are out of it, and what was set aside is back in your wallet.")


def _check_in(request: HttpRequest, tournament: Tournament) -> str:
    services.check_in(**_who(request, tournament))
    return _("You have checked in.")


def _re_enter(request: HttpRequest, tournament: Tournament) -> str:
    services.re_enter(**_who(request, tournament))
    return _("You are back, from the next round on.")


def _rebuy(request: HttpRequest, tournament: Tournament) -> str:
    services.rebuy(**_who(request, tournament))
    return _("You have your chips.")


def _use_ticket(request: HttpRequest, tournament: Tournament) -> str:
    who = _who(request, tournament)
    del who["tournament_id"]
    ticket = read_key(request.POST.get("ticket", "")) or 0
    return _joined(services.use_ticket(ticket_id=ticket, **who))


_DOES: Final[dict[Act, Callable[[HttpRequest, Tournament], str]]] = {
    Act.JOIN: _join,
    Act.WITHDRAW: _withdraw,
    Act.CHECK_IN: _check_in,
    Act.RE_ENTER: _re_enter,
    Act.REBUY: _rebuy,
    Act.USE_TICKET: _use_ticket,
}
