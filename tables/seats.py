"""Who sits where, under the names that people know one another by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from tables.models import Match


def shown_name(user: Any) -> str:
    """A user's full name, or the log-in's where none is given."""
    return str(user.get_full_name() or user.get_username())


def seat_names(match: Match) -> dict[int, str]:
    """Players' names by seat, in the order of the seats. One query."""
    return {seat.number: shown_name(seat.player) for seat in match.seats.select_related("player")}


def seat_name(names: Mapping[int, str], seat: int) -> str:
    """Who sits there, or which seat it is where nobody is known."""
    return names.get(seat) or _("Seat %(number)d") % {"number": seat}
