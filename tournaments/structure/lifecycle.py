"""The course of a tournament: its states, the actions that lead from one to the next.

The table below is the whole rule: an action that has no entry for the present state is illegal.
*Closed* means that registration is closed and the start is awaited; *cancelled* is ended before
the start, *aborted* after it (rule 7). Who may act, and what an action does, is decided elsewhere.
"""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import Final

from tournaments.structure.errors import StructureCode, StructureError


class State(StrEnum):
    """Where a tournament stands."""

    DRAFT = "draft"
    ANNOUNCED = "announced"
    REGISTERING = "registering"
    CLOSED = "closed"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    ABORTED = "aborted"


class Action(StrEnum):
    """What an organiser, or the clock in his place, can do to a tournament."""

    ANNOUNCE = "announce"
    RETRACT = "retract"
    OPEN_REGISTRATION = "open_registration"
    CLOSE_REGISTRATION = "close_registration"
    REOPEN_REGISTRATION = "reopen_registration"
    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    COMPLETE = "complete"
    CANCEL = "cancel"
    ABORT = "abort"


TRANSITIONS: Final = MappingProxyType(
    {
        (State.DRAFT, Action.ANNOUNCE): State.ANNOUNCED,
        (State.DRAFT, Action.OPEN_REGISTRATION): State.REGISTERING,
        (State.DRAFT, Action.CANCEL): State.CANCELLED,
        (State.ANNOUNCED, Action.RETRACT): State.DRAFT,
        (State.ANNOUNCED, Action.OPEN_REGISTRATION): State.REGISTERING,
        (State.ANNOUNCED, Action.CANCEL): State.CANCELLED,
        (State.REGISTERING, Action.CLOSE_REGISTRATION): State.CLOSED,
        (State.REGISTERING, Action.CANCEL): State.CANCELLED,
        (State.CLOSED, Action.REOPEN_REGISTRATION): State.REGISTERING,
        (State.CLOSED, Action.START): State.RUNNING,
        (State.CLOSED, Action.CANCEL): State.CANCELLED,
        (State.RUNNING, Action.PAUSE): State.PAUSED,
        (State.RUNNING, Action.COMPLETE): State.COMPLETED,
        (State.RUNNING, Action.ABORT): State.ABORTED,
        (State.PAUSED, Action.RESUME): State.RUNNING,
        (State.PAUSED, Action.ABORT): State.ABORTED,
    }
)
"""(state, action) → the state after it. What is not here is illegal."""


def next_state(state: State, action: Action) -> State:
    """The state after the action; raises `StructureError(ILLEGAL_ACTION)`."""
    try:
        return TRANSITIONS[state, action]
    except KeyError:
        raise StructureError(
            StructureCode.ILLEGAL_ACTION, _refusal(state, action), field="action"
        ) from None


def actions_from(state: State) -> tuple[Action, ...]:
    """The actions that are legal now, in the order of `Action`."""
    return tuple(action for action in Action if (state, action) in TRANSITIONS)


def is_over(state: State) -> bool:
    """Whether nothing can happen to it any more."""
    return not actions_from(state)


def is_live(state: State) -> bool:
    """Whether it has started and is not over."""
    return state in (State.RUNNING, State.PAUSED)


def is_public(state: State) -> bool:
    """Whether players may see it."""
    return state is not State.DRAFT


def may_join(state: State) -> bool:
    """Whether players may register or join the waitlist."""
    return state is State.REGISTERING


def may_withdraw(state: State) -> bool:
    """Whether a player may withdraw with a full refund: while registration is open (rule 7)."""
    return state is State.REGISTERING


def may_leave_waitlist(state: State) -> bool:
    """Whether who waits may give up his place: as long as he may still get a seat."""
    return state in (State.REGISTERING, State.CLOSED)


def may_staff_seat(state: State) -> bool:
    """Whether staff may put players in and take them out: until the start."""
    return state in (State.REGISTERING, State.CLOSED)


def may_change_terms(state: State) -> bool:
    """Whether fee, prizes and shape may still be changed: until somebody can have entered."""
    return state in (State.DRAFT, State.ANNOUNCED)


def refunds_everybody(state: State) -> bool:
    """Whether every live entry fee goes back: it was cancelled before it started."""
    return state is State.CANCELLED


def _refusal(state: State, action: Action) -> str:
    legal = ", ".join(_words(option) for option in actions_from(state))
    if not legal:
        return (
            f"A tournament that is {state} cannot {_words(action)}; nothing can be done to it any "
            "more."
        )
    return f"A tournament that is {state} cannot {_words(action)}; it can only: {legal}."


def _words(action: Action) -> str:
    return action.replace("_", " ")
