"""How money flows through a tournament, as a drawing of nodes and bands. Pure; units are pixels.

Nodes stand in columns from left to right, each as high as its amount; bands between them are as
thick as what flows. A node that is too small for its label still gets the room for one, so that no
two labels overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

HEIGHT: Final = 360
"""Of the highest column, its gaps left out."""
COLUMN: Final = 250
"""From one column to the next."""
BAR: Final = 14
"""Width of a node."""
LABEL: Final = 38
"""Room for the two lines of a label."""
GAP: Final = 10
THINNEST: Final = 2
TOP: Final = 8


class Node(NamedTuple):
    """Where money comes from or goes to. `kind` is its colour; `detail` its amount in words."""

    key: str
    column: int
    label: str
    detail: str
    amount: int
    kind: str


class Link(NamedTuple):
    """What flows from one node (key) to another; positive."""

    source: str
    target: str
    amount: int
    kind: str


class Bar(NamedTuple):
    """A node drawn, with the places of its two lines of text."""

    node: Node
    x: int
    y: float
    height: float
    text_x: int
    label_y: float
    detail_y: float


class Band(NamedTuple):
    """A link drawn: a closed path."""

    link: Link
    path: str


class Drawing(NamedTuple):
    """The whole."""

    width: int
    height: int
    bars: tuple[Bar, ...]
    bands: tuple[Band, ...]


def draw(nodes: Sequence[Node], links: Sequence[Link]) -> Drawing:
    """The drawing of these nodes, in their order within each column. Of no amount it is empty."""
    shown = [node for node in nodes if node.amount > 0]
    if not shown:
        return Drawing(0, 0, (), ())
    columns = sorted({node.column for node in shown})
    most = max(sum(n.amount for n in shown if n.column == column) for column in columns)
    scale = HEIGHT / most
    bars: dict[str, Bar] = {}
    for column in columns:
        for bar in _stacked([node for node in shown if node.column == column], scale):
            bars[bar.node.key] = bar
    lowest = max(max(bar.y + bar.height, bar.detail_y + GAP) for bar in bars.values())
    width = columns[-1] * COLUMN + COLUMN
    bands = _bands(bars, [link for link in links if link.amount > 0], scale)
    return Drawing(width, int(lowest) + TOP, tuple(bars.values()), tuple(bands))


def _stacked(nodes: Sequence[Node], scale: float) -> list[Bar]:
    bars, y = [], float(TOP)
    for node in nodes:
        height = _thick(node.amount, scale)
        room = max(height, LABEL)
        x = node.column * COLUMN
        top = y + (room - height) / 2
        middle = y + room / 2
        bars.append(Bar(node, x, _at(top), _at(height), x + BAR + 8, middle - 3, middle + 14))
        y += room + GAP
    return bars


def _thick(amount: int, scale: float) -> float:
    return max(amount * scale, THINNEST)


def _bands(bars: dict[str, Bar], links: Sequence[Link], scale: float) -> list[Band]:
    used_right = dict.fromkeys(bars, 0.0)
    used_left = dict.fromkeys(bars, 0.0)
    bands = []
    for link in links:
        start, end = bars[link.source], bars[link.target]
        thick = _thick(link.amount, scale)
        y_from, y_to = start.y + used_right[link.source], end.y + used_left[link.target]
        used_right[link.source] += thick
        used_left[link.target] += thick
        bands.append(Band(link, _path(start.x + BAR, y_from, end.x, y_to, thick)))
    return bands


def _path(x: int, y: float, end_x: int, end_y: float, thick: float) -> str:
    """A band that leaves and arrives level."""
    half = (x + end_x) // 2
    upper = f"M{x} {_at(y)}C{half} {_at(y)} {half} {_at(end_y)} {end_x} {_at(end_y)}"
    y, end_y = y + thick, end_y + thick
    return f"{upper}V{_at(end_y)}C{half} {_at(end_y)} {half} {_at(y)} {x} {_at(y)}Z"


def _at(value: float) -> float:
    return round(value, 1)
