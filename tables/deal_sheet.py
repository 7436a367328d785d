"""All that a page shows of one deal, put together for drawing.

A *sheet* of a deal that is still being played holds no card at all: its events are not even read.
A finished deal is open to everybody, and is checked against its commitment each time it is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.errors import TableCode, TableRefusal
from tables.faces import Face, faces_of
from tables.models import Deal
from tables.narration import Cards, Part, Seat, Sentence, narrate
from tables.outcome_words import KINDS, OUTCOMES
from tables.rules import events as ev
from tables.rules.cards import Card, in_order, wild_rank_of
from tables.rules.commands import Groups
from tables.rules.errors import RuleViolation
from tables.rules.hands import judge
from tables.rules.melds import Kind, as_laid
from tables.rules.results import Outcome, SeatScore
from tables.rules.state import DealState
from tables.seats import seat_name, seat_names
from tables.selectors import DealCheck, check_deal


class Group(NamedTuple):
    """Cards that lie together; `kind` is empty for cards of no valid group."""

    kind: str
    faces: tuple[Face, ...]


class Hand(NamedTuple):
    """One player's hand at the end, and what it counted."""

    name: str
    points: int
    outcome: str
    is_winner: bool
    groups: tuple[Group, ...]


class Piece(NamedTuple):
    """A part of a sentence: a text, or cards."""

    text: str
    faces: tuple[Face, ...] = ()


class Line(NamedTuple):
    """One event, with its number in the log and the seconds since the deal was opened."""

    number: int
    seconds: float
    pieces: tuple[Piece, ...]
    below: tuple[tuple[Piece, ...], ...]


class Chapter(NamedTuple):
    """The events of one turn, or of what comes before the first and after the last."""

    title: str
    lines: tuple[Line, ...]


