"""The approval queue: what waits and why, never decided by who asked, each with an audit line."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from ledger.services import CashKind
from rummy_site.desk import approvals
from rummy_site.desk.approvals import waiting_for
from rummy_site.roles import ARBITERS, OPERATORS, ORGANISERS, SUPPORT
from staff.models import StaffAction
from staff.services.audit import MAX_SIGNATURE, Doer
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import ask_reversal, request_cash
from tests.pages import logged_in, page_of, queries_of
from tests.staff.helpers import member
from tests.tournaments.test_payouts import for_rupees
from tournaments.models import Payout, Tournament

pytestmark = pytest.mark.django_db

QUEUE = "/admin/approvals/"


@pytest.fixture
def olga() -> Client:
    """An operator's browser; none of the players is she."""
    return logged_in(member("olga", OPERATORS, pk=901))


@pytest.fixture
def meera() -> Client:
    """Another operator's."""
    return logged_in(member("meera", OPERATORS, pk=902))


def decide(client: Client, verb: str, *rows: str, reason: str = "") -> str:
    """Send the queue's form; the page that follows."""
    said: dict[str, Any] = {"row": rows, "verb": verb, "reason": reason}
    return client.post(QUEUE, said, follow=True).content.decode()


def large(books: Books, key: str = "k", actor: str = "olga") -> str:
    """A large adjustment that waits; its row."""
    asked = request_cash(
        kind=CashKind.ADJUSTMENT,
        account=books.anna.id,
        amount=200_000,
        key=key,
        actor=actor,
        reason="prize of a club",
        now=NOW,
    )
    return f"cash-{asked.pk}"


def state_of(tournament: Tournament) -> tuple[str, str]:
    """How far a payout is, and who approved it."""
    payout = Payout.objects.get(tournament=tournament)
    return payout.state, payout.approved_by


def test_the_queue_says_what_waits_since_when_who_asked_and_why(
    settings: Settings, olga: Client
) -> None:
    books, tournament = Books(), for_rupees(settings)
    large(books)
    html = page_of(olga, QUEUE)
    assert f"2 prizes of {tournament.name}" in html
    assert "₹15.00" in html
    assert "INR is money" in html
    assert "2,00,000 play points" in html
    assert "prize of a club" in html
    assert "somebody else than you approves" in html
    assert html.count("<time") == 2


@pytest.mark.parametrize("part", ["asked", "winner"])
def test_a_name_longer_than_a_signature_is_still_one_person(settings: Settings, part: str) -> None:
    """Names may have 150 letters, signatures have 120."""
    tournament, name = for_rupees(settings), "o" * 150
    user = member(name, OPERATORS)
    if part == "asked":
        Payout.objects.filter(tournament=tournament).update(asked_by=name[:MAX_SIGNATURE])
    else:
        tournament.entries.filter(rank=1).update(player=user)
    decide(logged_in(user), "approve", f"payout-{tournament.pk}")
    assert state_of(tournament) == ("awaiting", "")


def test_prizes_are_approved_and_paid_with_a_line_in_the_audit_log(
    settings: Settings, olga: Client
) -> None:
    tournament = for_rupees(settings)
    html = decide(olga, "approve", f"payout-{tournament.pk}")
    assert "1 decided." in html
    assert state_of(tournament) == ("paid", "olga")
    line = StaffAction.objects.get(action="tournaments.approve_payout")
    assert (line.actor_name, line.subject) == ("olga", tournament.public_id)
    assert "Nothing waits" in html


def test_who_asked_does_not_approve_and_a_second_person_does(olga: Client, meera: Client) -> None:
    books = Books()
    row = large(books)
    assert "Somebody else than who asked" in decide(olga, "approve", row)
    assert books.available(books.anna) == [0]
    assert not StaffAction.objects.filter(action="ledger.approve_cash").exists()
    decide(meera, "approve", row, reason="seen")
    assert books.available(books.anna) == [200_000]
    line = StaffAction.objects.get(action="ledger.approve_cash")
    assert line.reason == "seen"
    assert (line.before["asked_by"], line.before["reason"]) == ("olga", "prize of a club")


def test_many_are_approved_at_once_each_with_its_line_of_one_batch(
    settings: Settings, olga: Client
) -> None:
    books = Books()
    first, second = for_rupees(settings), for_rupees(settings)
    own, others = large(books), large(books, key="k2", actor="ravi")
    rows = (f"payout-{first.pk}", f"payout-{second.pk}", own, others)
    html = decide(olga, "approve", *rows)
    assert "3 decided." in html
    assert "Somebody else than who asked" in html
    assert [state_of(one)[0] for one in (first, second)] == ["paid", "paid"]
    batches = list(StaffAction.objects.exclude(batch="").values_list("batch", flat=True))
    assert len(batches) == 3
    assert len(set(batches)) == 1


