"""Tournaments made quickly, and tables finished without playing them."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from itertools import count
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import money, play, services
from tournaments.models import Entry, RoundTable, Shape, Tournament
from tournaments.services import lifecycle, rounds
from tournaments.structure.prize_text import read_prizes

NOW = datetime(2026, 3, 1, 18, tzinfo=UTC)
FEE = 500
_serial = count(1)


def secret_for(label: str) -> bytes:
    """A secret made of its label."""
    return hashlib.sha256(label.encode()).digest()


def terms(format_name: str = "deals", prizes: str = "50,30,20", **changes: Any) -> Any:
    """Terms by name."""
    made = play.simulated_terms(
        format_name=format_name, profile_name=None, prizes=read_prizes(prizes)
    )
    return play.TournamentTerms(
        **{field: getattr(made, field) for field in made.__struct_fields__} | changes
    )


def a_tournament(
    shape: Shape = Shape.KNOCKOUT, *, capacity: int = 6, opened: bool = True, **changes: Any
) -> Tournament:
    """A tournament that takes registrations, or a draft."""
    wanted: dict[str, Any] = {
        "name": "Spring cup",
        "terms": terms(),
        "entry_fee": FEE,
        "capacity": capacity,
        "now": NOW,
    }
    made = services.create(shape=shape, **(wanted | changes))
    if not opened:
        return made
    return services.open_registration(
        tournament_id=made.pk, actor="organiser", secret_for=secret_for, now=NOW
    )


def players(number: int, points: int = FEE) -> list[User]:
    """New people with points in their wallets."""
    people = User.objects.bulk_create(
        User(username=f"player-{next(_serial)}", password="!") for _ in range(number)
    )
    if points and people:
        money.open_asset(code=money.PLAY_POINTS)
        money.grant(
            asset=money.PLAY_POINTS,
            player_ids=[person.pk for person in people],
            amount=points,
            key=f"gift:{people[0].pk}",
            actor="organiser",
            now=NOW,
        )
    return people


def join(tournament: Tournament, *people: User) -> list[Entry]:
    """Register people in their order."""
    return [
        services.register(
            tournament_id=tournament.pk, player_id=person.pk, actor=person.username, now=NOW
        )
        for person in people
    ]


def leave(tournament: Tournament, person: User) -> Entry:
    """Withdraw somebody."""
    return services.withdraw(
        tournament_id=tournament.pk, player_id=person.pk, actor=person.username, now=NOW
    )


def close_and_start(tournament: Tournament) -> None:
    """End registration and take the fees."""
    services.close_registration(tournament_id=tournament.pk, actor="organiser", now=NOW)
    services.start(tournament_id=tournament.pk, actor="organiser", now=NOW)


def started(shape: Shape, entrants: int, **changes: Any) -> Tournament:
    """A running tournament with so many entries, all seats taken."""
    tournament = a_tournament(shape, capacity=entrants, **changes)
    join(tournament, *players(entrants))
    close_and_start(tournament)
    return tournament


def next_round(tournament: Tournament) -> Any:
    """Open the next round."""
    return services.open_round(tournament_id=tournament.pk, secret_for=secret_for, now=NOW)


def finish(table: RoundTable, *scores: int, places: tuple[int, ...] = ()) -> None:
    """End a table with these scores by seat; without places, seat 0 is first, seat 1 second …"""
    size = table.placings.count()
    scores = scores or tuple(80 * seat for seat in range(size))
    ranks = places or tuple(range(1, size + 1))
    margin = abs(scores[0] - scores[-1]) if size == 2 else None
    results = {
        seat: play.SeatResult(ranks[seat], scores[seat], None if ranks[seat] == 1 else margin)
        for seat in range(size)
    }
    with transaction.atomic():
        tournament = lifecycle.lock(table.round.tournament_id)
        rounds.take_result(
            tournament=tournament, table=table, results=results, split_weights=None, now=NOW
        )


def run_out(tournament: Tournament) -> int:
    """Play every round to the end, the first seat always winning; how many rounds it took."""
    while next_round(tournament):
        for table in open_tables(tournament):
            finish(table)
    return tournament.rounds.count()


def open_tables(tournament: Tournament) -> list[RoundTable]:
    """The tables that are being played, in the order of rounds and numbers."""
    tables = RoundTable.objects.filter(round__tournament=tournament, is_over=False)
    return list(tables.select_related("round").order_by("round__number", "number"))


def wallet(person: User) -> Any:
    """A person's balance in play points."""
    account = money.wallet_of(money.PLAY_POINTS, person.pk)
    return money.balances([account])[account]
