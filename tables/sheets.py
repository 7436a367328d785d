"""The score sheet of a table with real cards, put together for a page, for paper, for a scorer.

It says who sits where, every deal so far, what is asked for next and which values that may have.
Nothing here writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables import store
from tables.errors import TableCode, TableRefusal
from tables.match_sheet import MatchSheet, match_sheet
from tables.models import Match, MatchStatus, SheetLine
from tables.rules.errors import Code, RuleViolation
from tables.rules.formats import (
    AwaitRebuy,
    AwaitRejoin,
    AwaitSplit,
    MatchOver,
    NextDeal,
    PlayerLeft,
    Step,
)
from tables.rules.formats import Match as Game
from tables.rules.score_sheet import Kind, SheetRow, Written, costs_in_words, read_sheet
from tables.seats import seat_name, seat_names
from wording import number_text, part

WORDS: Final[dict[Kind, str | Promise]] = {
    Kind.WON: gettext_lazy("won"),
    Kind.LOST: gettext_lazy("lost"),
    Kind.DROP: gettext_lazy("first drop"),
    Kind.MIDDLE_DROP: gettext_lazy("middle drop"),
    Kind.WRONG_DECLARATION: gettext_lazy("wrong declaration"),
    Kind.FULL_COUNT: gettext_lazy("whole hand counts"),
    Kind.ABSENT: gettext_lazy("absent"),
}


class Choice(NamedTuple):
    """A kind of row with what it counts, in words."""

    kind: str
    word: str
    costs: str


class Player(NamedTuple):
    """Somebody at the table; `deals` marks who deals next, `note` what he has to know."""

    seat: int
    name: str
    total: int
    is_in: bool
    note: str = ""


class DealToEnter(NamedTuple):
    """A deal that is asked for, or the last one to be corrected: who plays, what may be written."""

    number: int
    players: tuple[Player, ...]
    choices: tuple[Choice, ...]
    has_toss: bool
    """The toss decides who plays first; otherwise the dealer is known."""
    dealer: str
    is_tie_break: bool


class Sheet(NamedTuple):
    """A table's sheet; of `deal`, `rejoin` and `split` only what is asked for is not empty."""

    match: Match
    board: MatchSheet
    version: int
    players: tuple[Player, ...]
    asks: str
    deal: DealToEnter | None
    rejoin: tuple[Player, ...]
    split: tuple[Player, ...]
    may_offer: tuple[Player, ...]
    may_leave: tuple[Player, ...]
    may_stop: bool
    """Deals go on until the table's owner stops them."""
    last: DealToEnter | None
    """The last deal, which may be corrected."""
    lines: tuple[SheetLine, ...]


class Preview(NamedTuple):
    """What a deal would come to, before it is entered."""

    points: tuple[tuple[str, int], ...]
    """Name and points of each player of the deal."""
    totals: tuple[tuple[str, int], ...]
    consequences: tuple[str, ...]


def sheet_match(public_id: str) -> Match:
    """The last match of a table. Raises `TableRefusal`: `UNKNOWN_TABLE`, `NOT_IN_PERSON`."""
    matches = Match.objects.filter(table__public_id=public_id).select_related("table")
    match = matches.order_by("-number").first()
    if match is None:
        raise TableRefusal(TableCode.UNKNOWN_TABLE, "There is no such table.", field="table")
    if not match.in_person:
        raise TableRefusal(
            TableCode.NOT_IN_PERSON, "This table is played online; it keeps its score itself."
        )
    return match


def sheet_of(match: Match) -> Sheet:
    """The sheet as it stands. A fixed number of queries."""
    game, names = store.load_game(match), seat_names(match)
    step = game.next_step()
    players = _players(game, names)
    is_live = match.status not in (MatchStatus.OVER, MatchStatus.VOID)
    between = is_live and isinstance(step, NextDeal)
    can_offer = between and game.split_weights_now is not None
    present = tuple(player for player in players.values() if player.is_in)
    return Sheet(
        match=match,
        board=match_sheet(match),
        version=match.version,
        players=tuple(players.values()),
        asks=_asks(match, step, names),
        deal=_deal(game, step, len(game.results) + 1, players, names) if is_live else None,
        rejoin=_of(step.seats, players) if isinstance(step, AwaitRejoin | AwaitRebuy) else (),
        split=_of(step.seats, players) if isinstance(step, AwaitSplit) else (),
        may_offer=present if can_offer else (),
        may_leave=present if between else (),
        may_stop=between and game.runs_until_stopped,
        last=_last(match, game, names),
        lines=tuple(match.sheet_lines.order_by("seq")),
    )


def _of(seats: Sequence[int], players: dict[int, Player]) -> tuple[Player, ...]:
    return tuple(players[seat] for seat in seats)


def _players(game: Game, names: dict[int, str]) -> dict[int, Player]:
    standing = {line.seat: line for line in game.standings()}
    step = game.next_step()
    no_drop = step.no_drop if isinstance(step, NextDeal) else ()
    return {
        seat: Player(
            seat,
            seat_name(names, seat),
            standing[seat].score,
            standing[seat].still_in,
            _("no drop left") if seat in no_drop else "",
        )
        for seat in sorted(standing)
    }


