"""A tournament whose players leave between its start and its first round."""

from __future__ import annotations

import pytest

from tests.tournaments.helpers import FEE, NOW, started, wallet
from tournaments import services
from tournaments.management import invariants
from tournaments.models import EntryState, Shape
from tournaments.services.progress import TOO_FEW, waiting_to_go_on
from tournaments.structure.lifecycle import State

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("shape", [Shape.KNOCKOUT, Shape.SINGLE])
def test_with_one_player_left_before_the_first_round_it_is_aborted_and_all_are_refunded(
    shape: Shape,
) -> None:
    tournament = started(shape, 2)
    gone = tournament.entries.order_by("number").last()
    assert gone is not None
    services.disqualify(
        tournament_id=tournament.pk,
        player_id=gone.player_id,
        actor="organiser",
        reason="Not there.",
        now=NOW,
    )
    assert waiting_to_go_on() == [tournament.pk]
    assert services.go_on(tournament_id=tournament.pk, now=NOW)
    tournament.refresh_from_db()
    assert tournament.state == State.ABORTED
    assert TOO_FEW in tournament.log.values_list("reason", flat=True)
    for entry in tournament.entries.select_related("player"):
        assert entry.state == EntryState.REFUNDED
        assert wallet(entry.player).available == FEE
    assert invariants.faults_when_over(tournament, now=NOW) == ()
    assert not services.go_on(tournament_id=tournament.pk, now=NOW)
    assert waiting_to_go_on() == []


def test_with_two_players_left_the_first_round_is_opened() -> None:
    tournament = started(Shape.KNOCKOUT, 2)
    assert services.go_on(tournament_id=tournament.pk, now=NOW)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    assert tournament.rounds.count() == 1
