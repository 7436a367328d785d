"""What a tournament is played under, in words: format, rules, clock, prizes."""

from __future__ import annotations

from typing import NamedTuple, assert_never

from tables.words import clock_fact, format_facts, format_title, profile_facts, profile_title
from tournaments.play.terms import TournamentTerms
from tournaments.structure.levels import Level
from tournaments.structure.prizes import (
    ByEntries,
    FixedAmounts,
    Percentages,
    PrizeStructure,
    WinnerTakesAll,
)
from tournaments.structure.rebuys import LevelTerms, Rebuy


class TermsInWords(NamedTuple):
    """Titles for lists, and the facts behind them, a sentence each."""

    format: str
    profile: str
    prizes: str
    facts: tuple[str, ...]


def in_words(terms: TournamentTerms) -> TermsInWords:
    """Terms as people read them. Amounts are not written here: the unit is not known."""
    if terms.levels is not None:
        return _levels_in_words(terms, terms.levels)
    return TermsInWords(
        format=format_title(terms.format),
        profile=profile_title(terms.profile),
        prizes=prize_words(terms.prizes),
        facts=(
            *format_facts(terms.format),
            *profile_facts(terms.profile),
            clock_fact(terms.clock),
        ),
    )


def _levels_in_words(terms: TournamentTerms, levels: LevelTerms) -> TermsInWords:
    """Timed levels: the value of a point is that of the level, not the format's."""
    values = [level.point_value for level in levels.schedule.levels]
    _, *others = format_facts(terms.format)
    return TermsInWords(
        format=f"Points in {len(values)} levels, {values[0]:,} to {values[-1]:,} chips a point",
        profile=profile_title(terms.profile),
        prizes=prize_words(terms.prizes),
        facts=(
            f"Everybody starts with {levels.starting_chips:,} chips and carries them over.",
            *(_level_fact(number, level) for number, level in enumerate(levels.schedule.levels, 1)),
            *(() if levels.rebuy is None else (_rebuy_fact(levels.rebuy),)),
            *others,
            *profile_facts(terms.profile),
            clock_fact(terms.clock),
        ),
    )


def _level_fact(number: int, level: Level) -> str:
    minutes = "a minute" if level.minutes == 1 else f"{level.minutes} minutes"
    return (
        f"Level {number}: {minutes}, {level.point_value:,} chips a point; who has fewer than "
        f"{level.minimum_chips:,} chips is not dealt in."
    )


def _rebuy_fact(rebuy: Rebuy) -> str:
    often = "once" if rebuy.most == 1 else f"up to {rebuy.most} times"
    return (
        f"Who has too few may buy {rebuy.chips:,} chips {often}, until level {rebuy.until_level}, "
        "if they reach the minimum."
    )


def prize_words(prizes: PrizeStructure) -> str:
    """How the prize pool is divided."""
    match prizes:
        case WinnerTakesAll():
            return "the winner takes all"
        case Percentages(basis_points=shares):
            return _percentages(shares)
        case FixedAmounts():
            sure = ", guaranteed" if prizes.is_guaranteed else ""
            return f"fixed prizes for {_ranks(len(prizes.amounts))}{sure}"
        case ByEntries():
            return "percentages that depend on the number of entries"
        case _:
            assert_never(prizes)


def _percentages(shares: tuple[int, ...]) -> str:
    shown = " · ".join(f"{share / 100:g}" for share in shares[:10])
    more = f" … for {_ranks(len(shares))}" if len(shares) > 10 else ""
    return f"{shown} %{more}"


def _ranks(number: int) -> str:
    return "rank 1" if number == 1 else f"ranks 1 to {number}"
