"""Who sits where and who is seeded how, by the draw and, where that is wanted, by rating."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments import play
from tournaments.models import Entry, Tournament
from tournaments.selectors.ratings import ratings_of
from tournaments.structure.seating import seat_by_seed, seat_entrants, seeded_order


def seat(
    tournament: Tournament, entries: Sequence[Entry], number: int, sizes: Sequence[int]
) -> list[list[Entry]]:
    """The entries of each table in the order of seats, drawn with the next draw's secret.

    With seeding by rating the tables of round 1 are made about equally strong.
    """
    by_number = {entry.number: entry for entry in entries}
    if number == 1 and is_rated(tournament):
        tables = seat_by_seed(_seeded(tournament, entries), sizes)
    else:
        tables = seat_entrants(drawn(tournament, entries, number), sizes)
    return [[by_number[entry] for entry in table] for table in tables]


def seed(tournament: Tournament, entries: Sequence[Entry]) -> None:
    """Give the seeds of a bracket, 1 the best or first drawn, and write them down."""
    order = _seeded(tournament, entries) if is_rated(tournament) else drawn(tournament, entries, 1)
    by_number = {entry.number: entry for entry in entries}
    for place, number in enumerate(order, 1):
        by_number[number].seed = place
    Entry.objects.bulk_update(entries, ["seed"], batch_size=500)


def is_rated(tournament: Tournament) -> bool:
    """Whether the first draw goes by ratings."""
    return play.terms_of(tournament).seeding is play.Seeding.RATED


def drawn(tournament: Tournament, entries: Sequence[Entry], number: int) -> tuple[int, ...]:
    """Entries' numbers in the order that the next draw's secret gives."""
    label = play.draw_label(tournament, number)
    secret = bytes.fromhex(tournament.next_secret)
    return play.drawn_order([entry.number for entry in entries], secret, label)


def _seeded(tournament: Tournament, entries: Sequence[Entry]) -> tuple[int, ...]:
    """Entries' numbers, the best rated first; each rating is noted with its entry."""
    strengths = ratings_of([entry.player_id for entry in entries])
    for entry in entries:
        entry.seed_rating = strengths.get(entry.player_id)
    Entry.objects.bulk_update(entries, ["seed_rating"], batch_size=500)
    ratings = {e.number: e.seed_rating for e in entries if e.seed_rating is not None}
    return seeded_order(drawn(tournament, entries, 1), ratings)
