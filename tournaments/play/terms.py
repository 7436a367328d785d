"""What a tournament is played under, as it is stored with it and as it is read back."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec

from tables.rules.errors import RuleViolation
from tables.rules.formats import (
    FORMATS,
    AnyFormat,
    HeadsUpFormat,
    LevelFormat,
    PointsFormat,
    PoolFormat,
    format_named,
    open_match,
)
from tables.rules.profiles import RuleProfile, profile_named
from tables.rules.terms import ClockTerms, Stake
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Shape, Tournament
from tournaments.structure.conditions import EntryRules
from tournaments.structure.errors import StructureError
from tournaments.structure.prizes import PrizeStructure
from tournaments.structure.rebuys import LevelTerms
from tournaments.structure.rounds import (
    MIN_KNOCKOUT_SEATS,
    Advance,
    BestOfTable,
    plan_rounds,
)
from tournaments.structure.seating import MAX_SEATS
from tournaments.structure.tickets import TicketPrize

_SIZES: Final = {
    Shape.HEADS_UP: (2, 2),
    Shape.KNOCKOUT: (2, MAX_SEATS),
    Shape.SINGLE: (2, 6),
    Shape.LEVELS: (2, MAX_SEATS),
}
"""Fewest and most players at a table of each shape."""


class Seeding(StrEnum):
    """What the draw of the first round goes by."""

    DRAWN = "drawn"
    RATED = "rated"
    """The better rated are seeded higher; the draw decides among equals."""


class TournamentTerms(msgspec.Struct, frozen=True, kw_only=True):
    """Format, rules, clock, kind of stake and prizes; `seats` is the size of a full table."""

    format: AnyFormat
    profile: RuleProfile
    prizes: PrizeStructure
    clock: ClockTerms = ClockTerms()
    stake: Stake = Stake.PRACTICE
    hints: bool = False
    """Players may ask for the best groups of their own hands; meant for practice."""
    seats: int = MAX_SEATS
    guarantee: int = 0
    """The prize pool is topped up to this amount from the house's promotion account."""
    advance: Advance = BestOfTable()
    """Who goes on from a round of a knock-out."""
    third_place: bool = False
    """Whether the losing semi-finalists of a bracket play for third place."""
    seeding: Seeding = Seeding.DRAWN
    entering: EntryRules = EntryRules()
    """Who may enter, and how."""
    tickets: tuple[TicketPrize, ...] = ()
    """Prizes beside the shares of the pool: entries into other tournaments, by rank."""
    levels: LevelTerms | None = None
    """Levels, starting chips and re-buys, where the shape is timed levels."""

    @property
    def is_promotional(self) -> bool:
        """Whether it has prizes and no entry fee (rule 7)."""
        return self.stake == Stake.PROMOTIONAL


UNREADABLE: Final = (msgspec.MsgspecError, RuleViolation, StructureError)
"""What reading stored terms raises where today's rules do not know them."""
_decoder: Final[msgspec.json.Decoder[TournamentTerms]] = msgspec.json.Decoder(TournamentTerms)


def encode_terms(terms: TournamentTerms) -> str:
    """The terms as JSON."""
    return msgspec.json.encode(terms).decode()


def terms_of(tournament: Tournament) -> TournamentTerms:
    """The stored terms. Raises `TournamentRefusal(BAD_TERMS)` when they cannot be read."""
    try:
        return _decoder.decode(tournament.terms)
    except UNREADABLE as fault:
        raise TournamentRefusal(
            TournamentCode.BAD_TERMS, f"The terms of {tournament.name} cannot be read: {fault}"
        ) from fault


def fitted(shape: Shape, terms: TournamentTerms) -> TournamentTerms:
    """The terms made fit for the shape.

    Where a table sends one player on, prizes are not split at it and nobody buys in again. Raises
    `TournamentRefusal` or `RuleViolation` where the profile or format cannot be played so.
    """
    low, high = _SIZES[shape]
    seats = min(terms.seats, high, terms.profile.max_players)
    if shape in (Shape.KNOCKOUT, Shape.LEVELS) and seats < MIN_KNOCKOUT_SEATS:
        raise TournamentRefusal(
            TournamentCode.BAD_TERMS,
            f"This shape needs tables of {MIN_KNOCKOUT_SEATS} to {MAX_SEATS}; "
            f"{terms.profile.name} seats {terms.profile.max_players}. "
            "Take another profile, or a heads-up bracket.",
            field="profile",
        )
    _check_levels(shape, terms, (low, seats))
    _check_course(shape, terms, seats)
    options = terms.format
    if shape is not Shape.SINGLE and isinstance(options, PoolFormat):
        options = played_once(options)
    for size in {low, seats}:
        open_match(options, terms.profile, range(size), terms.clock)
    return msgspec.structs.replace(terms, format=options, seats=seats)


