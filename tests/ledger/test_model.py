"""The ledger against a model of a few lines: any sequence of requests, the same answers.

Amounts are drawn near what an account has, and a share of requests must be accepted: drawn at
random nearly all would be refused, and faults behind an acceptance would stay hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from ledger.errors import Code, LedgerError
from ledger.lines import Line
from ledger.models import Account, Entry, Transfer
from ledger.selectors import balance_of, trial_balance
from ledger.services import Mode, release_expired, reverse
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import freeze_account, reopen_account

PLACES = st.integers(0, 3)
NEAR = st.sampled_from([-7, -1, 0, 0, 1])
EXPIRES = st.sampled_from([None, None, 5, 60])

outcomes: Counter[str] = Counter()


@dataclass
class Purse:
    """What the model knows of an account; place 3 is the issuer, who may go below zero."""

    posted: int = 0
    held: int = 0
    incoming: int = 0
    is_open: bool = True
    is_bounded: bool = True

    @property
    def available(self) -> int:
        return self.posted - self.held

    def allows(self, amount: int) -> bool:
        return not self.is_bounded or amount <= self.available


@dataclass
class Move:
    """An entry that the model accepted: its moves from place to place."""

    entry: Entry
    lines: list[tuple[int, int, int]] = field(default_factory=list)
    is_reversed: bool = False


def answer_of(work: Callable[[], Entry]) -> tuple[Entry | None, Code | None]:
    """The entry or the code of its refusal; counted."""
    try:
        entry = work()
    except LedgerError as error:
        outcomes["refused"] += 1
        return None, error.code
    outcomes["accepted"] += 1
    return entry, None


class LedgerMachine(RuleBasedStateMachine):
    """Rules are requests; each predicts its outcome from the model first."""

    holds = Bundle("holds")
    moves = Bundle("moves")

    def __init__(self) -> None:
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.books = Books()
        self.now = NOW
        self.accounts: list[Account] = [
            self.books.anna,
            self.books.ben,
            self.books.escrow,
            self.books.issuer,
        ]
        self.purses = [Purse(), Purse(), Purse(), Purse(is_bounded=False)]
        for place in range(3):
            self.books.fund(self.accounts[place], 100)
            self._moved(3, place, 100)

    def teardown(self) -> None:
        release_expired(now=self.now)
        faults = self.books.faults(self.now)
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)
        assert faults == []

    def _moved(self, debit: int, credit: int, amount: int) -> None:
        self.purses[debit].posted -= amount
        self.purses[credit].posted += amount

    def _try(self, expected: Code | None, line: Line, **words: Any) -> Entry | None:
        """Post; the outcome must be the one expected."""
        entry, refusal = answer_of(lambda: self.books.post(line, now=self.now, **words))
        assert refusal == expected
        return entry

    def _refusal(self, debit: int, credit: int, amount: int) -> Code | None:
        if not (self.purses[debit].is_open and self.purses[credit].is_open):
            return Code.ACCOUNT_CLOSED
        if not self.purses[debit].allows(amount):
            return Code.INSUFFICIENT_FUNDS
        return None

    def _sides(self, debit: int, credit: int) -> dict[str, int]:
        return {"debit": self.accounts[debit].id, "credit": self.accounts[credit].id}

    @rule(target=moves, debit=PLACES, step=st.integers(1, 3), near=NEAR)
    def pay(self, debit: int, step: int, near: int) -> Any:
        credit = (debit + step) % 4
        available = self.purses[debit].available
        amount = max(1, available + near if self.purses[debit].is_bounded else 20 + near)
        line = Line.post(**self._sides(debit, credit), amount=amount)
        entry = self._try(self._refusal(debit, credit, amount), line)
        if entry is None:
            return multiple()
        self._moved(debit, credit, amount)
        return Move(entry, [(debit, credit, amount)])

    @rule(target=holds, debit=PLACES, step=st.integers(1, 3), near=NEAR, minutes=EXPIRES)
    def set_aside(self, debit: int, step: int, near: int, minutes: int | None) -> Any:
        credit = (debit + step) % 4
        available = self.purses[debit].available
        amount = max(1, available // 2 + near if self.purses[debit].is_bounded else 20 + near)
        expires = None if minutes is None else self.now + timedelta(minutes=minutes)
        line = Line.set_aside(**self._sides(debit, credit), amount=amount, expires_at=expires)
        entry = self._try(self._refusal(debit, credit, amount), line)
        if entry is None:
            return multiple()
        self.purses[debit].held += amount
        self.purses[credit].incoming += amount
        return (entry.transfers.get(), debit, credit)

    @rule(target=moves, held=consumes(holds), less=st.sampled_from([0, 0, 1, -1]))
    def capture(self, held: tuple[Transfer, int, int], less: int) -> Any:
        hold, debit, credit = held
        amount = max(1, hold.amount - less)
        expected: Code | None = None
        if not (self.purses[debit].is_open and self.purses[credit].is_open):
            expected = Code.ACCOUNT_CLOSED
        elif amount > hold.amount:
            expected = Code.HOLD_DIFFERS
        elif hold.expires_at is not None and self.now >= hold.expires_at:
            expected = Code.HOLD_EXPIRED
        entry = self._try(expected, Line.capture(hold, amount=amount))
        if entry is None:
            self._give_back(held)
            return multiple()
        self._resolved(held)
        self._moved(debit, credit, amount)
        self._twice(hold)
        return Move(entry, [(debit, credit, amount)])

    @rule(held=consumes(holds))
    def release(self, held: tuple[Transfer, int, int]) -> None:
        self._give_back(held)
        self._twice(held[0])

    def _give_back(self, held: tuple[Transfer, int, int]) -> None:
        """A release always succeeds, also when frozen or expired."""
        assert self._try(None, Line.release(held[0])) is not None
        self._resolved(held)

    def _resolved(self, held: tuple[Transfer, int, int]) -> None:
        hold, debit, credit = held
        self.purses[debit].held -= hold.amount
        self.purses[credit].incoming -= hold.amount

    def _twice(self, hold: Transfer) -> None:
        with pytest.raises(LedgerError) as caught:
            self.books.post(Line.release(hold), now=self.now)
        assert caught.value.code == Code.HOLD_RESOLVED

    @rule(move=moves)
    def undo(self, move: Move) -> None:
        ((debit, credit, amount),) = move.lines
        expected: Code | None = self._refusal(credit, debit, amount)
        if move.is_reversed:
            expected = Code.ALREADY_REVERSED
        key = f"undo:{move.entry.id}:{self.now}:{outcomes.total()}"
        words: dict[str, Any] = {"actor": "model", "reason": "undo", "now": self.now}
        _, refusal = answer_of(lambda: reverse(entry=move.entry.id, key=key, **words))
        assert refusal == expected
        if refusal is None:
            move.is_reversed = True
            self._moved(credit, debit, amount)

    @rule(move=moves)
    def say_it_again(self, move: Move) -> None:
        """The first answer, whatever has happened since, and nothing moves."""
        lines = [
            Line(
                mode=Mode(transfer.mode),
                debit=transfer.debit_id,
                credit=transfer.credit_id,
                amount=transfer.amount,
                hold=transfer.hold_id,
            )
            for transfer in move.entry.transfers.all()
        ]
        again = self.books.post(*lines, key=move.entry.key, now=self.now, actor="another")
        assert (again.replayed, again.id) == (True, move.entry.id)
        with pytest.raises(LedgerError) as caught:
            self.books.post(*lines, key=move.entry.key, reason="another", now=self.now)
        assert caught.value.code == Code.KEY_REUSED

    @rule(place=PLACES, is_open=st.sampled_from([True, True, False]))
    def freeze(self, place: int, is_open: bool) -> None:
        change = reopen_account if is_open else freeze_account
        change(account=self.accounts[place].id, actor="model", reason="a rule", now=self.now)
        self.purses[place].is_open = is_open

    @rule(minutes=st.integers(1, 20))
    def wait(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @invariant()
    def balances_are_the_models(self) -> None:
        for account, purse in zip(self.accounts, self.purses, strict=True):
            view = balance_of(account.id)
            assert (view.posted, view.held, view.incoming) == (
                purse.posted,
                purse.held,
                purse.incoming,
            )
        assert all(totals.is_balanced for totals in trial_balance())


@pytest.mark.django_db
def test_any_sequence_of_requests_is_answered_as_the_model_says() -> None:
    outcomes.clear()
    run_state_machine_as_test(
        LedgerMachine, settings=settings(max_examples=25, stateful_step_count=30)
    )
    assert outcomes["accepted"] > 0.3 * outcomes.total(), outcomes  # about a half, by chance
    assert outcomes["refused"] > 20, outcomes
