"""A deal step by step: what lay where after each step, as the reader may know it.

The whole is computed here; a page gets the one step that it shows, so that nothing hidden is ever
sent with it. Steps are numbered from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from tables.explaining import Explained, explain, points_text
from tables.faces import Face, faces_of
from tables.models import Deal
from tables.outcome_words import KINDS, OUTCOMES
from tables.reading import Reading
from tables.retelling import Telling, is_step, told
from tables.rules import events as ev
from tables.rules.cards import HIDDEN, Card, in_order
from tables.rules.commands import Groups
from tables.rules.counting import judge_hand
from tables.rules.errors import RuleViolation
from tables.rules.evolve import evolve, opened
from tables.rules.results import Outcome
from tables.rules.state import DealState, Phase, SeatState
from tables.rules.visibility import view_of

LAST_DISCARDS: Final = 8


class Pile(NamedTuple):
    """Cards of a hand that lie together; `kind` is empty where nothing is said of them."""

    kind: str
    faces: tuple[Face, ...]


class Place(NamedTuple):
    """A player at a step: his cards as far as the reader may see them, else how many he has."""

    name: str
    is_mine: bool
    is_to_move: bool
    note: str
    piles: tuple[Pile, ...]
    hidden: int


class Frame(NamedTuple):
    """One step of a deal."""

    deal: Deal
    step: int
    last: int
    sentence: str
    wild: tuple[Face, ...]
    open_top: tuple[Face, ...]
    open_below: tuple[Face, ...]
    """Cards under the top one, the latest first, as many as are shown."""
    open_count: int
    closed_count: int
    finish: tuple[Face, ...]
    places: tuple[Place, ...]
    results: tuple[Explained, ...]
    """At the last step of a deal with a result: every hand and its points, the best first."""
    shows_all: bool
    may_see_all: bool
    is_running: bool
    """The last step is only the last so far."""

    @property
    def before(self) -> int:
        """The step before this one, or the first."""
        return max(1, self.step - 1)

    @property
    def after(self) -> int:
        """The step after this one, or the last."""
        return min(self.last, self.step + 1)


def frame_of(reading: Reading, step: int | None, *, all_hands: bool) -> Frame:
    """A step of a deal that may be read; numbers beyond the ends give the first or last one.

    Without a number the first step at which cards lie. `all_hands` is heard only where the reader
    may see all. Raises `RuleViolation(BAD_RECORD)` for a log that was changed.
    """
    ends = [at for at, event in enumerate(reading.events, 1) if is_step(event)]
    if step is None:
        step = _first_with_cards(reading.events, ends)
    number = min(max(1, step), len(ends))
    until = ends[number] - 1 if number < len(ends) else len(reading.events)
    state = _state_after(reading.events[:until])
    shows_all = state.is_over or (all_hands and reading.may_see_all)
    view = state if shows_all else view_of(state, reading.seat)
    event = reading.events[ends[number - 1] - 1]
    shown = event if shows_all else reading.redacted[ends[number - 1] - 1]
    telling = Telling(reading.names, state.wild_rank)
    opened_cards = faces_of(view.open, view.wild_rank)
    return Frame(
        deal=reading.deal,
        step=number,
        last=len(ends),
        sentence=told(shown, telling),
        wild=() if view.wild_card is None else faces_of([view.wild_card]),
        open_top=opened_cards[-1:],
        open_below=opened_cards[:-1][: -LAST_DISCARDS - 1 : -1],
        open_count=len(opened_cards),
        closed_count=len(view.closed),
        finish=() if view.finish_slot is None else faces_of([view.finish_slot], view.wild_rank),
        places=tuple(_place(view, seat, reading, telling) for seat in view.seats),
        results=results_of(state, event, reading.names) if number == len(ends) else (),
        shows_all=shows_all,
        may_see_all=reading.may_see_all,
        is_running=not reading.is_over,
    )


def _first_with_cards(events: Sequence[ev.Event], ends: Sequence[int]) -> int:
    for number, at in enumerate(ends, 1):
        if isinstance(events[at - 1], ev.CardsDealt):
            return number
    return 1


def _state_after(events: Sequence[ev.Event]) -> DealState:
    state = opened(events[0])
    for event in events[1:]:
        state = evolve(state, event)
    return state


def _place(view: DealState, seat: SeatState, reading: Reading, telling: Telling) -> Place:
    hidden = sum(card == HIDDEN for card in seat.hand)
    return Place(
        name=telling.who(seat.seat),
        is_mine=seat.seat == reading.seat,
        is_to_move=_is_to_move(view, seat),
        note=_note(view, seat),
        piles=() if hidden else tuple(_piles(view, seat)),
        hidden=hidden,
    )


def _is_to_move(view: DealState, seat: SeatState) -> bool:
    if view.phase in (Phase.DRAW, Phase.DISCARD):
        return view.turn == seat.seat
    return seat in view.to_declare


def _note(view: DealState, seat: SeatState) -> str:
    score = (
        next((s for s in view.result.scores if s.seat == seat.seat), None) if view.result else None
    )
    outcome = seat.outcome if score is None else score.outcome
    points = seat.points if score is None else score.points
    if outcome is None:
        return _("declared") if seat.declared_by is not None else ""
    if outcome is Outcome.WON or points is None:
        return str(OUTCOMES[outcome])
    return f"{OUTCOMES[outcome]}, {points_text(points)}"


def _piles(view: DealState, seat: SeatState) -> Iterator[Pile]:
    """The groups a player has made, as far as he holds them, and the rest sorted."""
    left = Counter(seat.hand)
    groups = seat.arranged if seat.declared is None else seat.declared
    held = []
    for group in groups:
        if not Counter(group) - left:
            left -= Counter(group)
            held.append(group)
    for group, kind in zip(held, _kinds(view, seat.hand, tuple(held)), strict=True):
        yield Pile(kind, faces_of(group, view.wild_rank))
    if left:
        yield Pile("", faces_of(in_order(left.elements()), view.wild_rank))


def _kinds(view: DealState, hand: tuple[Card, ...], groups: Groups) -> tuple[str, ...]:
    """What the groups are; of fourteen cards nothing is said, as they cannot be declared yet."""
    if view.wild_card is None or not groups:
        return ("",) * len(groups)
    try:
        judged = judge_hand(view, hand, groups)
    except RuleViolation:
        return ("",) * len(groups)
    return tuple("" if kind is None else str(KINDS[kind]) for kind in judged.kinds)


def results_of(
    state: DealState, event: ev.Event, names: Mapping[int, str]
) -> tuple[Explained, ...]:
    """Every hand with its points explained, the winner's first; nothing unless the deal ended."""
    if not isinstance(event, ev.DealEnded):
        return ()
    shown = {revealed.seat: revealed for revealed in event.revealed}
    scores = sorted(event.result.scores, key=lambda s: (s.outcome is not Outcome.WON, s.points))
    telling = Telling(names)
    return tuple(explain(state, s, shown[s.seat], telling.who(s.seat)) for s in scores)
