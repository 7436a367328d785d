"""Quick tables: choosing one, waiting for the last seat, leaving before it begins."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments import selectors, services
from tournaments.pollers import name_of, polled
from tournaments.refusals import sentence_of
from tournaments.services.quick import MAX_SEATS, MIN_SEATS, STAKES, QuickFormat, Wish

FORMATS: Final = (
    (QuickFormat.POINTS.value, gettext_lazy("Points: one deal")),
    (QuickFormat.POOL101.value, gettext_lazy("101 pool: out at 101 points")),
    (QuickFormat.DEALS.value, gettext_lazy("Deals: a fixed number, most chips win")),
)


def _stakes() -> list[tuple[str, str]]:
    return [
        (str(stake), _("%(stake)s play points") % {"stake": stake} if stake else _("Nothing"))
        for stake in STAKES
    ]


class QuickForm(forms.Form):
    """The choices of a quick table."""

    format = forms.ChoiceField(label=gettext_lazy("Game"), choices=FORMATS)
    seats = forms.TypedChoiceField(
        label=gettext_lazy("Seats"),
        coerce=int,
        choices=[(str(n), str(n)) for n in range(MIN_SEATS, MAX_SEATS + 1)],
    )
    stake = forms.TypedChoiceField(label=gettext_lazy("Each pays"), coerce=int, choices=_stakes)
    bots = forms.BooleanField(required=False)

    def wish(self) -> Wish:
        """What was chosen, once it is valid."""
        said = self.cleaned_data
        return Wish(
            format=QuickFormat(said["format"]),
            seats=said["seats"],
            stake=said["stake"],
            with_bots=said["bots"],
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def quick(request: HttpRequest) -> HttpResponse:
    """Choose a quick table, or sit down at it."""
    form = QuickForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        player: Any = request.user.pk
        try:
            found = services.sit_down(player_id=player, wish=form.wish(), now=timezone.now())
        except Exception as refusal:
            form.add_error(None, sentence_of(refusal))
        else:
            return _to_table(player, found.public_id)
    return _chooser(request, form)


def _chooser(request: HttpRequest, form: QuickForm) -> HttpResponse:
    player: Any = request.user.pk
    context = {
        "form": form,
        "formats": FORMATS,
        "mine": selectors.open_seats_of(player),
    }
    return render(request, "tournaments/quick.html", context, status=409 if form.errors else 200)


def _to_table(player_id: int, public_id: str) -> HttpResponse:
    seat = selectors.seat_of(public_id, player_id)
    if seat is not None and seat.has_begun:
        return redirect("tables:table", seat.table)
    return redirect("tournaments:quick-seat", public_id)


def _seat(request: HttpRequest, public_id: str) -> selectors.QuickSeat:
    player: Any = request.user.pk
    seat = selectors.seat_of(public_id, player)
    if seat is None:
        raise Http404(_("You do not sit at this table."))
    return seat


@login_required
@require_safe
def quick_seat(request: HttpRequest, public_id: str) -> HttpResponse:
    """Wait for the last seat; leads to the table once it has begun."""
    seat = _seat(request, public_id)
    if seat.has_begun:
        return redirect("tables:table", seat.table)
    context = {"seat": seat, "now": timezone.now(), "seen_name": name_of(request, _shown(seat))}
    return render(request, "tournaments/quick_seat.html", context)


def _shown(seat: selectors.QuickSeat) -> tuple[object, ...]:
    return (seat.taken, seat.tournament.state)


@login_required
@require_safe
def quick_seat_part(request: HttpRequest, public_id: str) -> HttpResponse:
    """How many have come, alone, for who waits; sends him to the table when it begins."""
    seat = _seat(request, public_id)
    if seat.has_begun:
        answer = HttpResponse(status=200)
        answer["HX-Redirect"] = redirect("tables:table", seat.table)["Location"]
        return answer
    context = {"seat": seat, "now": timezone.now()}
    return polled(request, _shown(seat), "tournaments/_quick_seat.html", context)


@login_required
@require_POST
def quick_leave(request: HttpRequest, public_id: str) -> HttpResponse:
    """Give the seat up."""
    player: Any = request.user.pk
    try:
        services.leave(public_id=public_id, player_id=player, now=timezone.now())
    except Exception as refusal:
        messages.error(request, sentence_of(refusal))
    else:
        messages.success(request, _("You have left the table; nothing was charged."))
    return redirect("tournaments:quick")
