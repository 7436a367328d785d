"""The list of tournaments: narrowed, in an order, as tiles or as a table, live and saved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments import selectors
from tournaments.filters import LobbyFilter
from tournaments.fragments import choices_form, fragments
from tournaments.models import Tournament
from tournaments.pollers import name_of, polled

VIEW_COOKIE: Final = "lobby"
_SAVED_SECONDS: Final = 365 * 24 * 3600
_CHOICES: Final = (
    "q", "state", "format", "stake", "fee_from", "fee_to", "within", "seats", "sort", "view",
)  # fmt: skip
"""What an address of the list may say beside where a stretch begins."""


class Tile(NamedTuple):
    """A tournament of the list: what everybody sees of it, and what the reader is in it."""

    tournament: Tournament
    html: SafeString
    mine: selectors.MyPlace | None


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """All public tournaments as the reader wants to see them; what he saved unless he asks."""
    chosen = request.GET
    saved = request.COOKIES.get(VIEW_COOKIE, "")[:400]
    if not chosen and saved:
        chosen = QueryDict(saved)
    found = _found(request, chosen)
    about = repr([(name, chosen.get(name, "")[:60]) for name in _CHOICES])
    found["choices"] = choices_form(about, lambda: {**found, "filter": _filter(chosen)})
    found |= {"saved": saved, "seen_name": name_of(request, found["seen"])}
    return render(request, "home.html", found)


@require_safe
def tiles(request: HttpRequest) -> HttpResponse:
    """The list alone, for who has it open; "nothing new" while it is what he has."""
    found = _found(request, request.GET)
    return polled(request, found["seen"], "tournaments/_tiles.html", found)


@require_POST
def save_view(request: HttpRequest) -> HttpResponse:
    """Keep these choices for the next visit; none forgets them."""
    wanted = _clean(request.POST)
    answer = redirect("home" if not wanted else f"/?{wanted}")
    if wanted:
        messages.success(request, _("The lobby will open like this from now on."))
        answer.set_cookie(
            VIEW_COOKIE,
            wanted,
            max_age=_SAVED_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )
    else:
        messages.success(request, _("The lobby shows everything again."))
        answer.delete_cookie(VIEW_COOKIE)
    return answer


def _clean(chosen: QueryDict) -> str:
    """The choices as an address says them, those that are none left out."""
    return urlencode([(name, chosen[name][:60]) for name in _CHOICES if chosen.get(name)])


def _filter(chosen: QueryDict) -> LobbyFilter:
    return LobbyFilter(chosen, queryset=selectors.listed_tournaments())


def _found(request: HttpRequest, chosen: QueryDict) -> dict[str, Any]:
    """The stretch of the list that is asked for, with everything its pages need."""
    query = _clean(chosen)
    rows = selectors.listed_tournaments()
    if query:  # a form costs more than the list, and says nothing without choices
        wanted = _filter(chosen)
        rows = wanted.qs if wanted.form.is_valid() else rows
    shown = selectors.lobby(rows, sort=chosen.get("sort", ""), after=chosen.get("after", ""))
    is_table = chosen.get("view") == "list"
    user: Any = request.user
    mine = selectors.my_places(user.pk, shown.tournaments) if user.is_authenticated else {}
    html = _parts(shown.tournaments, mine, is_table=is_table)
    return {
        "is_narrowed": any(name not in ("sort", "view") for name in QueryDict(query)),
        "tiles": [Tile(one, html[one.pk], mine.get(one.pk)) for one in shown.tournaments],
        "is_table": is_table,
        "query": query,
        "chosen": list(QueryDict(query).items()),
        "here_after": chosen.get("after", ""),
        "after": shown.after,
        "now": timezone.now(),
        "seen": _seen(shown.tournaments, mine, query),
    }


def _parts(
    tournaments: Sequence[Tournament], mine: Mapping[int, selectors.MyPlace], *, is_table: bool
) -> dict[int, SafeString]:
    """The row or tile of each; who is in one is not asked to join it."""
    if is_table:
        return fragments(tournaments, "row", _contexts)
    outside = [one for one in tournaments if one.pk not in mine]
    inside = [one for one in tournaments if one.pk in mine]
    html = fragments(outside, "tile", _contexts)
    return html | fragments(inside, "tile_in", _contexts) if inside else html


def _seen(
    tournaments: Sequence[Tournament], mine: Mapping[int, selectors.MyPlace], query: str
) -> tuple[object, ...]:
    return (query, *((one.pk, one.changes, mine.get(one.pk)) for one in tournaments))


def _contexts(missing: Sequence[Tournament]) -> Iterable[Mapping[str, Any]]:
    return ({"card": card} for card in selectors.cards_of(missing))
