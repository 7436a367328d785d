"""A deal told event by event, in sentences made of words, players and cards.

`narrate` gives the parts, so that a page can name the players and draw the cards; `tell` writes
them as a plain line. Neither hides anything: what is told of a running deal has to be redacted
first (see `tables.rules.visibility`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from tables.rules import events as ev
from tables.rules.cards import Card, in_order
from tables.rules.commands import Groups

INDENT: Final = "\n        "


class Seat(NamedTuple):
    """A player, by the seat's number."""

    number: int


class Cards(NamedTuple):
    """Cards next to one another."""

    cards: tuple[Card, ...]


Part = str | Seat | Cards
Sentence = tuple[Part, ...]


class Told(NamedTuple):
    """One event: a sentence, and the lines that belong below it, such as a hand each."""

    sentence: Sentence
    below: tuple[Sentence, ...] = ()


def narrate(event: ev.Event) -> Told:
    """An event in parts."""
    told: Told | Sentence = _NARRATE[type(event)](event)
    return told if isinstance(told, Told) else Told(told)


def tell(event: ev.Event) -> str:
    """An event as plain text; what belongs below it stands on lines of its own."""
    told = narrate(event)
    return INDENT.join(map(_plain, (told.sentence, *told.below)))


def _plain(sentence: Sentence) -> str:
    return "".join(map(_plain_part, sentence))


def _plain_part(part: Part) -> str:
    match part:
        case Seat(number):
            return f"seat {number}"
        case Cards(cards):
            return " ".join(cards)
        case _:
            return part


def words(name: str) -> str:
    """A value of an enum as it is read: `middle_drop` is a middle drop."""
    return name.replace("_", " ")


def _hand(cards: tuple[Card, ...]) -> Cards:
    return Cards(in_order(cards))


def _listed(seats: tuple[int, ...]) -> Sentence:
    parts: list[Part] = []
    for seat in seats:
        parts += [", ", Seat(seat)]
    return tuple(parts[1:])


def _groups(groups: Groups | None) -> Sentence:
    if groups is None:
        return ("the whole hand counts",)
    parts: list[Part] = []
    for group in groups:
        parts += [" | ", Cards(group)]
    return tuple(parts[1:]) or ("nothing grouped",)


def _opened(event: ev.DealOpened) -> Sentence:
    return (
        f"deal {event.deal_id} under {event.terms.profile.name}; order of play ",
        *_listed(event.order),
        f"; committed to {event.commitment}",
    )


def _tossed(event: ev.TossMade) -> Told:
    drawn = tuple((Seat(seat), " drew ", Cards(cards)) for seat, cards in event.toss)
    return Told(("toss: ", Seat(event.toss[-1][0]), " deals"), drawn)


def _dealt(event: ev.CardsDealt) -> Told:
    sentence: Sentence = (
        "dealt; wild card ",
        Cards((event.wild_card,)),
        ", open card ",
        Cards((event.open_card,)),
        f", {len(event.closed)} in the closed deck",
    )
    return Told(sentence, tuple((Seat(seat), ": ", _hand(hand)) for seat, hand in event.hands))


def _drawn(event: ev.CardDrawn) -> Sentence:
    return (Seat(event.seat), " draws ", Cards((event.card,)), f" from the {event.deck} deck")


def _discarded(event: ev.CardDiscarded) -> Sentence:
    forced = " (by the clock)" if event.forced else ""
    return (Seat(event.seat), " discards ", Cards((event.card,)), forced)


def _out(event: ev.PlayerWentOut) -> Sentence:
    outcome, cause = words(event.outcome), words(event.cause)
    return (Seat(event.seat), f" is out: {outcome}, {event.points} points ({cause})")


def _finished(event: ev.CardFinished) -> Sentence:
    return (Seat(event.seat), " finishes with ", Cards((event.card,)))


def _arranged(event: ev.HandArranged) -> Sentence:
    return (Seat(event.seat), " arranges ", *_groups(event.groups))


def _declared(event: ev.HandDeclared) -> Sentence:
    cause = "" if event.cause is ev.Cause.PLAYER else f" ({words(event.cause)})"
    return (Seat(event.seat), " declares ", *_groups(event.groups), cause)


def _show(event: ev.ShowOpened) -> Sentence:
    return ("to declare: ", *_listed(tuple(seat for seat, _ in event.until)))


def _ended(event: ev.DealEnded) -> Told:
    scores: tuple[Sentence, ...] = tuple(
        (Seat(score.seat), f": {score.points} points, {words(score.outcome)}")
        for score in event.result.scores
    )
    return Told((f"over ({words(event.reason)}); secret {event.secret}",), scores)


_NARRATE: Final[dict[type, Callable[[Any], Told | Sentence]]] = {
    ev.DealOpened: _opened,
    ev.TossMade: _tossed,
    ev.CardsDealt: _dealt,
    ev.TurnStarted: lambda event: (Seat(event.seat), " to move"),
    ev.DeckReshuffled: lambda event: (f"open deck shuffled into {len(event.closed)} closed cards",),
    ev.CardDrawn: _drawn,
    ev.CardDiscarded: _discarded,
    ev.TurnMissed: lambda event: (Seat(event.seat), " missed the turn"),
    ev.PlayerWentOut: _out,
    ev.CardFinished: _finished,
    ev.HandArranged: _arranged,
    ev.HandDeclared: _declared,
    ev.LimitReached: lambda event: (f"limit reached: {words(event.limit)}",),
    ev.ShowOpened: _show,
    ev.AutoDropSet: lambda event: (Seat(event.seat), f" auto drop {'on' if event.on else 'off'}"),
    ev.PlayerWentOffline: lambda event: (Seat(event.seat), " is cut off"),
    ev.PlayerCameBack: lambda event: (Seat(event.seat), " is back"),
    ev.ClockShifted: lambda event: (f"the clocks stood still for {event.by_ms / 1000:g} s",),
    ev.DealEnded: _ended,
    ev.DealVoided: lambda event: (f"called off, counts for nothing; secret {event.secret}",),
}
