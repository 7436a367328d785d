"""What a deed of the control room is, and what all deeds share."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise

from tournaments.access import may_organise
from tournaments.admin.control.asks import Ask, Wish
from tournaments.admin.control.words import Told, told_changes
from tournaments.models import RoundTable, Tournament
from tournaments.services import foretelling
from tournaments.structure.lifecycle import State

LIVE: Final = frozenset({State.RUNNING, State.PAUSED})


class About(Enum):
    """What a deed is done to."""

    TOURNAMENT = "tournament"
    TABLE = "table"
    PLAYER = "player"


class Deed(NamedTuple):
    """One thing that staff can do.

    `carry_out` gets the token of what was foretold, and force. It gives back False, or that it was
    done to 0, where nothing had to be done.
    """

    name: str
    title: str | Promise
    meaning: str | Promise
    about: About
    ask: type[Ask]
    foretell: Callable[[Wish], Told]
    carry_out: Callable[[Wish, str, bool], object]
    right: Callable[[Any, Tournament], bool] = may_organise
    states: frozenset[State] = LIVE
    is_grave: bool = False

    def is_open_to(self, user: Any, tournament: Tournament) -> bool:
        """Whether this user may do it as things stand."""
        return State(tournament.state) in self.states and self.right(user, tournament)


def open_tables(wish: Wish) -> int:
    return RoundTable.objects.filter(round__tournament=wish.tournament, is_over=False).count()


def where(wish: Wish) -> dict[str, Any]:
    return {"tournament_id": wish.tournament.pk, "actor": wish.actor, "now": wish.now}


def tried(do: Callable[[Wish], object]) -> Callable[[Wish], Told]:
    """Foretell by doing and undoing."""

    def foretell(wish: Wish) -> Told:
        found = foretelling.foretell(tournament_id=wish.tournament.pk, act=lambda: do(wish))
        return told_changes(found)

    return foretell


def just(do: Callable[[Wish], object]) -> Callable[[Wish, str, bool], object]:
    """What was foretold by words of our own needs no token: the view compares them."""
    return lambda wish, _token, _force: do(wish)
