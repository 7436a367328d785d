"""The rows of a tournament, by what they are about; everybody imports them from here."""

from __future__ import annotations

from tournaments.models.calls import Call, Lot
from tournaments.models.core import (
    HOLDS_A_SEAT,
    MAX_CAPACITY,
    Entry,
    EntryState,
    Left,
    LogLine,
    Shape,
    Tournament,
    new_public_id,
)
from tournaments.models.decisions import Decision, DecisionKind
from tournaments.models.entering import EntryNote, Invitation, NoteKind, PlayerFacts, WrongCode
from tournaments.models.entrance import LOCKED_AFTER_START
from tournaments.models.playing import Placing, Round, RoundTable, TableKind
from tournaments.models.quick import QuickKind, QuickTable
from tournaments.models.ratings import RatedMatch, Rating
from tournaments.models.schedules import Schedule
from tournaments.models.settlement import (
    Payment,
    PaymentKind,
    Payout,
    PayoutState,
    Ticket,
    TicketState,
)
from tournaments.models.staffing import StaffRole, TournamentStaff
from tournaments.models.templates import Template

__all__ = [
    "LOCKED_AFTER_START",
    "EntryNote",
    "Invitation",
    "NoteKind",
    "PlayerFacts",
    "WrongCode",
    "Schedule",
    "HOLDS_A_SEAT",
    "MAX_CAPACITY",
    "Call",
    "Decision",
    "DecisionKind",
    "Entry",
    "EntryState",
    "LogLine",
    "Left",
    "Lot",
    "Placing",
    "Round",
    "RoundTable",
    "Shape",
    "TableKind",
    "StaffRole",
    "Tournament",
    "TournamentStaff",
    "Payment",
    "PaymentKind",
    "Payout",
    "PayoutState",
    "QuickKind",
    "QuickTable",
    "RatedMatch",
    "Rating",
    "Template",
    "Ticket",
    "TicketState",
    "new_public_id",
]
