"""Keeping somebody from chatting at a table, and letting him again: an arbiter's doing."""

from __future__ import annotations

from django.db import transaction

from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Placing
from tournaments.play import desk
from tournaments.services.lifecycle import lock


def mute(*, tournament_id: int, table_id: int, player_id: int, muted: bool) -> bool:
    """Let a player write no more at a table, or again; whether that was anything new.

    What he wrote stays with the match. Raises `TournamentRefusal(NOT_ENTERED)` for who does not
    sit there.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        placings = Placing.objects.select_related("table")
        placing = placings.filter(
            table=table_id, table__round__tournament=tournament, entry__player=player_id
        ).first()
        if placing is None:
            raise TournamentRefusal(
                TournamentCode.NOT_ENTERED,
                "This player does not sit at this table.",
                field="player",
            )
        return desk.mute_player(match_id=placing.table.match_id, seat=placing.seat, muted=muted)
