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
from tests.tables.helpers import NOW, a_match, dealt, state_of, tampering, ticking

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
    with tampering():
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


@pytest.mark.parametrize("number", [1, 5])
def test_the_states_of_many_deals_are_read_at_once_as_far_as_they_are_not_remembered(
    forget: Forget, number: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tables = [dealt(a_match()) for _ in range(number)]
    states = forget()
    for deal, before in tables:
        _draw(deal, before)
        states.put(deal.public_id, before)  # is behind now
    tables += [dealt(a_match()) for _ in range(number)]
    rows = [Deal.objects.get(pk=deal.pk) for deal, _ in tables]
    with django_assert_num_queries(1):
        found = store.load_all(rows)
    assert found == {deal.pk: state_of(deal) for deal, _ in tables}
    for deal in rows:
        states.put(deal.public_id, found[deal.pk])
    with django_assert_num_queries(0):
        assert store.load_all(rows) == found


def test_of_no_deals_nothing_is_read(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert store.load_all([]) == {}
        store.append_all([], now=NOW)


@pytest.mark.django_db(transaction=True)
def test_nothing_that_may_be_undone_is_remembered(forget: Forget) -> None:
    deal, state = dealt(a_match())
    states = forget()
    with transaction.atomic():
        _draw(deal, state)
        row = Deal.objects.get(pk=deal.pk)
        assert store.load_all([row])[deal.pk] == store.load(row)
        assert store.load(row).version > state.version
        transaction.set_rollback(True)
    assert states.get(deal.public_id, LATEST) is None
    assert store.load(Deal.objects.get(pk=deal.pk)) == state


def test_a_log_that_cannot_be_read_or_is_too_short_is_passed_over(states: StateCache) -> None:
    broken, short, sound = (dealt(a_match()).deal for _ in range(3))
    with tampering():
        DealEvent.objects.filter(deal=broken, seq=3).update(payload="{}")
    Deal.objects.filter(pk=short.pk).update(version=99)
    rows = list(Deal.objects.all())
    assert store.load_all(rows) == {sound.pk: state_of(sound)}


@pytest.mark.django_db(transaction=True)
def test_a_deal_that_is_over_is_not_remembered(states: StateCache) -> None:
    deal = _played(2, 4)
    assert states.get(deal.public_id, LATEST) is None
