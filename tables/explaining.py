"""Why a hand counted what it counted: its groups, every card's points, and the rule in a sentence.

A *counted* card is one whose points are part of the sum. The sum of the counted cards and the
sentences lead to the points of the result; nothing here decides them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tables.deal_sheet import kinds_of
from tables.faces import Face, face_of
from tables.outcome_words import KINDS, OUTCOMES
from tables.rules.card_values import card_points, total_points
from tables.rules.cards import Card, in_order
from tables.rules.commands import Groups
from tables.rules.events import Revealed
from tables.rules.melds import Kind, as_laid
from tables.rules.profiles import Unmatched
from tables.rules.readings import is_matched
from tables.rules.results import Outcome, SeatScore
from tables.rules.state import DealState


class CountedCard(NamedTuple):
    """A card, how it is drawn, what it is worth, and whether that is part of the sum."""

    card: Card
    faces: tuple[Face]
    points: int
    counts: bool


class CountedGroup(NamedTuple):
    """Cards that lie together; `is_valid` is false of those in no valid group."""

    kind: str
    is_valid: bool
    cards: tuple[CountedCard, ...]
    points: int
    """Sum of its counted cards."""


class Explained(NamedTuple):
    """One player's hand at the end of a deal."""

    seat: int
    name: str
    outcome: str
    is_winner: bool
    points: int
    groups: tuple[CountedGroup, ...]
    counted: int
    """Sum of all counted cards, before any limit."""
    reasons: tuple[str, ...]


class _Count(NamedTuple):
    """Which groups count (by place), whether loose cards do, and the rule in sentences."""

    groups: frozenset[int]
    loose: bool
    reasons: tuple[str, ...]


def explain(state: DealState, score: SeatScore, shown: Revealed, name: str) -> Explained:
    """A hand that was laid open, in the groups that were looked at."""
    groups = _groups(state, score, shown)
    kinds = kinds_of(state, shown.hand, groups)
    count = _count(state, score, shown, groups, kinds)
    laid = tuple(_laid(state, shown.hand, groups, kinds, count))
    counted = sum(group.points for group in laid)
    return Explained(
        seat=score.seat,
        name=name,
        outcome=str(OUTCOMES[score.outcome]),
        is_winner=score.outcome is Outcome.WON,
        points=score.points,
        groups=laid,
        counted=counted,
        reasons=(*count.reasons, *_limit(state, score, counted, count)),
    )


def _groups(state: DealState, score: SeatScore, shown: Revealed) -> Groups:
    """What was declared; else what lay on the table, as far as it is still held."""
    if shown.declared is not None:
        return shown.declared
    held = Counter(shown.hand)
    return tuple(group for group in shown.arranged if not Counter(group) - held)


def _count(
    state: DealState,
    score: SeatScore,
    shown: Revealed,
    groups: Groups,
    kinds: Sequence[Kind | None],
) -> _Count:
    nothing, everything = frozenset[int](), frozenset(range(len(groups)))
    profile = state.terms.profile
    match score.outcome:
        case Outcome.WON if shown.declared is not None and state.finisher == score.seat:
            return _Count(nothing, False, (_("The hand is complete: every card is in a group."),))
        case Outcome.WON:
            return _Count(nothing, False, (_("The winner counts nothing."),))
        case Outcome.FIRST_DROP | Outcome.MIDDLE_DROP:
            return _Count(nothing, False, (_("A drop has its price, whatever the cards are."),))
        case Outcome.WRONG_DECLARATION if not profile.wrong_declaration_counts_hand:
            reason = _("The declaration was not complete; that has its price, whatever the cards.")
            return _Count(nothing, False, (reason,))
        case Outcome.LOST:
            return _declared(state, score, groups, kinds)
        case Outcome.WRONG_DECLARATION:
            reason = _("The declaration was not complete: all cards count.")
        case Outcome.FULL_COUNT:
            reason = _("Nothing was declared in time: all cards count.")
        case _:
            reason = _("The player left: all cards count.")
    return _Count(everything, True, (reason, *_flat(state)))


def _declared(
    state: DealState, score: SeatScore, groups: Groups, kinds: Sequence[Kind | None]
) -> _Count:
    profile, everything = state.terms.profile, frozenset(range(len(groups)))
    invalid = frozenset(at for at, kind in enumerate(kinds) if kind is None)
    if is_matched(groups, kinds, profile):
        loose = sum(map(len, groups)) < len(_hand(state, score.seat))
        if not invalid and score.points == profile.complete_loser_points and not loose:
            return _Count(frozenset(), False, (_("Complete too, but somebody was first."),))
        return _Count(invalid, True, (_("Cards outside valid groups count."),))
    missing = _("Two sequences are needed, one of them pure.")
    if profile.long_run > 3:
        missing = _("Two sequences are needed, one pure, one of %(cards)d cards.") % {
            "cards": profile.long_run
        }
    pure = [at for at, kind in enumerate(kinds) if kind is Kind.PURE_SEQUENCE]
    if profile.unmatched is Unmatched.ALL_BUT_BEST_PURE and pure:
        best = max(pure, key=lambda at: total_points(groups[at], state.wild_rank, profile))
        spared = _("Without them all cards count but the best pure sequence.")
        return _Count(everything - {best}, True, (missing, spared))
    if flat := _flat(state):
        return _Count(everything, True, (missing, *flat))
    return _Count(everything, True, (missing, _("Without them all cards count.")))


def _hand(state: DealState, seat: int) -> tuple[Card, ...]:
    return state.seat_state(seat).hand


def _flat(state: DealState) -> tuple[str, ...]:
    profile = state.terms.profile
    if profile.unmatched is not Unmatched.FLAT_CAP or profile.cap is None:
        return ()
    return (_("Here such a hand counts %(cap)d, whatever its cards are.") % {"cap": profile.cap},)


def _limit(state: DealState, score: SeatScore, counted: int, count: _Count) -> tuple[str, ...]:
    """The sentence on the limit of a hand, where it made a difference."""
    cap = state.terms.profile.cap
    by_cards = count.loose or count.groups
    if (
        not by_cards
        or cap is None
        or counted <= score.points
        or score.points != cap
        or _flat(state)
    ):
        return ()
    return (_("A hand counts at most %(cap)d.") % {"cap": cap},)


def _laid(
    state: DealState,
    hand: Sequence[Card],
    groups: Groups,
    kinds: Sequence[Kind | None],
    count: _Count,
) -> list[CountedGroup]:
    """Groups in their order, sequences as they are read, then the cards in none."""
    laid, left = [], Counter(hand)
    for at, (group, kind) in enumerate(zip(groups, kinds, strict=True)):
        left -= Counter(group)
        cards = in_order(group) if kind is None else as_laid(group, kind, state.wild_rank)
        laid.append(_group(state, cards, kind, at in count.groups))
    if left:
        laid.append(_group(state, in_order(left.elements()), None, count.loose))
    return laid


def _group(
    state: DealState, cards: Sequence[Card], kind: Kind | None, counts: bool
) -> CountedGroup:
    profile, wild = state.terms.profile, state.wild_rank
    counted = tuple(
        CountedCard(card, (face_of(card, wild),), card_points(card, wild, profile), counts)
        for card in cards
    )
    total = sum(card.points for card in counted) if counts else 0
    return CountedGroup(str(KINDS[kind]), kind is not None, counted, total)


def points_text(points: int) -> str:
    """`1 point`, `12 points`."""
    return ngettext("%(points)d point", "%(points)d points", points) % {"points": points}
