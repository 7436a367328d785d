"""Rule profiles: what each published rule page says, one named option for each difference.

A `RuleProfile` says how cards are made up, grouped and counted. It does not know the format: drop
points and limits of a pool or a deals match come from `tables.rules.formats` as `DealTerms`.
Rule numbers in comments refer to docs/rules.md.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

import msgspec

from tables.rules.errors import Code, RuleViolation

MAX_SEATS: Final = 6
MIN_SEATS: Final = 2


class Unmatched(StrEnum):
    """What a loser counts who has not two sequences, one of them pure (rule 4.1)."""

    ALL_CARDS = "all_cards"
    ALL_BUT_BEST_PURE = "all_but_best_pure"
    FLAT_CAP = "flat_cap"


class LateDeclaration(StrEnum):
    """What counts for a connected player who lets the time to declare run out (rule 3.5)."""

    AS_ARRANGED = "as_arranged"
    ALL_CARDS = "all_cards"


class Absence(StrEnum):
    """How a disconnected player's turns are handled (rules 5.7 and 5.12)."""

    MISS_TURNS = "miss_turns"
    AUTO_PLAY = "auto_play"


class Shoe(msgspec.Struct, frozen=True):
    """Packs of 52 and printed jokers used up to a number of players."""

    up_to_players: int
    packs: int
    printed_jokers: int

    @property
    def size(self) -> int:
        """Cards in this shoe."""
        return 52 * self.packs + self.printed_jokers


class RuleProfile(msgspec.Struct, frozen=True, kw_only=True):
    """One rule source's answers. Contradictory options raise `RuleViolation(BAD_OPTION)`."""

    name: str
    shoes: tuple[Shoe, ...]
    cap: int | None = 80
    """Most points a hand can count, None for no cap."""
    ace_points: int = 10
    run_joker_limit: int | None = None
    """Most cards of a run that may stand for another card, None for any number."""
    set_size_limit: int | None = None
    """Most cards of a set, None for any number (more than four only with jokers)."""
    long_run: int = 3
    """Cards that at least one run of a declaration must have."""
    loose_jokers: bool = False
    """Whether jokers may lie outside the groups of a declaration."""
    unmatched: Unmatched = Unmatched.ALL_CARDS
    complete_loser_points: int = 2
    wrong_declaration_counts_hand: bool = False
    """A wrong declarer counts all his cards, not the format's fixed points."""
    late_declaration: LateDeclaration = LateDeclaration.AS_ARRANGED
    absence: Absence = Absence.MISS_TURNS
    auto_play_turns: int | None = None
    """Turns a disconnected player is played for, None for the rest of the deal."""
    misses_allowed: int = 3
    """The consecutive missed turn that takes a player out of the deal."""
    max_moves: int = 60
    """Moves of one player after which everybody declares."""
    max_deal_seconds: int | None = None
    may_discard_taken_card: bool = False
    """Whether the card taken from the open deck may be discarded on the same turn."""
    may_take_discarded_jokers: bool = False

    def __post_init__(self) -> None:
        _check(self)

    @property
    def max_players(self) -> int:
        """Most seats this profile can deal to."""
        return self.shoes[-1].up_to_players

    def shoe_for(self, players: int) -> Shoe:
        """The shoe for this many players; raises `RuleViolation(BAD_SEATS)`."""
        for shoe in self.shoes:
            if MIN_SEATS <= players <= shoe.up_to_players:
                return shoe
        raise RuleViolation(
            Code.BAD_SEATS,
            f"{self.name} is played by {MIN_SEATS} to {self.max_players} players, not {players}.",
            field="players",
        )


def _bad(field: str, sentence: str) -> RuleViolation:
    return RuleViolation(Code.BAD_OPTION, sentence, field=field)


def _within(profile: RuleProfile, field: str, low: int, high: int, *, none: bool = False) -> None:
    value = getattr(profile, field)
    if value is None and none:
        return
    if type(value) is not int or not low <= value <= high:
        raise _bad(field, f"{field} must be a whole number from {low} to {high}, not {value!r}.")


