"""Whatever players, staff and organiser do in whatever order, the entries add up."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.tournaments.helpers import FEE, NOW, a_tournament, players, terms, wallet
from tournaments import money, services
from tournaments.errors import TournamentRefusal
from tournaments.models import Entry, EntryNote, EntryState, Tournament
from tournaments.structure.conditions import EntryRules
from tournaments.structure.due import StartKind, Times
from tournaments.structure.errors import StructureError
from tournaments.structure.lifecycle import State

REFUSALS = (TournamentRefusal, StructureError, money.InsufficientFunds)
PEOPLE = 8
outcomes: Counter[str] = Counter()
somebody = st.integers(0, PEOPLE - 1)


class Registration(RuleBasedStateMachine):
    """Eight people, two of whom cannot pay, at one tournament with few seats."""

    tournament: Tournament
    approval: bool
    people: list[User]

    @initialize(approval=st.booleans(), kind=st.sampled_from([*StartKind][:2]))
    def open(self, approval: bool, kind: StartKind) -> None:
        """A tournament that takes registrations."""
        self.minutes, self.forced = 0, 0
        self.people = [*players(PEOPLE - 2), *players(2, points=0)]
        self.tournament = a_tournament(
            capacity=2,
            times=Times(kind=kind),
            terms=terms(entering=EntryRules(needs_approval=approval)),
        )
        self.approval = approval
        for who in (0, 1, PEOPLE - 1, 2, PEOPLE - 2):
            self.act("register", who)
        if approval:
            self.act("approve", 1)
            self.act("withdraw", 0)
        else:
            self.act("remove", 0, reason="")
        self.add(3, force=True)

    def act(self, name: str, who: int | None = None, **arguments: Any) -> Any:
        """Call a service; a refusal is an answer like any other."""
        self.minutes += 1
        if who is not None:
            arguments["player_id"] = self.people[who].pk
        try:
            answer = getattr(services, name)(
                tournament_id=self.tournament.pk,
                actor="x",
                now=NOW + timedelta(minutes=self.minutes),
                **arguments,
            )
            outcomes[name] += 1
            return answer
        except REFUSALS:
            outcomes["refused"] += 1
            return None

    @rule(who=somebody)
    def join(self, who: int) -> None:
        """A newcomer never passes those who wait, unless they cannot pay."""
        in_before = {entry.pk for entry in self.tournament.entries.filter(state="entered")}
        waited = self.rows(EntryState.WAITING)
        entry = self.act("register", who)
        if entry is None or entry.pk in in_before or entry.state != EntryState.ENTERED:
            return
        for other in waited:
            other.refresh_from_db()
            assert other.state == EntryState.ENTERED or self.was_passed_over(other)

    @rule(who=somebody)
    def leave(self, who: int) -> None:
        """A seat that becomes free goes to the first who can pay."""
        self.act("withdraw", who)

    @precondition(lambda self: self.approval)
    @rule(who=somebody)
    def approve(self, who: int) -> None:
        """The organiser says yes."""
        self.act("approve", who)

    @precondition(lambda self: self.approval)
    @rule(who=somebody)
    def refuse(self, who: int) -> None:
        """The organiser says no."""
        self.act("refuse", who, reason="")

    @rule(who=somebody, force=st.booleans())
    def add(self, who: int, force: bool) -> None:
        """Staff enters somebody."""
        before = self.seated()
        self.act("add", who, force=force)
        if force:
            self.forced += self.seated() - before

    @rule(who=somebody)
    def remove(self, who: int) -> None:
        """Staff takes somebody out."""
        self.act("remove", who, reason="")

    @rule(capacity=st.integers(2, 6))
    def change_seats(self, capacity: int) -> None:
        """More seats, or fewer where they are not taken."""
        self.act("change_capacity", capacity=capacity)

    @precondition(lambda self: self.minutes > 20)
    @rule()
    def close(self) -> None:
        """Nothing is offered from now on."""
        self.act("close_registration")

    @precondition(lambda self: self.tournament.state == State.CLOSED)
    @rule()
    def reopen(self) -> None:
        """It goes on."""
        self.act("reopen_registration")

    @rule(who=somebody)
    def earn(self, who: int) -> None:
        """Somebody has one more fee to spend."""
        self.minutes += 1
        money.grant(
            asset=money.PLAY_POINTS,
            player_ids=[self.people[who].pk],
            amount=FEE,
            key=f"earned:{self.tournament.pk}:{self.minutes}",
            actor="x",
            now=NOW,
        )

    def rows(self, *states: EntryState) -> list[Entry]:
        """Entries in these states, in the order in which they move up."""
        found = self.tournament.entries.filter(state__in=states)
        return list(found.order_by("joined_at", "id"))

    def was_passed_over(self, entry: Entry) -> bool:
        """Whether somebody who waits was told that he lacked points."""
        notes = entry.notes.filter(attempt=entry.attempt, kind="passed_over")
        return notes.exists()

    def seated(self) -> int:
        """How many have a seat."""
        return len(self.rows(EntryState.ENTERED))

    @invariant()
    def every_seat_is_there_or_was_forced(self) -> None:
        """Capacity is exceeded by staff's force and by nothing else."""
        self.tournament.refresh_from_db()
        assert self.seated() <= self.tournament.capacity + self.forced

    @invariant()
    def one_fee_is_set_aside_for_each_entered_or_applied_and_none_else(self) -> None:
        """Neither twice, nor for who waits or has left."""
        paying = {entry.player_id for entry in self.rows(EntryState.ENTERED, EntryState.APPLIED)}
        held = {person.pk: wallet(person).held for person in self.people}
        assert held == {pk: FEE if pk in paying else 0 for pk in held}

    @invariant()
    def nobody_waits_while_a_seat_is_free_unless_he_could_not_pay(self) -> None:
        """Whoever waits beside a free seat lacked points when it became free."""
        if self.tournament.state != State.REGISTERING:
            assert not self.rows(EntryState.WAITING, EntryState.APPLIED)
            return
        if self.seated() < self.tournament.capacity:
            for entry in self.rows(EntryState.WAITING):
                assert self.was_passed_over(entry)

    @invariant()
    def only_a_full_fixed_players_tournament_is_about_to_start(self) -> None:
        """And it is, as long as registration is open."""
        if self.tournament.state == State.REGISTERING:
            kind = StartKind(self.tournament.start_kind)
            is_full = self.seated() >= self.tournament.capacity
            is_due = kind is StartKind.FIXED_PLAYERS and is_full
            assert (self.tournament.starts_at is not None) is is_due
            assert self.tournament.due_at == self.tournament.starts_at


@pytest.mark.django_db
def test_capacity_order_and_fees_hold_whatever_is_done_in_whatever_order() -> None:
    """And everything that can happen has happened while we looked."""
    outcomes.clear()
    run_state_machine_as_test(
        Registration, settings=settings(max_examples=12, stateful_step_count=30)
    )
    told = Counter(EntryNote.objects.values_list("kind", flat=True))
    happened = [outcomes[name] for name in ("register", "withdraw", "approve", "add", "remove")]
    assert min(happened) > 0, outcomes
    assert min(told[kind] for kind in ("promoted", "passed_over", "forced")) > 0, told
