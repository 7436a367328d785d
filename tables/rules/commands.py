"""What somebody wants to happen in a deal. A command is a wish: `deal.decide` grants or refuses it.

Whoever sends it - a socket, the API, a bot, the clock, an arbiter - sends the same types.
"""

from __future__ import annotations

import msgspec

from tables.rules.cards import Card

Groups = tuple[tuple[Card, ...], ...]
"""Groups of a hand; the cards not named lie loose."""


class _Command(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Common shape: the tag `do` names the command in JSON."""


class _SeatCommand(_Command, frozen=True):
    seat: int


class DrawClosed(_SeatCommand, frozen=True, tag="draw_closed"):
    """Draw the top card of the closed deck."""


class DrawOpen(_SeatCommand, frozen=True, tag="draw_open"):
    """Take the top card of the open deck."""


class Discard(_SeatCommand, frozen=True, tag="discard"):
    """Put a card of the hand on the open deck; the turn ends."""

    card: Card


class Finish(_SeatCommand, frozen=True, tag="finish"):
    """Put the fourteenth card into the finish slot; the hand is to be declared."""

    card: Card


class Declare(_SeatCommand, frozen=True, tag="declare"):
    """Show the hand in these groups."""

    groups: Groups


class Arrange(_SeatCommand, frozen=True, tag="arrange"):
    """Save how the hand is grouped; it counts as declared if its player is cut off."""

    groups: Groups


class Drop(_SeatCommand, frozen=True, tag="drop"):
    """Give the deal up before drawing, for the format's drop points."""


class SetAutoDrop(_SeatCommand, frozen=True, tag="auto_drop"):
    """Take the first drop in every following deal, or stop doing so."""

    on: bool


class GoOffline(_SeatCommand, frozen=True, tag="go_offline"):
    """The player's last connection is gone."""


class ComeBack(_SeatCommand, frozen=True, tag="come_back"):
    """The player is here again: ends auto play and auto drop."""


class Leave(_SeatCommand, frozen=True, tag="leave"):
    """The player leaves the table for good."""


class Expire(_Command, frozen=True, tag="expire"):
    """The alarm rang: act on every deadline that has passed."""


class ShiftClock(_Command, frozen=True, tag="shift_clock"):
    """The site stood still, or play was paused: that time is charged to nobody."""

    by_ms: int


SeatCommand = (
    DrawClosed
    | DrawOpen
    | Discard
    | Finish
    | Declare
    | Arrange
    | Drop
    | SetAutoDrop
    | GoOffline
    | ComeBack
    | Leave
)
Command = SeatCommand | Expire | ShiftClock