def played_once(options: PoolFormat) -> PoolFormat:
    """The pool in which nobody buys in again and nothing is split."""
    return msgspec.structs.replace(
        options,
        rejoin=False,
        max_rejoins=None,
        auto_split=False,
        auto_split_from=None,
        manual_split=False,
    )


def _check_levels(shape: Shape, terms: TournamentTerms, sizes: Iterable[int]) -> None:
    """Every level must be playable as it is; other shapes have none."""
    levels = terms.levels
    if (levels is None) is (shape is Shape.LEVELS):
        sentence = "Only timed levels have levels; leave them out."
        if levels is None:
            sentence = "Timed levels need their levels."
        raise TournamentRefusal(TournamentCode.BAD_TERMS, sentence, field="levels")
    if levels is None:
        return
    for number in range(1, len(levels.schedule.levels) + 1):
        stack = max(levels.starting_chips, levels.level(number).minimum_chips)
        for size in sizes:
            options = level_format(terms, number, (stack,) * size, (0,) * size)
            open_match(options, terms.profile, range(size), terms.clock)


def level_format(
    terms: TournamentTerms, number: int, stacks: tuple[int, ...], rebuys_made: tuple[int, ...]
) -> LevelFormat:
    """The format of a table at level `number`, for players with these chips and re-buys so far.

    Raises `TournamentRefusal(BAD_TERMS)` unless the tournament plays points in levels.
    """
    levels, options = terms.levels, terms.format
    if levels is None or not isinstance(options, PointsFormat):
        raise TournamentRefusal(
            TournamentCode.BAD_TERMS, "Timed levels are played as points rummy.", field="format"
        )
    level, rebuy = levels.level(number), levels.rebuy
    return LevelFormat(
        first_drop=options.first_drop,
        middle_drop=options.middle_drop,
        wrong_declaration=options.wrong_declaration,
        value=level.point_value,
        minimum_chips=level.minimum_chips,
        stacks=stacks,
        rebuy_chips=0 if rebuy is None else rebuy.chips,
        rebuys=tuple(levels.rebuys_left(number, made) for made in rebuys_made),
        answer_seconds=20 if rebuy is None else rebuy.answer_seconds,
    )


def _check_course(shape: Shape, terms: TournamentTerms, seats: int) -> None:
    """Raises `TournamentRefusal(BAD_TERMS)` for what this shape cannot be led by."""
    if shape is Shape.KNOCKOUT:
        try:
            plan_rounds(seats, seats, terms.advance)
        except StructureError as refusal:
            raise TournamentRefusal(
                TournamentCode.BAD_TERMS, refusal.sentence, field="advance"
            ) from refusal
    elif terms.advance != BestOfTable():
        raise TournamentRefusal(
            TournamentCode.BAD_TERMS,
            "Only from the tables of a knock-out can several go on; leave it at the best of each.",
            field="advance",
        )
    if terms.third_place and shape is not Shape.HEADS_UP:
        raise TournamentRefusal(
            TournamentCode.BAD_TERMS,
            "Only a heads-up bracket has a match for third place.",
            field="third_place",
        )
    if terms.seeding is Seeding.RATED and shape not in (Shape.HEADS_UP, Shape.KNOCKOUT):
        raise TournamentRefusal(
            TournamentCode.BAD_TERMS,
            "At a single table there is nothing to seed; have the seats drawn.",
            field="seeding",
        )


_SIMULATED_REJOINS: Final = 3


def format_names() -> list[str]:
    """Every format a tournament can be played in."""
    return list(FORMATS)


def usual_profile(options: AnyFormat) -> str:
    """The profile that a format is usually played under."""
    match options:
        case HeadsUpFormat():
            return "g24_knockout"
        case PoolFormat():
            return "g24_pool"
        case PointsFormat():
            return "g24_points"
        case _:
            return "rummycircle"


def simulated_terms(
    *, format_name: str, profile_name: str | None, prizes: PrizeStructure
) -> TournamentTerms:
    """Terms by name, with the profile that fits the format unless one is named.

    A pool may be bought into again three times, so that every simulation ends soon.
    """
    options = format_named(format_name)
    profile = profile_named(profile_name or usual_profile(options))
    if isinstance(options, PoolFormat):
        options = format_named(format_name, max_rejoins=_SIMULATED_REJOINS)
    return TournamentTerms(format=options, profile=profile, prizes=prizes)
