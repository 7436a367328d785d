"""A deal told event by event, in sentences made of words, players and cards.

`narrate` gives the parts, so that a page can name the players and draw the cards; `tell` writes
them as a plain line, both in the language that is active. Neither hides anything: what is told of a
running deal has to be redacted first (see `tables.rules.visibility`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from tables.outcome_words import CAUSES, ENDS, LIMITS, OUTCOMES
from tables.rules import events as ev
from tables.rules.cards import Card, in_order
from tables.rules.commands import Groups
from tables.words import profile_title

INDENT: Final = "\n        "
_PLACE: Final = re.compile(r"%\((\w+)\)s")


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
            return _("seat %(number)s") % {"number": number}
        case Cards(cards):
            return " ".join(cards)
        case _:
            return part


def _filled(text: str, **places: Part | Sentence | int) -> Sentence:
    """A text with its places filled: names and cards stay parts, all else becomes words."""
    parts: list[Part] = []
    for at, piece in enumerate(_PLACE.split(text)):
        filling = places[piece] if at % 2 else piece
        if isinstance(filling, Seat | Cards):
            parts.append(filling)
        elif isinstance(filling, tuple):
            parts += filling
        elif filling != "":
            parts.append(str(filling))
    return tuple(parts)


def _hand(cards: tuple[Card, ...]) -> Cards:
    return Cards(in_order(cards))


def _listed(seats: tuple[int, ...]) -> Sentence:
    parts: list[Part] = []
    for seat in seats:
        parts += [", ", Seat(seat)]
    return tuple(parts[1:])


def _groups(groups: Groups | None) -> Sentence:
    if groups is None:
        return (_("the whole hand counts"),)
    parts: list[Part] = []
    for group in groups:
        parts += [" | ", Cards(group)]
    return tuple(parts[1:]) or (_("nothing grouped"),)


def _opened(event: ev.DealOpened) -> Sentence:
    text = _(
        "deal %(deal)s under %(profile)s; order of play %(order)s; committed to %(commitment)s"
    )
    return _filled(
        text,
        deal=event.deal_id,
        profile=profile_title(event.terms.profile),
        order=_listed(event.order),
        commitment=event.commitment,
    )


def _tossed(event: ev.TossMade) -> Told:
    drew = _("%(who)s drew %(cards)s")
    drawn = tuple(_filled(drew, who=Seat(seat), cards=Cards(cards)) for seat, cards in event.toss)
    return Told(_filled(_("toss: %(who)s deals"), who=Seat(event.toss[-1][0])), drawn)


def _dealt(event: ev.CardsDealt) -> Told:
    text = _("dealt; wild card %(wild)s, open card %(open)s, %(closed)s in the closed deck")
    sentence = _filled(
        text,
        wild=Cards((event.wild_card,)),
        open=Cards((event.open_card,)),
        closed=len(event.closed),
    )
    return Told(sentence, tuple((Seat(seat), ": ", _hand(hand)) for seat, hand in event.hands))


def _drawn(event: ev.CardDrawn) -> Sentence:
    text = {
        "closed": _("%(who)s draws %(cards)s from the closed deck"),
        "open": _("%(who)s draws %(cards)s from the open deck"),
    }[str(event.deck)]
    return _filled(text, who=Seat(event.seat), cards=Cards((event.card,)))


def _discarded(event: ev.CardDiscarded) -> Sentence:
    text = _("%(who)s discards %(cards)s")
    if event.forced:
        text = _("%(who)s discards %(cards)s (by the clock)")
    return _filled(text, who=Seat(event.seat), cards=Cards((event.card,)))


def _out(event: ev.PlayerWentOut) -> Sentence:
    return _filled(
        _("%(who)s is out: %(how)s, %(points)s points (%(cause)s)"),
        who=Seat(event.seat),
        how=str(OUTCOMES[event.outcome]),
        points=event.points,
        cause=str(CAUSES[event.cause]),
    )


def _declared(event: ev.HandDeclared) -> Sentence:
    who, groups = Seat(event.seat), _groups(event.groups)
    if event.cause is ev.Cause.PLAYER:
        return _filled(_("%(who)s declares %(groups)s"), who=who, groups=groups)
    text = _("%(who)s declares %(groups)s (%(cause)s)")
    return _filled(text, who=who, groups=groups, cause=str(CAUSES[event.cause]))


def _show(event: ev.ShowOpened) -> Sentence:
    return _filled(
        _("to declare: %(who)s"), who=_listed(tuple(seat for seat, _until in event.until))
    )


def _ended(event: ev.DealEnded) -> Told:
    score = _("%(who)s: %(points)s points, %(how)s")
    scores: tuple[Sentence, ...] = tuple(
        _filled(score, who=Seat(one.seat), points=one.points, how=str(OUTCOMES[one.outcome]))
        for one in event.result.scores
    )
    text = _("over (%(reason)s); secret %(secret)s")
    reason = str(ENDS[event.reason])
    return Told(_filled(text, reason=reason, secret=event.secret), scores)


def _auto_drop(event: ev.AutoDropSet) -> Sentence:
    text = _("%(who)s auto drop on") if event.on else _("%(who)s auto drop off")
    return _filled(text, who=Seat(event.seat))


def _of_seat(text: Callable[[], str]) -> Callable[[Any], Sentence]:
    return lambda event: _filled(text(), who=Seat(event.seat))


_NARRATE: Final[dict[type, Callable[[Any], Told | Sentence]]] = {
    ev.DealOpened: _opened,
    ev.TossMade: _tossed,
    ev.CardsDealt: _dealt,
    ev.TurnStarted: _of_seat(lambda: _("%(who)s to move")),
    ev.DeckReshuffled: lambda event: _filled(
        _("open deck shuffled into %(cards)s closed cards"), cards=len(event.closed)
    ),
    ev.CardDrawn: _drawn,
    ev.CardDiscarded: _discarded,
    ev.TurnMissed: _of_seat(lambda: _("%(who)s missed the turn")),
    ev.PlayerWentOut: _out,
    ev.CardFinished: lambda event: _filled(
        _("%(who)s finishes with %(cards)s"), who=Seat(event.seat), cards=Cards((event.card,))
    ),
    ev.HandArranged: lambda event: _filled(
        _("%(who)s arranges %(groups)s"), who=Seat(event.seat), groups=_groups(event.groups)
    ),
    ev.HandDeclared: _declared,
    ev.LimitReached: lambda event: (str(LIMITS[event.limit]),),
    ev.ShowOpened: _show,
    ev.AutoDropSet: _auto_drop,
    ev.PlayerWentOffline: _of_seat(lambda: _("%(who)s is cut off")),
    ev.PlayerCameBack: _of_seat(lambda: _("%(who)s is back")),
    ev.ClockShifted: lambda event: _filled(
        _("the clocks stood still for %(seconds)s s"), seconds=f"{event.by_ms / 1000:g}"
    ),
    ev.DealEnded: _ended,
    ev.DealVoided: lambda event: _filled(
        _("called off, counts for nothing; secret %(secret)s"), secret=event.secret
    ),
}
