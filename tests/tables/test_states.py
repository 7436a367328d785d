"""What a process remembers of deals: never another state than the log makes, and read once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction
from pytest_django import DjangoAssertNumQueries

from tables import services, store
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, DealEvent
from tables.rules import commands as cm
from tables.rules.bots import Chance, Strength
from tables.rules.evolve import replay
from tables.rules.state import DealState
from tables.states import StateCache
from tests.tables.helpers import NOW, a_match, dealt, state_of, ticking

pytestmark = pytest.mark.django_db

LATEST = 10_000
"""A version that no deal comes to: asking for it gives whatever is remembered."""


Forget = Callable[[], StateCache]


@pytest.fixture
def forget(monkeypatch: pytest.MonkeyPatch) -> Forget:
    """Begin with nothing remembered, as a new process; the states it will remember."""

    def begin() -> StateCache:
        monkeypatch.setattr(store, "states", StateCache())
        return store.states

    return begin


@pytest.fixture
def states(forget: Forget) -> StateCache:
    """What a new process remembers."""
    return forget()


def _played(seats: int, seed: int) -> Deal:
    """A deal that bots have played to its end."""
    deal, state = dealt(a_match(seats, bot=Strength.STEADY))
    services.play_deal_with_bots(
        deal=deal, state=state, chance=Chance(bytes([seed] * 32)), moments=ticking()
    )
    return Deal.objects.get(pk=deal.pk)


def _draw(deal: Deal, state: DealState) -> None:
    command = cm.DrawClosed(state.turn or 0)
    services.play(deal_id=deal.pk, command=command, command_id="draw", now=NOW)


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (6, 3)])
def test_whatever_is_remembered_the_state_is_what_the_log_makes(
    states: StateCache, seats: int, seed: int
) -> None:
    """Older, the same or newer than the row: each state of a whole deal, against later rows."""
    row = _played(seats, seed)
    log = store.events_of(row)
    made = [replay(log[:version]) for version in range(1, len(log) + 1)]
    for kept in made[:-1]:
        for version in {1, kept.version, kept.version + 1, kept.version + 9, len(log)}:
            row.version = min(version, len(log))
            states.put(row.public_id, kept)
            assert store.load(row) == made[row.version - 1]


def test_only_what_happened_since_is_read_of_the_log(states: StateCache) -> None:
    deal, state = dealt(a_match())
    _draw(deal, state)
    states.put(deal.public_id, state)
    truth = state_of(deal)
    DealEvent.objects.filter(deal=deal, seq__lte=state.version).update(payload="{}")
    assert store.load(Deal.objects.get(pk=deal.pk)) == truth


def test_a_row_ahead_of_its_log_is_refused_whatever_is_remembered(states: StateCache) -> None:
    deal, state = dealt(a_match())
    row = Deal.objects.get(pk=deal.pk)
    row.version += 1
    for kept in (None, state):
        if kept is not None:
            states.put(deal.public_id, kept)
        with pytest.raises(TableRefusal) as refusal:
            store.load(row)
        assert refusal.value.code is TableCode.LOG_CONFLICT


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [1, 5])
def test_the_states_of_many_deals_are_read_at_once(
    forget: Forget, number: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    deals = [dealt(a_match()).deal for _ in range(number)]
    states = forget()
    with django_assert_num_queries(2):
        store.warm(deal.pk for deal in deals)
    for deal in deals:
        assert states.get(deal.public_id, LATEST) == state_of(deal)
    with django_assert_num_queries(1):
        store.warm(deal.pk for deal in deals)


@pytest.mark.django_db(transaction=True)
def test_a_move_after_the_reading_is_seen_and_one_undone_is_not(forget: Forget) -> None:
    deal, state = dealt(a_match())
    forget()
    store.warm([deal.pk])
    with transaction.atomic():
        _draw(deal, state)
        transaction.set_rollback(True)
    assert store.load(Deal.objects.get(pk=deal.pk)) == state
    _draw(deal, state)
    row = Deal.objects.get(pk=deal.pk)
    assert row.version > state.version
    assert store.load(row) == state_of(deal)


@pytest.mark.django_db(transaction=True)
def test_nothing_that_may_be_undone_is_remembered(forget: Forget) -> None:
    deal, state = dealt(a_match())
    states = forget()
    with transaction.atomic():
        _draw(deal, state)
        store.warm([deal.pk])
        assert store.load(Deal.objects.get(pk=deal.pk)).version > state.version
        transaction.set_rollback(True)
    assert states.get(deal.public_id, LATEST) is None
    assert store.load(Deal.objects.get(pk=deal.pk)) == state


@pytest.mark.django_db(transaction=True)
def test_a_log_that_cannot_be_read_is_passed_over_and_the_others_are_remembered(
    forget: Forget,
) -> None:
    broken, sound = (dealt(a_match()).deal for _ in range(2))
    states = forget()
    DealEvent.objects.filter(deal=broken, seq=3).update(payload="{}")
    store.warm([broken.pk, sound.pk, 404])
    assert states.get(broken.public_id, LATEST) is None
    assert states.get(sound.public_id, LATEST) == state_of(sound)


@pytest.mark.django_db(transaction=True)
def test_a_deal_that_is_over_is_not_remembered(states: StateCache) -> None:
    deal = _played(2, 4)
    store.warm([deal.pk])
    assert states.get(deal.public_id, LATEST) is None
