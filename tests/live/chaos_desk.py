"""A desk beside the site: opens matches and looks into its database, from a process of its own.

`python -m tests.live.chaos_desk` reads one JSON object a line, `{"do": name, ...}`, and answers
with one. The tests that kill processes need it: their site has settings and a database of its own.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

import django

django.setup()

from django.contrib import admin  # noqa: E402
from django.db import connections  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402
from msgspec.structs import replace  # noqa: E402

from tables import services, store  # noqa: E402
from tables.errors import TableRefusal  # noqa: E402
from tables.models import Connection, Deal, Match, MatchStatus, Seat  # noqa: E402
from tables.rules import commands as cm  # noqa: E402
from tables.rules.bots import Chance, Strength, choose  # noqa: E402
from tables.rules.deal import legal_commands  # noqa: E402
from tables.rules.formats import format_named  # noqa: E402
from tables.rules.profiles import profile_named  # noqa: E402
from tables.rules.state import DealState  # noqa: E402
from tables.rules.terms import ClockTerms  # noqa: E402
from tables.rules.visibility import view_of  # noqa: E402
from tables.selectors import check_deal  # noqa: E402
from tables.services.connections import drop_unseen  # noqa: E402
from tables.services.heartbeat import is_beating  # noqa: E402
from tests.live import chaos_books  # noqa: E402
from tests.programs import key_for  # noqa: E402
from tests.tables.helpers import players, secret_for  # noqa: E402


def open_match(
    people: int,
    *,
    format_name: str = "deals",
    clock: dict[str, int] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """A match whose first deal is due, and a token for each seat."""
    users = players(people)
    [match] = services.open_matches(
        owner="club:1",
        tables=[
            services.TableSpec(
                number=1,
                label=f"club/{timezone.now():%H%M%S%f}",
                places=tuple(services.Place(user.pk) for user in users),
            )
        ],
        options=format_named(format_name, **options),
        profile=profile_named("rummycircle"),
        clock=replace(ClockTerms(), **(clock or {})),
        secret_for=secret_for,
        now=timezone.now(),
    )
    tokens = [key_for(user) for user in users]
    return {"match": match.pk, "table": match.table.public_id, "tokens": tokens}


def ask_rejoin(match: int) -> dict[str, Any]:
    """Play a pool match of three until seat 0 is out and is asked whether to come back."""
    row = Match.objects.get(pk=match)
    winner = 1
    while row.status != MatchStatus.ASKING:
        try:
            services.deal_next(match_id=match, secret_for=secret_for, now=timezone.now())
        except TableRefusal:  # the site's clock was quicker
            row.refresh_from_db()
            assert row.status == MatchStatus.PLAYING
        _let_win(Deal.objects.get(match=row, over_at__isnull=True), winner)
        winner = 3 - winner
        row.refresh_from_db()
    return facts(match)


def _let_win(deal: Deal, winner: int) -> None:
    """Seat 0 declares wrongly, the next drops, the winner plays until they have."""
    state, number = store.load(deal), 0
    while not state.is_over:
        number += 1
        played = services.play(
            deal_id=deal.pk,
            command=_next_command(state, winner),
            command_id=f"desk:{number}",
            now=timezone.now(),
        )
        state = played.state or state


def _next_command(state: DealState, winner: int) -> cm.Command:
    """Of whom the deal waits for: who finished may have declared, and the others have not yet."""
    views = {seat.seat: view_of(state, seat.seat) for seat in state.seats}
    legal = {seat: legal_commands(view, seat) for seat, view in views.items()}
    awaited = (cm.DrawClosed, cm.Discard, cm.Declare)
    seat = next(s for s in legal if any(isinstance(command, awaited) for command in legal[s]))
    if seat == winner:
        chance = Chance(bytes(32))
        return choose(views[seat], legal[seat], strength=Strength.STEADY, chance=chance)
    hand = views[seat].seat_state(seat).hand
    if any(isinstance(command, cm.Declare) for command in legal[seat]):
        return cm.Declare(seat, (hand,))
    if seat != 0:
        return cm.Drop(seat)
    if cm.DrawClosed(0) in legal[0]:
        return cm.DrawClosed(0)
    return cm.Finish(0, hand[0])


def facts(match: int) -> dict[str, Any]:
    """What the database says of a match."""
    row = Match.objects.get(pk=match)
    return {
        "status": row.status,
        "due": _seconds(row.due_at),
        "entries": list(row.entries.values_list("kind", flat=True)),
        "deals": [_deal(deal) for deal in row.deals.all()],
    }


def truth(match: int) -> dict[str, Any]:
    """Every card of a match's deals, as their logs have it."""
    deals = Match.objects.get(pk=match).deals.all()
    return {
        "deals": {
            deal.public_id: [
                json.loads(payload) for payload in deal.events.values_list("payload", flat=True)
            ]
            for deal in deals
        },
        "next_secret": Match.objects.get(pk=match).next_secret,
    }


def promote(match: int, seat: int) -> dict[str, Any]:
    """Give a player every right there is in the admin, log him in, and list what he may open."""
    player = Match.objects.get(pk=match).seats.get(number=seat).player
    player.is_staff = player.is_superuser = True
    player.save()
    client = Client()
    client.force_login(player)
    rows = [
        f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        for model in admin.site._registry
    ]
    return {"session": client.cookies["sessionid"].value, "lists": rows}


def presence() -> dict[str, Any]:
    """How many sockets are counted, and how many people are online."""
    people = Seat.objects.filter(online=True)
    return {"sockets": Connection.objects.count(), "online": people.count()}


def clock() -> dict[str, Any]:
    """Whether the clock goes; before its first beat nothing is known of a standstill."""
    return {"beats": is_beating(now=timezone.now())}


def sweep() -> dict[str, Any]:
    """Take away the sockets that are not seen any more, as the worker does now and then."""
    return {"taken": drop_unseen(now=timezone.now())}


def _deal(deal: Deal) -> dict[str, Any]:
    rows = list(deal.events.values_list("kind", "command_id"))
    commands = Counter(name for _, name in rows if name)
    return {
        "id": deal.public_id,
        "version": deal.version,
        "phase": deal.phase,
        "deadline": _seconds(deal.deadline_at),
        "faults": list(check_deal(deal).faults),
        "kinds": [kind for kind, _ in rows],
        "commands": list(commands),
        "twice": [name for name, times in commands.items() if times > 1],
    }


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


DOES: Final[dict[str, Callable[..., dict[str, Any]]]] = {
    "open_match": open_match,
    "ask_rejoin": ask_rejoin,
    "facts": facts,
    "truth": truth,
    "promote": promote,
    "presence": presence,
    "clock": clock,
    "sweep": sweep,
    "open_tournament": chaos_books.open_tournament,
    "deal_now": chaos_books.deal_now,
    "books": chaos_books.books,
}

if __name__ == "__main__":
    for line in sys.stdin:
        order = json.loads(line)
        connections.close_all()  # the database may have been killed meanwhile
        answer = DOES[order.pop("do")](**order)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
