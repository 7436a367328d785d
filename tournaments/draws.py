"""Draws seen from outside: is what was drawn what the revealed secret gives?

A round's secret is committed to before anybody can know who will be in the round, and revealed with
the draw. The drawn order seats the players of a round one after the other; in a heads-up bracket it
gives the seeds, once, and every bye and later pairing follows from the bracket. Where the first
round is seeded by rating, the draw decides among equals; the ratings it went by are kept.

Each round commits to a second secret, for its tie-breaks and lots, revealed when it is closed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tournaments import play
from tournaments.brackets import bracket_of
from tournaments.lots import LotCheck, Seated, Verdict, check_lots
from tournaments.models import Entry, Lot, Placing, Round, Shape, TableKind, Tournament
from tournaments.moves import as_drawn
from tournaments.structure.bracket import Bracket
from tournaments.structure.errors import StructureError
from tournaments.structure.seating import (
    seat_by_seed,
    seat_entrants,
    seeded_order,
    table_sizes,
)

__all__ = ["DrawCheck", "LotCheck", "Verdict", "check_draws"]


class DrawCheck(NamedTuple):
    """A round's draw: its commitment and secret, the order computed again, the verdict."""

    round: Round
    label: str
    order: tuple[int, ...]
    """Entries' numbers, first drawn first; empty where nothing was drawn."""
    verdict: Verdict
    lots: tuple[LotCheck, ...] = ()
    """Of a closed round; while it is open their secret is still one."""

    @property
    def is_good(self) -> bool:
        """Whether the draw and all lots are what was committed to."""
        drawn = self.verdict in (Verdict.MATCHES, Verdict.NOTHING_DRAWN)
        return drawn and all(lot.is_good for lot in self.lots)


class _Facts(NamedTuple):
    """What a check goes by, read once for all rounds."""

    tournament: Tournament
    terms: play.TournamentTerms
    bracket: Bracket | None
    seeds: Mapping[int, int]
    """Entries' numbers by seed."""
    ratings: Mapping[int, float]
    """By entry's number, where the first draw went by them."""


def check_draws(tournament: Tournament, rounds: Sequence[Round]) -> list[DrawCheck]:
    """The draws of these rounds, computed again. As many queries for many players as for few."""
    if not rounds:
        return []
    seated = seated_in(rounds)
    closed = [one.pk for one in rounds if one.closed_at is not None]
    lots = list(Lot.objects.filter(round__in=closed).order_by("round", "id")) if closed else []
    facts = _facts(tournament)
    checks = []
    for one in rounds:
        here = [seat for seat in seated if seat.round_number == one.number]
        check = _check(facts, one, but_tie_breaks(here))
        if check.verdict is Verdict.WRONG_ORDER:
            check = _check(facts, one, but_tie_breaks(as_drawn(tournament, here)))
        if one.closed_at is not None:
            drawn = [lot for lot in lots if lot.round_id == one.pk]
            check = check._replace(lots=check_lots(tournament, one, here, drawn))
        checks.append(check)
    return checks


def but_tie_breaks(seated: Sequence[Seated]) -> list[Seated]:
    """The seats that a draw decides."""
    return [seat for seat in seated if seat.kind != TableKind.TIE_BREAK]


def seated_in(rounds: Sequence[Round]) -> list[Seated]:
    """Who sits where in these rounds now, tie-breaks too, in the order of seats. One query."""
    rows = (
        Placing.objects.filter(table__round__in=rounds)
        .order_by("table__round__number", "table__number", "seat")
        .values_list(
            "table__round__number",
            "table__number",
            "seat",
            "entry__number",
            "table__kind",
            "table__stage",
            "table__decides__number",
        )
    )
    return [Seated(*row) for row in rows]


def _facts(tournament: Tournament) -> _Facts:
    terms, is_bracket = play.terms_of(tournament), tournament.shape == Shape.HEADS_UP
    rows: list[tuple[int | None, int, float | None]] = []
    if is_bracket or terms.seeding is play.Seeding.RATED:
        entries = Entry.objects.filter(tournament=tournament)
        rows = list(entries.values_list("seed", "number", "seed_rating"))
    seeds = {seed: number for seed, number, _ in rows if seed is not None}
    return _Facts(
        tournament=tournament,
        terms=terms,
        bracket=bracket_of(tournament) if is_bracket else None,
        seeds=seeds,
        ratings={number: rating for _, number, rating in rows if rating is not None},
    )


def _check(facts: _Facts, one: Round, seated: Sequence[Seated]) -> DrawCheck:
    label = play.draw_label(facts.tournament, one.number)
    secret = bytes.fromhex(one.draw_secret)
    if play.commitment_of(secret) != one.draw_commitment:
        return DrawCheck(one, label, (), Verdict.WRONG_SECRET)
    if facts.bracket is not None:
        return _check_pairings(facts, facts.bracket, one, seated, label)
    order = play.drawn_order([place.entry for place in seated], secret, label)
    fits = _as_seated(facts, one.number, order) == _tables(seated)
    return DrawCheck(one, label, order, Verdict.MATCHES if fits else Verdict.WRONG_ORDER)


def _is_rated(facts: _Facts, number: int) -> bool:
    return number == 1 and facts.terms.seeding is play.Seeding.RATED


def _check_pairings(
    facts: _Facts, bracket: Bracket, one: Round, seated: Sequence[Seated], label: str
) -> DrawCheck:
    """Seeds as the first draw gives them; byes and pairings as the seeds and results do."""
    order: tuple[int, ...] = ()
    fits = _follow_from(bracket, one.number, seated, facts.seeds)
    if one.number == 1:
        secret = bytes.fromhex(one.draw_secret)
        order = play.drawn_order(list(facts.seeds.values()), secret, label)
        ranked = seeded_order(order, facts.ratings) if _is_rated(facts, 1) else order
        fits &= [facts.seeds.get(seed) for seed in range(1, len(order) + 1)] == list(ranked)
    if not fits:
        return DrawCheck(one, label, order, Verdict.WRONG_ORDER)
    return DrawCheck(one, label, order, Verdict.MATCHES if order else Verdict.NOTHING_DRAWN)


def _follow_from(
    bracket: Bracket, number: int, seated: Sequence[Seated], seeds: Mapping[int, int]
) -> bool:
    """Whether the players of each table are the two of that pairing."""
    if number > bracket.rounds:
        return False
    pairings = bracket.pairings(number)
    expected = {p.match_index + 1: (p.first, p.second) for p in pairings if not p.is_bye}
    tables: dict[int, list[int]] = {}
    for place in seated:
        tables.setdefault(place.table, []).append(place.entry)
    return all(
        table in expected and [seeds.get(seed or 0) for seed in expected[table]] == entries
        for table, entries in tables.items()
    )


def _as_seated(facts: _Facts, number: int, order: Sequence[int]) -> list[tuple[int, ...]]:
    """The tables that this order gives; none where it cannot be seated at all."""
    try:
        sizes = table_sizes(len(order), facts.terms.seats)
        if _is_rated(facts, number):
            return list(seat_by_seed(seeded_order(order, facts.ratings), sizes))
        return list(seat_entrants(order, sizes))
    except StructureError:
        return []


def _tables(seated: Sequence[Seated]) -> list[tuple[int, ...]]:
    """Entries' numbers at each table, in the order of tables and seats."""
    tables: dict[int, list[int]] = {}
    for place in seated:
        tables.setdefault(place.table, []).append(place.entry)
    return [tuple(entries) for entries in tables.values()]
