"""Moving running tournaments on: the next round as soon as one is closed, prizes after the final.

Whoever asks - a sweep of the clock, an organiser - and however often, each step is taken once.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef

from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Round, Tournament
from tournaments.services.rounds import open_round
from tournaments.services.settlement import complete
from tournaments.structure.lifecycle import State

_NOT_YET = {TournamentCode.ROUND_OPEN, TournamentCode.NOT_RUNNING}


def waiting_to_go_on() -> list[int]:
    """Ids of the running tournaments in which no round is being played."""
    being_played = Round.objects.filter(tournament=OuterRef("pk"), closed_at__isnull=True)
    running = Tournament.objects.filter(~Exists(being_played), state=State.RUNNING)
    return list(running.order_by("pk").values_list("pk", flat=True))


def go_on(*, tournament_id: int, now: datetime) -> bool:
    """Open the next round, or pay the prizes after the final; whether there was anything to do."""
    try:
        if open_round(tournament_id=tournament_id, now=now) is not None:
            return True
        return complete(tournament_id=tournament_id, now=now).over_at == now
    except TournamentRefusal as refusal:
        if refusal.code not in _NOT_YET:
            raise
        return False
