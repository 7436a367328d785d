"""Moving running tournaments on: whatever is due as soon as it is, prizes after the final.

Whoever asks - a sweep of the clock, an organiser - and however often, each step is taken once.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q

from tournaments import play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import EntryState, RoundTable, Tournament
from tournaments.services import late
from tournaments.services.aborting import abort
from tournaments.services.lifecycle import lock
from tournaments.services.rounds import open_due
from tournaments.services.settlement import SYSTEM, complete
from tournaments.structure.lifecycle import State
from tournaments.structure.registration import alone_until

TOO_FEW: Final = "Fewer than two players were left before the first round."
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

    With fewer than two players before the first round it is aborted, and the fees go back; where
    players may still enter, they are waited for first. Who asks has completed it then, and may not
    approve its payout.
    """
    try:
        if open_due(tournament_id=tournament_id, now=now):
            return True
        if _called_off(tournament_id, actor, now):
            return True
        return complete(tournament_id=tournament_id, actor=actor, now=now).over_at == now
    except TournamentRefusal as refusal:
        if refusal.code not in _NOT_YET:
            raise
        return False


def _called_off(tournament_id: int, actor: str, now: datetime) -> bool:
    """Abort what can never be played, since nobody is left to play against; whether it was."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        playing = tournament.entries.filter(state=EntryState.PLAYING)
        if (
            tournament.state != State.RUNNING
            or tournament.rounds.exists()
            or playing[:2].count() > 1
            or _waits_for_newcomers(tournament, now)
        ):
            return False
        abort(tournament_id=tournament_id, actor=actor, reason=TOO_FEW, now=now)
    return True


def _waits_for_newcomers(tournament: Tournament, now: datetime) -> bool:
    """Whether somebody may still enter, and the time in which he is waited for is not up.

    It begins when the last one left, or with the start, or when play went on after a pause.
    """
    if not late.takes_newcomers(tournament):
        return False
    last_left = tournament.entries.aggregate(at=Max("left_at"))["at"]
    last_step = tournament.log.aggregate(at=Max("at"))["at"]
    return now < alone_until(max(at for at in (last_left, last_step) if at is not None))
