"""Formats and rule profiles in words, for people who are about to play under them."""

from __future__ import annotations

from typing import Final, assert_never

from tables.rules.formats import (
    AnyFormat,
    DealsFormat,
    HeadsUpFormat,
    HighestOutFormat,
    LevelFormat,
    OnTie,
    PointsFormat,
    PoolFormat,
    RankBy,
)
from tables.rules.profiles import RuleProfile, Shoe, Unmatched
from tables.rules.terms import ClockTerms

_PROFILES: Final = {
    "g24_knockout": "Games24x7 knock-out",
    "g24_points": "Games24x7 points",
    "g24_pool": "Games24x7 pool",
    "rummycircle": "RummyCircle",
    "classic_rummy": "Classic Rummy",
    "rummycentral": "RummyCentral",
    "octro": "Octro",
}
_UNMATCHED: Final = {
    Unmatched.ALL_CARDS: "all its cards",
    Unmatched.ALL_BUT_BEST_PURE: "all its cards but its best pure sequence",
    Unmatched.FLAT_CAP: "the most a hand can count",
}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def format_title(options: AnyFormat) -> str:
    """A format's name, such as `Pool 101` or `Best of 2 deals`."""
    match options:
        case PointsFormat():
            return "Points" if options.deals == 1 else f"Points over {options.deals} deals"
        case PoolFormat():
            return f"Pool {options.limit}"
        case DealsFormat():
            return "One deal" if options.deals == 1 else f"Best of {options.deals} deals"
        case HeadsUpFormat():
            return f"Heads-up, {_count(options.games, 'game')}"
        case HighestOutFormat():
            return "Highest out"
        case LevelFormat():
            return f"Points for chips, {options.value:,} each"
        case _:
            assert_never(options)


def format_facts(options: AnyFormat) -> tuple[str, ...]:
    """What decides a match, what a drop costs, what a wrong declaration costs; a sentence each."""
    wrong = f"A wrong declaration costs {options.wrong_declaration} points."
    return (*_deciding(options), _drops(options), wrong)


def _deciding(options: AnyFormat) -> tuple[str, ...]:
    match options:
        case PointsFormat():
            return (
                f"The winner of a deal gets every loser's points, each worth {options.value:,}.",
            )
        case PoolFormat():
            return (
                f"Who reaches {options.limit} points is out; the last one wins.",
                *_pool(options),
            )
        case DealsFormat(rank_by=RankBy.CHIPS):
            return (
                f"Everybody starts with {80 * options.deals} chips and pays his points to the "
                "winner of each deal; most chips win.",
            )
        case DealsFormat():
            return ("Points add up over the deals; the fewest win.",)
        case HeadsUpFormat():
            tie = "a lot decides" if options.on_tie is OnTie.LOT else "the prize is shared"
            return (f"Points add up over the set; the fewest win, and of equal ones {tie}.",)
        case HighestOutFormat():
            return ("After each deal the highest total is out; the last one wins.",)
        case LevelFormat():
            return (
                f"The winner of a deal gets {options.value:,} chips for each point of the losers.",
                f"Who has fewer than {options.minimum_chips:,} chips is not dealt in.",
            )
        case _:
            assert_never(options)


def _pool(options: PoolFormat) -> tuple[str, ...]:
    facts = []
    if options.rejoin:
        most = options.max_rejoins
        often = "" if most is None else f", at most {_count(most, 'time')}"
        facts.append(f"Who is out may buy in again with the highest total{often}.")
    if options.auto_split or options.manual_split:
        facts.append("The last players may split the prize.")
    return tuple(facts)


def _drops(options: AnyFormat) -> str:
    if options.first_drop is None:
        return "There is no drop."
    return f"A first drop costs {options.first_drop} points, a middle drop {options.middle_drop}."


def profile_title(profile: RuleProfile) -> str:
    """Whose rules these are."""
    return _PROFILES.get(profile.name, profile.name)


def profile_facts(profile: RuleProfile) -> tuple[str, ...]:
    """The cards, the count, and what is special about groups; a sentence each."""
    cap = "has no limit" if profile.cap is None else f"counts at most {profile.cap}"
    facts = [
        *map(_shoe, profile.shoes),
        f"A hand {cap}; an ace counts {profile.ace_points}.",
        f"Without two sequences, one of them pure, a hand counts {_UNMATCHED[profile.unmatched]}.",
    ]
    if profile.set_size_limit is not None:
        facts.append(f"A set has at most {profile.set_size_limit} cards.")
    if profile.run_joker_limit is not None:
        facts.append(f"A sequence has at most {_count(profile.run_joker_limit, 'joker')}.")
    if profile.long_run > 3:
        facts.append(f"One sequence must have {profile.long_run} cards or more.")
    return tuple(facts)


def _shoe(shoe: Shoe) -> str:
    packs, jokers = _count(shoe.packs, "pack"), _count(shoe.printed_jokers, "printed joker")
    with_jokers = f"{packs} with {jokers}" if shoe.printed_jokers else f"{packs} without jokers"
    return f"Up to {shoe.up_to_players} players: {with_jokers}."


def clock_fact(clock: ClockTerms) -> str:
    """Time for a move and for declaring."""
    return (
        f"{clock.turn_seconds} seconds for a turn, {clock.declare_seconds} to declare, "
        f"and {clock.extra_seconds} extra in each deal."
    )