def _asks(match: Match, step: Step, names: dict[int, str]) -> str:
    if match.status == MatchStatus.VOID:
        return _("This match was called off.")
    match step:
        case NextDeal(dealer=None, tie_break=tie_break):
            if tie_break:
                return _("A toss and then a tie-break deal: who wins the toss plays first.")
            return _("A toss and then the next deal: who wins the toss plays first.")
        case NextDeal(dealer=int(dealer)):
            return _("The next deal; %(name)s deals.") % {"name": names[dealer]}
        case AwaitRejoin(seats=seats, comes_back_with=total):
            asked = _("Does %(who)s buy in again, with a total of %(total)d?")
            return asked % {"who": _and(seats, names), "total": total}
        case AwaitRebuy(seats=seats, chips=chips):
            asked = _("Does %(who)s buy %(chips)s chips?")
            return asked % {"who": _and(seats, names), "chips": number_text(chips)}
        case AwaitSplit(offered_by=seat, weights=weights):
            parts = sum(weight for _seat, weight in weights)
            share = _("%(name)s %(weight)d of %(total)d")
            shares = ", ".join(
                share % {"name": names[one], "weight": weight, "total": parts}
                for one, weight in weights
            )
            asked = _("%(name)s offers to split the prize: %(shares)s.")
            return asked % {"name": names[seat], "shares": shares}
        case MatchOver():
            return _("The match is over.")
        case _:
            return _("A lot is drawn.")


def _and(seats: Sequence[int], names: dict[int, str]) -> str:
    return _(" and ").join(names[seat] for seat in seats)


def _deal(
    game: Game, step: Step, number: int, players: dict[int, Player], names: dict[int, str]
) -> DealToEnter | None:
    if not isinstance(step, NextDeal):
        return None
    return DealToEnter(
        number=number,
        players=tuple(players[seat] for seat in step.seats),
        choices=tuple(
            Choice(kind.value, str(WORDS[kind]), part(costs_in_words(step.terms, kind)))
            for kind in Kind
            if step.terms.has_drop or kind not in (Kind.DROP, Kind.MIDDLE_DROP)
        ),
        has_toss=step.dealer is None,
        dealer="" if step.dealer is None else names[step.dealer],
        is_tie_break=step.tie_break,
    )


def _last(match: Match, game: Game, names: dict[int, str]) -> DealToEnter | None:
    if not game.results or match.status == MatchStatus.VOID:
        return None
    before = game.before_last_deal()
    players = _players(before, names)
    return _deal(before, before.next_step(), len(game.results), players, names)


def last_written(match: Match) -> tuple[Sequence[SheetRow], str]:
    """The last deal as it was written, the departures since with it, to be corrected.

    Rows in their order, and the rank turned up; nothing where there is none.
    """
    game = store.load_game(match)
    if not game.results:
        return (), ""
    gone = {entry.seat for entry in game.since_last_deal if isinstance(entry, PlayerLeft)}
    for line in match.sheet_lines.order_by("-seq"):
        try:
            written = msgspec.json.decode(line.written, type=Written)
        except msgspec.ValidationError:
            continue  # an answer
        rows = [msgspec.structs.replace(r, leaves=r.leaves or r.seat in gone) for r in written.rows]
        return rows, written.wild
    return (), ""


def picture_of(match: Match) -> dict[str, Any]:
    """How a sheet stands, for the audit log: totals, and the last deal as it was written."""
    game, names = store.load_game(match), seat_names(match)
    rows, wild = last_written(match)
    players = _players(game, names)
    return {
        "deals": len(game.results),
        "totals": {f"{seat + 1}. {one.name}": one.total for seat, one in players.items()},
        "last_deal": {f"{row.seat + 1}. {players[row.seat].name}": _written(row) for row in rows},
        "wild": wild,
    }


def _written(row: SheetRow) -> str:
    with translation.override("en"):  # kept for everybody who reads the log
        word = str(WORDS[row.kind])
    stated = (word, "" if row.points is None else str(row.points), row.cards)
    return " ".join(word for word in stated if word)


def preview(match: Match, rows: Sequence[SheetRow], wild: str, *, corrects: bool) -> Preview:
    """What these rows would come to; raises as entering them does, as far as the rules refuse."""
    game, names = store.load_game(match), seat_names(match)
    before = game.before_last_deal() if corrects else game
    step = before.next_step()
    if not isinstance(step, NextDeal):
        raise RuleViolation(Code.DEAL_NOT_EXPECTED, "No deal is due now; look at the sheet.")
    result = read_sheet(step, rows, wild)
    after = game.correct(result) if corrects else game.record(result)
    leaving = [names[row.seat] for row in rows if row.leaves]
    return Preview(
        points=tuple((names[score.seat], score.points) for score in result.scores),
        totals=tuple((names[line.seat], line.score) for line in after.standings()),
        consequences=(
            *_consequences(before, after, names),
            *(_("%(name)s leaves.") % {"name": name} for name in leaving),
        ),
    )


def _consequences(before: Game, after: Game, names: dict[int, str]) -> list[str]:
    out = [
        _("%(name)s is out.") % {"name": names[line.seat]}
        for line in after.standings()
        if not line.still_in and before.is_in(line.seat)
    ]
    if isinstance(step := after.next_step(), AwaitRejoin):
        out.append(_("%(who)s may buy in again.") % {"who": _and(step.seats, names)})
    if isinstance(step, MatchOver):
        first = _and(step.places[0], names)
        out.append(_("The match is over; first is %(who)s.") % {"who": first})
    return out
