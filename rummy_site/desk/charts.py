"""Charts as bars, drawn on the server. Pure; units are pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

WIDTH: Final = 420
HEIGHT: Final = 120
FOOT: Final = 18
"""Room for labels under the bars."""


class Point(NamedTuple):
    """A value with its label, and the value in words."""

    label: str
    value: int
    words: str


class Bar(NamedTuple):
    """A bar drawn: its corner, size, and where its label stands, empty where it would crowd."""

    point: Point
    x: float
    y: float
    width: float
    height: float
    label_x: float
    label: str


class Chart(NamedTuple):
    """A chart with its title, a sentence that sums it up, and its bars."""

    key: str
    title: str
    summary: str
    width: int
    height: int
    base: float
    """The line that values stand on."""
    bars: tuple[Bar, ...]

    @property
    def is_empty(self) -> bool:
        """Whether every value is zero."""
        return not any(bar.point.value for bar in self.bars)


def bars(key: str, title: str, summary: str, points: Sequence[Point]) -> Chart:
    """Bars from left to right; what is below zero hangs under the line."""
    most = max((point.value for point in points), default=0)
    least = min((point.value for point in points), default=0)
    span = max(most, 0) - min(least, 0) or 1
    base = HEIGHT * max(most, 0) / span
    step = WIDTH / max(len(points), 1)
    every = max(1, -(-len(points) // 7))
    drawn = []
    for number, point in enumerate(points):
        height = HEIGHT * abs(point.value) / span
        top = base - height if point.value >= 0 else base
        label = point.label if number % every == 0 else ""
        middle = number * step + step / 2
        drawn.append(
            Bar(
                point,
                round(number * step + step * 0.12, 1),
                round(top, 1),
                round(step * 0.76, 1),
                round(height, 1),
                round(middle, 1),
                label,
            )
        )
    return Chart(key, title, summary, WIDTH, HEIGHT + FOOT, round(base, 1), tuple(drawn))
