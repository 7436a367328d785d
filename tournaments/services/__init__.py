"""Everything that changes a tournament: keyword-only use cases, one transaction each."""

from __future__ import annotations

from tournaments.services.aborting import cancel
from tournaments.services.lifecycle import (
    close_registration,
    create,
    open_registration,
    start,
)
from tournaments.services.registration import register, withdraw
from tournaments.services.rounds import open_round
from tournaments.services.settlement import complete

__all__ = [
    "cancel",
    "close_registration",
    "complete",
    "create",
    "open_registration",
    "open_round",
    "register",
    "start",
    "withdraw",
]