class DealSheet(NamedTuple):
    """A deal's page. Everything after `check` is empty while the deal is being played."""

    deal: Deal
    names: Mapping[int, str]
    check: DealCheck | None = None
    wild_card: tuple[Face, ...] = ()
    secret: str = ""
    ending: str = ""
    hands: tuple[Hand, ...] = ()
    chapters: tuple[Chapter, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether the cards may be seen."""
        return self.check is not None

    @property
    def is_void(self) -> bool:
        """Whether it was called off, so that it has no result."""
        return self.is_over and not self.deal.result


def deal_sheet(public_id: str) -> DealSheet:
    """The sheet of a deal. Three queries. Raises `TableRefusal(UNKNOWN_DEAL)`."""
    deal = Deal.objects.select_related("match__table").filter(public_id=public_id).first()
    if deal is None:
        raise TableRefusal(TableCode.UNKNOWN_DEAL, "There is no such deal.", field="deal")
    names = seat_names(deal.match)
    if deal.over_at is None:
        return DealSheet(deal, names)
    check = check_deal(deal)
    ended = check.events[-1] if check.events else None
    if check.state is None or not isinstance(ended, ev.DealEnded | ev.DealVoided):
        return DealSheet(deal, names, check)
    state = check.state
    return DealSheet(
        deal,
        names,
        check,
        wild_card=() if state.wild_card is None else faces_of([state.wild_card]),
        secret=ended.secret,
        ending=str(_VOID if isinstance(ended, ev.DealVoided) else _ENDINGS[ended.reason]),
        hands=() if isinstance(ended, ev.DealVoided) else _hands(state, ended, names),
        chapters=tuple(_chapters(check.events, names)),
    )


_VOID: Final = gettext_lazy("The deal was called off and counts for nothing.")
_ENDINGS: Final = {
    ev.EndReason.DECLARED: gettext_lazy("A player declared a complete hand."),
    ev.EndReason.LAST_PLAYER: gettext_lazy("All others were out; the last player wins."),
    ev.EndReason.LIMIT: gettext_lazy("The limit of the deal was reached; the fewest points win."),
}


# Hands


def _hands(state: DealState, ended: ev.DealEnded, names: Mapping[int, str]) -> tuple[Hand, ...]:
    """Every hand, the winner's first, then by points."""
    revealed = {shown.seat: shown for shown in ended.revealed}
    scores = sorted(ended.result.scores, key=lambda s: (s.outcome is not Outcome.WON, s.points))
    return tuple(_hand(state, score, revealed[score.seat], names) for score in scores)


def _hand(state: DealState, score: SeatScore, shown: ev.Revealed, names: Mapping[int, str]) -> Hand:
    groups = shown.arranged if shown.declared is None else shown.declared
    return Hand(
        name=seat_name(names, score.seat),
        points=score.points,
        outcome=str(OUTCOMES[score.outcome]),
        is_winner=score.outcome is Outcome.WON,
        groups=tuple(_grouped(state, shown.hand, groups)),
    )


def _grouped(state: DealState, hand: Sequence[Card], groups: Groups) -> Iterable[Group]:
    """The valid groups in reading order, then every card that lies in none."""
    left = Counter(hand)
    for group, kind in zip(groups, kinds_of(state, hand, groups), strict=True):
        if kind is not None:
            laid = as_laid(group, kind, state.wild_rank)
            yield Group(str(KINDS[kind]), faces_of(laid, state.wild_rank))
            left -= Counter(group)
    if left:
        yield Group("", faces_of(in_order(left.elements()), state.wild_rank))


def kinds_of(state: DealState, hand: Sequence[Card], groups: Groups) -> tuple[Kind | None, ...]:
    """What each group of a known hand is read as, None for an invalid one."""
    loose = Counter(hand) - Counter(card for group in groups for card in group)
    try:
        judged = judge(groups, tuple(loose.elements()), state.wild_rank, state.terms.profile)
    except RuleViolation:
        # An old arrangement of a hand that has other cards now: nothing of it counts.
        return (None,) * len(groups)
    return judged.kinds


# Events


def _chapters(events: Sequence[ev.Event], names: Mapping[int, str]) -> Iterable[Chapter]:
    """The log cut into turns; the event that only says whose turn it is becomes the title."""
    writer, start, turns = _Writer(names), events[0].at, 0
    title, lines, mover = _("Before the first turn"), list[Line](), -1
    for number, event in enumerate(events, 1):
        heading = ""
        if isinstance(event, ev.TurnStarted):
            turns, mover = turns + 1, event.seat
            heading = _("Turn %(n)d · %(name)s") % {"n": turns, "name": writer.name(mover)}
        elif isinstance(event, ev.CardFinished | ev.LimitReached | ev.DealEnded | ev.DealVoided):
            heading, mover = str(_HEADINGS[type(event)]), -1
        if heading:
            if lines:
                yield Chapter(title, tuple(lines))
            title, lines = heading, []
        if not isinstance(event, ev.TurnStarted):
            lines.append(writer.line(number, (event.at - start) / 1000, event, mover))
    yield Chapter(title, tuple(lines))


_HEADINGS: Final[dict[type, str | Promise]] = {
    ev.CardFinished: gettext_lazy("The finish"),
    ev.LimitReached: gettext_lazy("The show"),
    ev.DealEnded: gettext_lazy("The end"),
    ev.DealVoided: gettext_lazy("Called off"),
}


class _Writer:
    """Puts names and faces into sentences; knows the wild card once it has been turned up."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = names
        self.draw: Callable[[Iterable[Card]], tuple[Face, ...]] = faces_of

    def name(self, seat: int) -> str:
        return seat_name(self.names, seat)

    def line(self, number: int, seconds: float, event: ev.Event, mover: int) -> Line:
        if isinstance(event, ev.CardsDealt):
            wild = wild_rank_of(event.wild_card)
            self.draw = lambda cards: faces_of(cards, wild)
        told = narrate(event)
        sentence = told.sentence
        if sentence[:1] == (Seat(mover),):  # the heading says who
            sentence = (str(sentence[1]).lstrip(": "), *sentence[2:])
        below = tuple(map(self._pieces, told.below))
        return Line(number, seconds, self._pieces(sentence), below)

    def _pieces(self, sentence: Sentence) -> tuple[Piece, ...]:
        return tuple(map(self._piece, sentence))

    def _piece(self, part: Part) -> Piece:
        match part:
            case Seat(number):
                return Piece(self.name(number))
            case Cards(cards):
                return Piece("", self.draw(cards))
            case _:
                return Piece(part)
