"""The moves of bots: one command for one view, of what the rules allow there.

A bot gets what a player gets - his view of the deal and his legal commands - and answers one of
them. It never leaves, never goes offline, and never finishes with a hand it cannot declare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from tables.rules import commands as cm
from tables.rules.bots import thinking
from tables.rules.bots.chance import Chance
from tables.rules.bots.sight import Sight
from tables.rules.cards import Card
from tables.rules.errors import Code, RuleViolation
from tables.rules.hands import judge
from tables.rules.state import DealState

T = TypeVar("T")


class Strength(StrEnum):
    """How well a bot plays."""

    RANDOM_LEGAL = "random_legal"
    """Draws and discards by chance; finishes when that happens to leave a complete hand."""
    STEADY = "steady"
    """Keeps sequences and what may become one, looking at his own hand only."""
    SHARP = "sharp"
    """Counts what lies open, does not feed the next player, gives hopeless hands up."""


class Turn(NamedTuple):
    """What a bot is asked in a turn."""

    sight: Sight
    legal: Sequence[cm.SeatCommand]
    chance: Chance

    def offers(self, kind: type[cm.SeatCommand]) -> bool:
        """Whether a command of this kind is legal."""
        return any(type(command) is kind for command in self.legal)


def choose(
    view: DealState, legal: Sequence[cm.SeatCommand], *, strength: Strength, chance: Chance
) -> cm.SeatCommand:
    """The command of a bot that has this view and may do what is `legal`.

    `legal` is `legal_commands(view, seat)`. The same view, strength and chance give the same
    command on every machine. Raises `RuleViolation(NOT_YOUR_TURN)` when the deal does not wait for
    this seat.
    """
    if legal:
        turn = Turn(Sight(view, legal[0].seat), legal, chance)
        if turn.offers(cm.Declare):
            return _declare(turn)
        if turn.offers(cm.DrawClosed):
            return _DRAWS[strength](turn)
        if turn.offers(cm.Discard):
            return _DISCARDS[strength](turn)
    raise RuleViolation(Code.NOT_YOUR_TURN, "This deal does not wait for this seat now.")


def _declare(turn: Turn) -> cm.SeatCommand:
    """The grouping with the fewest points, whoever shows."""
    return cm.Declare(turn.sight.me.seat, turn.sight.hand.groups())


def _one_of(turn: Turn, among: Sequence[T]) -> T:
    return among[turn.chance.below(len(among), *turn.sight.moment)]


def _draw_any(turn: Turn) -> cm.SeatCommand:
    return _one_of(turn, [c for c in turn.legal if isinstance(c, cm.DrawClosed | cm.DrawOpen)])


def _discard_any(turn: Turn) -> cm.SeatCommand:
    command = _one_of(turn, [c for c in turn.legal if isinstance(c, cm.Discard)])
    if turn.sight.hand.is_complete_without(command.card):
        return cm.Finish(command.seat, command.card)
    return command


def _draw_steadily(turn: Turn) -> cm.SeatCommand:
    sight, top = turn.sight, turn.sight.view.open_top
    if top is not None and turn.offers(cm.DrawOpen) and thinking.takes_open(sight.hand, top):
        return cm.DrawOpen(sight.me.seat)
    return cm.DrawClosed(sight.me.seat)


def _discard_steadily(turn: Turn) -> cm.SeatCommand:
    sight = turn.sight
    return _cheapest(turn, thinking.costs_of_discards(sight.hand, sight.live_at_a_glance()))


def _cheapest(turn: Turn, costs: Mapping[Card, float]) -> cm.SeatCommand:
    """Finish if the hand can be declared, else the discard that costs least.

    Chance decides between equals.
    """
    hand, seat = turn.sight.hand, turn.sight.me.seat
    for card in sorted(costs, key=costs.__getitem__):
        if hand.is_complete_without(card):
            return cm.Finish(seat, card)
    allowed = [c.card for c in turn.legal if isinstance(c, cm.Discard)]
    cards = [card for card in allowed if card in costs] or allowed
    least = min(costs.get(card, 0.0) for card in cards)
    return cm.Discard(seat, _one_of(turn, [c for c in cards if costs.get(c, 0.0) <= least]))


def _draw_sharply(turn: Turn) -> cm.SeatCommand:
    draw = _draw_steadily(turn)
    if isinstance(draw, cm.DrawClosed) and turn.offers(cm.Drop) and _gives_up(turn.sight):
        return cm.Drop(draw.seat)
    return _arranged(turn) or draw


def _gives_up(sight: Sight) -> bool:
    drop = sight.view.terms.first_drop
    if drop is None or sight.me.drew:
        return False
    live = sight.live_counted(sight.taken_by_others())
    return thinking.is_hopeless(sight.hand, live, drop, len(sight.view.still_in) - 1)


def _arranged(turn: Turn) -> cm.SeatCommand | None:
    """Save the best grouping once it counts less than what is saved."""
    me, hand = turn.sight.me, turn.sight.hand
    if not turn.offers(cm.Arrange) or hand.points() >= _points_as_saved(turn.sight):
        return None
    groups = hand.groups()
    return None if groups == me.arranged else cm.Arrange(me.seat, groups)


def _points_as_saved(sight: Sight) -> int:
    """What the saved groups count; nothing is grouped once a card of them is gone."""
    hand, saved = sight.hand, sight.me.arranged
    loose = Counter(hand.cards)
    loose.subtract(card for group in saved for card in group)
    if min(loose.values()) < 0:
        saved, loose = (), Counter(hand.cards)
    return judge(saved, tuple(loose.elements()), hand.wild_rank, hand.profile).points


def _discard_sharply(turn: Turn) -> cm.SeatCommand:
    sight = turn.sight
    taken = sight.taken_by_others()
    rivals = taken.get(sight.next_player, ())
    live = sight.live_counted(taken)
    costs = thinking.costs_of_discards(sight.hand, live)
    outs = thinking.outs_of_discards(sight.hand, costs, live)
    weighed = {
        card: cost + thinking.helps_next_player(card, rivals) - thinking.OUT * outs[card]
        for card, cost in costs.items()
    }
    return _cheapest(turn, weighed)


_DRAWS: Final[Mapping[Strength, Callable[[Turn], cm.SeatCommand]]] = {
    Strength.RANDOM_LEGAL: _draw_any,
    Strength.STEADY: _draw_steadily,
    Strength.SHARP: _draw_sharply,
}
_DISCARDS: Final[Mapping[Strength, Callable[[Turn], cm.SeatCommand]]] = {
    Strength.RANDOM_LEGAL: _discard_any,
    Strength.STEADY: _discard_steadily,
    Strength.SHARP: _discard_sharply,
}
