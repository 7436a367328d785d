"""The steps of a tournament before it is played: when each is possible, and its service."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from staff.services.audit import Doer, Line, acting, acting_on_many
from tournaments import services
from tournaments.auditing import picture_of, subject_of
from tournaments.models import Tournament
from tournaments.structure.lifecycle import Action, State, actions_from

Run = Callable[[Doer, Tournament, str, int], bool]
"""Who, what, why, and what is kept of each fee; whether there was anything to do."""


class Step(NamedTuple):
    """One step: its name in addresses, what stands on its button, and whether a reason is asked."""

    name: str
    words: Any
    run: Run
    asks_reason: bool = False
    is_grave: bool = False
    states: frozenset[State] = frozenset()
    """Where it is possible; empty for where the lifecycle has an action of this name."""

    def is_possible(self, tournament: Tournament) -> bool:
        """Whether it can be done now, as far as the state says."""
        state = State(tournament.state)
        if self.states:
            return state in self.states
        return self.name in {action.value for action in actions_from(state)}


def _step(name: str, service: Callable[..., Any], *, reasoned: bool = True) -> Run:
    """One service, and its line in the audit log."""

    def run(doer: Doer, tournament: Tournament, reason: str, kept: int) -> bool:
        more = {"reason": reason} if reasoned else {}
        with _acting(doer, name, tournament, reason):
            service(tournament_id=tournament.pk, actor=doer.signature, now=doer.at, **more)
        return True

    return run


def _acting(
    doer: Doer, name: str, tournament: Tournament, reason: str
) -> AbstractContextManager[Line]:
    return acting(
        by=doer,
        action=f"tournaments.{name}",
        subject=subject_of(tournament),
        reason=reason,
        picture=lambda: picture_of(tournament.pk),
    )


def _end_check_in(doer: Doer, tournament: Tournament, reason: str, kept: int) -> bool:
    with _acting(doer, "end_check_in", tournament, reason) as line:
        services.end_check_in(tournament_id=tournament.pk, actor=doer.signature, now=doer.at)
        if Tournament.objects.get(pk=tournament.pk).check_in_ended_at != doer.at:
            line.leave_out()
    return not line.is_left_out


def _start(doer: Doer, tournament: Tournament, reason: str, kept: int) -> bool:
    """Close registration where it is open, and start; both or neither, a line for each."""
    with transaction.atomic():
        if tournament.state == State.REGISTERING:
            close = _step("close_registration", services.close_registration)
            close(doer, tournament, reason, kept)
        return _step("start", services.start)(doer, tournament, reason, kept)


def _cancel(doer: Doer, tournament: Tournament, reason: str, kept: int) -> bool:
    with _acting(doer, "cancel", tournament, reason) as line:
        services.cancel(
            tournament_id=tournament.pk,
            actor=doer.signature,
            reason=reason,
            cancellation_fee=kept,
            now=doer.at,
        )
        line.before = {**line.before, "kept_of_each": kept}
    return True


STEPS: Final = (
    Step("announce", _("Announce"), _step("announce", services.announce, reasoned=False)),
    Step(
        Action.OPEN_REGISTRATION,
        _("Open registration"),
        _step("open_registration", services.open_registration, reasoned=False),
    ),
    Step(
        Action.CLOSE_REGISTRATION,
        _("Close registration"),
        _step("close_registration", services.close_registration),
    ),
    Step(
        Action.REOPEN_REGISTRATION,
        _("Open registration again"),
        _step("reopen_registration", services.reopen_registration),
        asks_reason=True,
    ),
    Step(
        "end_check_in",
        _("End check-in"),
        _end_check_in,
        states=frozenset({State.CLOSED}),
    ),
    Step("start", _("Start"), _start, states=frozenset({State.REGISTERING, State.CLOSED})),
    Step(
        "retract",
        _("Take the announcement back"),
        _step("retract", services.retract),
        asks_reason=True,
        is_grave=True,
    ),
    Step("cancel", _("Call it off"), _cancel, asks_reason=True, is_grave=True),
)
BY_NAME: Final = {step.name: step for step in STEPS}


def steps_of(tournament: Tournament) -> list[Step]:
    """What can be done now, the next thing first."""
    found = [step for step in STEPS if step.is_possible(tournament)]
    has_check_in = tournament.check_in_closes_at is not None
    is_ended = tournament.check_in_ended_at is not None
    if not has_check_in or is_ended:
        found = [step for step in found if step.name != "end_check_in"]
    return found


MANY: Final[dict[str, Callable[..., Any]]] = {
    "announce": services.announce,
    "open_registration": services.open_registration,
    "close_registration": services.close_registration,
    "cancel": services.cancel,
}
"""What can be done to many tournaments at once."""
_WITHOUT_REASON: Final = ("announce", "open_registration")


def run_many(doer: Doer, name: str, tournaments: Sequence[Tournament], reason: str) -> None:
    """Do a step to many, all or none, with a line for each; they are locked in their order.

    Raises `SomeRefused`, which says for which and why.
    """
    service = MANY[name]
    more = {} if name in _WITHOUT_REASON else {"reason": reason}
    with acting_on_many(
        by=doer,
        action=f"tournaments.{name}",
        subjects=[subject_of(one) for one in tournaments],
        reason=reason,
        pictures=lambda: {one.public_id: picture_of(one.pk) for one in tournaments},
    ):
        for one in sorted(tournaments, key=lambda found: found.pk):
            try:
                service(tournament_id=one.pk, actor=doer.signature, now=doer.at, **more)
            except Exception as refusal:
                raise SomeRefused(one, refusal) from refusal


class SomeRefused(Exception):
    """One of many was refused, so nothing was done to any; `refusal` is what was raised for it."""

    def __init__(self, tournament: Tournament, refusal: Exception) -> None:
        super().__init__(str(refusal))
        self.tournament = tournament
        self.refusal = refusal
