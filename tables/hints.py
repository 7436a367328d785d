"""Hints: the groups in which a player's own hand counts least, where his table gives hints.

A hint is made from what the seat sees and nothing else, and changes nothing.
"""

from __future__ import annotations

from tables import snapshots, store
from tables.errors import TableCode, TableRefusal
from tables.models import Match
from tables.rules.cards import HAND_SIZE, Card, without
from tables.rules.commands import Groups
from tables.rules.hands import Grouping, best_grouping
from tables.rules.state import DealState
from tables.rules.visibility import view_of
from tables.snapshots import Viewer


def gives_hints(match_id: int) -> bool:
    """Whether players of a match may ask for hints."""
    return Match.objects.filter(pk=match_id, hints=True).exists()


def best_groups(viewer: Viewer) -> Groups:
    """The best groups of the viewer's hand; with fourteen cards those that the best discard leaves.

    Raises `TableRefusal`: `NOT_A_PLAYER` for who holds no hand, `NO_HINTS` where none are given.
    """
    if viewer.seat is None:
        raise TableRefusal(TableCode.NOT_A_PLAYER, "You do not play at this table.")
    if not gives_hints(viewer.match_id):
        raise TableRefusal(TableCode.NO_HINTS, "This table gives no hints.")
    deal = snapshots.deal_for(viewer)
    view = None if deal is None else view_of(store.load(deal), viewer.seat)
    hand = () if view is None else _hand(view, viewer.seat)
    if view is None or len(hand) < HAND_SIZE:
        raise TableRefusal(TableCode.NOT_A_PLAYER, "You hold no cards now.")
    return tuple(group.cards for group in _best(view, hand).groups)


def _hand(view: DealState, seat: int) -> tuple[Card, ...]:
    """The cards of a seat; none for one that is not in this deal."""
    return next((s.hand for s in view.seats if s.seat == seat and s.is_in), ())


def _best(view: DealState, hand: tuple[Card, ...]) -> Grouping:
    profile, wild = view.terms.profile, view.wild_rank
    if len(hand) == HAND_SIZE:
        return best_grouping(hand, wild, profile)
    left = [best_grouping(without(hand, card), wild, profile) for card in dict.fromkeys(hand)]
    return min(left, key=lambda grouping: (not grouping.complete, grouping.points))
