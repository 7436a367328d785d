"""Who may enter, and how entering goes on: an organiser's conditions against a player's facts.

*Conditions* are what an organiser asks, *facts* what is known of a player at this moment; whoever
meets all of them may enter (rule 7). A code is compared by the caller, in constant time, and comes
here as a fact. Nothing here looks anything up.
"""

from __future__ import annotations

from typing import Final

import msgspec

from tournaments.structure.checks import how_many, whole
from tournaments.structure.errors import StructureCode, StructureError

MAX_NAMES: Final = 50
MAX_CODE: Final = 64
MAX_RATING: Final = 10_000
OLDEST: Final = 120
MAX_ROUNDS: Final = 1_000
MAX_REENTRIES: Final = 100


class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """What a player must be or know; the default asks nothing.

    `groups` names groups of which he must be in one, `winners_of` public ids of tournaments or
    series of which he must have won one. `min_age` is in years, and the age must be confirmed.
    """

    code: str = ""
    invited_only: bool = False
    groups: tuple[str, ...] = ()
    rating_from: int | None = None
    rating_to: int | None = None
    min_age: int | None = None
    winners_of: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        how_many(len(self.code), "code", 0, MAX_CODE)
        how_many(len(self.groups), "groups", 0, MAX_NAMES)
        how_many(len(self.winners_of), "winners_of", 0, MAX_NAMES)
        for field in ("rating_from", "rating_to"):
            if (rating := getattr(self, field)) is not None:
                whole(rating, field, 0, MAX_RATING)
        if self.rating_to is not None and self.rating_to < (self.rating_from or 0):
            raise StructureError(
                StructureCode.OUT_OF_RANGE,
                "The highest rating must not lie below the lowest.",
                field="rating_to",
            )
        if self.min_age is not None:
            whole(self.min_age, "min_age", 1, OLDEST)


class EntryRules(msgspec.Struct, frozen=True, kw_only=True):
    """How players enter: conditions, approval, what a no-show means, and entering after the start.

    `late_until_round` is the last round during which somebody may still enter, 0 for never;
    `reentries` is how often a player who is out may pay and come back within that time.
    """

    conditions: Conditions = Conditions()
    needs_approval: bool = False
    no_show_keeps_fee: bool = False
    """What a no-show paid stays in the prize pool; else he gets it back."""
    waitlist_moves_up: bool = True
    """Those who wait get the seats of no-shows when check-in ends."""
    late_until_round: int = 0
    reentries: int = 0

    def __post_init__(self) -> None:
        whole(self.late_until_round, "late_until_round", 0, MAX_ROUNDS)
        whole(self.reentries, "reentries", 0, MAX_REENTRIES)
        if self.reentries and not self.late_until_round:
            raise StructureError(
                StructureCode.OUT_OF_RANGE,
                "Say until which round a player may come back.",
                field="late_until_round",
            )


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a player: `age` only if it was confirmed, `won` by public id."""

    code_is_right: bool = False
    is_invited: bool = False
    groups: frozenset[str] = frozenset()
    rating: float | None = None
    age: int | None = None
    won: frozenset[str] = frozenset()


def unmet(conditions: Conditions, facts: Facts) -> tuple[str, ...]:
    """A sentence for every condition that the player does not meet; none if he may enter."""
    found = []
    if conditions.code and not facts.code_is_right:
        found.append("Give the entry code that the organiser handed out.")
    if conditions.invited_only and not facts.is_invited:
        found.append("Ask the organiser for an invitation; only invited players may enter.")
    if conditions.groups and facts.groups.isdisjoint(conditions.groups):
        found.append(f"Only members of {_either(conditions.groups)} may enter.")
    found += _unmet_rating(conditions, facts.rating)
    if conditions.min_age is not None and (facts.age is None or facts.age < conditions.min_age):
        found.append(f"Players must be {conditions.min_age} or older, and have it confirmed.")
    if conditions.winners_of and facts.won.isdisjoint(conditions.winners_of):
        found.append("Only winners of the tournaments that lead to this one may enter.")
    return tuple(found)


def _unmet_rating(conditions: Conditions, rating: float | None) -> list[str]:
    """A player without a rating is not below anything, but cannot be shown to be good enough."""
    low, high = conditions.rating_from, conditions.rating_to
    if low is not None and (rating is None or rating < low):
        return [f"A rating of {low:,} or more is needed; {_has(rating)}."]
    if high is not None and rating is not None and rating > high:
        return [f"A rating of {high:,} or less is needed; {_has(rating)}."]
    return []


def _has(rating: float | None) -> str:
    return "there is none yet" if rating is None else f"yours is {rating:,.0f}"


def _either(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """Where a tournament that has started stands: its last round (0 for none yet)."""

    takes_newcomers: bool
    """Whether its shape can seat somebody later: a knock-out can, a bracket cannot."""
    round_number: int
    round_is_open: bool
    round_is_final: bool


def check_late(rules: EntryRules, running: Running) -> None:
    """Whether somebody may still enter; raises `StructureError(TOO_LATE)` or `(NEVER_LATE)`.

    While round `late_until_round` has not closed he may, to be seated from the next round on.
    """
    if not running.takes_newcomers:
        raise StructureError(
            StructureCode.NEVER_LATE,
            "Nobody can enter this one after its start: every place was drawn at the start.",
        )
    last = running.round_number if running.round_is_open else running.round_number + 1
    if last > rules.late_until_round or (running.round_number and running.round_is_final):
        raise StructureError(
            StructureCode.TOO_LATE,
            "It has started and takes nobody in any more; choose another tournament.",
        )


def check_reentry(rules: EntryRules, used: int) -> None:
    """Whether a player who is out may pay and come back; raises `StructureError(NO_REENTRY)`."""
    if used >= rules.reentries:
        sentence = f"A player who is out may come back at most {rules.reentries} times."
        if not rules.reentries:
            sentence = "A player who is out may not come back."
        raise StructureError(StructureCode.NO_REENTRY, sentence)
