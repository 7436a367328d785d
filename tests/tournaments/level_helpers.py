"""Timed levels made quickly, and level tables ended without playing them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from itertools import count
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from tables import services as at_tables
from tables.rules.formats import DealScored, NextDeal
from tables.rules.results import DealResult, Outcome, SeatScore
from tables.selectors import game_of
from tests.tournaments.helpers import (
    NOW,
    a_tournament,
    close_and_start,
    join,
    players,
    secret_for,
    terms,
)
from tournaments import money, services
from tournaments.models import Entry, Round, RoundTable, Shape, Tournament
from tournaments.play import MatchOver
from tournaments.services import tables
from tournaments.structure.levels import Level, LevelSchedule
from tournaments.structure.rebuys import LevelTerms, Rebuy

PUBLISHED = ((5, 800), (10, 1000), (15, 1200), (20, 1600))
"""Point value and minimum of chips (rule 7.6)."""
FEE = 500
REBUY = Rebuy(chips=1000, fee=400, house_fee=40, most=2, until_level=3, seconds=30)
_deals = count(1)


def level_terms(
    minutes: int = 10,
    *,
    starting_chips: int = 1000,
    rebuy: Rebuy | None = REBUY,
    levels: Iterable[tuple[int, int]] = PUBLISHED,
    **changes: Any,
) -> Any:
    """Terms of points rummy in the published levels."""
    schedule = LevelSchedule(tuple(Level(value, least, minutes) for value, least in levels))
    made = LevelTerms(schedule=schedule, starting_chips=starting_chips, rebuy=rebuy)
    return terms("points", **({"levels": made} | changes))


def begun(
    entrants: int, *, points: int = FEE + 2000, bot: str = "", **changes: Any
) -> tuple[Tournament, list[User]]:
    """A started tournament in levels and its players, each with points for re-buys."""
    wanted = {"terms": level_terms(), "capacity": max(2, entrants)} | changes
    tournament = a_tournament(Shape.LEVELS, entry_fee=FEE, **wanted)
    people = players(entrants, points)
    if bot:
        for person in people:
            services.register(
                tournament_id=tournament.pk, player_id=person.pk, actor="x", bot=bot, now=NOW
            )
    else:
        join(tournament, *people)
    close_and_start(tournament)
    return tournament, people


def next_level(tournament: Tournament, seconds: float = 0) -> Round | None:
    """Open the next level, so many seconds after the start."""
    return services.open_round(
        tournament_id=tournament.pk,
        secret_for=secret_for,
        now=NOW + timedelta(seconds=seconds),
    )


def opened_level(tournament: Tournament, seconds: float = 0) -> Round:
    """The next level, which has to open."""
    level = next_level(tournament, seconds)
    assert level is not None
    return level


def end_level(level: Round, chips: dict[int, int], seconds: float = 600) -> None:
    """End every table; `chips` by player are what they have then, the others keep theirs."""
    for table in level.tables.order_by("number"):
        end_table(table, chips, seconds)


def end_table(table: RoundTable, chips: dict[int, int], seconds: float = 600) -> None:
    """One deal that leaves these chips, and the end of the table."""
    at = NOW + timedelta(seconds=seconds)
    placings = list(table.placings.select_related("entry").order_by("seat"))
    tournament = table.round.tournament
    had = stacks(tournament)
    now = {p.seat: chips.get(p.entry.player_id, had[p.entry.player_id]) for p in placings}
    changes = {p.seat: now[p.seat] - had[p.entry.player_id] for p in placings}
    assert sum(changes.values()) == 0
    order = sorted(now, key=lambda seat: (-now[seat], seat))
    groups: list[list[int]] = []
    for seat in order:
        if groups and now[groups[-1][0]] == now[seat]:
            groups[-1].append(seat)
        else:
            groups.append([seat])
    owner = money.reference_of(tournament)
    with transaction.atomic():
        tables.deal_finished(
            owner=owner,
            match_id=table.match_id,
            deal=f"made-up-{next(_deals)}",
            changes=changes,
            now=at,
        )
        tables.match_finished(
            owner=owner,
            match_id=table.match_id,
            outcome=MatchOver(
                places=tuple(map(tuple, groups)),
                scores=tuple(now.items()),
                buy_ins=len(placings),
            ),
            results=(),
            now=at,
        )


def stacks(tournament: Tournament) -> dict[int, int]:
    """Chips in the ledger by player."""
    entries = {entry.pk: entry.player_id for entry in tournament.entries.all()}
    held = money.stacks_of(tournament=tournament, entry_ids=list(entries))
    return {entries[entry]: chips for entry, chips in held.items()}


def entry_of(tournament: Tournament, person: User) -> Entry:
    """A person's entry as it is now."""
    return tournament.entries.get(player=person)


def buy(tournament: Tournament, person: User, seconds: float = 600) -> Entry:
    """A re-buy between two levels."""
    return services.rebuy(
        tournament_id=tournament.pk,
        player_id=person.pk,
        actor=person.username,
        now=NOW + timedelta(seconds=seconds),
    )


def score_deal(table: RoundTable, winner: int, points: dict[int, int], seconds: float) -> None:
    """A deal with this result (losers' points by seat) at a table that waits for one."""
    game = game_of(table.match_id)
    losers = [seat for seat in next_seats(table) if seat != winner]
    scores = [SeatScore(seat, points.get(seat, 0), Outcome.LOST) for seat in losers]
    result = DealResult((SeatScore(winner, 0, Outcome.WON), *scores))
    at = NOW + timedelta(seconds=seconds)
    after = {line.seat: line.score for line in game.record(result).standings()}
    before = {line.seat: line.score for line in game.standings()}
    with transaction.atomic():
        tables.deal_finished(
            owner=money.reference_of(table.round.tournament),
            match_id=table.match_id,
            deal=f"made-up-{next(_deals)}",
            changes={seat: after[seat] - before[seat] for seat in after},
            now=at,
        )
        at_tables.answer(match_id=table.match_id, entry=DealScored(result), now=at)


def next_seats(table: RoundTable) -> tuple[int, ...]:
    """Who is dealt in next at a table that waits for a deal."""
    step = game_of(table.match_id).next_step()
    assert isinstance(step, NextDeal)
    return step.seats
