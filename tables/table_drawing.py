"""The table as its page shows it before any script runs: who sits where, the decks, and my hand.

Made of the viewer's own snapshot and nothing else. The scripts draw the same again once they run
(`table/board.js`, `table/hand.js`, `table/rack.js`), each thing where it lies already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tables.faces import Face, faces_of
from tables.frames import SnapshotOut
from tables.rules.card_values import total_points
from tables.rules.cards import PRINTED_JOKER, Card, in_order
from tables.rules.commands import Groups
from tables.rules.melds import Kind
from tables.rules.readings import serving_kinds
from tables.rules.state import DealState, Phase, SeatState
from tables.table_texts import TEXTS, counted_text

_SUIT_ORDER: Final = "SHCD"
_LEAST: Final = 3
"""Cards of a group that may be one; a smaller one only says what it counts."""


class Plate(NamedTuple):
    """One player; `at` is his place clockwise from the viewer's left, 0 for the viewer."""

    at: int
    name: str
    score: str
    mark: str
    dealer: str


class Row(NamedTuple):
    """Cards that lie together; `state` names them to the style sheet."""

    state: str
    label: str
    faces: tuple[Face, ...]

    @property
    def size(self) -> int:
        """How many cards lie in it."""
        return len(self.faces)


class Drawing(NamedTuple):
    """What stands on the table at first; the decks are empty without a deal."""

    me: tuple[Plate, ...]
    others: tuple[Plate, ...]
    rows: tuple[Row, ...]
    wild: tuple[Face, ...] = ()
    wild_word: str = ""
    open_top: tuple[Face, ...] = ()
    closed_count: int = 0


def drawing_of(frame: SnapshotOut) -> Drawing:
    """The table as the snapshot's viewer sees it."""
    plates = _plates(frame)
    me = tuple(plate for plate in plates if plate.at == 0)
    others, rows = plates[len(me) :], hand_rows(frame)
    state = frame.state
    if state is None or state.wild_card is None:
        return Drawing(me, others, rows)
    return Drawing(
        me=me,
        others=others,
        rows=rows,
        wild=faces_of([state.wild_card], state.wild_rank),
        wild_word=_wild_word(state),
        open_top=faces_of(state.open[-1:], state.wild_rank),
        closed_count=len(state.closed),
    )


def _plates(frame: SnapshotOut) -> tuple[Plate, ...]:
    """Everybody, the viewer first and the others as they sit after him."""
    players, board = list(frame.scoreboard.players), frame.scoreboard
    mine = next((at for at, one in enumerate(players) if one.seat == frame.seat), None)
    if mine is not None:
        players = players[mine:] + players[:mine]
    scores = {line.seat: str(TEXTS["score"]).format(score=line.score) for line in board.lines}
    dealer = frame.state.seats[-1].seat if frame.state else None
    first = 0 if mine is not None else 1
    return tuple(
        Plate(
            at=at,
            name=f"{one.name} ({TEXTS['you']})" if at == 0 else one.name,
            score=scores.get(one.seat, ""),
            mark=str(TEXTS["bot"]) if one.is_bot else "",
            dealer=str(TEXTS["dealer_short"]) if one.seat == dealer else "",
        )
        for at, one in enumerate(players, first)
    )


def _wild_word(state: DealState) -> str:
    if state.wild_card == PRINTED_JOKER:
        return str(TEXTS["wild_aces"])
    rank = "10" if state.wild_rank == "T" else state.wild_rank
    return str(TEXTS["wild_rank"]).format(rank=rank)


def hand_rows(frame: SnapshotOut) -> tuple[Row, ...]:
    """The viewer's hand: groups in their order, then loose cards. Empty without a hand to play."""
    state = frame.state
    if state is None or state.phase is Phase.OVER:
        return ()
    own = next((seat for seat in state.seats if seat.seat == frame.seat), None)
    if own is None or own.outcome is not None or not own.hand:
        return ()
    groups, loose = _laid(own)
    kinds = serving_kinds(groups, state.wild_rank, state.terms.profile)
    rows = [_group(state, cards, kind) for cards, kind in zip(groups, kinds, strict=True)]
    return (*rows, _loose(state, loose))


def _laid(own: SeatState) -> tuple[list[tuple[Card, ...]], list[Card]]:
    """Groups as they were saved, less what is held no more; all in suits if none were."""
    if own.arranged:
        return _as_saved(own.hand, own.arranged)
    cards = in_order(own.hand)
    suits = [tuple(c for c in cards if c != PRINTED_JOKER and c[1] == s) for s in _SUIT_ORDER]
    return [suit for suit in suits if suit], [card for card in cards if card == PRINTED_JOKER]


def _as_saved(hand: Iterable[Card], saved: Groups) -> tuple[list[tuple[Card, ...]], list[Card]]:
    left, groups = Counter(hand), []
    for group in saved:
        kept = []
        for card in group:
            if left[card]:
                left[card] -= 1
                kept.append(card)
        if kept:
            groups.append(tuple(kept))
    loose = []
    for card in hand:
        if left[card]:
            left[card] -= 1
            loose.append(card)
    return groups, loose


def _group(state: DealState, cards: Sequence[Card], kind: Kind | None) -> Row:
    faces = faces_of(cards, state.wild_rank)
    if kind is not None:
        return Row(f"valid {kind}", str(TEXTS[f"kind_{kind}"]), faces)
    points = total_points(cards, state.wild_rank, state.terms.profile)
    if len(cards) < _LEAST:
        return Row("open", counted_text("points", points), faces)
    return Row("open", str(TEXTS["not_valid"]).format(points=points), faces)


def _loose(state: DealState, cards: Sequence[Card]) -> Row:
    if not cards:
        return Row("loose empty", "", ())
    points = total_points(cards, state.wild_rank, state.terms.profile)
    label = str(TEXTS["loose"]).format(points=points)
    return Row("loose", label, faces_of(cards, state.wild_rank))
