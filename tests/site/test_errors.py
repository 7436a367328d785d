"""Refusals of the apps become answers; faults of the program stay faults."""

from __future__ import annotations

import pytest
from rest_framework.exceptions import NotAuthenticated

from rummy_site import errors
from tables.rules.errors import Code, RuleViolation


class Odd(Exception):
    """Looks a little like a refusal, and is none."""

    code = 7
    sentence = "seven"


def test_a_refusal_with_a_field_is_a_bad_request() -> None:
    error = RuleViolation(Code.BAD_CARD, "1Z is no card.", field="hand")
    answer = errors.exception_handler(error, {})
    assert answer is not None
    assert answer.status_code == 400
    assert answer.data == {"code": "bad_card", "detail": "1Z is no card.", "field": "hand"}


def test_a_refusal_for_the_state_of_things_is_a_conflict() -> None:
    assert errors.status_of(RuleViolation(Code.NO_SPLIT, "No split now.")) == 409


def test_the_table_goes_before_the_field() -> None:
    error = RuleViolation(Code.NOT_YOUR_TURN, "Wait for your turn.", field="seat")
    assert errors.status_of(error) == 409
    assert errors.status_of(RuleViolation(Code.DEAL_OVER, "This deal is over.")) == 410


def test_a_frame_says_the_same_as_the_body() -> None:
    error = RuleViolation(Code.DRAW_FIRST, "Draw a card first.")
    assert errors.frame_of(error) == {
        "type": "refused",
        "code": "draw_first",
        "sentence": "Draw a card first.",
        "field": None,
    }


@pytest.mark.parametrize("error", [ValueError("x"), KeyError("y"), Odd()])
def test_a_fault_is_no_refusal(error: Exception) -> None:
    assert not errors.is_refusal(error)
    assert errors.exception_handler(error, {}) is None


def test_the_framework_answers_its_own_refusals() -> None:
    answer = errors.exception_handler(NotAuthenticated(), {})
    assert answer is not None
    assert answer.status_code == 401


def test_the_table_holds_only_statuses_of_refusals() -> None:
    assert set(errors.STATUS_BY_CODE.values()) <= {403, 404, 409, 410, 503}


def test_every_code_of_the_table_is_written_as_codes_are() -> None:
    assert all(code == code.lower() and code.isidentifier() for code in errors.STATUS_BY_CODE)


def test_every_code_with_a_status_of_its_own_is_one_that_an_app_gives() -> None:
    """A code that no app knows any more would be a status that nobody gets."""
    from ledger.errors import Code as LedgerCode
    from players.errors import PlayerCode
    from tables.errors import TableCode
    from tables.rules.errors import Code as RuleCode
    from tournaments.errors import TournamentCode
    from tournaments.structure.errors import StructureCode

    kinds = (LedgerCode, PlayerCode, TableCode, RuleCode, TournamentCode, StructureCode)
    given = {code.value for kind in kinds for code in kind} | {"wrong_password"}  # the site's own
    assert set(errors.STATUS_BY_CODE) <= given
