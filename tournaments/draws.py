"""Draws seen from outside: is what was drawn what the revealed secret gives?

A round's secret is committed to before anybody can know who will be in the round, and revealed with
the draw. The drawn order seats the players of a round one after the other; in a heads-up bracket it
gives the seeds, once, and every later pairing follows from the bracket.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from tournaments import play
from tournaments.models import Entry, Placing, Round, Shape, Tournament
from tournaments.structure.errors import StructureError
from tournaments.structure.seating import seat_entrants, table_sizes


class Verdict(StrEnum):
    """What came of computing a draw again."""

    MATCHES = "matches"
    NOTHING_DRAWN = "nothing_drawn"
    """A later round of a bracket: the secret is the one committed to, and decided nothing."""
    WRONG_SECRET = "wrong_secret"  # noqa: S105 - a verdict
    WRONG_ORDER = "wrong_order"


class Seated(NamedTuple):
    """An entry's number at its seat."""

    round_number: int
    table: int
    seat: int
    entry: int


class DrawCheck(NamedTuple):
    """A round's draw: its commitment and secret, the order computed again, the verdict."""

    round: Round
    label: str
    order: tuple[int, ...]
    """Entries' numbers, first drawn first; empty where nothing was drawn."""
    verdict: Verdict

    @property
    def is_good(self) -> bool:
        """Whether the draw is what was committed to."""
        return self.verdict in (Verdict.MATCHES, Verdict.NOTHING_DRAWN)


def check_draws(tournament: Tournament, rounds: Sequence[Round]) -> list[DrawCheck]:
    """The draws of these rounds, computed again. Two queries, however many players there are."""
    seated = _seated(rounds)
    bracket = tournament.shape == Shape.HEADS_UP
    seeds = _seeds(tournament) if bracket else {}
    return [
        _check(tournament, one, [s for s in seated if s.round_number == one.number], seeds, bracket)
        for one in rounds
    ]


def _seated(rounds: Sequence[Round]) -> list[Seated]:
    rows = (
        Placing.objects.filter(table__round__in=rounds)
        .order_by("table__round__number", "table__number", "seat")
        .values_list("table__round__number", "table__number", "seat", "entry__number")
    )
    return [Seated(*row) for row in rows]


def _seeds(tournament: Tournament) -> dict[int, int]:
    """Entries' numbers by seed."""
    rows = Entry.objects.filter(tournament=tournament).values_list("seed", "number")
    return {seed: number for seed, number in rows if seed is not None}


def _check(
    tournament: Tournament,
    one: Round,
    seated: Sequence[Seated],
    seeds: dict[int, int],
    bracket: bool,
) -> DrawCheck:
    label = play.draw_label(tournament, one.number)
    secret = bytes.fromhex(one.draw_secret)
    if play.commitment_of(secret) != one.draw_commitment:
        return DrawCheck(one, label, (), Verdict.WRONG_SECRET)
    if bracket and one.number > 1:
        return DrawCheck(one, label, (), Verdict.NOTHING_DRAWN)
    numbers = list(seeds.values()) if bracket else [place.entry for place in seated]
    order = play.drawn_order(numbers, secret, label)
    if bracket:
        fits = [seeds.get(seed) for seed in range(1, len(order) + 1)] == list(order)
    else:
        fits = _as_seated(order, play.terms_of(tournament).seats) == _tables(seated)
    return DrawCheck(one, label, order, Verdict.MATCHES if fits else Verdict.WRONG_ORDER)


def _as_seated(order: Sequence[int], seats: int) -> list[tuple[int, ...]]:
    """The tables that this order gives; none where it cannot be seated at all."""
    try:
        return list(seat_entrants(order, table_sizes(len(order), seats)))
    except StructureError:
        return []


def _tables(seated: Sequence[Seated]) -> list[tuple[int, ...]]:
    """Entries' numbers at each table, in the order of tables and seats."""
    tables: dict[int, list[int]] = {}
    for place in seated:
        tables.setdefault(place.table, []).append(place.entry)
    return [tuple(entries) for entries in tables.values()]