def _check(profile: RuleProfile) -> None:
    if not profile.name:
        raise _bad("name", "A profile needs a name.")
    _within(profile, "cap", 20, 200, none=True)
    _within(profile, "run_joker_limit", 0, 12, none=True)
    _within(profile, "set_size_limit", 3, 13, none=True)
    _within(profile, "long_run", 3, 10)
    _within(profile, "complete_loser_points", 0, 20)
    _within(profile, "auto_play_turns", 1, 1000, none=True)
    _within(profile, "misses_allowed", 1, 10)
    _within(profile, "max_moves", 1, 1000)
    _within(profile, "max_deal_seconds", 60, 86_400, none=True)
    if profile.ace_points not in (1, 10, 15):
        raise _bad("ace_points", "An ace counts 1, 10 or 15 points.")
    if profile.unmatched is Unmatched.FLAT_CAP and profile.cap is None:
        raise _bad("unmatched", "A flat count for unmatched hands needs a cap.")
    if profile.auto_play_turns is not None and profile.absence is not Absence.AUTO_PLAY:
        raise _bad("auto_play_turns", "A number of auto-play turns needs auto play.")
    _check_shoes(profile.shoes)


def _check_shoes(shoes: tuple[Shoe, ...]) -> None:
    before = MIN_SEATS - 1
    for shoe in shoes:
        if not before < shoe.up_to_players <= MAX_SEATS:
            raise _bad("shoes", "Shoes go from fewer to more players, 2 to 6.")
        if not 1 <= shoe.packs <= 6 or not 0 <= shoe.printed_jokers <= 4 * shoe.packs:
            raise _bad("shoes", "A shoe has 1 to 6 packs with at most 4 printed jokers each.")
        # A hand each, the wild card, the first open card and one card to draw.
        if shoe.size < 13 * shoe.up_to_players + 3:
            raise _bad("shoes", f"{shoe.size} cards are too few for {shoe.up_to_players} players.")
        before = shoe.up_to_players
    if not shoes:
        raise _bad("shoes", "A profile needs at least one shoe.")


_TWO_PACKS: Final = (Shoe(6, 2, 2),)

PROFILES: Final[dict[str, RuleProfile]] = {
    profile.name: profile
    for profile in (
        RuleProfile(
            name="g24_knockout",
            shoes=(Shoe(2, 1, 0),),
            cap=None,
            unmatched=Unmatched.ALL_BUT_BEST_PURE,
            wrong_declaration_counts_hand=True,
            late_declaration=LateDeclaration.ALL_CARDS,
        ),
        RuleProfile(
            name="g24_points",
            shoes=_TWO_PACKS,
            unmatched=Unmatched.ALL_BUT_BEST_PURE,
            max_moves=25,
            max_deal_seconds=30 * 60,
        ),
        RuleProfile(name="g24_pool", shoes=_TWO_PACKS, unmatched=Unmatched.ALL_BUT_BEST_PURE),
        RuleProfile(name="rummycircle", shoes=_TWO_PACKS),
        RuleProfile(
            name="classic_rummy",
            shoes=_TWO_PACKS,
            set_size_limit=4,
            loose_jokers=True,
            absence=Absence.AUTO_PLAY,
        ),
        RuleProfile(name="rummycentral", shoes=_TWO_PACKS, set_size_limit=4),
        RuleProfile(
            name="octro",
            shoes=(Shoe(3, 2, 4), Shoe(6, 3, 6)),
            ace_points=1,
            run_joker_limit=1,
            set_size_limit=4,
            long_run=4,
            loose_jokers=True,
            unmatched=Unmatched.FLAT_CAP,
        ),
    )
}


def profile_named(name: object, *, field: str = "profile", **changes: Any) -> RuleProfile:
    """A built-in profile, with options changed. Raises `UNKNOWN_PROFILE` or `BAD_OPTION`."""
    if not isinstance(name, str) or name not in PROFILES:
        known = ", ".join(PROFILES)
        raise RuleViolation(
            Code.UNKNOWN_PROFILE, f"No profile {repr(name)[:40]}; choose of {known}.", field=field
        )
    unknown = sorted(set(changes) - set(RuleProfile.__struct_fields__))
    if unknown:
        raise _bad(unknown[0], f"Profiles have no option {unknown[0]!r}.")
    return msgspec.structs.replace(PROFILES[name], **changes)
