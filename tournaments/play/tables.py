"""Opening a round's tables, drawing by lot, and what a finished table says about its players."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

import msgspec

from tables import selectors, services
from tables.rules.formats import (
    AnyFormat,
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
from tournaments.structure.rounds import BestOfTable
from tournaments.structure.seating import MAX_SEATS
from tournaments.structure.tiebreaks import Measure

OVER: Final = "over"
"""The status of a match that is over."""

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


def tie_break_label(tournament: Tournament, number: int, table: int | None, stage: int) -> str:
    """Names the draw of a tie-break's seats; `table` is whose places it decides, None for all."""
    return f"{draw_label(tournament, number)}/tie-break-{table or 'all'}-{stage}"


def lot_label(tournament: Tournament, number: int, table: int | None) -> str:
    """Names the lot among those whose tie-breaks tied to the end."""
    return f"{draw_label(tournament, number)}/lot-{table or 'all'}"


def round_options(terms: TournamentTerms, *, is_final: bool) -> AnyFormat:
    """The format of a round's tables.

    A heads-up set that ends level is decided by lot, except in the final, which is then shared. In
    a deals match the place that is played off is the last that goes on.
    """
    options = terms.format
    if isinstance(options, HeadsUpFormat) and is_final:
        return msgspec.structs.replace(options, on_tie=OnTie.SHARE)
    if isinstance(options, DealsFormat) and not is_final and isinstance(terms.advance, BestOfTable):
        return msgspec.structs.replace(options, deciding_place=terms.advance.places)
    return options


def tie_break_options(terms: TournamentTerms) -> AnyFormat:
    """One deal without chips or drops, ranked by points."""
    return DealsFormat(
        name="tie_break",
        deals=1,
        rank_by=RankBy.FEWEST_POINTS,
        deciding_place=MAX_SEATS,
        wrong_declaration=terms.format.wrong_declaration,
    )


def open_round_tables(
    *,
    tournament: Tournament,
    round_number: int,
    options: AnyFormat,
    tables: Mapping[int, Sequence[Entry]],
    own_options: Mapping[int, AnyFormat] | None = None,
    terms: TournamentTerms,
    secret_for: SecretSource,
    now: datetime,
) -> dict[int, int]:
    """Open a match for each table number with its entries in seat order; gives matches' ids.

    `own_options` are the formats of tables that do not play as the others do.
    """
    own = own_options or {}
    label = draw_label(tournament, round_number)
    matches = services.open_matches(
        owner=owner_of(tournament),
        tables=[
            services.TableSpec(
                number=number,
                label=f"{label}/table-{number}",
                places=tuple(services.Place(e.player_id, e.bot) for e in entries),
                options=own.get(number),
            )
            for number, entries in tables.items()
        ],
        options=options,
        profile=terms.profile,
        clock=terms.clock,
        hints=terms.hints,
        secret_for=secret_for,
        in_person=tournament.in_person,
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


def measure_of(terms: TournamentTerms) -> Measure:
    """What a table's scores count."""
    return Measure.MOST_CHIPS if plays_for_chips(terms) else Measure.FEWEST_POINTS


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


class Ended(NamedTuple):
    """What became of a match that is over."""

    outcome: MatchOver
    results: tuple[DealResult, ...]


def ended(match_id: int) -> Ended | None:
    """A match's outcome as its log gives it, None while it is played."""
    game = selectors.game_of(match_id)
    step = game.next_step()
    return Ended(step, game.results) if isinstance(step, MatchOver) else None


class LiveScore(NamedTuple):
    """How a seat stands at a table that is being played."""

    place: int
    score: int
    still_in: bool


def live_scores(match_ids: Sequence[int]) -> dict[int, dict[int, LiveScore]]:
    """The scoreboards of matches, by match and seat. Two queries, however many matches."""
    return {
        match_id: {
            line.seat: LiveScore(line.place, line.score, line.still_in) for line in game.standings()
        }
        for match_id, game in selectors.games_of(match_ids).items()
    }
