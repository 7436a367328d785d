"""The pages of the control room: the room, its live part, and the two steps of every deed.

First the deed is asked for and foretold; only a second press, with the token of what was foretold,
does it. What changed between the two is shown anew instead.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from staff.desk import say_done, show
from staff.services.audit import Doer, acting, doer_of
from tournaments.access import may_organise
from tournaments.admin.control.asks import Ask, Wish
from tournaments.admin.control.deed import About, Deed
from tournaments.admin.control.deeds import BY_NAME, open_deeds
from tournaments.admin.control.words import Told
from tournaments.auditing import entry_subject, picture_of, subject_of
from tournaments.models import Entry, Tournament
from tournaments.pollers import polled
from tournaments.refusals import sentence_of
from tournaments.selectors import control
from tournaments.selectors.lists import state_words
from tournaments.services.foretelling import only_looking
from tournaments.structure.lifecycle import State, is_live

PAGE: Final = "admin/tournaments/control/room.html"
PART: Final = "admin/tournaments/control/_floor.html"
CHAT: Final = "admin/tournaments/control/chat.html"
DEED: Final = "admin/tournaments/control/deed.html"
MAX_NUMBER: Final = 9
"""Digits of a number in an address."""


def room(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Rounds, tables with their clocks, who is missing, and what can be done."""
    return show(request, PAGE, tournament.name, _context(request, tournament))


def part(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The live part alone, for a page that was told that something has changed."""
    context = _context(request, tournament)
    shown = context["room"]
    tables = [table._replace(left_ms=None) for table in shown.tables]
    seen = (tournament.changes, shown.rounds, tables, shown.missing, shown.missing_count)
    return polled(request, (seen, request.GET.get("round"), shown.page.number), PART, context)


def _context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    found = control.control_room(
        tournament,
        number=_number(request.GET.get("round")),
        page=request.GET.get("page", 1),
        now=doer_of(request).at,
    )
    deeds = {about: open_deeds(request.user, tournament, about) for about in About}
    return _head(request, tournament) | {
        "room": found,
        "state": state_words(tournament),
        "is_live": is_live(State(tournament.state)),
        "is_paused": tournament.state == State.PAUSED,
        "deeds": deeds[About.TOURNAMENT],
        "table_deeds": deeds[About.TABLE],
        "player_deeds": deeds[About.PLAYER],
    }


def _head(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """What the head of the page is made of; an arbiter has no way to the organisers' pages."""
    is_led = may_organise(request.user, tournament)
    return {"tournament": tournament, "here": "control", "is_led": is_led}


def chat(request: HttpRequest, tournament: Tournament, table: int) -> HttpResponseBase:
    """What was said at a table, and whom one may keep from writing there."""
    line = control.table_line(tournament, table, doer_of(request).at)
    if line is None:
        raise Http404
    context = _head(request, tournament) | {
        "table": line,
        "lines": control.chat_at(line.pk),
        "may_mute": BY_NAME["mute"].is_open_to(request.user, tournament),
    }
    title = _("Chat of table %(number)s") % {"number": line.number}
    return show(request, CHAT, title, context)


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) <= MAX_NUMBER else None


class _Opened(NamedTuple):
    """A deed with the table and player that the address names."""

    deed: Deed
    tournament: Tournament
    table: control.TableLine | None
    entry: Entry | None

    def wish(self, ask: Ask, doer: Doer) -> Wish:
        """What is wanted; the form is valid."""
        data = dict(ask.cleaned_data)
        reason = data.pop("reason", "").strip()
        return Wish(self.tournament, self.table, self.entry, data, doer.signature, reason, doer.at)


