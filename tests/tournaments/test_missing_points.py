"""Who cannot pay a fee is told what is missing of all of it, the organiser's part included."""

from __future__ import annotations

import pytest

from ledger.errors import InsufficientFunds
from tests.tournaments.helpers import NOW, a_tournament, join, players, terms, wallet
from tournaments import money
from tournaments.models import Shape
from tournaments.services import tables

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("points", "missing"), [(0, 500), (120, 380), (449, 51), (499, 1)])
def test_at_registration_the_whole_of_what_is_missing_is_named(points: int, missing: int) -> None:
    """450 for the pool and 50 for the organiser; with that much more he can enter."""
    tournament = a_tournament(house_fee=50)
    [person] = players(1, points)
    with pytest.raises(InsufficientFunds) as refusal:
        join(tournament, person)
    assert refusal.value.missing == missing
    assert refusal.value.sentence.startswith(f"{missing} play points of the entry fee")
    money.grant(
        asset=money.PLAY_POINTS, player_ids=[person.pk], amount=missing, key="m", actor="x", now=NOW
    )
    join(tournament, person)
    assert wallet(person).available == 0


def test_at_a_rejoin_too() -> None:
    """He has 30 points left for a fee of 500, all but the first 30 of it missing."""
    tournament = a_tournament(
        Shape.SINGLE, terms=terms("pool101", prizes="winner"), house_fee=50, capacity=3
    )
    people = players(3, 530)
    join(tournament, *people)
    with pytest.raises(InsufficientFunds) as refusal:
        tables.rejoined(
            owner=money.reference_of(tournament), player_id=people[0].pk, number=1, now=NOW
        )
    assert refusal.value.missing == 470
    assert refusal.value.sentence.startswith("470 play points of the entry fee of 500 play points")
    assert wallet(people[0]).available == 30
