"""What a best grouping is searched for, and the memos behind it.

A weight holds the points of a card and, below them, a count of one: the most weight grouped leaves
the fewest points, then the fewest cards. Where no group can change the points, cards alone count.
Memos are bounded: at most `MOST_TABLES` tables of runs are kept.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from tables.rules.card_values import rank_points
from tables.rules.cards import RANKS
from tables.rules.grouping_keys import Weights
from tables.rules.grouping_runs import RunTables
from tables.rules.grouping_search import Aim
from tables.rules.grouping_sets import SetTables
from tables.rules.grouping_shapes import MATCHED, SEQUENCE, RunOptions
from tables.rules.melds import MIN_GROUP
from tables.rules.profiles import RuleProfile

MOST_TABLES: Final = 8
"""Tables of runs kept at once. A full one takes some 35 MB."""
POINT: Final = 1 << 6
"""A point of a weight; the rest of it counts cards."""


def matched_aim(profile: RuleProfile) -> Aim:
    """The fewest points with the sequences of a declaration, wherever jokers lie."""
    options = RunOptions(weights_of(profile), profile.run_joker_limit, profile.long_run, MATCHED)
    return Aim(_run_tables(options), _set_tables(profile.set_size_limit, True), MATCHED, False)


def whole_matched_aim(profile: RuleProfile) -> Aim:
    """The same, and then the fewest cards ungrouped.

    Where any number of jokers may stand in a sequence, that makes no difference: there always is an
    impure one, or a second pure one, that takes those left over.
    """
    limit, most = profile.run_joker_limit, profile.set_size_limit
    if limit is None:
        return matched_aim(profile)
    options = RunOptions(weights_of(profile), limit, profile.long_run, MATCHED, most, joker_gain=1)
    return Aim(_run_tables(options), _set_tables(most, False), MATCHED, True)


def melds_aim(profile: RuleProfile) -> Aim:
    """The fewest points outside valid groups, whatever these are, then the fewest cards."""
    return _free_aim(profile, weights_of(profile))


def cards_aim(profile: RuleProfile) -> Aim:
    """The fewest cards outside valid groups, whatever these are and count."""
    return _free_aim(profile, _weights(0))


def weights_of(profile: RuleProfile) -> Weights:
    """The weights of `matched_aim` and `melds_aim`."""
    return _weights(profile.ace_points)


def bare_up_to(profile: RuleProfile) -> int:
    """With how many natural cards a wild card and substitutes alone may have to be a sequence.

    Any natural card serves better, if one can be spared: with more than three, one always can.
    Where substitutes are limited nothing is taken for granted.
    """
    return MIN_GROUP if profile.run_joker_limit is None else len(RANKS) + 1


def _free_aim(profile: RuleProfile, weights: Weights) -> Aim:
    limit, most = profile.run_joker_limit, profile.set_size_limit
    if limit is None:
        options = RunOptions(weights, None, MIN_GROUP, SEQUENCE)
    else:
        options = RunOptions(weights, limit, MIN_GROUP, 0, most, joker_gain=1)
    return Aim(_run_tables(options), _set_tables(most, False), 0, True)


@lru_cache(maxsize=8)
def _weights(ace_points: int) -> Weights:
    """Weights by position; without an ace's points those of the cards alone."""
    points = [rank_points(rank, ace_points) if ace_points else 0 for rank in RANKS]
    return (0, *(POINT * n + 1 for n in (*points, points[0])))


@lru_cache(maxsize=MOST_TABLES)
def _run_tables(options: RunOptions) -> RunTables:
    return RunTables(options)


@lru_cache(maxsize=MOST_TABLES)
def _set_tables(limit: int | None, frugal: bool) -> SetTables:
    return SetTables(limit, frugal=frugal)
