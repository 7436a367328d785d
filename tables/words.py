"""Formats and rule profiles in words, for people who are about to play under them.

Every figure comes from the options themselves, so what is read is what is played.
"""

from __future__ import annotations

from typing import Final, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tables.rules.formats import (
    FORMATS,
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
from tables.rules.profiles import Absence, LateDeclaration, RuleProfile, Shoe, Unmatched
from tables.rules.terms import ClockTerms
from wording import number_text

_PROFILES: Final = {
    "g24_knockout": gettext_lazy("Games24x7 knock-out"),
    "g24_points": gettext_lazy("Games24x7 points"),
    "g24_pool": gettext_lazy("Games24x7 pool"),
    "rummycircle": "RummyCircle",
    "classic_rummy": "Classic Rummy",
    "rummycentral": "RummyCentral",
    "octro": "Octro",
}
_UNMATCHED: Final = {
    Unmatched.ALL_CARDS: gettext_lazy("all its cards"),
    Unmatched.ALL_BUT_BEST_PURE: gettext_lazy("all its cards but its best pure sequence"),
    Unmatched.FLAT_CAP: gettext_lazy("the most a hand can count"),
}


def format_title(options: AnyFormat) -> str:
    """A format's name, such as `Pool 101` or `Best of 2 deals`."""
    match options:
        case PointsFormat(deals=deals):
            return _("Points") if deals == 1 else _("Points over %(n)d deals") % {"n": deals}
        case PoolFormat():
            return _("Pool %(limit)d") % {"limit": options.limit}
        case DealsFormat(deals=deals):
            return _("One deal") if deals == 1 else _("Best of %(n)d deals") % {"n": deals}
        case HeadsUpFormat(games=games):
            words = ngettext("Heads-up, %(n)d game", "Heads-up, %(n)d games", games)
            return words % {"n": games}
        case HighestOutFormat():
            return _("Highest out")
        case LevelFormat():
            return _("Points for chips, %(value)s each") % {"value": number_text(options.value)}
        case _:
            assert_never(options)


def format_words(name: str) -> str:
    """A format in a list: its name, and its drops where two would be called the same."""
    options = FORMATS[name]
    match options:
        case PointsFormat():
            drops = _("Points, drops cost %(first)d and %(middle)d")
            return drops % {"first": options.first_drop, "middle": options.middle_drop}
        case DealsFormat():
            return _("A fixed number of deals")
        case HeadsUpFormat():
            return _("Heads-up, a set of games")
        case _:
            return format_title(options)


def format_facts(options: AnyFormat) -> tuple[str, ...]:
    """What decides a match, what a drop costs, what a wrong declaration costs; a sentence each."""
    wrong = _("A wrong declaration costs %(n)d points.") % {"n": options.wrong_declaration}
    return (*_deciding(options), _drops(options), wrong)


def _deciding(options: AnyFormat) -> tuple[str, ...]:
    match options:
        case PointsFormat():
            words = _("The winner of a deal gets every loser's points, each worth %(value)s.")
            return (words % {"value": number_text(options.value)},)
        case PoolFormat():
            words = _("Who reaches %(limit)d points is out; the last one wins.")
            return (words % {"limit": options.limit}, *_pool(options))
        case DealsFormat(rank_by=RankBy.CHIPS):
            words = _(
                "Everybody starts with %(chips)d chips and pays his points to the winner of each "
                "deal; most chips win."
            )
            return (words % {"chips": 80 * options.deals},)
        case DealsFormat():
            return (_("Points add up over the deals; the fewest win."),)
        case HeadsUpFormat(on_tie=OnTie.LOT):
            return (
                _("Points add up over the set; the fewest win, and of equal ones a lot decides."),
            )
        case HeadsUpFormat():
            return (
                _(
                    "Points add up over the set; the fewest win, and of equal ones the prize is "
                    "shared."
                ),
            )
        case HighestOutFormat():
            return (_("After each deal the highest total is out; the last one wins."),)
        case LevelFormat():
            return _level(options)
        case _:
            assert_never(options)


def _level(options: LevelFormat) -> tuple[str, ...]:
    gets = _("The winner of a deal gets %(value)s chips for each point of the losers.")
    needs = _("Who has fewer than %(chips)s chips is not dealt in.")
    return (
        gets % {"value": number_text(options.value)},
        needs % {"chips": number_text(options.minimum_chips)},
    )


def _pool(options: PoolFormat) -> tuple[str, ...]:
    facts = []
    if options.rejoin and options.max_rejoins is None:
        facts.append(_("Who is out may buy in again with the highest total."))
    elif options.rejoin:
        most = options.max_rejoins or 0
        words = ngettext(
            "Who is out may buy in again with the highest total, at most %(n)d time.",
            "Who is out may buy in again with the highest total, at most %(n)d times.",
            most,
        )
        facts.append(words % {"n": most})
    if options.auto_split or options.manual_split:
        facts.append(_("The last players may split the prize."))
    return tuple(facts)


def _drops(options: AnyFormat) -> str:
    if options.first_drop is None:
        return _("There is no drop.")
    words = _("A first drop costs %(first)d points, a middle drop %(middle)d.")
    return words % {"first": options.first_drop, "middle": options.middle_drop}


def profile_title(profile: RuleProfile) -> str:
    """Whose rules these are."""
    return str(_PROFILES.get(profile.name, profile.name))


def profile_facts(profile: RuleProfile) -> tuple[str, ...]:
    """The cards, the count, and what is special about groups; a sentence each."""
    if profile.cap is None:
        counts = _("A hand has no limit; an ace counts %(ace)d.") % {"ace": profile.ace_points}
    else:
        words = _("A hand counts at most %(cap)d; an ace counts %(ace)d.")
        counts = words % {"cap": profile.cap, "ace": profile.ace_points}
    without = _("Without two sequences, one of them pure, a hand counts %(what)s.")
    return (
        *map(_shoe, profile.shoes),
        counts,
        without % {"what": _UNMATCHED[profile.unmatched]},
        *group_facts(profile),
    )


def group_facts(profile: RuleProfile) -> tuple[str, ...]:
    """What is special about sets, sequences and jokers; nothing where nothing is."""
    facts = []
    if profile.set_size_limit is not None:
        facts.append(_("A set has at most %(n)d cards.") % {"n": profile.set_size_limit})
    if profile.run_joker_limit is not None:
        words = ngettext(
            "A sequence has at most %(n)d joker.",
            "A sequence has at most %(n)d jokers.",
            profile.run_joker_limit,
        )
        facts.append(words % {"n": profile.run_joker_limit})
    if profile.long_run > 3:
        facts.append(_("One sequence must have %(n)d cards or more.") % {"n": profile.long_run})
    if profile.loose_jokers:
        facts.append(_("Jokers may lie outside the groups of a declaration."))
    return tuple(facts)


def conduct_facts(profile: RuleProfile) -> tuple[str, ...]:
    """What else a deal can bring: declarations that come late, absence, its longest course."""
    facts = [
        _("Who has a complete hand when somebody else declares counts %(n)d points.")
        % {"n": profile.complete_loser_points}
    ]
    if profile.wrong_declaration_counts_hand:
        facts.append(_("After a wrong declaration all cards of that hand count instead."))
    if profile.late_declaration is LateDeclaration.ALL_CARDS:
        facts.append(_("Who lets the time to declare run out counts all his cards."))
    else:
        facts.append(_("Who lets the time to declare run out counts as he has arranged his hand."))
    if profile.may_discard_taken_card:
        facts.append(_("The card taken from the open deck may be discarded on the same turn."))
    else:
        facts.append(_("The card taken from the open deck stays in the hand for that turn."))
    if profile.may_take_discarded_jokers:
        facts.append(_("A discarded joker may be taken."))
    else:
        facts.append(_("A discarded joker may not be taken."))
    return (*facts, *_absence(profile), *_longest(profile))


def _absence(profile: RuleProfile) -> tuple[str, ...]:
    words = ngettext(
        "Who misses %(n)d turn is out of the deal.",
        "Who misses %(n)d turns in a row is out of the deal.",
        profile.misses_allowed,
    )
    missed = words % {"n": profile.misses_allowed}
    if profile.absence is Absence.MISS_TURNS:
        return (missed, _("Turns of a player without a connection are missed turns."))
    if profile.auto_play_turns is None:
        return (missed, _("For a player without a connection the rest of the deal is played."))
    words = ngettext(
        "For a player without a connection %(n)d turn is played.",
        "For a player without a connection %(n)d turns are played.",
        profile.auto_play_turns,
    )
    return (missed, words % {"n": profile.auto_play_turns})


def _longest(profile: RuleProfile) -> tuple[str, ...]:
    words = ngettext(
        "After %(n)d move of a player everybody declares.",
        "After %(n)d moves of a player everybody declares.",
        profile.max_moves,
    )
    facts = [words % {"n": profile.max_moves}]
    if profile.max_deal_seconds is not None:
        words = _("A deal lasts at most %(minutes)s minutes.")
        facts.append(words % {"minutes": f"{profile.max_deal_seconds / 60:g}"})
    return tuple(facts)


def _shoe(shoe: Shoe) -> str:
    packs = ngettext("%(n)d pack", "%(n)d packs", shoe.packs) % {"n": shoe.packs}
    if not shoe.printed_jokers:
        words = _("Up to %(players)d players: %(packs)s without jokers.")
        return words % {"players": shoe.up_to_players, "packs": packs}
    jokers = ngettext("%(n)d printed joker", "%(n)d printed jokers", shoe.printed_jokers)
    words = _("Up to %(players)d players: %(packs)s with %(jokers)s.")
    return words % {
        "players": shoe.up_to_players,
        "packs": packs,
        "jokers": jokers % {"n": shoe.printed_jokers},
    }


def clock_fact(clock: ClockTerms) -> str:
    """Time for a move and for declaring."""
    words = _(
        "%(turn)d seconds for a turn, %(declare)d to declare, and %(extra)d extra in each deal."
    )
    return words % {
        "turn": clock.turn_seconds,
        "declare": clock.declare_seconds,
        "extra": clock.extra_seconds,
    }
