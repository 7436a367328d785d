"""What a tournament's desk does at its tables: pause, give time, take out, seat, play again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tables import broadcast
from tables.services import Place, arbiter, pausing
from tournaments.models import Entry, Tournament
from tournaments.play.tables import owner_of

__all__ = [
    "call_off",
    "extend_table",
    "mute_player",
    "pause_tables",
    "play_again",
    "remove_player",
    "replace_player",
    "reseat",
    "resume_tables",
    "told_together",
]

call_off = arbiter.call_off
extend_table = arbiter.extend
mute_player = arbiter.mute_player
play_again = arbiter.play_again
remove_player = arbiter.remove_player
told_together = broadcast.together
replace_player = arbiter.replace_player


def reseat(*, match_id: int, entries: Sequence[Entry], now: datetime) -> int:
    """Let these sit down in this order before the first deal; the id of the match they play."""
    places = [Place(entry.player_id, entry.bot) for entry in entries]
    return arbiter.reseat(match_id=match_id, places=places, now=now)


def pause_tables(tournament: Tournament, *, now: datetime) -> int:
    """Stop the clocks of all tables; how many were running. Asked twice it is done once."""
    return pausing.pause_owner(owner=owner_of(tournament), now=now)


def resume_tables(tournament: Tournament, *, now: datetime) -> int:
    """Let all paused tables go on with the time they had; how many were paused."""
    return pausing.resume_owner(owner=owner_of(tournament), now=now)
