"""The options of rules, each with its name and its meaning in plain words.

An *option* is one figure, choice or switch of a format, a profile or the clock. All words are lazy,
so that they are read in the language of who reads them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from tables.rules.formats import OnTie, RankBy
from tables.rules.profiles import Absence, LateDeclaration, Unmatched
from tables.rules.terms import Stake


class Kind(StrEnum):
    """How an option is written."""

    WHOLE = "whole"
    MAYBE = "maybe"
    """A whole number, or nothing."""
    FLAG = "flag"
    CHOICE = "choice"


class Option(NamedTuple):
    """One thing that can be set; `choices` are values and words. Words are lazy."""

    name: str
    label: Any
    meaning: Any
    kind: Kind = Kind.WHOLE
    choices: tuple[tuple[str, Any], ...] = ()


PROFILE_OPTIONS: Final = (
    Option(
        "cap",
        _("Most points of a hand"),
        _("However bad a hand is, it counts no more than this. Empty: no limit."),
        Kind.MAYBE,
    ),
    Option(
        "ace_points",
        _("Points of an ace"),
        _("What an ace counts in the hand of a loser."),
        Kind.CHOICE,
        (("10", "10"), ("1", "1"), ("15", "15")),
    ),
    Option(
        "unmatched",
        _("A hand without two sequences, one of them pure, counts"),
        _("What a loser pays who has not even begun what a declaration needs."),
        Kind.CHOICE,
        (
            (Unmatched.ALL_CARDS, _("all its cards")),
            (Unmatched.ALL_BUT_BEST_PURE, _("all its cards but its best pure sequence")),
            (Unmatched.FLAT_CAP, _("the most a hand can count")),
        ),
    ),
    Option(
        "complete_loser_points",
        _("Points of a complete hand that did not declare"),
        _("For who was ready, but not the first."),
    ),
    Option(
        "wrong_declaration_counts_hand",
        _("A wrong declaration counts the whole hand"),
        _("Instead of the fixed points of the format."),
        Kind.FLAG,
    ),
    Option(
        "run_joker_limit",
        _("Most jokers in a sequence"),
        _("Empty: as many as you like."),
        Kind.MAYBE,
    ),
    Option(
        "set_size_limit",
        _("Most cards in a set"),
        _("4 allows one of each suit; more is possible only with jokers. Empty: no limit."),
        Kind.MAYBE,
    ),
    Option(
        "long_run",
        _("Cards that one sequence must have"),
        _("3 is usual; with 4 a declaration needs a sequence of four or more."),
    ),
    Option(
        "loose_jokers",
        _("Jokers may lie outside the groups"),
        _("A declaration is valid though jokers are left over."),
        Kind.FLAG,
    ),
    Option(
        "may_discard_taken_card",
        _("The card taken from the open deck may be discarded at once"),
        _("Most clubs say no."),
        Kind.FLAG,
    ),
    Option(
        "may_take_discarded_jokers",
        _("A discarded joker may be taken"),
        _("Most clubs say no."),
        Kind.FLAG,
    ),
    Option(
        "late_declaration",
        _("Who lets the time to declare run out counts"),
        _("For players who are connected but too slow."),
        Kind.CHOICE,
        (
            (LateDeclaration.AS_ARRANGED, _("his hand as he has arranged it")),
            (LateDeclaration.ALL_CARDS, _("all his cards")),
        ),
    ),
    Option(
        "absence",
        _("For a player without a connection"),
        _("Online only."),
        Kind.CHOICE,
        (
            (Absence.MISS_TURNS, _("turns are missed")),
            (Absence.AUTO_PLAY, _("turns are played: draw and discard the same card")),
        ),
    ),
    Option(
        "auto_play_turns",
        _("Turns that are played for him"),
        _("Only where turns are played. Empty: the rest of the deal."),
        Kind.MAYBE,
    ),
    Option(
        "misses_allowed",
        _("Missed turns that end the deal for a player"),
        _("So many in a row, and he is out of the deal."),
    ),
    Option(
        "max_moves",
        _("Moves of a player after which everybody declares"),
        _("So that every deal ends."),
    ),
    Option(
        "max_deal_seconds",
        _("Longest deal, in seconds"),
        _("Then everybody declares. Empty: no limit."),
        Kind.MAYBE,
    ),
)

CLOCK_OPTIONS: Final = (
    Option("turn_seconds", _("Seconds for a turn"), _("Online only.")),
    Option("declare_seconds", _("Seconds to declare"), _("After somebody has finished.")),
    Option(
        "extra_seconds",
        _("Extra seconds in each deal"),
        _("Used up when a turn takes longer; everybody sees it."),
    ),
    Option(
        "auto_move_seconds",
        _("Pause before a move that is made for somebody"),
        _("In seconds, where turns are played for absent players."),
    ),
    Option(
        "next_deal_seconds",
        _("Seconds from one deal to the next"),
        _("To look at the result, and to offer a split."),
    ),
)

_DROPS: Final = (
    Option("first_drop", _("Points of a first drop"), _("Before the player has drawn a card.")),
    Option("middle_drop", _("Points of a middle drop"), _("Later in the deal.")),
)
_WRONG: Final = Option(
    "wrong_declaration",
    _("Points of a wrong declaration"),
    _("For who declares a hand that is not valid."),
)
_DEALS: Final = Option("deals", _("Deals of a match"), _("How many deals are played at a table."))
_POOL: Final = (
    Option("rejoin", _("Who is out may buy in again"), _("At a single table only."), Kind.FLAG),
    Option(
        "max_rejoins",
        _("How often a player may buy in again"),
        _("Empty: as often as the totals allow."),
        Kind.MAYBE,
    ),
    Option(
        "auto_split",
        _("The prize is split when nobody can drop any more"),
        _("Between the last two, or three, players. At a single table only."),
        Kind.FLAG,
    ),
    Option(
        "auto_split_from",
        _("… or when all totals are at least"),
        _("Empty: when nobody has a drop left."),
        Kind.MAYBE,
    ),
    Option(
        "manual_split",
        _("Players may agree to split the prize"),
        _("One offers, all others must accept. At a single table only."),
        Kind.FLAG,
    ),
    Option("answer_seconds", _("Seconds to answer"), _("Whether to buy in again, or to split.")),
    Option("max_deals", _("Most deals"), _("Then the fewest points win.")),
)
_RANKING: Final = (
    Option(
        "rank_by",
        _("What counts in the end"),
        _("Chips are paid from deal to deal; points only add up."),
        Kind.CHOICE,
        ((RankBy.CHIPS, _("most chips")), (RankBy.FEWEST_POINTS, _("fewest points"))),
    ),
    Option(
        "deciding_place",
        _("The last place that matters"),
        _("A tie across it is played off; 1 is for the winner alone."),
    ),
)
_SET: Final = (
    Option("games", _("Games of a set"), _("The fewest points of all games together win.")),
    Option(
        "on_tie",
        _("When both have as many points"),
        _("In the rounds before the final."),
        Kind.CHOICE,
        ((OnTie.LOT, _("a lot decides")), (OnTie.SHARE, _("the prize is shared"))),
    ),
)
STAKES: Final = (
    (Stake.PRACTICE, _("Practice or play points")),
    (Stake.PROMOTIONAL, _("Promotional: no entry fee, and prizes")),
    (Stake.CASH, _("Money")),
)
EVERY_FORMAT_OPTION: Final = (
    _DEALS,
    *_DROPS,
    _WRONG,
    *_POOL,
    *_RANKING,
    *_SET,
    Option(
        "value",
        _("What a point is worth"),
        _("The winner of a deal gets this much for each point of the losers."),
    ),
)
