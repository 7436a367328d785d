"""The inbox: reading, marking, and what every page asks for again and again."""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST, require_safe

from players.models.inbox import Notice
from players.selectors import inbox as reading
from players.services import inbox as services
from players.wording import sentence_of
from wording.typed import read_key


def _line(notice: Notice) -> dict[str, Any]:
    return {"notice": notice, "sentence": sentence_of(notice.kind, notice.facts)}


@login_required
@require_safe
def inbox(request: HttpRequest) -> HttpResponse:
    """The player's notices, newest first."""
    player: Any = request.user.pk
    before = read_key(request.GET.get("before", "")) or 0
    page = reading.inbox(player, before=before)
    context = {"lines": list(map(_line, page.notices)), "before": page.before, "later": before}
    return render(request, "players/inbox.html", context)


@login_required
@require_safe
def go(request: HttpRequest, notice_id: int) -> HttpResponse:
    """Lead to the thing; the notice is read by that."""
    player: Any = request.user.pk
    notice = reading.notice_of(player, notice_id)
    if notice is None:
        raise Http404
    services.mark_read(player_id=player, notice_id=notice_id, now=timezone.now())
    return redirect(notice.link or "players:inbox")


@login_required
@require_POST
def mark(request: HttpRequest) -> HttpResponse:
    """Mark one notice as read or unread, or all as read."""
    player: Any = request.user.pk
    text = request.POST.get("notice", "")
    number = read_key(text)
    if number is not None:
        if request.POST.get("as") == "unread":
            services.mark_unread(player_id=player, notice_id=number)
        else:
            services.mark_read(player_id=player, notice_id=number, now=timezone.now())
    elif text == "all":
        services.mark_read(player_id=player, now=timezone.now())
    return redirect("players:inbox")


@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """Tables that wait and the number of unread notices, for every page; "nothing new" mostly."""
    user: Any = request.user
    if not user.is_authenticated:
        return HttpResponse(status=204)
    found = reading.news_of(user.pk)
    here = request.GET.get("at", "")
    calls = [_line(call) for call in found.calls if call.link != here]
    shown = (user.pk, translation.get_language(), found.unread, [c["notice"].pk for c in calls])
    name = hashlib.sha256(repr(shown).encode()).hexdigest()[:20]
    if request.GET.get("seen") == name:
        answer = HttpResponse(status=204)
    else:
        context = {"calls": calls, "unread": found.unread, "seen_name": name, "at": here}
        answer = render(request, "players/_news.html", context)
    patch_cache_control(answer, private=True, no_store=True)
    return answer
