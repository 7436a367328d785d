"""Eight processes that guess the entry code of one tournament, on PostgreSQL."""

from __future__ import annotations

import pytest

from tests.services.test_registration_postgresql import click, in_eight
from tests.tournaments.helpers import a_tournament, players, terms
from tournaments.models import WrongCode
from tournaments.structure.conditions import Conditions, EntryRules

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def test_eight_processes_have_no_more_guesses_than_one() -> None:
    rules = EntryRules(conditions=Conditions(code="spade"))
    tournament, [person] = a_tournament(terms=terms(entering=rules)), players(1)
    name, words = click("register", tournament, person)
    outcomes = in_eight([(name, words | {"code": f"guess {number}"}) for number in range(24)])
    assert outcomes.count("not_eligible") == 5
    assert outcomes.count("too_many_codes") == 19
    assert WrongCode.objects.count() == 5
