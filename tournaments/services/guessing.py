"""Entry codes cannot be guessed: after a few wrong ones a player has to wait.

Each is counted in a transaction of its own that ends before the refusal, so that nothing undoes it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import WrongCode
from tournaments.services import seats
from tournaments.services.eligibility import is_same
from tournaments.services.lifecycle import lock
from wording import moment_text

GUESSES: Final = 5
WINDOW: Final = timedelta(minutes=15)
"""So many wrong codes within this time are forgiven one player in one tournament."""


def count_code(*, tournament_id: int, player_id: int, code: str, now: datetime) -> None:
    """Count the code that a player gives, if it is wrong; where none is asked it is not looked at.

    Raises `TournamentRefusal`: TOO_MANY_CODES, which says when to try again, for a right code too.
    """
    if not code.strip():
        return
    with transaction.atomic():
        tournament = lock(tournament_id)
        wanted = play.terms_of(tournament).entering.conditions.code
        entry = seats.entry_of(tournament, player_id)
        if not wanted or (entry is not None and entry.state in seats.IS_IN):
            return
        given = tournament.wrong_codes.filter(player_id=player_id)
        recent = list(
            given.filter(at__gt=now - WINDOW).order_by("-at").values_list("at", flat=True)
        )
        if len(recent) >= GUESSES:
            raise _wait(recent[GUESSES - 1] + WINDOW)
        if not is_same(code, wanted):
            given.filter(at__lte=now - WINDOW).delete()
            WrongCode.objects.create(tournament=tournament, player_id=player_id, at=now)


def _wait(until: datetime) -> TournamentRefusal:
    # The first whole minute at which it is over.
    tells = until + timedelta(seconds=59)
    return TournamentRefusal(
        TournamentCode.TOO_MANY_CODES,
        _("%(n)d wrong codes were given; try again at %(tells)s.")
        % {"n": GUESSES, "tells": moment_text(tells)},
        field="code",
    )
