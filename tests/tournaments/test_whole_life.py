"""Whatever is done to a tournament in whatever order, from its first entry to its paid prizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
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

from tests.tournaments.helpers import FEE, NOW, a_tournament, players, secret_for, terms, wallet
from tournaments import money, services
from tournaments.management import casting, invariants
from tournaments.management.level_bots import open_tables
from tournaments.models import Entry, EntryState, RoundTable, Shape, Tournament
from tournaments.play import bots, papers
from tournaments.play.sheets import SheetRefused
from tournaments.services import desk
from tournaments.structure.conditions import EntryRules
from tournaments.structure.due import StartKind
from tournaments.structure.lifecycle import TRANSITIONS, Action, State, is_live, is_over
from tournaments.structure.rounds import BestOfTable

PEOPLE = 9
POOR = 8
"""Who has no points."""
somebody = st.integers(0, PEOPLE - 1)
happened: Counter[str] = Counter()


class Enough(Exception):
    """The table was played as far as was wanted."""


def a_few(start: datetime, moments: int) -> Iterator[datetime]:
    """So many moments a second apart."""
    for second in range(moments):
        yield start + timedelta(seconds=second)
    raise Enough


class WholeLife(RuleBasedStateMachine):
    """Nine people, one of whom cannot pay, at one small tournament, by score sheets or by bots."""

    tournament: Tournament
    people: list[User]
    seconds = 0
    forced = 0

    @initialize(
        shape=st.sampled_from([Shape.KNOCKOUT, Shape.KNOCKOUT, Shape.HEADS_UP, Shape.SINGLE]),
        kind=st.sampled_from([*StartKind]),
        approval=st.sampled_from([False, False, True]),
        in_person=st.sampled_from([True, True, False]),
        keeps_fee=st.booleans(),
        steps=st.sampled_from([0, 2, 3, 4]),
    )
    def opened(
        self,
        *,
        shape: Shape,
        kind: StartKind,
        approval: bool,
        in_person: bool,
        keeps_fee: bool,
        steps: int,
    ) -> None:
        """Registration is open and some have come; or it goes on from there so many steps."""
        late = 2 if shape is Shape.KNOCKOUT else 0
        entering = EntryRules(
            needs_approval=approval,
            no_show_keeps_fee=keeps_fee,
            waitlist_moves_up=True,
            late_until_round=late,
            reentries=late // 2,
        )
        self.people = [*players(POOR, points=4 * FEE), *players(PEOPLE - POOR, points=0)]
        self.tournament = a_tournament(
            shape,
            capacity=6 if shape is Shape.SINGLE else 8,
            house_fee=50,
            in_person=in_person,
            times=casting.times_of(kind, NOW),
            terms=terms("heads_up" if shape is Shape.HEADS_UP else "deals", entering=entering)
            if shape is not Shape.KNOCKOUT
            else terms("points", entering=entering, advance=BestOfTable(1)),
        )
        for who in range(7):
            self.act("register", who, bot="steady")
            if approval:
                self.act("approve", who)
        if steps and kind is StartKind.FIXED_TIME:
            self.check_in(set(range(6)))
        for _ in range(steps):
            self.go_on()

    # Acting

    def act(self, name: str, who: int | None = None, **arguments: Any) -> Any:
        """Call a service; a refusal is an answer like any other, and changes nothing."""
        if who is not None:
            arguments["player_id"] = self.people[who].pk
        in_the_middle = {"leave": desk.withdraw}
        service = in_the_middle.get(name) or getattr(services, name)
        if name != "open_round":
            arguments["actor"] = "x"
        before = self.entries()
        try:
            answer = service(tournament_id=self.tournament.pk, now=self.now(), **arguments)
        except Exception as refusal:
            if not hasattr(refusal, "sentence"):
                raise
            happened[f"{name} refused"] += 1
            assert self.entries() == before
            return None
        finally:
            self.tournament.refresh_from_db()
        happened[name] += 1
        return answer

    def now(self) -> datetime:
        """Each time later than before."""
        self.seconds += 10
        return NOW + timedelta(seconds=self.seconds)

    def entries(self) -> list[Any]:
        """What a refusal must leave as it was."""
        return list(self.tournament.entries.order_by("pk").values_list("state", "attempt", "rank"))

    def picture(self) -> dict[str, Any]:
        """All that must stay as it is once it is over."""
        self.tournament.refresh_from_db()
        return invariants.snapshot_of(self.tournament)

    def is_in(self, *states: State) -> bool:
        """Whether it stands in one of these states."""
        return self.tournament.state in states

    # Before the start

    @precondition(lambda self: self.is_in(State.REGISTERING, State.RUNNING))
    @rule(who=somebody)
    def join(self, who: int) -> None:
        """A newcomer never passes those who wait, unless they cannot pay."""
        waited = list(self.tournament.entries.filter(state=EntryState.WAITING))
        before = self.tournament.entries.filter(player=self.people[who]).first()
        was = before.state if before else ""
        entry = self.act("register", who, bot="steady")
        if entry is None or was == EntryState.ENTERED or entry.state != EntryState.ENTERED:
            return
        for other in waited:
            other.refresh_from_db()
            assert other.state == EntryState.ENTERED or other.notes.filter(kind="passed_over")

    @precondition(lambda self: self.is_in(State.REGISTERING, State.CLOSED))
    @rule(who=somebody)
    def withdraw(self, who: int) -> None:
        """A player leaves before the start."""
        self.act("withdraw", who)

    @precondition(lambda self: self.is_in(State.REGISTERING, State.CLOSED, State.RUNNING))
    @rule(who=somebody, force=st.booleans())
    def add(self, who: int, force: bool) -> None:
        """Staff enters somebody."""
        before = self.seated()
        self.act("add", who, force=force, bot="steady")
        self.forced += force * max(0, self.seated() - before)

    @precondition(lambda self: self.is_in(State.REGISTERING, State.CLOSED))
    @rule(who=somebody)
    def remove(self, who: int) -> None:
        """Staff takes somebody out."""
        self.act("remove", who, reason="")

    @precondition(lambda self: not is_over(State(self.tournament.state)))
    @rule(capacity=st.integers(2, 8))
    def change_seats(self, capacity: int) -> None:
        """More seats, or fewer where they are not taken."""
        self.act("change_capacity", capacity=capacity)

    @precondition(lambda self: self.tournament.entries.filter(state="applied").exists())
    @rule(says=st.sampled_from(["approve", "refuse"]), who=somebody)
    def decide(self, says: str, who: int) -> None:
        """The organiser says yes or no."""
        why: dict[str, Any] = {"reason": ""} if says == "refuse" else {}
        self.act(says, who, **why)

    @precondition(lambda self: self.tournament.check_in_opens_at and not self.started())
    @rule(who=st.sets(somebody, min_size=4))
    def check_in(self, who: set[int]) -> None:
        """Some say that they are there."""
        self.seconds = max(self.seconds, 31 * 60)
        for one in sorted(who):
            self.act("check_in", one)

    @precondition(lambda self: self.is_in(State.CLOSED))
    @rule()
    def reopen(self) -> None:
        """Registration is open once more."""
        self.act("reopen_registration")

    # In the middle

    @precondition(lambda self: self.started())
    @rule(who=somebody, how=st.sampled_from(["leave", "disqualify"]))
    def go_away(self, who: int, how: str) -> None:
        """A player leaves, or is sent away."""
        self.act(how, who, reason="had enough")

    @precondition(lambda self: self.is_in(State.RUNNING))
    @rule(who=somebody)
    def come_back(self, who: int) -> None:
        """A player who is out pays again."""
        self.act("re_enter", who)

    @precondition(lambda self: self.started())
    @rule()
    def pause_or_resume(self) -> None:
        """The clocks stop, or go on."""
        self.act("resume" if self.is_in(State.PAUSED) else "pause")

    @precondition(lambda self: self.is_in(State.RUNNING))
    @rule(at=st.integers(0, 3), moments=st.sampled_from([1, 3, 9, 400]))
    def play(self, at: int, moments: int) -> None:
        """A table is played on, a bit or to its end."""
        found = open_tables(self.tournament)
        if found:
            self.play_on(found[at % len(found)], moments)

    def play_on(self, table: RoundTable, moments: int) -> None:
        """By score sheets or by bots, as the tournament is played."""
        play_it = papers.score_table if self.tournament.in_person else bots.play_table
        with suppress(Enough, SheetRefused):
            play_it(
                match_id=table.match_id,
                secret_for=secret_for,
                chance=bots.Chance(str(self.seconds).encode()),
                may_rejoin=lambda player: money.can_pay_fee(self.tournament, player),
                moments=a_few(self.now(), moments),
            )
            happened["table played"] += 1
        self.seconds += moments
        self.tournament.refresh_from_db()

    @rule()
    def go_on(self) -> None:
        """The organiser does what comes next."""
        if self.is_in(State.REGISTERING):
            self.act("close_registration")
        elif self.is_in(State.CLOSED):
            if self.tournament.check_in_closes_at and not self.tournament.check_in_ended_at:
                self.act("end_check_in")
            else:
                self.act("start")
        elif self.is_in(State.PAUSED):
            self.act("resume")
        elif self.is_in(State.RUNNING):
            if self.act("open_round", secret_for=secret_for) is None:
                for table in open_tables(self.tournament):
                    self.play_on(table, 400)
            self.act("complete")

    # The end

    @precondition(lambda self: self.seconds % 70 == 0)
    @rule(by_standing=st.booleans())
    def call_off(self, by_standing: bool) -> None:
        """The organiser calls it off, before its start or in the middle."""
        if self.started():
            self.act("abort", reason="rain", by_standing=by_standing)
        else:
            self.act("cancel", reason="rain")

    @precondition(lambda self: is_over(State(self.tournament.state)))
    @rule(what=st.sampled_from(["complete", "abort", "cancel"]))
    def end_again(self, what: str) -> None:
        """What is over stays as it is."""
        before = self.picture()
        why: dict[str, Any] = {} if what == "complete" else {"reason": "again"}
        self.act(what, **why)
        assert self.picture() == before

    def teardown(self) -> None:
        """Whatever it came to, it can be ended."""
        if hasattr(self, "tournament") and not is_over(State(self.tournament.state)):
            self.act("abort" if self.started() else "cancel", reason="night")
            assert is_over(State(self.tournament.state))
            assert invariants.faults_when_over(self.tournament, now=self.now()) == ()

    # What is true after each step

    def started(self) -> bool:
        """Whether it runs or is paused."""
        return is_live(State(self.tournament.state))

    def seated(self) -> int:
        """How many have a seat before the start."""
        return self.tournament.entries.filter(state=EntryState.ENTERED).count()

    @invariant()
    def nothing_is_lost_and_nobody_sits_twice(self) -> None:
        """Seats, tables, escrows and books; when it is over everything."""
        check = invariants.faults_while_running
        if is_over(State(self.tournament.state)):
            happened[self.tournament.state] += 1
            check = invariants.faults_when_over
        assert check(self.tournament, now=self.now()) == ()

    @invariant()
    def seats_are_there_or_were_forced(self) -> None:
        """Capacity is exceeded by staff's force and by nothing else."""
        assert self.seated() <= self.tournament.capacity + self.forced

    @invariant()
    def one_fee_is_set_aside_before_the_start_and_none_after_it(self) -> None:
        """For each who is entered or has applied; a no-show's may be kept until the start."""
        holding = {EntryState.ENTERED, EntryState.APPLIED}
        entries = {entry.player_id: entry for entry in self.tournament.entries.all()}
        for person in self.people:
            entry: Entry | None = entries.get(person.pk)
            held = wallet(person).held
            if entry is not None and entry.state == EntryState.NO_SHOW and not self.over_or_live():
                assert held in (0, FEE)
            else:
                assert held == (FEE if entry is not None and entry.state in holding else 0)

    def over_or_live(self) -> bool:
        """Whether no fee may lie aside any more."""
        return self.started() or is_over(State(self.tournament.state))

    @invariant()
    def states_follow_the_table(self) -> None:
        """Each line of the log begins where the one before it ended."""
        state = State.DRAFT
        for line in self.tournament.log.exclude(action="edit").order_by("pk"):
            assert line.before == state
            state = TRANSITIONS[state, Action(line.action)]
            assert line.after == state
        assert self.tournament.state == state


@pytest.mark.django_db
def test_a_whole_life_in_whatever_order_loses_nothing() -> None:
    """And everything that can happen has happened while we looked."""
    happened.clear()
    few = settings(max_examples=8, stateful_step_count=20, derandomize=True, database=None)
    run_state_machine_as_test(WholeLife, settings=few)
    assert min(happened[name] for name in ("register", "withdraw", "add", "start")) > 0, happened
