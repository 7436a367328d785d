"""Eight processes against the limit of one player, on PostgreSQL."""

from __future__ import annotations

import pytest

from players.models import Spending
from players.services import limits
from tests.services.test_registration_postgresql import click, in_eight
from tests.tournaments.helpers import FEE, NOW, a_tournament, players, wallet
from tournaments.models import Entry, EntryState

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def test_of_eight_tournaments_joined_at_once_a_limit_of_one_lets_one_be_joined() -> None:
    [person] = players(1)
    limits.set_limit(player_id=person.pk, name="entries", value=1, now=NOW)
    tournaments = [a_tournament() for _ in range(8)]
    outcomes = in_eight([click("register", one, person) for one in tournaments])
    assert outcomes.count("entries_used") == 7
    assert Entry.objects.get(player=person).state == EntryState.ENTERED
    assert Spending.objects.filter(player=person).count() == 1
    assert wallet(person).held == FEE
