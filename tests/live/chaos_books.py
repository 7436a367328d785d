"""What the desk does for a table of a tournament with fees: its opening, its end, its books."""

from __future__ import annotations

from itertools import count
from typing import Any, Final

import msgspec
from django.utils import timezone

from tables import services as table_services
from tables.errors import TableRefusal
from tables.models import Match
from tables.rules.terms import ClockTerms
from tests.programs import key_for
from tests.tables.helpers import players, secret_for
from tournaments import money, play, services
from tournaments.models import Entry, Shape, Tournament
from tournaments.structure.prize_text import read_prizes

FEE: Final = 500
HOUSE: Final = 50
IN_THE_WALLET: Final = 3 * FEE

_serial = count(1)


def open_tournament(
    people: int,
    *,
    format_name: str = "deals",
    clock: dict[str, int] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """A single table whose players have paid, its first deal due, and a token for each seat."""
    now, users = timezone.now(), players(people)
    money.open_asset(code=money.PLAY_POINTS)
    money.grant(
        asset=money.PLAY_POINTS,
        player_ids=[user.pk for user in users],
        amount=IN_THE_WALLET,
        key=f"gift:{users[0].pk}",
        actor="organiser",
        now=now,
    )
    terms = play.simulated_terms(
        format_name=format_name, profile_name="rummycircle", prizes=read_prizes("winner")
    )
    made = services.create(
        name=f"Evening {next(_serial)}",
        shape=Shape.SINGLE,
        terms=msgspec.structs.replace(
            terms,
            format=msgspec.structs.replace(terms.format, **options),
            clock=msgspec.structs.replace(ClockTerms(), **(clock or {})),
        ),
        entry_fee=FEE,
        house_fee=HOUSE,
        capacity=people,
        now=now,
    )
    services.open_registration(tournament_id=made.pk, actor="organiser", now=now)
    for user in users:
        services.register(
            tournament_id=made.pk, player_id=user.pk, actor=user.username, now=timezone.now()
        )
    services.close_registration(tournament_id=made.pk, actor="organiser", now=now)
    services.start(tournament_id=made.pk, actor="organiser", now=now)
    services.open_round(tournament_id=made.pk, secret_for=secret_for, now=timezone.now())
    match = Match.objects.get(table__owner=f"tournament:{made.pk}")
    seats = match.seats.select_related("player").order_by("number")
    tokens = [key_for(seat.player) for seat in seats]
    return {"match": match.pk, "table": match.table.public_id, "tokens": tokens}


def deal_now(match: int) -> dict[str, Any]:
    """Deal the next deal instead of waiting for it, if the clock has not."""
    try:
        table_services.deal_next(match_id=match, secret_for=secret_for, now=timezone.now())
    except TableRefusal:
        return {"dealt": False}
    return {"dealt": True}


def books(match: int) -> dict[str, Any]:
    """Whether the books are sound, and what a match's tournament has moved."""
    owner = Match.objects.get(pk=match).table.owner
    tournament = Tournament.objects.get(pk=int(owner.removeprefix("tournament:")))
    entries = list(Entry.objects.filter(tournament=tournament).order_by("number"))
    wallets = money.wallets_of(money.PLAY_POINTS, [entry.player_id for entry in entries])
    return {
        "faults": list(money.faults(now=timezone.now())),
        "state": str(tournament.state),
        "totals": money.totals_of(tournament)._asdict(),
        "pool": money.pool_of(tournament),
        "wallets": sum(view.available for view in money.balances(list(wallets.values())).values()),
        "rejoins": sum(entry.rejoins for entry in entries),
        "prizes": sum(entry.prize for entry in entries),
    }
