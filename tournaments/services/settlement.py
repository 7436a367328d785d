"""The end of a tournament: final ranks with their reasons, prizes, and the ledger's entries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

import msgspec
from django.db import transaction

from tournaments import money, play
from tournaments.amounts import in_unit
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Placing, RoundTable, Shape, Tournament
from tournaments.services.lifecycle import lock, transit
from tournaments.services.rounds import final_is_over
from tournaments.structure.awards import Award, distribute, explain
from tournaments.structure.lifecycle import Action
from tournaments.structure.prizes import prize_pool
from tournaments.structure.standings import Standing, ranking, standings
from tournaments.structure.tiebreaks import (
    BRACKET,
    CHIPS_KNOCKOUT,
    POINTS_KNOCKOUT,
    POOL_KNOCKOUT,
    AnyTieBreak,
    PlaceAtTable,
    ReachedRound,
    Record,
    RoundScore,
)

SYSTEM = "system"
SINGLE_TABLE: tuple[AnyTieBreak, ...] = (ReachedRound(), PlaceAtTable())


def complete(*, tournament_id: int, now: datetime) -> Tournament:
    """Rank everybody and pay the prizes, once the final is over.

    Asked again it changes nothing. Raises `TournamentRefusal(ROUND_OPEN)` before that.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.over_at is not None:
            return tournament
        last = tournament.rounds.order_by("-number").first()
        if last is None or last.closed_at is None or not final_is_over(tournament, last):
            raise TournamentRefusal(
                TournamentCode.ROUND_OPEN, "The final is not over; its result decides the prizes."
            )
        transit(tournament, Action.COMPLETE, actor=SYSTEM, now=now)
        lines = standings(records_of(tournament), _chain(tournament))
        _pay(tournament, lines, now)
        tournament.over_at = now
        tournament.save()
    return tournament


def _chain(tournament: Tournament) -> Sequence[AnyTieBreak]:
    terms = play.terms_of(tournament)
    if tournament.shape == Shape.HEADS_UP:
        return BRACKET
    if tournament.shape == Shape.SINGLE:
        return SINGLE_TABLE
    if play.plays_for_chips(terms):
        return CHIPS_KNOCKOUT
    return POOL_KNOCKOUT if play.plays_to_the_last(terms) else POINTS_KNOCKOUT


def records_of(tournament: Tournament) -> list[Record]:
    """How far every player came and what he scored in each round. One query."""
    rows = (
        Placing.objects.filter(table__round__tournament=tournament)
        .order_by("entry_id", "table__round__number")
        .values_list(
            "entry_id", "table__round__number", "score", "place", "margin", "goes_on", named=True
        )
    )
    last = max((row.table__round__number for row in rows), default=0)
    scores: dict[int, dict[int, RoundScore]] = {}
    winners = set()
    for row in rows:
        played = RoundScore(score=max(0, row.score or 0), place=row.place, margin=row.margin)
        scores.setdefault(row.entry_id, {})[row.table__round__number] = played
        if row.goes_on and row.table__round__number == last:
            winners.add(row.entry_id)
    return [
        Record(
            entrant=entry,
            reached=max(rounds),
            rounds=tuple(rounds.get(number) for number in range(1, max(rounds) + 1)),
            has_won=entry in winners,
        )
        for entry, rounds in scores.items()
    ]


def _pay(tournament: Tournament, lines: Sequence[Standing], now: datetime) -> None:
    terms = play.terms_of(tournament)
    entries = {entry.pk: entry for entry in tournament.entries.filter(rank__isnull=True)}
    in_pool = money.pool_of(tournament)
    pool = prize_pool(terms.prizes, entries=len(lines), received=in_pool, guarantee=terms.guarantee)
    money.top_up(tournament=tournament, amount=pool.overlay, now=now)
    awards, to_house = _awards(tournament, lines, pool.amount)
    for line in lines:
        entry, award = entries[line.entrant], awards.get(line.entrant)
        entry.rank, entry.reason, entry.state = line.rank, line.reason, EntryState.RANKED
        if award is not None:
            entry.prize, entry.prize_reason = award
    ranked = [entries[line.entrant] for line in lines]
    Entry.objects.bulk_update(
        ranked, ["rank", "reason", "state", "prize", "prize_reason"], batch_size=200
    )
    money.pay_prizes(
        tournament=tournament,
        prizes={entry.player_id: entry.prize for entry in ranked},
        to_house=to_house,
        now=now,
    )


Awards = dict[int, tuple[int, str]]
"""Amount and reason by entry."""


def _awards(tournament: Tournament, lines: Sequence[Standing], pool: int) -> tuple[Awards, int]:
    shares = _split_shares(tournament)
    if shares:
        return _split(shares, pool), 0
    terms = play.terms_of(tournament)
    distribution = distribute(
        terms.prizes,
        pool=pool,
        entries=len(lines),
        ranking=ranking(lines),
        margins=_margins(tournament),
    )
    awards: Sequence[Award] = distribution.awards
    write = partial(in_unit, asset=tournament.asset)
    return (
        {award.entrant: (award.amount, explain(award, write)) for award in awards},
        distribution.table.to_house,
    )


def _margins(tournament: Tournament) -> dict[int, int]:
    """By how much each knocked-out player of a bracket lost."""
    if tournament.shape != Shape.HEADS_UP:
        return {}
    lost = Placing.objects.filter(table__round__tournament=tournament, margin__isnull=False)
    return {entry: margin or 0 for entry, margin in lost.values_list("entry_id", "margin")}


def _split_shares(tournament: Tournament) -> list[tuple[int, int]]:
    """Entry and weight of each player who shares the pool, best placed first."""
    table = (
        RoundTable.objects.filter(round__tournament=tournament).exclude(split_weights="").first()
    )
    if table is None:
        return []
    weights = dict(msgspec.json.decode(table.split_weights, type=list[tuple[int, int]]))
    placings = table.placings.filter(seat__in=weights).order_by("place", "seat")
    return [(placing.entry_id, weights[placing.seat]) for placing in placings]


def _split(shares: Sequence[tuple[int, int]], pool: int) -> Awards:
    total = sum(weight for _, weight in shares)
    amounts = money.split(pool, [weight for _, weight in shares])
    return {
        entry: (amount, f"The prize pool was split: {weight} parts of {total}.")
        for (entry, weight), amount in zip(shares, amounts, strict=True)
    }
