"""The course of a tournament: exactly the transitions of the table, all others refused."""

from __future__ import annotations

from itertools import product

import pytest

from tests.structure.refusals import refusal
from tournaments.structure.errors import StructureError
from tournaments.structure.lifecycle import (
    TRANSITIONS,
    Action,
    State,
    actions_from,
    is_live,
    is_over,
    is_public,
    may_change_terms,
    may_join,
    may_withdraw,
    next_state,
    refunds_everybody,
)

LEGAL = {
    State.DRAFT: "announce open_registration cancel",
    State.ANNOUNCED: "retract open_registration cancel",
    State.REGISTERING: "close_registration cancel",
    State.CLOSED: "reopen_registration start cancel",
    State.RUNNING: "pause complete abort",
    State.PAUSED: "resume abort",
    State.COMPLETED: "",
    State.CANCELLED: "",
    State.ABORTED: "",
}


@pytest.mark.parametrize(("state", "action"), list(product(State, Action)))
def test_every_state_allows_its_actions_and_refuses_all_others(
    state: State, action: Action
) -> None:
    """The whole matrix of 9 states and 11 actions."""
    if action in LEGAL[state].split():
        assert next_state(state, action) is TRANSITIONS[state, action]
    else:
        assert refusal(lambda: next_state(state, action)) == ("illegal_action", "action")


@pytest.mark.parametrize("state", State)
def test_the_legal_actions_of_a_state_are_listed(state: State) -> None:
    """What is listed is what the table has, and nothing is legal once it is over."""
    assert sorted(actions_from(state)) == sorted(LEGAL[state].split())
    assert is_over(state) == (state in {"completed", "cancelled", "aborted"})


def test_the_usual_course_leads_from_draft_to_completed() -> None:
    """With a pause on the way."""
    state = State.DRAFT
    for action in (
        Action.ANNOUNCE,
        Action.OPEN_REGISTRATION,
        Action.CLOSE_REGISTRATION,
        Action.START,
        Action.PAUSE,
        Action.RESUME,
        Action.COMPLETE,
    ):
        state = next_state(state, action)
    assert state is State.COMPLETED


def test_cancelled_is_before_the_start_and_aborted_after_it() -> None:
    """No started tournament can be cancelled, and none that has not started aborted."""
    cancelled_from = {state for state, action in TRANSITIONS if action is Action.CANCEL}
    aborted_from = {state for state, action in TRANSITIONS if action is Action.ABORT}
    assert cancelled_from == {"draft", "announced", "registering", "closed"}
    assert aborted_from == {"running", "paused"} == {state for state in State if is_live(state)}


def test_every_state_can_be_reached_and_every_course_can_end() -> None:
    """From draft one gets everywhere; from everywhere one gets to an end."""

    def reachable(start: State) -> set[State]:
        found, frontier = {start}, [start]
        while frontier:
            state = frontier.pop()
            after = {next_state(state, action) for action in actions_from(state)} - found
            found |= after
            frontier += after
        return found

    assert reachable(State.DRAFT) == set(State)
    assert all(any(is_over(end) for end in reachable(state)) for state in State)


def test_what_players_may_do_depends_on_the_state() -> None:
    """Joining and withdrawing need open registration, and a closed tournament lets nobody out."""
    assert {state for state in State if may_join(state)} == {"registering"}
    assert {state for state in State if may_withdraw(state)} == {"registering"}
    assert {state for state in State if may_change_terms(state)} == {"draft", "announced"}
    assert {state for state in State if not is_public(state)} == {"draft"}
    assert {state for state in State if refunds_everybody(state)} == {"cancelled"}


def test_a_refused_action_says_what_can_be_done() -> None:
    """The sentence names the state and the legal actions."""
    with pytest.raises(StructureError, match=r"closed cannot pause; it can only: reopen reg"):
        next_state(State.CLOSED, Action.PAUSE)
    with pytest.raises(StructureError, match=r"aborted cannot start; nothing can be done"):
        next_state(State.ABORTED, Action.START)
