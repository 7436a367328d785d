"""Opening a round's tables, drawing by lot, and what a finished table says about its players."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import msgspec

from tables import services
from tables.rules.formats import (
    DealsFormat,
    HeadsUpFormat,
    HighestOutFormat,
    MatchOver,
    OnTie,
    PointsFormat,
    PoolFormat,
    RankBy,
    open_match,
)
from tables.rules.results import DealResult
from tables.rules.shoe import SECRET_BYTES, shuffled
from tournaments.models import Entry, Tournament
from tournaments.play.terms import TournamentTerms

SecretSource = Callable[[str], bytes]
"""32 secret bytes for what a label names."""


def fresh_secret(label: str) -> bytes:
    """A secret from the operating system; the label is for sources that derive it."""
    return secrets.token_bytes(SECRET_BYTES)


def drawn_order(numbers: Sequence[int], secret: bytes, label: str) -> tuple[int, ...]:
    """Entries' numbers in drawn order; anybody can repeat it once the secret is revealed."""
    return shuffled(sorted(numbers), secret, "draw", label)


def draw_label(tournament: Tournament, number: int) -> str:
    """Names a round's draw; together with the secret it gives the drawn order."""
    return f"{tournament.draw_label}/round-{number}"


def open_round_tables(
    *,
    tournament: Tournament,
    round_number: int,
    is_final: bool,
    tables: Mapping[int, Sequence[Entry]],
    terms: TournamentTerms,
    secret_for: SecretSource,
    now: datetime,
) -> dict[int, int]:
    """Open a match for each table number with its entries in seat order; gives matches' ids.

    A heads-up set that ends level is decided by lot, except in the final, which is then shared.
    """
    options = terms.format
    if isinstance(options, HeadsUpFormat) and is_final:
        options = msgspec.structs.replace(options, on_tie=OnTie.SHARE)
    label = draw_label(tournament, round_number)
    matches = services.open_matches(
        owner=owner_of(tournament),
        tables=[
            services.TableSpec(
                number=number,
                label=f"{label}/table-{number}",
                places=tuple(services.Place(e.player_id, e.bot) for e in entries),
            )
            for number, entries in tables.items()
        ],
        options=options,
        profile=terms.profile,
        clock=terms.clock,
        secret_for=secret_for,
        now=now,
    )
    return {number: match.pk for number, match in zip(tables, matches, strict=True)}


def void_tables(tournament: Tournament, *, now: datetime) -> int:
    """Call off whatever is played at a tournament's tables; how many matches that were."""
    return services.void_matches(owner=owner_of(tournament), now=now)


def owner_of(tournament: Tournament) -> str:
    """How tables and the ledger name a tournament."""
    return f"tournament:{tournament.pk}"


def tournament_id_of(owner: str) -> int | None:
    """The tournament that a table's owner names, None for another kind of owner."""
    kind, _, number = owner.partition(":")
    return int(number) if kind == "tournament" and number.isdecimal() else None


def plays_to_the_last(terms: TournamentTerms) -> bool:
    """Whether holding out at a table says more than points do."""
    return isinstance(terms.format, PoolFormat | HighestOutFormat)


def plays_for_chips(terms: TournamentTerms) -> bool:
    """Whether players hold stacks of chips, which the ledger then follows."""
    by_chips = isinstance(terms.format, DealsFormat) and terms.format.rank_by is RankBy.CHIPS
    return by_chips or terms.levels is not None


def starting_chips(terms: TournamentTerms) -> int:
    """Chips each player gets at a table, or for all levels; 0 where the format knows none."""
    if terms.levels is not None:
        return terms.levels.starting_chips
    if not plays_for_chips(terms):
        return 0
    match = open_match(terms.format, terms.profile, range(2), terms.clock)
    return match.standings()[0].score


class SeatResult(msgspec.Struct, frozen=True):
    """What a player made of a table: place from 1, chips or points, and the margin lost by."""

    place: int
    score: int
    margin: int | None


def seat_results(
    terms: TournamentTerms, outcome: MatchOver, results: Sequence[DealResult]
) -> dict[int, SeatResult]:
    """Places, scores and margins by seat, from a match's outcome and its deals.

    A points table's score is the points of all its deals. Margins are told for two players only.
    """
    scores = dict(outcome.scores)
    if isinstance(terms.format, PointsFormat):
        scores = dict.fromkeys(scores, 0)
        for score in (score for result in results for score in result.scores):
            scores[score.seat] += score.points
    found: dict[int, SeatResult] = {}
    best = scores[outcome.places[0][0]]
    for tied in outcome.places:
        place = len(found) + 1
        for seat in tied:
            margin = abs(scores[seat] - best) if place > 1 and len(scores) == 2 else None
            found[seat] = SeatResult(place, scores[seat], margin)
    return found
