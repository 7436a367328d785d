"""Where the boxes and lines of a heads-up bracket stand in a drawing. Pure; units are pixels.

A large bracket is drawn section by section (`structure.sections`). Each pairing stands in the
middle of the two it follows from, so that the way to the final is read from left to right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tournaments.selectors.live_lines import LivePairing, LiveSeat
from tournaments.structure.sections import Section

WIDTH: Final = 208
HEIGHT: Final = 52
ACROSS: Final = 44
"""Between two rounds."""
STEP: Final = 68
"""Between two pairings of the first round drawn."""
TOP: Final = 32
"""Room for the names of the rounds."""
NAME: Final = 19
"""Longest name that fits a box."""

Rounds = Sequence[Sequence[LivePairing]]


class Line(NamedTuple):
    """A player in a box; `y` is where his text stands."""

    y: int
    seed: str
    name: str
    score: str
    is_winner: bool
    full_name: str


class Box(NamedTuple):
    """A pairing."""

    x: int
    y: int
    pairing: LivePairing
    lines: tuple[Line, Line]

    @property
    def score_x(self) -> int:
        """Where scores end."""
        return self.x + WIDTH - 8

    @property
    def middle(self) -> int:
        """Half-way down."""
        return self.y + HEIGHT // 2


class Column(NamedTuple):
    """A round drawn: its number, how many rounds there are, where its name stands."""

    number: int
    to_go: int
    """Rounds after it: 0 for the final."""
    x: int


class Drawing(NamedTuple):
    """A section of a bracket."""

    width: int
    height: int
    columns: tuple[Column, ...]
    boxes: tuple[Box, ...]
    lines: tuple[str, ...]
    """Paths between the boxes."""


def draw(section: Section[LivePairing], total: int) -> Drawing:
    """A section of a bracket that has `total` rounds."""
    return _drawn(section.rounds, section.first_round, total)


def _drawn(rounds: Rounds, first: int, total: int) -> Drawing:
    boxes: list[Box] = []
    paths: list[str] = []
    columns: list[Column] = []
    rows = max(1, len(rounds[0]))
    before: dict[int, Box] = {}
    for place, pairings in enumerate(rounds):
        x = place * (WIDTH + ACROSS)
        columns.append(Column(first + place, total - first - place, x))
        here: dict[int, Box] = {}
        for index, pairing in enumerate(pairings):
            box = _box(pairing, x, _y(index, place, rows, is_third=pairing.is_third_place))
            boxes.append(box)
            if pairing.is_third_place:
                continue
            here[index] = box
            paths += [_path(before[i], box) for i in (2 * index, 2 * index + 1) if i in before]
        before = here
    lowest = max((box.y for box in boxes), default=TOP) + HEIGHT
    width = len(rounds) * (WIDTH + ACROSS) - ACROSS
    return Drawing(width, lowest + 8, tuple(columns), tuple(boxes), tuple(paths))


def _y(index: int, place: int, rows: int, *, is_third: bool) -> int:
    """The top of a box; the match for third place stands under the final."""
    step = STEP << place
    if is_third:
        return _y(0, place, rows, is_third=False) + max(STEP, HEIGHT + 24)
    return TOP + index * step + (step - STEP) // 2 + (STEP - HEIGHT) // 2


def _path(start: Box, end: Box) -> str:
    x = start.x + WIDTH
    return f"M{x} {start.middle}H{x + ACROSS // 2}V{end.middle}H{end.x}"


def _box(pairing: LivePairing, x: int, y: int) -> Box:
    first = _line(pairing.first, pairing, y + 20)
    second = _line(pairing.second, pairing, y + 43)
    return Box(x, y, pairing, (first, second))


def _line(seat: LiveSeat | None, pairing: LivePairing, y: int) -> Line:
    if seat is None:
        return Line(y, "", "", "", False, "")
    name = seat.name if len(seat.name) <= NAME else f"{seat.name[: NAME - 1]}…"
    return Line(
        y=y,
        seed="" if seat.seed is None else str(seat.seed),
        name=name,
        score="" if seat.score is None else f"{seat.score:,}",
        is_winner=pairing.winner_seed is not None and pairing.winner_seed == seat.seed,
        full_name=seat.name,
    )
