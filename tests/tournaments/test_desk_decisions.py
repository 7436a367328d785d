"""A decision, once written, is neither changed nor deleted, whoever asks."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction

from tables import services as tables
from tests.tournaments.helpers import NOW, next_round, secret_for, started
from tournaments.decision_guards import DECISIONS
from tournaments.models import Decision, Shape
from tournaments.services import desk

pytestmark = pytest.mark.django_db


def _decision() -> Decision:
    tournament = started(Shape.KNOCKOUT, 7)
    table = next_round(tournament).tables.all()[0]
    tables.deal_next(match_id=table.match_id, secret_for=secret_for, now=NOW)
    desk.extend(tournament_id=tournament.pk, seconds=60, actor="a", reason="noise", now=NOW)
    return Decision.objects.get()


def test_the_model_refuses_a_second_save_and_a_delete() -> None:
    decision = _decision()
    with pytest.raises(TypeError):
        decision.save()
    with pytest.raises(TypeError):
        decision.delete()


@pytest.mark.parametrize(
    "statement",
    ["UPDATE tournaments_decision SET reason = 'x'", "DELETE FROM tournaments_decision"],
)
def test_the_database_refuses_what_goes_round_the_model(statement: str) -> None:
    decision = _decision()
    with (
        pytest.raises(DatabaseError, match=DECISIONS.refusal),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert Decision.objects.get().reason == decision.reason


def test_a_bulk_update_and_a_bulk_delete_are_refused_too() -> None:
    _decision()
    for act in (
        lambda: Decision.objects.update(reason="x"),
        lambda: Decision.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError, match=DECISIONS.refusal), transaction.atomic():
            act()
    assert Decision.objects.get().reason == "noise"


def test_a_trigger_that_is_gone_is_found_missing_and_put_back() -> None:
    assert DECISIONS.missing(connection) == []
    DECISIONS.remove(connection)
    assert len(DECISIONS.missing(connection)) >= 2
    DECISIONS.after_migration()
    assert DECISIONS.missing(connection) == []