def test_putting_prizes_back_needs_a_reason_and_who_asks_anew_does_not_approve(
    settings: Settings, olga: Client, meera: Client
) -> None:
    tournament = for_rupees(settings)
    row = f"payout-{tournament.pk}"
    assert "Give a reason" in decide(olga, "refuse", row)
    decide(olga, "refuse", row, reason="The third deal is disputed.")
    assert state_of(tournament) == ("held", "")
    assert "olga: The third deal is disputed." in page_of(meera, QUEUE)
    assert "asked for anew" in decide(meera, "approve", row)
    decide(meera, "ask", row)
    assert "neither completed it" in decide(meera, "approve", row)
    decide(olga, "approve", row)
    assert state_of(tournament) == ("paid", "olga")
    actions = StaffAction.objects.filter(subject=tournament.public_id).order_by("pk")
    assert list(actions.values_list("action", flat=True)) == [
        "tournaments.put_back_payout",
        "tournaments.ask_for_payout",
        "tournaments.approve_payout",
    ]


def test_a_large_reversal_is_approved_or_refused_here(olga: Client, meera: Client) -> None:
    books = Books()
    for key, verb, left in (("a", "refuse", 200_000), ("b", "approve", 200_000)):
        entry = books.fund(books.anna, 200_000)
        asked = ask_reversal(entry=entry.pk, key=key, actor="olga", reason="twice", now=NOW)
        assert "Reversal of house #" in page_of(meera, QUEUE)
        decide(meera, verb, f"reversal-{asked.pk}", reason="looked at it")
        assert books.available(books.anna) == [left]
    assert books.faults() == []


def test_nothing_happens_without_a_choice_or_with_a_row_that_is_not_there(olga: Client) -> None:
    for verb, rows in (("approve", ()), ("approve", ("payout-999",)), ("drop", ("cash-1",))):
        assert "Choose at least one row" in decide(olga, verb, *rows)
    assert not StaffAction.objects.filter(batch__gt="").exists()


@pytest.mark.parametrize("role", [ORGANISERS, ARBITERS, SUPPORT, "player"])
def test_nobody_but_operators_sees_the_queue_or_decides(
    settings: Settings, client: Client, role: str
) -> None:
    tournament = for_rupees(settings)
    is_player = role == "player"
    client.force_login(User.objects.create_user("pia") if is_player else member("nina", role))
    said = {"row": f"payout-{tournament.pk}", "verb": "approve"}
    expected = 302 if is_player else 403
    assert client.get(QUEUE).status_code == expected
    assert client.post(QUEUE, said).status_code == expected
    assert state_of(tournament)[0] == "awaiting"


def test_the_queue_takes_as_many_queries_for_many_rows_as_for_few(
    settings: Settings, meera: Client
) -> None:
    books = Books()
    for_rupees(settings)

    def more(number: int) -> None:
        large(books, key=f"k{number}", actor=f"ravi-{number}")
        entry = books.fund(books.ben, 200_000)
        ask_reversal(entry=entry.pk, key=f"r{number}", actor="olga", reason="x", now=NOW)

    more(0)
    page_of(meera, QUEUE)
    before = len(queries_of(meera, QUEUE))
    for number in range(1, 15):
        more(number)
    assert len(queries_of(meera, QUEUE)) == before


def test_who_asked_is_not_made_to_say_the_reason_of_who_approves(
    olga: Client, meera: Client
) -> None:
    """A line has the reason that its own doer gave, or none."""
    decide(meera, "approve", large(Books()))
    line = StaffAction.objects.get(action="ledger.approve_cash")
    assert (line.actor_name, line.reason) == ("meera", "")


@pytest.mark.parametrize("verb", ["approve", "refuse"])
def test_what_somebody_else_has_decided_meanwhile_is_not_said_to_be_ones_own_deed(
    settings: Settings, verb: str
) -> None:
    """Two who have the same page open: one decides, and the log knows which."""
    books, tournament = Books(), for_rupees(settings)
    large(books, actor="ravi")
    ask_reversal(
        entry=books.fund(books.ben, 200_000).pk, key="r", actor="ravi", reason="x", now=NOW
    )
    olga, meera = member("olga", OPERATORS, pk=901), member("meera", OPERATORS, pk=902)
    rows = waiting_for(olga)
    assert len(rows) == 3
    words: dict[str, Any] = {"rows": rows, "verb": verb, "reason": "looked at it"}
    outcomes = [
        approvals.decide(by=Doer(user, "192.0.2.7", at), **words)
        for user, at in ((olga, NOW), (meera, NOW + timedelta(seconds=1)))
    ]
    assert {one.refusal for one in outcomes[0]} == {""}
    assert {one.refusal for one in outcomes[1]} == {"olga has decided it meanwhile."}
    assert set(StaffAction.objects.values_list("actor_name", flat=True)) == {"olga"}
    assert StaffAction.objects.count() == 3
    assert state_of(tournament)[0] == ("paid" if verb == "approve" else "held")


def test_a_reason_that_cannot_be_read_as_it_stands_puts_nothing_back(
    settings: Settings, olga: Client
) -> None:
    """One in Hindi, with its joiners, does."""
    tournament = for_rupees(settings)
    row = f"payout-{tournament.pk}"
    for strange in ("\u202edetupsid", "a\x01b", "a\nb"):
        assert "printable" in decide(olga, "refuse", row, reason=strange)
    assert state_of(tournament)[0] == "awaiting"
    decide(olga, "refuse", row, reason="श्रीमान्\u200c जी")
    assert state_of(tournament)[0] == "held"
