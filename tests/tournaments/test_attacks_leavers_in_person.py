"""With real cards, too, nobody who has left keeps a tournament from its end."""

from __future__ import annotations

import pytest

from tests.tournaments.helpers import NOW, finish, next_round, open_tables, started, terms
from tournaments import services
from tournaments.models import Shape
from tournaments.selectors import faults

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("in_person", [True, False], ids=["in-person", "online"])
@pytest.mark.parametrize("format_name", ["points", "deals", "pool101"])
def test_who_waits_for_a_pairing_both_of_whose_players_left_has_won(
    format_name: str, in_person: bool
) -> None:
    tournament = started(Shape.HEADS_UP, 4, terms=terms(format_name), in_person=in_person)
    next_round(tournament)
    left, played = open_tables(tournament)
    for placing in left.placings.select_related("entry"):
        services.disqualify(
            tournament_id=tournament.pk,
            player_id=placing.entry.player_id,
            actor="arbiter",
            reason="he looked",
            now=NOW,
        )
    finish(played)
    next_round(tournament)
    services.complete(tournament_id=tournament.pk, now=NOW)
    tournament.refresh_from_db()
    assert tournament.entries.get(rank=1) == played.placings.get(seat=0).entry
    assert faults.faults_of(tournament) == ()
