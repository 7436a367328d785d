"""The list on the wall, the sheet of a table, and who may write on it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from tables.rules.formats import RejoinAnswered
from tests.pages import Addresses, page_of, queries_of, text_of
from tests.tables.sheet_helpers import row, rows_of, totals
from tests.tournaments.helpers import NOW, next_round, started, terms
from tests.tournaments.sheets import in_person, match_of, open_tables, win_by_hand
from tournaments import selectors
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Shape, StaffRole, Tournament
from tournaments.services import in_person as desk

pytestmark = pytest.mark.django_db


def a_scorer(
    *tournaments: Tournament, staff: bool = True, may: bool = True, name: str = "scorer"
) -> User:
    """Somebody of the staff who was called to these tournaments."""
    user = User.objects.create_user(name, password="!", is_staff=staff)
    if may:
        user.user_permissions.add(Permission.objects.get(codename="enter_deals"))
    for tournament in tournaments:
        tournament.staff.create(user=user, role=StaffRole.ARBITER)
    return user


def seated(entrants: int = 7) -> Tournament:
    tournament = in_person(Shape.KNOCKOUT, entrants, terms=terms("points"))
    next_round(tournament)
    return tournament


def address(tournament: Tournament) -> str:
    return f"/tournaments/{tournament.public_id}/seating/"


# The list


def test_everybody_is_on_the_list_once_in_the_order_of_the_seats() -> None:
    tournament = seated()
    listed = selectors.seating_list(tournament.public_id)
    assert [(t.round, t.number, len(t.names)) for t in listed.tables] == [(1, 1, 4), (1, 2, 3)]
    names = [name for table in listed.tables for name in table.names]
    assert len(set(names)) == 7
    first = open_tables(tournament)[0].placings.order_by("seat")
    assert listed.tables[0].names == tuple(p.entry.player.username for p in first)


def test_a_table_that_is_over_is_off_the_list() -> None:
    tournament = seated()
    win_by_hand(match_of(open_tables(tournament)[0]))
    listed = selectors.seating_list(tournament.public_id)
    assert [table.number for table in listed.tables] == [2]


def test_the_list_is_a_page_for_everybody_and_its_sheets_for_scorers() -> None:
    tournament = seated()
    visitor, scorer = Client(), Client()
    scorer.force_login(a_scorer(tournament))
    html = page_of(visitor, address(tournament))
    assert "Who sits where" in text_of(html)
    assert "/sheet/" not in html
    found = Addresses(page_of(scorer, address(tournament)))
    assert found.inline == []
    assert len([a for a in found.addresses if a.endswith("/sheet/")]) == 2


def test_an_online_tournament_has_a_list_without_sheets() -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("points"))
    scorer = Client()
    scorer.force_login(a_scorer(tournament))
    assert "Nobody is seated now." in text_of(page_of(scorer, address(tournament)))
    next_round(tournament)
    assert "/sheet/" not in page_of(scorer, address(tournament))


def test_the_list_takes_as_many_queries_for_many_tables_as_for_few() -> None:
    few, many = seated(7), seated(36)
    counts = [len(queries_of(Client(), address(tournament))) for tournament in (few, many)]
    assert counts[0] == counts[1]


def test_there_is_no_list_of_nothing(client: Client) -> None:
    assert client.get("/tournaments/nothing/seating/").status_code == 404


# The sheet of a table


def test_a_sheet_says_who_plays_what_is_asked_and_what_may_be_written() -> None:
    table = open_tables(seated())[0]
    sheet = selectors.score_sheet(table.pk)
    assert len(sheet.players) == 4
    assert sheet.asks.startswith("A toss and then the next deal")
    assert sheet.deal is not None
    costs = {choice.word: choice.costs for choice in sheet.deal.choices}
    assert costs["first drop"] == "20 points"
    assert costs["wrong declaration"] == "80 points"
    assert sheet.last is None


def test_after_a_deal_the_sheet_has_it_with_its_totals() -> None:
    tournament = in_person(Shape.SINGLE, 3, terms=terms("pool101"))
    next_round(tournament)
    [table] = open_tables(tournament)
    desk.enter_deal(
        table_id=table.pk,
        scorer=a_scorer(tournament),
        rows=rows_of(0, {1: 30, 2: "drop"}),
        sheet_version=0,
        now=NOW,
    )
    sheet = selectors.score_sheet(table.pk)
    assert [player.total for player in sheet.players] == [0, 30, 20]
    assert sheet.deal is not None
    assert (sheet.deal.number, sheet.deal.has_toss) == (2, False)
    assert sheet.deal.dealer == sheet.players[0].name
    assert [line.actor for line in sheet.lines] == ["scorer"]


def test_a_table_that_is_not_there_has_no_sheet() -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        selectors.score_sheet(0)
    assert refusal.value.code is TournamentCode.UNKNOWN_TABLE


# Who may write


@pytest.mark.parametrize(("staff", "may"), [(False, True), (True, False)])
def test_only_a_scorer_writes_on_a_sheet(staff: bool, may: bool) -> None:
    tournament = seated()
    table = open_tables(tournament)[0]
    somebody = a_scorer(tournament, staff=staff, may=may)
    with pytest.raises(TournamentRefusal) as refusal:
        desk.enter_deal(
            table_id=table.pk,
            scorer=somebody,
            rows=rows_of(0, {1: 5, 2: 6, 3: 7}),
            sheet_version=0,
            now=NOW,
        )
    assert refusal.value.code is TournamentCode.NOT_A_SCORER
    with pytest.raises(TournamentRefusal):
        desk.correct_last_deal(
            table_id=table.pk, scorer=somebody, rows=[], reason="x", sheet_version=0, now=NOW
        )
    assert match_of(table).version == 0


def test_a_scorer_who_was_dismissed_writes_no_more() -> None:
    tournament = seated()
    table = open_tables(tournament)[0]
    scorer = a_scorer(tournament)
    scorer.is_active = False
    scorer.save()
    scorer = User.objects.get(pk=scorer.pk)
    with pytest.raises(TournamentRefusal) as refusal:
        desk.enter_deal(table_id=table.pk, scorer=scorer, rows=[], sheet_version=0, now=NOW)
    assert refusal.value.code is TournamentCode.NOT_A_SCORER


def test_a_scorer_corrects_and_answers_for_the_table() -> None:
    tournament = in_person(Shape.SINGLE, 3, terms=terms("pool101"))
    next_round(tournament)
    [table] = open_tables(tournament)
    scorer = a_scorer(tournament)
    told: dict[str, Any] = {"table_id": table.pk, "scorer": scorer, "now": NOW}
    desk.enter_deal(rows=rows_of(0, {1: 80, 2: 5}), sheet_version=0, **told)
    desk.enter_deal(rows=rows_of(0, {1: 30, 2: 5}), sheet_version=1, **told)
    desk.answer(entry=RejoinAnswered(1, False), sheet_version=2, **told)
    rows = [row(0, "won"), row(1, 3), row(2, 5)]
    desk.correct_last_deal(rows=rows, reason="misread", sheet_version=3, **told)
    assert totals(match_of(table)) == {0: 0, 1: 83, 2: 10}


# Going on


def an_organiser(*tournaments: Tournament, may: bool = True) -> User:
    """Somebody of the staff who runs these tournaments."""
    user = User.objects.create_user(f"organiser-{may}", password="!", is_staff=True)
    if may:
        user.user_permissions.add(Permission.objects.get(codename="run_tournament"))
    for tournament in tournaments:
        tournament.staff.create(user=user, role=StaffRole.ORGANISER)
    return user


def go_on(client: Client, tournament: Tournament) -> str:
    return text_of(
        client.post(f"/tournaments/{tournament.public_id}/go-on/", follow=True).content.decode()
    )


def test_an_organiser_opens_the_next_round_and_settles_by_a_button(client: Client) -> None:
    tournament = in_person(Shape.KNOCKOUT, 7, terms=terms("points"))
    client.force_login(an_organiser(tournament))
    assert "Go on" in page_of(client, address(tournament))
    assert "results before it stand" in go_on(client, tournament)
    assert "Nothing is due" in go_on(client, tournament)
    for _ in range(2):
        for table in open_tables(tournament):
            win_by_hand(match_of(table))
        assert "Done." in go_on(client, tournament)
    tournament.refresh_from_db()
    assert tournament.state == "completed"
    assert "Go on" not in page_of(client, address(tournament))


def test_an_online_tournament_has_no_such_button(client: Client) -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("points"))
    client.force_login(an_organiser(tournament))
    assert "Go on" not in page_of(client, address(tournament))
    assert "goes on by itself" in go_on(client, tournament)
    assert not tournament.rounds.exists()


def test_only_who_may_lead_a_tournament_presses_the_button() -> None:
    tournament = in_person(Shape.SINGLE, 3, terms=terms("points"))
    where = f"/tournaments/{tournament.public_id}/go-on/"
    visitor, scorer = Client(), Client()
    scorer.force_login(an_organiser(tournament, may=False))
    assert visitor.post(where).status_code == 302
    assert scorer.post(where).status_code == 403
    assert scorer.get(where).status_code == 405
    assert not tournament.rounds.exists()


def test_a_refused_correction_says_on_the_sheet_what_stands_on_the_result() -> None:
    client = Client()
    tournament = in_person(Shape.KNOCKOUT, 7, terms=terms("points"))
    client.force_login(a_scorer(tournament))
    next_round(tournament)
    tables = open_tables(tournament)
    for table in tables:
        win_by_hand(match_of(table))
    next_round(tournament)
    fields = {"do": "correct", "version": "1", "reason": "misread", "kind-1": "won"}
    fields |= {f"kind-{seat}": "lost" for seat in (0, 2, 3)}
    fields |= {f"points-{seat}": "9" for seat in (0, 2, 3)}
    public_id = match_of(tables[0]).table.public_id
    answer = client.post(f"/tables/{public_id}/sheet/", fields)
    assert answer.status_code == 400
    assert "since table 1 of round 2 was opened" in text_of(answer.content.decode())
