"""The scoreboard of a table's matches, deal by deal, put together for drawing.

Totals are those of the format itself: the match's log is replayed, and after each deal it is asked
for its standings. Only results are shown here, never a card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from tables import store
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, Match, MatchStatus, Table
from tables.outcome_words import OUTCOMES
from tables.rules.formats import (
    DealCorrected,
    DealScored,
    DealsFormat,
    DealsStopped,
    Entry,
    LevelFormat,
    LotDrawn,
    MatchOver,
    NextDeal,
    PlayerJoined,
    PlayerLeft,
    PointsFormat,
    RankBy,
    RejoinAnswered,
    SplitAnswered,
    SplitOffered,
    TimePassed,
    replayed,
)
from tables.rules.formats import Match as Game
from tables.rules.results import DealResult, Outcome
from tables.seats import seat_name, seat_names
from tables.words import clock_fact, format_facts, format_title, profile_facts, profile_title

MAX_MATCHES: Final = 20
"""Matches of one table that a page shows, the latest."""


class Cell(NamedTuple):
    """What a deal did to one player; `points` is None for who was not dealt in."""

    points: int | None
    outcome: str
    is_winner: bool
    total: int


class Row(NamedTuple):
    """A deal, or where there is a `note` something between two deals, in a sentence.

    A deal that a scorer entered has no row of the engine's in `deal`, only its number.
    """

    deal: Deal | None
    cells: tuple[Cell, ...] = ()
    note: str = ""
    number: int = 0
    is_tie_break: bool = False
    is_void: bool = False
    """Was corrected later."""


class Column(NamedTuple):
    """A player with his total so far and, once the match is over, his place."""

    name: str
    total: int
    place: int | None
    is_in: bool


class MatchSheet(NamedTuple):
    """One match: what it is played under, who plays, and every deal so far."""

    match: Match
    title: str
    facts: tuple[str, ...]
    unit: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    is_over: bool
    split: str = ""


class TableSheet(NamedTuple):
    """A table's page."""

    table: Table
    matches: tuple[MatchSheet, ...]

    @property
    def in_person(self) -> bool:
        """Whether a scorer keeps the score of its last match."""
        return bool(self.matches) and self.matches[-1].match.in_person


def table_sheet(public_id: str) -> TableSheet:
    """The sheet of a table, matches in order. Raises `TableRefusal(UNKNOWN_MATCH)`."""
    matches = Match.objects.filter(table__public_id=public_id).select_related("table")
    latest = list(matches.order_by("-number")[:MAX_MATCHES])
    table = latest[0].table if latest else Table.objects.filter(public_id=public_id).first()
    if table is None:
        raise TableRefusal(TableCode.UNKNOWN_MATCH, "There is no such table.", field="table")
    return TableSheet(table, tuple(map(match_sheet, reversed(latest))))


def match_sheet(match: Match) -> MatchSheet:
    """The sheet of one match. Three queries, however many deals it has."""
    game, names = store.load_game(match), seat_names(match)
    opening, outcome = game.opening, game.next_step()
    over = match.status == MatchStatus.OVER
    standing = {line.seat: line for line in game.standings()}
    return MatchSheet(
        match=match,
        title=_("%(format)s, %(profile)s rules")
        % {"format": format_title(opening.format), "profile": profile_title(opening.profile)},
        facts=(
            *format_facts(opening.format),
            *profile_facts(opening.profile),
            _("Played in person; a scorer enters the deals.")
            if match.in_person
            else clock_fact(opening.clock),
        ),
        unit=_unit(game),
        columns=tuple(
            Column(
                seat_name(names, seat),
                standing[seat].score,
                standing[seat].place if over else None,
                standing[seat].still_in,
            )
            for seat in sorted(standing)
        ),
        rows=tuple(_rows(game, list(match.deals.order_by("number")), names)),
        is_over=over,
        split=_split(outcome, names) if isinstance(outcome, MatchOver) else "",
    )


def _unit(game: Game) -> str:
    options = game.opening.format
    if isinstance(options, PointsFormat):
        return _("winnings")
    by_chips = isinstance(options, LevelFormat) or (
        isinstance(options, DealsFormat) and options.rank_by is RankBy.CHIPS
    )
    return _("chips") if by_chips else _("points")


def _rows(last: Game, deals: list[Deal], names: Mapping[int, str]) -> Iterator[Row]:
    """The match again from its beginning; the n-th result in its log is that of the n-th deal."""
    game = replayed(last.opening, ())
    seats, waiting, number = sorted(names), iter(deals), 0
    corrected = _corrected(last)
    for place, entry in enumerate(last.log):
        step, game = game.next_step(), game.after(entry)
        if isinstance(entry, DealScored | DealCorrected):
            number += isinstance(entry, DealScored)
            if isinstance(entry, DealCorrected):
                said = _("Deal %(number)d is corrected; answers after it are void.")
                yield Row(None, note=said % {"number": number})
                step = game.before_last_deal().next_step()
            yield Row(
                next(waiting, None),
                _cells(game, entry.result, seats),
                number=number,
                is_tie_break=isinstance(step, NextDeal) and step.tie_break,
                is_void=place in corrected,
            )
        elif note := _note(entry, names):
            yield Row(None, note=note)
    yield from (Row(deal) for deal in waiting)


def _corrected(game: Game) -> set[int]:
    """Places in the log of the results that a correction has replaced."""
    replaced, last = set(), 0
    for place, entry in enumerate(game.log):
        if isinstance(entry, DealCorrected):
            replaced.add(last)
        if isinstance(entry, DealScored | DealCorrected):
            last = place
    return replaced


def _cells(game: Game, result: DealResult, seats: list[int]) -> tuple[Cell, ...]:
    scores = {score.seat: score for score in result.scores}
    totals = {line.seat: line.score for line in game.standings()}
    cells = []
    for seat in seats:
        score = scores.get(seat)
        if score is None:
            cells.append(Cell(None, _("not dealt in"), False, totals[seat]))
            continue
        won = score.outcome is Outcome.WON
        cells.append(Cell(score.points, str(OUTCOMES[score.outcome]), won, totals[seat]))
    return tuple(cells)


def _note(entry: Entry, names: Mapping[int, str]) -> str:
    """What happened between two deals; nothing for time that merely passed."""
    if isinstance(entry, DealScored | DealCorrected | TimePassed):
        return ""
    if isinstance(entry, DealsStopped):
        return _("No further deal begins at this table.")
    name = {"name": seat_name(names, entry.seat)}
    match entry:
        case RejoinAnswered(comes_back=comes_back):
            text = _("%(name)s buys in again.")
            return (text if comes_back else _("%(name)s does not buy in again.")) % name
        case SplitOffered():
            return _("%(name)s offers to split the prize.") % name
        case SplitAnswered(accepts=accepts):
            text = _("%(name)s accepts the split.")
            return (text if accepts else _("%(name)s refuses the split.")) % name
        case LotDrawn():
            return _("The lot falls on %(name)s.") % name
        case PlayerLeft():
            return _("%(name)s leaves the table.") % name
        case PlayerJoined():
            return _("%(name)s sits down.") % name


def _split(outcome: MatchOver, names: Mapping[int, str]) -> str:
    if not outcome.split_weights:
        return ""
    total = sum(weight for _seat, weight in outcome.split_weights)
    shares = ", ".join(
        _("%(name)s %(weight)d of %(total)d")
        % {"name": seat_name(names, seat), "weight": weight, "total": total}
        for seat, weight in outcome.split_weights
    )
    return _("The prize pool is split: %(shares)s.") % {"shares": shares}
