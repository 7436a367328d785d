"""Moving running tournaments on: whatever is due as soon as it is, prizes after the final.

Whoever asks - a sweep of the clock, an organiser - and however often, each step is taken once.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from tournaments import play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import RoundTable, Tournament
from tournaments.services.rounds import open_due
from tournaments.services.settlement import SYSTEM, complete
from tournaments.structure.lifecycle import State

_NOT_YET = {TournamentCode.ROUND_OPEN, TournamentCode.NOT_RUNNING}


def waiting_to_go_on() -> list[int]:
    """Ids of the running tournaments where something is due.

    A table has been finished; or nothing is played, whatever the tables show; or a match is over
    and its table does not know it. In person the organiser says when to go on: till then a scorer
    may correct a result.
    """
    tables = RoundTable.objects.filter(round__tournament=OuterRef("pk"), is_over=False)
    is_played = Exists(tables.exclude(match__status=play.OVER))
    is_missed = Exists(tables.filter(match__status=play.OVER))
    running = Tournament.objects.filter(state=State.RUNNING, in_person=False)
    due = running.filter(Q(is_due=True) | ~Q(is_played) | Q(is_missed))
    return list(due.order_by("pk").values_list("pk", flat=True))


def go_on(*, tournament_id: int, actor: str = SYSTEM, now: datetime) -> bool:
    """Open what is due, or pay the prizes after the final; whether there was anything to do.

    Who asks has completed it then, and may not approve its payout.
    """
    try:
        if open_due(tournament_id=tournament_id, now=now):
            return True
        return complete(tournament_id=tournament_id, actor=actor, now=now).over_at == now
    except TournamentRefusal as refusal:
        if refusal.code not in _NOT_YET:
            raise
        return False
