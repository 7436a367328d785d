"""What a tournament is played under, in words: format, rules, clock, prizes."""

from __future__ import annotations

from typing import NamedTuple, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

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
from wording import number_text


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
    _value, *others = format_facts(terms.format)
    return TermsInWords(
        format=_("Points in %(n)d levels, %(first)s to %(last)s chips a point")
        % {"n": len(values), "first": number_text(values[0]), "last": number_text(values[-1])},
        profile=profile_title(terms.profile),
        prizes=prize_words(terms.prizes),
        facts=(
            *levels_facts(levels),
            *others,
            *profile_facts(terms.profile),
            clock_fact(terms.clock),
        ),
    )


def levels_facts(levels: LevelTerms) -> tuple[str, ...]:
    """The chips, each level, and how chips can be bought."""
    return (
        _("Everybody starts with %(chips)s chips and carries them over.")
        % {"chips": number_text(levels.starting_chips)},
        *(_level_fact(number, level) for number, level in enumerate(levels.schedule.levels, 1)),
        *(() if levels.rebuy is None else (_rebuy_fact(levels.rebuy),)),
    )


def _level_fact(number: int, level: Level) -> str:
    words = ngettext(
        "Level %(n)d: %(minutes)d minute, %(value)s chips a point; who has fewer than %(least)s "
        "chips is not dealt in.",
        "Level %(n)d: %(minutes)d minutes, %(value)s chips a point; who has fewer than %(least)s "
        "chips is not dealt in.",
        level.minutes,
    )
    return words % {
        "n": number,
        "minutes": level.minutes,
        "value": number_text(level.point_value),
        "least": number_text(level.minimum_chips),
    }


def _rebuy_fact(rebuy: Rebuy) -> str:
    words = ngettext(
        "Who has too few may buy %(chips)s chips %(most)d time, until level %(level)d, if they "
        "reach the minimum.",
        "Who has too few may buy %(chips)s chips up to %(most)d times, until level %(level)d, if "
        "they reach the minimum.",
        rebuy.most,
    )
    return words % {
        "chips": number_text(rebuy.chips),
        "most": rebuy.most,
        "level": rebuy.until_level,
    }


def prize_words(prizes: PrizeStructure) -> str:
    """How the prize pool is divided."""
    match prizes:
        case WinnerTakesAll():
            return _("the winner takes all")
        case Percentages(basis_points=shares):
            return _percentages(shares)
        case FixedAmounts():
            words = _("fixed prizes for %(ranks)s")
            if prizes.is_guaranteed:
                words = _("fixed prizes for %(ranks)s, guaranteed")
            return words % {"ranks": _ranks(len(prizes.amounts))}
        case ByEntries():
            return _("percentages that depend on the number of entries")
        case _other:
            assert_never(prizes)


def _percentages(shares: tuple[int, ...]) -> str:
    shown = " · ".join(f"{share / 100:g}" for share in shares[:10])
    if len(shares) <= 10:
        return f"{shown} %"
    return _("%(shown)s %% … for %(ranks)s") % {"shown": shown, "ranks": _ranks(len(shares))}


def _ranks(number: int) -> str:
    return _("rank 1") if number == 1 else _("ranks 1 to %(n)d") % {"n": number}
