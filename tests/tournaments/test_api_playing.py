"""What a player does to enter, stay in and come back, over HTTP: done, refused, done again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from players.models import Limits
from tests.programs import api, key_for, program
from tests.tournaments.helpers import (
    FEE,
    a_tournament,
    close_and_start,
    finish,
    join,
    next_round,
    players,
    started,
    terms,
    wallet,
)
from tests.tournaments.level_helpers import begun, end_level, next_level, stacks
from tournaments import services
from tournaments.models import Entry, EntryState, Shape, Ticket, Tournament
from tournaments.structure.conditions import Conditions, EntryRules
from tournaments.structure.due import StartKind, Times
from tournaments.structure.tickets import TicketPrize

pytestmark = pytest.mark.django_db

Asked = Callable[..., Any]


def at(tournament: Tournament, act: str) -> str:
    """The address of something to do."""
    return f"/api/tournaments/{tournament.public_id}/{act}/"


def refused(answer: Any, status: int, code: str, field: str | None = None) -> None:
    """The answer is this refusal, in the one form of all refusals, with a sentence."""
    said = answer.json()
    assert (answer.status_code, said["code"], said["field"]) == (status, code, field)
    assert set(said) == {"code", "detail", "field"}
    assert said["detail"].endswith((".", "!"))


def entering(**rules: Any) -> Tournament:
    """A tournament with rules for entering."""
    return a_tournament(terms=terms(entering=EntryRules(**rules)))


# --- registering ------------------------------------------------------------------------------


def test_joining_again_is_the_same_entry_and_one_fee() -> None:
    """Ten times the same request: one row, one hold, ten equal answers."""
    made = a_tournament()
    (asha,) = players(1)
    mine = program(key_for(asha))
    answers = [mine.post(at(made, "join"), {}) for _ in range(10)]
    assert {answer.content for answer in answers} == {answers[0].content}
    assert answers[0].json()["state"] == "entered"
    assert (wallet(asha).held, made.entries.count()) == (FEE, 1)


def test_withdrawing_gives_the_fee_back_and_again_is_refused() -> None:
    """And whoever waited has the seat."""
    made = a_tournament(capacity=2)
    asha, bilal, chitra = players(3)
    join(made, asha, bilal)
    waits = api(chitra).post(at(made, "join"), {}).json()
    assert (waits["state"], wallet(chitra).held) == ("waiting", 0)
    assert api(asha).post(at(made, "withdraw")).json()["state"] == "withdrawn"
    assert wallet(asha).held == 0
    assert api(chitra).get("/api/me/entries/").json()["results"][0]["state"] == "entered"
    refused(api(asha).post(at(made, "withdraw")), 400, "not_entered", "player")


def test_who_lacks_points_is_told_how_many() -> None:
    """Nothing is written."""
    made = a_tournament()
    (poor,) = players(1, points=FEE - 1)
    answer = api(poor).post(at(made, "join"), {})
    assert (answer.status_code, answer.json()["code"]) == (409, "insufficient_funds")
    assert "1 play points" in answer.json()["detail"]
    assert answer.json()["field"] is None
    assert not made.entries.exists()


@pytest.mark.parametrize("act", ["join", "withdraw"])
def test_after_closing_nobody_joins_or_leaves(act: str) -> None:
    """Not now: 409."""
    made = a_tournament()
    asha, bilal, chitra = players(3)
    join(made, asha, bilal)
    services.close_registration(tournament_id=made.pk, actor="organiser", now=timezone.now())
    asks = chitra if act == "join" else asha
    refused(api(asks).post(at(made, act), {}), 409, "not_open")
    in_it = made.entries.filter(state=EntryState.ENTERED).order_by("number")
    assert [entry.player for entry in in_it] == [asha, bilal]


def test_a_code_opens_the_door_and_five_wrong_ones_close_it_for_a_while() -> None:
    """A right code does not help then, and others are not kept out."""
    made = entering(conditions=Conditions(code="open sesame"))
    asha, bilal = players(2)
    refused(api(asha).post(at(made, "join"), {}), 403, "not_eligible", "player")
    for _ in range(5):
        wrong = api(asha).post(at(made, "join"), {"code": "guess"})
        refused(wrong, 403, "not_eligible", "player")
    late = api(asha).post(at(made, "join"), {"code": "open sesame"})
    refused(late, 400, "too_many_codes", "code")
    assert "sesame" not in late.content.decode()
    assert api(bilal).post(at(made, "join"), {"code": " open sesame "}).status_code == 200


def test_an_application_waits_for_the_organiser_and_can_be_taken_back() -> None:
    """The fee is set aside meanwhile; who was turned away does not ask again."""
    made = entering(needs_approval=True)
    asha, bilal = players(2)
    for person in (asha, bilal):
        assert api(person).post(at(made, "join"), {}).json()["state"] == "applied"
    assert wallet(asha).held == FEE
    assert api(asha).post(at(made, "withdraw")).json()["state"] == "withdrawn"
    assert wallet(asha).held == 0
    services.refuse(
        tournament_id=made.pk, player_id=bilal.pk, actor="x", reason="", now=timezone.now()
    )
    refused(api(bilal).post(at(made, "join"), {}), 403, "not_eligible", "player")


@pytest.mark.parametrize(
    ("said", "code"),
    [({"entries": 0}, "entries_used"), ({"points": FEE - 1}, "points_used")],
)
def test_ones_own_limit_refuses_an_entry_and_is_kept_by_a_program_too(
    said: dict[str, int], code: str
) -> None:
    """Set over HTTP, kept over HTTP."""
    (asha,) = players(1)
    mine = program(key_for(asha))
    assert mine.patch("/api/me/limits/", said).status_code == 200
    refused(mine.post(at(a_tournament(), "join"), {}), 403, code, "player")
    assert wallet(asha).held == 0


@pytest.mark.parametrize(
    ("address", "said", "code"),
    [
        ("time-out", {"span": "day"}, "timed_out"),
        ("exclusion", {"span": "ever", "sure": True}, "excluded"),
    ],
)
def test_who_stays_away_joins_nothing(address: str, said: Any, code: str) -> None:
    """A quick table neither."""
    (asha,) = players(1)
    mine = program(key_for(asha))
    assert mine.post(f"/api/me/limits/{address}/", said).status_code == 200
    refused(mine.post(at(a_tournament(), "join"), {}), 403, code, "player")
    assert mine.post("/api/quick/", {"seats": 2, "stake": 10}).json()["code"] == code


def test_a_raise_waits_and_the_same_limit_again_takes_it_back() -> None:
    """As the button of the page does."""
    (asha,) = players(1)
    mine = program(key_for(asha))
    mine.patch("/api/me/limits/", {"entries": 2})
    assert mine.patch("/api/me/limits/", {"entries": 9}).json()["next_entries"] == 9
    kept = mine.patch("/api/me/limits/", {"entries": 2}).json()
    assert (kept["entries"], kept["next_entries"], kept["next_entries_at"]) == (2, None, None)
    assert Limits.objects.get(user=asha).entries == 2


# --- before the start and after it ------------------------------------------------------------


def test_checking_in_again_changes_nothing_and_out_of_its_time_is_refused() -> None:
    """The first moment stays."""
    now = timezone.now()
    times = Times(
        kind=StartKind.FIXED_TIME,
        starts_at=now + timedelta(minutes=40),
        check_in_opens_at=now - timedelta(minutes=5),
        check_in_closes_at=now + timedelta(minutes=35),
    )
    made = a_tournament(times=times, now=now - timedelta(hours=1))
    asha, bilal = players(2)
    join(made, asha)
    first = api(asha).post(at(made, "check-in")).json()
    assert first["checked_in_at"]
    assert api(asha).post(at(made, "check-in")).json() == first
    refused(api(bilal).post(at(made, "check-in")), 400, "not_entered", "player")
    other = a_tournament()
    join(other, bilal)
    refused(api(bilal).post(at(other, "check-in")), 409, "no_check_in")


def late_cup(**rules: Any) -> tuple[Tournament, list[User]]:
    """A knock-out that is played and takes players until round 1 is over."""
    made = a_tournament(
        capacity=24, terms=terms(entering=EntryRules(**({"late_until_round": 1} | rules)))
    )
    people = players(12, points=3 * FEE)
    join(made, *people)
    close_and_start(made)
    next_round(made)
    return made, people


def test_who_comes_late_joins_while_late_entries_are_taken() -> None:
    """His fee is taken at once; after round 1 nobody comes in."""
    made, _people = late_cup()
    asha, bilal = players(2)
    assert api(asha).post(at(made, "join"), {}).json()["state"] == "playing"
    assert (wallet(asha).posted, wallet(asha).held) == (0, 0)
    for table in made.rounds.get().tables.all():
        finish(table)
    next_round(made)
    answer = api(bilal).post(at(made, "join"), {})
    assert answer.status_code in (400, 409)
    assert wallet(bilal).available == FEE


def test_who_is_out_comes_back_once_and_pays_once_more() -> None:
    """Again while he is in is refused."""
    made, people = late_cup(reentries=1)
    table = made.rounds.get().tables.order_by("number")[0]
    finish(table)
    out = Entry.objects.filter(tournament=made, state="out").select_related("player")[0]
    before = wallet(out.player).posted
    mine = program(key_for(out.player))
    again = mine.post(at(made, "re-enter")).json()
    assert (again["state"], again["reentries"]) == ("playing", 1)
    assert wallet(out.player).posted == before - FEE
    refused(mine.post(at(made, "re-enter")), 409, "not_out", "player")
    assert wallet(out.player).posted == before - FEE
    assert people


def test_chips_are_bought_between_two_levels_and_nowhere_else() -> None:
    """Who has no chips buys 1,000 for 400 points; nobody at a table, or where none are sold."""
    made, people = begun(6)
    level = next_level(made)
    assert level is not None
    poor, rich = people[0], people[1]
    before = wallet(poor).posted
    assert api(poor).post(at(made, "rebuy")).status_code == 400
    assert wallet(poor).posted == before
    end_level(level, {poor.pk: 0, rich.pk: 2000})
    bought = api(poor).post(at(made, "rebuy"))
    assert (bought.status_code, bought.json()["rejoins"]) == (200, 1)
    assert (before - wallet(poor).posted, stacks(made)[poor.pk]) == (400, 1000)
    refused(api(players(1)[0]).post(at(made, "rebuy")), 400, "not_entered", "player")
    assert api(poor).post(at(a_tournament(), "rebuy")).status_code == 409


def test_a_ticket_is_listed_used_once_and_nobody_elses() -> None:
    """Used again it is the same entry."""
    final = a_tournament(Shape.SINGLE, entry_fee=600, name="Final cup", capacity=3)
    prizes = (TicketPrize(1, final.public_id, 600),)
    satellite = started(
        Shape.SINGLE, 4, terms=terms("deals", prizes="60,40", tickets=prizes), house_fee=50
    )
    finish(next_round(satellite).tables.get())
    services.complete(tournament_id=satellite.pk, now=timezone.now())
    ticket = Ticket.objects.select_related("payment__entry__player").get()
    winner = program(key_for(ticket.payment.entry.player))
    [told] = winner.get("/api/me/tickets/").json()["results"]
    assert (told["ticket"], told["state"], told["value"]) == (ticket.pk, "unused", 600)
    offers = winner.get(at(final, "you")).json()["offers"]
    assert (offers[0]["do"], offers[0]["ticket"]) == ("use", ticket.pk)
    (other,) = players(1)
    stolen = api(other).post("/api/tickets/use/", {"ticket": ticket.pk})
    refused(stolen, 404, "unknown_ticket", "ticket")
    used = winner.post("/api/tickets/use/", {"ticket": ticket.pk})
    assert (used.status_code, used.json()["state"]) == (200, "entered")
    assert winner.get("/api/me/tickets/").json()["results"][0]["state"] == "used"
    again = winner.post("/api/tickets/use/", {"ticket": ticket.pk})
    assert again.status_code in (200, 409)
    assert final.entries.count() == 1


def test_what_ended_meanwhile_is_refused_with_what_is_now() -> None:
    """A program that holds an old view of a tournament is told so, and nothing moves."""
    made = started(Shape.KNOCKOUT, 6)
    entrant = Entry.objects.filter(tournament=made).select_related("player")[0].player
    newcomer: APIClient = api(players(1)[0])
    for client, act in ((newcomer, "join"), (api(entrant), "withdraw"), (api(entrant), "check-in")):
        answer = client.post(at(made, act), {})
        assert answer.status_code == 409, act
        assert answer.json()["code"] in ("not_open", "no_check_in", "too_late")
    assert made.entries.count() == 6


def test_quick_tables_are_bounded_and_the_same_wish_leads_back() -> None:
    """Three at once; a fourth is refused."""
    (asha,) = players(1, points=5_000)
    mine = program(key_for(asha))
    wishes = [{"seats": 3}, {"seats": 4}, {"seats": 5}]
    first = [mine.post("/api/quick/", wish).json()["id"] for wish in wishes]
    assert [mine.post("/api/quick/", wish).json()["id"] for wish in wishes] == first
    refused(mine.post("/api/quick/", {"seats": 6}), 409, "too_many_tables")
    assert Entry.objects.filter(player=asha).count() == 3
