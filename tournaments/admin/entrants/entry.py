"""One entrant: his code for the desk, what staff and clock did, and his date of birth."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST
from unfold.widgets import INPUT_CLASSES

from staff.desk import show
from staff.services.audit import doer_of
from tournaments.admin.entrants import doing
from tournaments.admin.entrants.listing import players_named
from tournaments.entry_codes import code_of
from tournaments.models import Entry, EntryState, PlayerFacts, Tournament
from tournaments.refusals import sentence_of
from tournaments.selectors.waiting import place_of


class BirthForm(forms.Form):
    """A date of birth that staff has seen proof of."""

    born_on = forms.DateField(
        label=gettext_lazy("Date of birth"),
        help_text=gettext_lazy("As in the paper you were shown. It counts for every tournament."),
        widget=forms.DateInput(attrs={"type": "date", "class": " ".join(INPUT_CLASSES)}),
    )


def entry_of(tournament: Tournament, key: int) -> Entry:
    """An entry of this tournament. Raises `Http404`."""
    found = tournament.entries.select_related("player").filter(pk=key).first()
    if found is None:
        raise Http404
    found.tournament = tournament
    return found


def entrant(request: HttpRequest, tournament: Tournament, key: int) -> HttpResponseBase:
    """One entrant of a tournament."""
    return _page(request, entry_of(tournament, key), BirthForm())


def _page(request: HttpRequest, entry: Entry, form: BirthForm) -> HttpResponseBase:
    confirmed = PlayerFacts.objects.filter(player=entry.player_id).first()
    waits = entry.state == EntryState.WAITING
    context: dict[str, Any] = {
        "tournament": entry.tournament,
        "here": "entrants",
        "entry": entry,
        "place": place_of(entry) if waits else None,
        "code": code_of(entry) if entry.state == EntryState.ENTERED else "",
        "notes": list(entry.notes.order_by("id")),
        "form": form,
        "confirmed": confirmed,
    }
    title = f"{entry.tournament.name}: {entry.player.get_username()}"
    return show(request, "admin/tournaments/entrant.html", title, context)


@require_POST
def birth(request: HttpRequest, tournament: Tournament, key: int) -> HttpResponseBase:
    """Confirm a date of birth."""
    entry = entry_of(tournament, key)
    form = BirthForm(request.POST)
    if not form.is_valid():
        return _page(request, entry, form)
    born_on: date = form.cleaned_data["born_on"]
    try:
        doing.confirm_birth(doer_of(request), entry.player, born_on)
    except Exception as refusal:
        form.add_error("born_on", sentence_of(refusal))
        return _page(request, entry, form)
    messages.success(request, _("The date of birth is confirmed."))
    return redirect("admin:tournaments_entrant", tournament.pk, key)


def invitations(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Who may enter where only invited players may."""
    if request.method == "POST":
        try:
            players = players_named(request.POST.get("names", ""))
            change = doing.uninvite if "remove" in request.POST else doing.invite
            number = change(doer_of(request), tournament, players)
        except Exception as refusal:
            messages.error(request, sentence_of(refusal))
        else:
            messages.success(request, _("The list has changed by %(n)d.") % {"n": number})
        return redirect("admin:tournaments_invitations", tournament.pk)
    invited = tournament.invitations.select_related("player").order_by("player__username")
    context = {
        "tournament": tournament,
        "here": "invitations",
        "invited": invited[:500],
        "number": invited.count(),
    }
    title = _("%(name)s: invitations") % {"name": tournament.name}
    return show(request, "admin/tournaments/invitations.html", title, context)
