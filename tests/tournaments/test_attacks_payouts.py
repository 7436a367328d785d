"""Nobody gets the prizes of a currency paid by himself, whichever button he uses."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    next_round,
    players,
    terms,
)
from tests.tournaments.test_seating import an_organiser
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Payout, PayoutState, Shape, Tournament

pytestmark = pytest.mark.django_db


def played_for_rupees() -> Tournament:
    """A table in person whose only round is over, not settled yet."""
    money.open_asset(code="INR", online=False)
    people = players(3, points=0)
    money.grant(
        asset="INR",
        player_ids=[person.pk for person in people],
        amount=FEE,
        key=f"inr:{people[0].pk}",
        actor="bank",
        now=NOW,
    )
    tournament = a_tournament(
        Shape.SINGLE, capacity=3, asset="INR", in_person=True, terms=terms(prizes="60,40")
    )
    join(tournament, *people)
    close_and_start(tournament)
    finish(next_round(tournament).tables.get())
    return tournament


def test_who_settles_a_tournament_in_person_by_the_button_does_not_approve_its_payout(
    client: Client,
) -> None:
    tournament = played_for_rupees()
    organiser = an_organiser(tournament)
    client.force_login(organiser)
    client.post(f"/tournaments/{tournament.public_id}/go-on/")
    payout = Payout.objects.get(tournament=tournament)
    assert (payout.state, payout.asked_by) == (PayoutState.AWAITING, organiser.username)
    with pytest.raises(TournamentRefusal) as refusal:
        services.approve_payout(tournament_id=tournament.pk, actor=organiser.username, now=NOW)
    assert refusal.value.code is TournamentCode.NEEDS_APPROVAL
    assert money.pool_of(tournament) == 3 * FEE
    services.approve_payout(tournament_id=tournament.pk, actor="Meera", now=NOW)
    assert money.pool_of(tournament) == 0
