"""Scorers at once, each with a connection of his own, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tables import services
from tables.errors import TableCode
from tables.models import MatchEntry, SheetLine
from tables.rules.formats import RejoinAnswered
from tests.services.test_tables_postgresql import at_once
from tests.tables.helpers import NOW
from tests.tables.sheet_helpers import a_club_match, enter, rows_of, totals, version
from tests.tournaments.helpers import FEE, next_round, terms, wallet
from tests.tournaments.sheets import in_person, match_of, open_tables, stacks, table_of, win_by_hand
from tournaments import money
from tournaments.errors import TournamentCode
from tournaments.models import Shape
from tournaments.services import in_person as desk

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def entering(match: Any, actor: str, points: int, seen: int) -> Callable[[], Any]:
    """A scorer's press of the button."""
    return lambda: services.enter_deal(
        match_id=match.pk, rows=rows_of(0, {1: points}), actor=actor, sheet_version=seen, now=NOW
    )


def correcting(match: Any, winner: int, losses: dict[int, Any]) -> Callable[[], Any]:
    seen = version(match)
    return lambda: services.correct_last_deal(
        match_id=match.pk,
        rows=rows_of(winner, losses),
        actor="scorer",
        reason="misread",
        sheet_version=seen,
        now=NOW,
    )


def codes(results: list[Any]) -> list[str]:
    """What the jobs were refused for, empty for those that were not; a fault is raised."""
    found = []
    for result in results:
        if isinstance(result, Exception) and not hasattr(result, "sentence"):
            raise result
        found.append(str(getattr(result, "code", "")))
    return sorted(found)


def test_of_eight_scorers_at_once_one_enters_the_deal_and_the_others_are_told() -> None:
    assert connection.vendor == "postgresql", "set DATABASE_URL to a postgres:// address"
    match = a_club_match()
    results = at_once([entering(match, f"scorer-{n}", 10 + n, 0) for n in range(8)])
    assert codes(results) == ["", *[TableCode.SHEET_MOVED_ON] * 7]
    assert MatchEntry.objects.count() == SheetLine.objects.count() == 1


def test_one_scorer_pressing_eight_times_enters_one_deal() -> None:
    match = a_club_match()
    results = at_once([entering(match, "scorer", 10, 0) for _ in range(8)])
    assert codes(results) == [""] * 8
    assert MatchEntry.objects.count() == 1
    assert totals(match) == {0: 0, 1: 10}


def test_a_correction_and_the_next_deal_at_once_follow_one_another_or_one_is_told() -> None:
    match = a_club_match(format_name="deals", deals=5)
    enter(match, 0, {1: 5})
    results = at_once([correcting(match, 1, {0: 7}), entering(match, "another", 20, 1)])
    assert codes(results) == ["", TableCode.SHEET_MOVED_ON]
    assert sum(totals(match).values()) == 800


def test_a_correction_and_the_next_round_at_once_agree_on_who_goes_on() -> None:
    for _ in range(3):
        tournament = in_person(Shape.KNOCKOUT, 7, terms=terms("points"))
        next_round(tournament)
        first, second = open_tables(tournament)
        for table in (first, second):
            win_by_hand(match_of(table))
        change = correcting(match_of(first), 1, {0: 5, 2: 8, 3: 9})
        go_on = lambda: desk.next_step(tournament_id=tournament.pk, actor="o", now=NOW)  # noqa: B023, E731
        results = at_once([change, go_on])
        assert set(codes(results)) <= {"", TournamentCode.RESULT_USED}
        desk.next_step(tournament_id=tournament.pk, actor="o", now=NOW)
        seated = set(table_of(tournament).placings.values_list("entry_id", flat=True))
        went = set(first.placings.filter(goes_on=True).values_list("entry_id", flat=True))
        went |= set(second.placings.filter(goes_on=True).values_list("entry_id", flat=True))
        assert seated == went


def test_a_rejoin_and_a_correction_at_once_leave_a_buy_in_paid_or_not_taken() -> None:
    tournament = in_person(Shape.SINGLE, 3, terms=terms("pool101"))
    next_round(tournament)
    table = table_of(tournament)
    match = match_of(table)
    player = table.placings.get(seat=1).entry.player
    money.grant(
        asset=money.PLAY_POINTS,
        player_ids=[player.pk],
        amount=FEE,
        key="more",
        actor="organiser",
        now=NOW,
    )
    enter(match, 0, {1: 80, 2: 20})
    enter(match, 0, {1: 30, 2: 5})
    seen = version(match)

    def answer() -> Any:
        return services.answer_on_sheet(
            match_id=match.pk,
            entry=RejoinAnswered(1, True),
            actor="another",
            sheet_version=seen,
            now=NOW,
        )

    results = at_once([correcting(match, 0, {1: 2, 2: 5}), answer])
    assert codes(results) == ["", TableCode.SHEET_MOVED_ON]
    rejoined = totals(match)[1] == 26
    assert wallet(player).posted == (0 if rejoined else FEE)
    assert money.pool_of(tournament) == (4 if rejoined else 3) * FEE


def test_six_tables_score_at_once_and_every_chip_is_where_the_sheets_say() -> None:
    tournament = in_person(Shape.KNOCKOUT, 36)
    next_round(tournament)
    tables = open_tables(tournament)
    matches = [match_of(table) for table in tables]
    lost = dict.fromkeys(range(1, 6), 11)

    def score(match: Any) -> Callable[[], Any]:
        return lambda: enter(match, 0, lost)

    assert codes(at_once([score(match) for match in matches])) == [""] * 6
    for table, match in zip(tables, matches, strict=True):
        assert stacks(tournament, table) == totals(match)
    assert codes(at_once([score(match) for match in matches])) == [""] * 6
    assert tournament.rounds.get().closed_at is not None
    assert money.faults(now=NOW) == ()
