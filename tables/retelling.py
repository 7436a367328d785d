"""A deal told to its players step by step, in the reader's language.

A *step* is an event that a player would notice; arranging one's cards and losing the line are none.
What is told has been redacted for the reader before: an unknown card is told as a card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from tables.explaining import points_text
from tables.faces import face_of
from tables.outcome_words import OUTCOMES
from tables.rules import events as ev
from tables.rules.cards import HIDDEN, Card


class Telling(NamedTuple):
    """Whose names are used and which rank is wild."""

    names: Mapping[int, str]
    wild_rank: str = ""

    def who(self, seat: int) -> str:
        """A player's name."""
        return self.names.get(seat) or _("Seat %(number)d") % {"number": seat}

    def card(self, card: Card) -> str:
        """A known card in a line of text, e.g. 10♦."""
        face = face_of(card, self.wild_rank)
        return _("printed joker") if not face.suit else f"{face.rank}{face.suit}"


def is_step(event: ev.Event) -> bool:
    """Whether a replay stops at this event."""
    return type(event) in _TOLD


def told(event: ev.Event, telling: Telling) -> str:
    """One step as a sentence; empty for an event that is none."""
    tell = _TOLD.get(type(event))
    return "" if tell is None else tell(event, telling)


def _drawn(event: ev.CardDrawn, telling: Telling) -> str:
    said = {"who": telling.who(event.seat)}
    if event.card == HIDDEN:
        return _("%(who)s draws a card from the closed deck.") % said
    said["card"] = telling.card(event.card)
    if event.deck is ev.Deck.OPEN:
        return _("%(who)s takes %(card)s from the open deck.") % said
    return _("%(who)s draws %(card)s from the closed deck.") % said


def _discarded(event: ev.CardDiscarded, telling: Telling) -> str:
    said = {"who": telling.who(event.seat), "card": telling.card(event.card)}
    if event.forced:
        return _("The time is up: %(who)s discards %(card)s.") % said
    return _("%(who)s discards %(card)s.") % said


def _dealt(event: ev.CardsDealt, telling: Telling) -> str:
    return _("Thirteen cards each. Wild card: %(wild)s. First open card: %(open)s.") % {
        "wild": telling.card(event.wild_card),
        "open": telling.card(event.open_card),
    }


def _tossed(event: ev.TossMade, telling: Telling) -> str:
    drawn = ", ".join(
        f"{telling.who(seat)} {' '.join(map(telling.card, cards))}" for seat, cards in event.toss
    )
    return _("The toss: %(drawn)s. The highest card plays first.") % {"drawn": drawn}


def _out(event: ev.PlayerWentOut, telling: Telling) -> str:
    return _("%(who)s is out of the deal: %(how)s, %(points)s.") % {
        "who": telling.who(event.seat),
        "how": OUTCOMES[event.outcome],
        "points": points_text(event.points),
    }


def _finished(event: ev.CardFinished, telling: Telling) -> str:
    return _("%(who)s puts %(card)s into the finish slot.") % {
        "who": telling.who(event.seat),
        "card": telling.card(event.card),
    }


def _declared(event: ev.HandDeclared, telling: Telling) -> str:
    said = {"who": telling.who(event.seat)}
    if event.groups is None:
        return _("%(who)s declares nothing: the whole hand counts.") % said
    if event.cause is ev.Cause.PLAYER:
        return _("%(who)s declares.") % said
    return _("The hand of %(who)s counts as it was last arranged.") % said


_ENDS: Final[dict[ev.EndReason, Callable[[], str]]] = {
    ev.EndReason.DECLARED: lambda: _("The deal is over: a complete hand was declared."),
    ev.EndReason.LAST_PLAYER: lambda: _("The deal is over: only one player is left in it."),
    ev.EndReason.LIMIT: lambda: _("The deal is over at its limit: the fewest points win."),
}
_LIMITS: Final[dict[ev.Limit, Callable[[], str]]] = {
    ev.Limit.MOVES: lambda: _("So many moves were made that everybody declares."),
    ev.Limit.TIME: lambda: _("The time of the deal is up: everybody declares."),
    ev.Limit.NO_CARDS: lambda: _("No card is left to draw: everybody declares."),
}
_TOLD: Final[dict[type, Callable[[Any, Telling], str]]] = {
    ev.DealOpened: lambda event, _telling: _("The shuffle is committed to; nothing is dealt yet."),
    ev.TossMade: _tossed,
    ev.CardsDealt: _dealt,
    ev.DeckReshuffled: lambda event, _telling: _("The open cards are shuffled for drawing again."),
    ev.CardDrawn: _drawn,
    ev.CardDiscarded: _discarded,
    ev.TurnMissed: lambda event, telling: (
        _("%(who)s misses the turn.") % {"who": telling.who(event.seat)}
    ),
    ev.PlayerWentOut: _out,
    ev.CardFinished: _finished,
    ev.HandDeclared: _declared,
    ev.LimitReached: lambda event, _telling: _LIMITS[event.limit](),
    ev.DealEnded: lambda event, _telling: _ENDS[event.reason](),
    ev.DealVoided: lambda event, _telling: _("The deal was called off and counts for nothing."),
}