def deed(request: HttpRequest, tournament: Tournament, name: str) -> HttpResponseBase:
    """Ask for a deed, foretell it, and do it once what was foretold is confirmed."""
    doer = doer_of(request)
    opened = _open(request, tournament, name, doer)
    is_sent = request.method == "POST"
    ask = opened.deed.ask(
        request.POST if is_sent else None, tournament=tournament, table=opened.table
    )
    if not is_sent:
        asks_nothing = set(ask.fields) == {"reason"} and not opened.deed.is_grave
        found = _first_look(opened, doer) if asks_nothing else None
        return _asked(request, opened, ask, found)
    if not ask.is_valid():
        return _asked(request, opened, ask, None)
    wish = opened.wish(ask, doer)
    try:
        found = _foretold(opened, wish)
        confirmed = request.POST.get("confirmed", "")
        if "_look" in request.POST or not confirmed:
            return _asked(request, opened, ask, found)
        if confirmed != found.token:
            ask.add_error(None, _("Something has changed since you looked. This is how it is now."))
            return _asked(request, opened, ask, found, status=409)
        if found.needs_force and "force" not in request.POST:
            ask.add_error(None, _("Say that the later tables may be discarded, or leave it."))
            return _asked(request, opened, ask, found)
        is_done = _do(opened, wish, doer, found.token, "force" in request.POST)
    except (Http404, PermissionDenied):
        raise
    except Exception as refusal:
        field = getattr(refusal, "field", None)
        ask.add_error(field if field in ask.fields else None, sentence_of(refusal))
        return _asked(request, opened, ask, None)
    said = _("Done: %(title)s.") % {"title": opened.deed.title}
    say_done(request, said, is_done=is_done)
    return redirect("admin:tournaments_control", tournament.pk)


def _do(opened: _Opened, wish: Wish, doer: Doer, token: str, force: bool) -> bool:
    """Do it, with its line; whether there was anything to do."""
    about = opened.entry
    with acting(
        by=doer,
        action=f"tournaments.{opened.deed.name}",
        subject=subject_of(opened.tournament) if about is None else entry_subject(about),
        reason=wish.reason,
        picture=lambda: picture_of(opened.tournament.pk) | _place(opened),
    ) as line:
        came_of_it = opened.deed.carry_out(wish, token, force)
        if isinstance(came_of_it, int) and not came_of_it:
            line.leave_out()
    return not line.is_left_out


def _place(opened: _Opened) -> dict[str, Any]:
    """At which table, and how it stands with the player."""
    found: dict[str, Any] = {}
    if opened.table is not None:
        found["table"] = opened.table.number
    if opened.entry is not None:
        found["entry"] = Entry.objects.values_list("state", flat=True).get(pk=opened.entry.pk)
    return found


def _foretold(opened: _Opened, wish: Wish) -> Told:
    """What would follow; nothing is changed. Raises what the deed raises."""
    return only_looking(lambda: opened.deed.foretell(wish))


def _first_look(opened: _Opened, doer: Doer) -> Told | None:
    """What would follow, told at once where nothing has to be asked. None where it is refused."""
    wish = Wish(opened.tournament, opened.table, opened.entry, {}, doer.signature, "", doer.at)
    try:
        return _foretold(opened, wish)
    except Exception as refusal:
        sentence_of(refusal)  # a fault goes on
        return None


def _open(request: HttpRequest, tournament: Tournament, name: str, doer: Doer) -> _Opened:
    """Raises `Http404` for what is not there, `PermissionDenied` for what one may not do."""
    found = BY_NAME.get(name)
    if found is None:
        raise Http404
    if not found.right(request.user, tournament):
        raise PermissionDenied
    table = _number(request.GET.get("table"))
    line = None if table is None else control.table_line(tournament, table, doer.at)
    player = _number(request.GET.get("player"))
    entries = tournament.entries.select_related("player", "tournament")
    entry = None if player is None else entries.filter(player_id=player).first()
    if (found.about is About.TABLE and line is None) or (table is not None and line is None):
        raise Http404
    if found.about is About.PLAYER and entry is None:
        raise Http404
    return _Opened(found, tournament, line, entry)


def _asked(
    request: HttpRequest, opened: _Opened, ask: Ask, found: Told | None, *, status: int = 200
) -> HttpResponseBase:
    context = _head(request, opened.tournament) | {
        "deed": opened.deed,
        "table": opened.table,
        "entry": opened.entry,
        "ask": ask,
        "told": found,
    }
    title = f"{opened.deed.title}: {opened.tournament.name}"
    return show(request, DEED, title, context, status=status)
