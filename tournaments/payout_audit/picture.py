"""The flow of a tournament's money as nodes and bands, and the same in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from tournaments.amounts import in_unit
from tournaments.flow_drawing import Drawing, Link, Node, draw
from tournaments.money.auditing import Figure
from tournaments.payout_audit.report import Report
from tournaments.payout_audit.words import figure_words

RANKS_APART: Final = 5
"""So many best ranks have a band of their own."""
_SOURCES: Final = (
    *(Figure.ENTRIES, Figure.REJOINS, Figure.RE_ENTRIES, Figure.REBUYS),
    Figure.TOP_UP,
)


def picture_of(report: Report) -> Drawing:
    """The drawing; empty where nothing has moved."""
    nodes = list(_nodes(report))
    there = {node.key for node in nodes if node.amount > 0}
    links = [_link(node) for node in nodes if node.key != "received"]
    return draw(nodes, [link for link in links if {link.source, link.target} <= there])


def sentence_of(report: Report) -> str:
    """What the drawing shows, for who does not see it."""
    parts = [
        f"{node.label}: {node.detail}" for node in _nodes(report) if node.amount > 0 and node.column
    ]
    return "; ".join(parts)


def _link(node: Node) -> Link:
    if node.column == 0:
        return Link(node.key, "received", node.amount, node.kind)
    source = "received" if node.column == 2 else "pool"
    return Link(source, node.key, node.amount, node.kind)


def _nodes(report: Report) -> Iterator[Node]:
    asset = report.tournament.asset
    amounts = {figure: figured.amount for figure, figured in report.figures.items()}

    def node(key: str, column: int, label: str, amount: int, kind: str) -> Node:
        return Node(key, column, label, in_unit(amount, asset), amount, kind)

    for figure in _SOURCES:
        kind = "house" if figure is Figure.TOP_UP else "in"
        yield node(figure.value, 0, figure_words(figure), amounts[figure], kind)
    received = sum(max(amounts[figure], 0) for figure in _SOURCES)
    yield node("received", 1, _("Received"), received, "in")
    refunded = amounts[Figure.REFUNDS] - amounts[Figure.KEPT]
    yield node("pool", 2, figure_words(Figure.POOL), amounts[Figure.POOL], "pool")
    yield node("fee", 2, figure_words(Figure.FEE), amounts[Figure.FEE], "house")
    yield node("refunds", 2, figure_words(Figure.REFUNDS), refunded, "back")
    yield node("set_aside", 2, figure_words(Figure.SET_ASIDE), amounts[Figure.SET_ASIDE], "waiting")
    for key, label, amount in _ranks(report.by_rank):
        yield node(key, 3, label, amount, "prize")
    tickets = report.tickets or amounts[Figure.TICKETS]
    yield node("tickets", 3, figure_words(Figure.TICKETS), tickets, "prize")
    to_house = amounts[Figure.SURPLUS]
    if report.payout is not None and not to_house:
        to_house = report.payout.to_house
    yield node("surplus", 3, figure_words(Figure.SURPLUS), to_house, "house")
    given = sum(amount for _rank, amount in report.by_rank) + tickets + to_house
    left = amounts[Figure.POOL] - given
    yield node("left", 3, _("Not given to anybody"), left, "waiting")


def _ranks(by_rank: Sequence[tuple[int, int]]) -> Iterator[tuple[str, str, int]]:
    best, others = by_rank[:RANKS_APART], by_rank[RANKS_APART:]
    for number, (rank, amount) in enumerate(best):
        yield f"rank-{number}", _("Rank %(rank)d") % {"rank": rank}, amount
    if others:
        words = _("%(number)d more prizes") % {"number": len(others)}
        yield "others", words, sum(amount for _rank, amount in others)
