"""What a tournament is played under, in words: format, rules, clock, prizes."""

from __future__ import annotations

from typing import NamedTuple, assert_never

from tables.words import clock_fact, format_facts, format_title, profile_facts, profile_title
from tournaments.play.terms import TournamentTerms
from tournaments.structure.prizes import (
    ByEntries,
    FixedAmounts,
    Percentages,
    PrizeStructure,
    WinnerTakesAll,
)


class TermsInWords(NamedTuple):
    """Titles for lists, and the facts behind them, a sentence each."""

    format: str
    profile: str
    prizes: str
    facts: tuple[str, ...]


def in_words(terms: TournamentTerms) -> TermsInWords:
    """Terms as people read them. Amounts are not written here: the unit is not known."""
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
