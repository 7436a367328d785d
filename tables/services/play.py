"""The one door through which a deal is played, whoever sends the command.

A move is decided under its deal's lock. A move that ends the deal reaches further: it lets go and
is decided again with the locks in order, owner → match → deal (see docs/architecture.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

from django.db import IntegrityError, transaction

from tables import broadcast, store
from tables.errors import TableCode, TableRefusal
from tables.models import Deal
from tables.rules.commands import Command, Expire, ShiftClock
from tables.rules.deal import advance
from tables.rules.errors import RuleViolation
from tables.rules.events import Event
from tables.rules.state import DealState
from tables.services import closing

MAX_COMMAND_ID = 64


class Played(NamedTuple):
    """What a command brought about; `repeated` if it had been played before."""

    version: int
    events: tuple[Event, ...]
    state: DealState | None
    """The state after it, None for a repeated command."""
    repeated: bool = False


class _EndsDeal(Exception):
    """The command ends the deal, which needs wider locks."""


class _NotDue(Exception):
    """The deal is not due, has moved on, or is held by somebody else."""


def play(
    *, deal_id: int, command: Command, command_id: str, now: datetime, even_paused: bool = False
) -> Played:
    """Decide a command and write what it brings about, once per `command_id`.

    Raises `RuleViolation` if the rules refuse it, `TableRefusal` for an unknown deal, and `PAUSED`
    for all but `ShiftClock` in a paused one unless `even_paused`; nothing is written then. The same
    id again gives the first answer.
    """
    if not 0 < len(command_id) <= MAX_COMMAND_ID:
        raise TableRefusal(
            TableCode.BAD_COMMAND_ID,
            f"A command id has 1 to {MAX_COMMAND_ID} characters.",
            field="command_id",
        )
    move = _Move(deal_id, command, command_id, now, even_paused)
    return _once(move, partial(lock_deal, deal_id))


def play_due(*, deal_id: int, version: int, now: datetime) -> Played | None:
    """As `play`, for the clock: `Expire` in a deal that is due at `now` and of this version.

    None, and nothing written, if it is not, or if somebody else holds the row: nobody waits for
    him, as far as the database can tell (PostgreSQL).
    """
    move = _Move(deal_id, Expire(), _alarm_id(version), now)
    try:
        return _once(move, partial(_lock_due, deal_id, version, now))
    except _NotDue:
        return None


class Expired(NamedTuple):
    """What became of deals whose time was up."""

    done: int
    """So many have gone on."""
    left: Sequence[Deal]
    """What wants `play_due`: the deal ends with it, it is refused, or the log cannot be read."""


def play_all_due(*, limit: int, now: datetime, leave: Callable[[Deal], bool]) -> Expired:
    """As `play_due` for up to `limit` deals in one transaction, those due longest first.

    What somebody else holds is passed over, and so are deals that `leave` names; more than `limit`
    are never locked. All are written or, with an exception, none.
    """
    left: list[Deal] = []
    steps: list[store.Step] = []
    with transaction.atomic():
        deals = [deal for deal in store.locked_deals_due(limit, now=now) if not leave(deal)]
        states = store.load_all(deals)
        for deal in deals:
            step = _expiry(deal, states.get(deal.pk), now)
            if step is None:
                left.append(deal)
            else:
                steps.append(step)
        store.append_all(steps, now=now)
        for deal, events, state, _ in steps:
            _announce(deal, events, state)
    return Expired(len(steps), left)


def _expiry(deal: Deal, state: DealState | None, now: datetime) -> store.Step | None:
    """None for whatever is not simply the next turn; `play_due` finds it again."""
    if state is None:
        return None
    try:
        events, after = advance(state, Expire(), store.to_ms(now))
    except RuleViolation:
        return None
    return None if after.is_over else store.Step(deal, events, after, _alarm_id(deal.version))


class _Move(NamedTuple):
    deal_id: int
    command: Command
    command_id: str
    now: datetime
    even_paused: bool = False


def _once(move: _Move, lock: Callable[[], Deal]) -> Played:
    """Play a move, under wider locks if it needs them, or give the answer it was given before."""
    try:
        try:
            return _attempt(move, lock, ends=False)
        except _EndsDeal:
            return _attempt(move, lock, ends=True)
    except (IntegrityError, RuleViolation, TableRefusal) as refusal:
        before = _answer_before(move.deal_id, move.command_id)
        if before is not None:
            return before
        if isinstance(refusal, IntegrityError):
            raise TableRefusal(
                TableCode.LOG_CONFLICT, "The deal has moved on; ask for its state again."
            ) from refusal
        raise


def _attempt(move: _Move, lock: Callable[[], Deal], *, ends: bool) -> Played:
    with transaction.atomic():
        match = closing.lock_match_of_deal(move.deal_id) if ends else None
        deal = lock()
        if deal.paused_at is not None and not _may_in_pause(move):
            raise closing.paused()
        events, state = advance(store.load(deal), move.command, store.to_ms(move.now))
        if state.is_over and match is None:
            raise _EndsDeal
        store.append(deal, events, state, command_id=move.command_id, now=move.now)
        _announce(deal, events, state)
        if match is not None and state.is_over:
            closing.close_deal(match=match, deal=deal, state=state, now=move.now)
        return Played(state.version, events, state)


def _announce(deal: Deal, events: Sequence[Event], state: DealState) -> None:
    broadcast.announce_events(
        match_id=deal.match_id, deal=deal.public_id, version=state.version, events=events
    )


def _alarm_id(version: int) -> str:
    """The command id of the alarm at this version; no player's has this shape."""
    return f"alarm:{version}"


def _may_in_pause(move: _Move) -> bool:
    return move.even_paused or isinstance(move.command, ShiftClock)


def _lock_due(deal_id: int, version: int, now: datetime) -> Deal:
    deal = store.locked_deal_due(deal_id, version=version, now=now)
    if deal is None:
        raise _NotDue
    return deal


def lock_deal(deal_id: int) -> Deal:
    """The deal's row, locked. Raises `TableRefusal(UNKNOWN_DEAL)`."""
    deal = store.locked_deal(deal_id)
    if deal is None:
        raise TableRefusal(TableCode.UNKNOWN_DEAL, "There is no such deal.", field="deal_id")
    return deal


def _answer_before(deal_id: int, command_id: str) -> Played | None:
    deal = Deal.objects.filter(pk=deal_id).first()
    answer = None if deal is None else store.answer_to(deal, command_id)
    if answer is None:
        return None
    version, events = answer
    return Played(version, tuple(events), None, repeated=True)
