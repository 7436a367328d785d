"""The course of a tournament: each transition has its service, is logged, and is the only way."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Final

import pytest

from tests.tournaments.helpers import NOW, a_tournament, join, players, run_out
from tournaments import services
from tournaments.errors import TournamentRefusal
from tournaments.models import Shape, Tournament
from tournaments.services import pausing
from tournaments.structure.errors import StructureError
from tournaments.structure.lifecycle import TRANSITIONS, Action, State

pytestmark = pytest.mark.django_db

WITH_A_REASON: Final = {
    Action.RETRACT,
    Action.CLOSE_REGISTRATION,
    Action.REOPEN_REGISTRATION,
    Action.START,
    Action.PAUSE,
    Action.RESUME,
    Action.CANCEL,
    Action.ABORT,
}


def act(tournament: Tournament, action: Action) -> Any:
    """Have the organiser do it."""
    holder = pausing if action in (Action.PAUSE, Action.RESUME) else services
    service: Callable[..., Any] = getattr(holder, action.value)
    if action is Action.COMPLETE:
        return service(tournament_id=tournament.pk, now=NOW)
    reason = {"reason": "because"} if action in WITH_A_REASON else {}
    return service(tournament_id=tournament.pk, actor="organiser", now=NOW, **reason)


def test_every_transition_that_is_legal_happens_and_is_logged_with_who_when_and_why() -> None:
    tournament = a_tournament(Shape.HEADS_UP, capacity=2, opened=False)
    for action in (Action.ANNOUNCE, Action.RETRACT, Action.ANNOUNCE, Action.OPEN_REGISTRATION):
        act(tournament, action)
    join(tournament, *players(2))
    for action in (Action.CLOSE_REGISTRATION, Action.REOPEN_REGISTRATION):
        act(tournament, action)
    for action in (Action.CLOSE_REGISTRATION, Action.START, Action.PAUSE, Action.RESUME):
        act(tournament, action)
    run_out(tournament)
    act(tournament, Action.COMPLETE)
    called_off = a_tournament(opened=False)
    act(called_off, Action.CANCEL)
    log = [*tournament.log.all(), *called_off.log.all()]
    assert {line.action for line in log} == {action.value for action in Action} - {"abort"}
    for line in log:
        assert TRANSITIONS[State(line.before), Action(line.action)] == line.after
        assert line.at == NOW
        if Action(line.action) in WITH_A_REASON:
            assert (line.actor, line.reason) == ("organiser", "because")


# Whoever locks the row counts as a change of what pages show; an asking twice counts too.
KEPT = [field.attname for field in Tournament._meta.fields if field.name != "changes"]


@pytest.mark.parametrize(
    ("state", "action"),
    [pair for pair in product(State, Action) if pair not in TRANSITIONS],
)
def test_what_the_table_does_not_have_is_refused_and_changes_nothing(
    state: State, action: Action
) -> None:
    tournament = a_tournament(opened=False)
    Tournament.objects.filter(pk=tournament.pk).update(state=state)
    before = Tournament.objects.filter(pk=tournament.pk).values(*KEPT).get()
    try:
        act(tournament, action)
    except (StructureError, TournamentRefusal) as refusal:
        sentence = refusal.sentence
    else:
        sentence = "done"
    after = Tournament.objects.filter(pk=tournament.pk).values(*KEPT).get()
    assert after == before
    assert not tournament.log.exists()
    is_repetition = (state, action) in {
        (State.PAUSED, Action.PAUSE),
        (State.RUNNING, Action.RESUME),
        (State.COMPLETED, Action.COMPLETE),
    }
    assert (sentence == "done") <= is_repetition
