"""All that can be done in the control room, by name, and what of it is open to somebody now."""

from __future__ import annotations

from typing import Any, Final

from tournaments.admin.control.deed import About, Deed
from tournaments.admin.control.player_deeds import PLAYER_DEEDS
from tournaments.admin.control.table_deeds import TABLE_DEEDS
from tournaments.admin.control.tournament_deeds import TOURNAMENT_DEEDS
from tournaments.models import Tournament

DEEDS: Final[tuple[Deed, ...]] = (*TOURNAMENT_DEEDS, *TABLE_DEEDS, *PLAYER_DEEDS)
BY_NAME: Final = {deed.name: deed for deed in DEEDS}


def open_deeds(user: Any, tournament: Tournament, about: About) -> list[Deed]:
    """What this user may do now to the tournament, its tables or its players."""
    return [
        deed
        for deed in DEEDS
        if deed.about is about
        and (deed.name != "go_on" or tournament.in_person)
        and deed.is_open_to(user, tournament)
    ]
