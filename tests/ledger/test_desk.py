"""The operators' pages of the books: what they show, what they change, and whom they refuse."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ledger import tasks
from ledger.models import BooksCheck, CashRequest, Entry, ReversalRequest, Transfer
from ledger.proving import proof_of
from ledger.services import AssetKind, Rule, ensure_asset, keep_check, open_account, take_checkpoint
from rummy_site.roles import ARBITERS, OPERATORS, ORGANISERS, SUPPORT
from staff.models import StaffAction
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import freeze_account
from tests.ledger.test_books import tamper
from tests.pages import logged_in, page_of, queries_of
from tests.staff.helpers import member

VIEWS: dict[str, Any] = {
    "overview": [],
    "asset": ["PLAY"],
    "days": ["PLAY"],
    "accounts": [],
}


@pytest.fixture
def olga(books: Books) -> Client:
    """An operator's browser; none of the players is she."""
    return logged_in(member("olga", OPERATORS, pk=901))


def send(client: Client, name: str, pk: int, **said: str) -> Any:
    """Send a form of the books."""
    return client.post(reverse(f"books:{name}", args=[pk]), {"key": "form-1", **said})


# Looking


def test_the_overview_shows_totals_the_last_check_and_the_sealed_root(
    books: Books, olga: Client
) -> None:
    books.fund(books.anna, 1_00_000)
    html = page_of(olga, reverse("books:overview"))
    assert "have not been checked yet" in html
    assert "1,00,000 play points" in html
    root = take_checkpoint(occasion="hourly", now=NOW).root
    keep_check(now=NOW)
    html = page_of(olga, reverse("books:overview"))
    assert "The books are in order." in html
    assert root in html


def test_faults_of_the_last_check_stand_in_red_at_the_top(books: Books, olga: Client) -> None:
    books.fund(books.anna, 500)
    tamper(f"UPDATE ledger_balance SET credits = 700 WHERE account_id = {books.anna.id}")
    keep_check(now=NOW)
    html = page_of(olga, reverse("books:overview"))
    assert html.index('role="alert"') < html.index('id="balance"')
    assert f"account {books.anna.id}" in html
    assert "balance_differs" in html


def test_days_show_what_moved_and_one_day_by_its_reasons(books: Books, olga: Client) -> None:
    books.fund(books.anna, 500)
    books.pay(books.anna, books.ben, 120, now=NOW + timedelta(days=1))
    address = f"{reverse('books:days', args=['PLAY'])}?until=2026-05-02"
    html = page_of(olga, address)
    assert re.findall(r"day=(2026-\d\d-\d\d)", html) == ["2026-05-02", "2026-05-01"]
    html = page_of(olga, f"{address}&day=2026-05-02")
    assert "120 play points" in html.partition('id="day"')[2].partition("</section>")[0]


def test_a_statement_shows_each_line_with_its_proof_and_can_be_saved(
    books: Books, olga: Client
) -> None:
    books.fund(books.anna, 500)
    books.pay(books.anna, books.ben, 120, reason="=1+1")
    html = page_of(olga, reverse("books:account", args=[books.anna.id]))
    assert "−120 play points" in html
    newest = Transfer.objects.latest("pk")
    assert reverse("books:proof", args=[newest.pk]) in html
    saved = olga.get(reverse("ledger-account-statement", args=[books.anna.id]), {"form": "csv"})
    assert b"'=1+1" in saved.content
    assert b",-120," in saved.content
    line = StaffAction.objects.get(action="ledger.save_statement")
    assert (line.subject, line.actor_name, line.after) == (
        str(books.anna.id),
        "olga",
        {"form": "csv"},
    )


def test_lists_take_as_many_queries_for_many_accounts_as_for_few(
    books: Books, olga: Client
) -> None:
    books.fund(books.anna, 5)

    def counts() -> list[int]:
        addresses = [reverse(f"books:{name}", args=parts) for name, parts in VIEWS.items()]
        addresses.append(reverse("books:account", args=[books.anna.id]))
        return [len(queries_of(olga, address)) for address in addresses]

    counts()
    before = counts()
    for number in range(10, 60):
        account = books.account(f"player:{number}")
        books.fund(account, number)
        books.pay(account, books.anna, 1)
    assert counts() == before


# Proving


def test_a_transfer_is_proven_step_by_step_up_to_the_sealed_root(
    books: Books, olga: Client
) -> None:
    books.fund(books.anna, 500)
    paid = books.pay(books.anna, books.ben, 120).transfers.get()
    books.pay(books.anna, books.chitra, 1)
    html = page_of(olga, reverse("books:proof", args=[paid.pk]))
    assert "no checkpoint has seen it yet" in html
    checkpoint = take_checkpoint(occasion="hourly", now=NOW)
    proof = proof_of(paid.pk)
    assert proof is not None
    assert proof.is_proven
    assert len(proof.links) == 1
    html = page_of(olga, reverse("books:proof", args=[paid.pk]))
    assert "Proven." in html
    assert html.count(checkpoint.root) == 2


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_transfer SET amount = 121 WHERE id = {transfer}",
        "UPDATE ledger_account SET owner = 'player:9' WHERE id = {ben}",
        "UPDATE ledger_entry SET reason = 'x' WHERE id = {after}",
        "UPDATE ledger_checkpoint SET seal = '00'",
        "UPDATE ledger_checkpoint SET root = '00'",
    ],
)
def test_what_was_changed_afterwards_is_not_proven(
    books: Books, olga: Client, statement: str
) -> None:
    books.fund(books.anna, 500)
    paid = books.pay(books.anna, books.ben, 120).transfers.get()
    after = books.pay(books.anna, books.chitra, 1)
    take_checkpoint(occasion="hourly", now=NOW)
    tamper(statement.format(transfer=paid.pk, ben=books.ben.id, after=after.pk))
    html = page_of(olga, reverse("books:proof", args=[paid.pk]))
    assert "Not proven." in html
    assert "Proven.</strong>" not in html.replace("Not proven.", "")


def test_a_transfer_is_found_by_its_number(books: Books, olga: Client) -> None:
    line = books.fund(books.anna, 5).transfers.get()
    found = olga.get(reverse("books:find"), {"transfer": str(line.pk)})
    assert found["Location"] == reverse("books:proof", args=[line.pk])
    for wrong in ("", "abc", "99999999"):
        answer = olga.get(reverse("books:find"), {"transfer": wrong})
        assert answer["Location"] == reverse("books:overview")


# Changing


def test_a_small_correction_is_carried_out_at_once_with_its_audit_line(
    books: Books, olga: Client
) -> None:
    answer = send(
        olga, "adjust", books.anna.id, kind="adjustment-in", amount="1,200", reason="gift"
    )
    assert answer.status_code == 302
    assert books.available(books.anna) == [1200]
    line = StaffAction.objects.get(action="ledger.adjust")
    assert (line.actor_name, line.reason, line.subject) == ("olga", "gift", str(books.anna.id))
    assert (line.before["posted"], line.after["posted"]) == (0, 1200)


def test_the_same_form_sent_twice_moves_once(books: Books, olga: Client) -> None:
    for _ in range(2):
        send(olga, "adjust", books.anna.id, kind="adjustment-in", amount="50", reason="gift")
    assert books.available(books.anna) == [50]
    assert StaffAction.objects.filter(action="ledger.adjust").count() == 1


def test_amounts_are_read_as_people_write_them_and_keep_their_value(books: Books) -> None:
    ensure_asset(code="INR", kind=AssetKind.CURRENCY)
    account = open_account(
        asset="INR", owner="player:1", purpose="wallet", rule=Rule.NEVER_NEGATIVE
    )
    olga = logged_in(member("olga", OPERATORS))
    for number, (text, paise) in enumerate(
        [("1,00,000", 10_000_000), ("100,000.5", 10_000_050), ("१२.३४", 1234)]
    ):
        send(
            olga, "adjust", account.pk, kind="deposit", amount=text, reason="cash", key=f"k{number}"
        )
        assert CashRequest.objects.latest("pk").amount == paise
    for wrong in ("1,0,0", "-5", "12.345", "1e3", ""):
        answer = send(olga, "adjust", account.pk, kind="deposit", amount=wrong, reason="cash")
        assert answer.status_code == 200
        assert "errorlist" in answer.content.decode()


@pytest.mark.parametrize(
    ("reason", "status"),
    [("श्रीमान्\u200c जी", 302), ("\u202etfig", 409), ("a\x01b", 409), ("x" * 351, 200)],
)
def test_a_reason_is_in_words_of_any_language_that_are_read_as_they_stand(
    books: Books, olga: Client, reason: str, status: int
) -> None:
    sent = {"kind": "adjustment-in", "amount": "5", "reason": reason}
    assert send(olga, "adjust", books.anna.id, **sent).status_code == status
    assert books.available(books.anna) == [5 if status == 302 else 0]
    assert books.faults() == []


def test_what_an_account_does_not_have_is_not_taken_and_nothing_is_written(
    books: Books, olga: Client
) -> None:
    answer = send(olga, "adjust", books.anna.id, kind="adjustment-out", amount="5", reason="x")
    assert answer.status_code == 409
    assert 'role="alert"' in answer.content.decode()
    assert not StaffAction.objects.filter(action="ledger.adjust").exists()


def test_an_account_is_frozen_and_opened_again_with_reasons(books: Books, olga: Client) -> None:
    for is_open, action in ((False, "ledger.freeze"), (True, "ledger.open")):
        said = {"reason": "asked by the police", "wanted": action.removeprefix("ledger.")}
        for _twice in range(2):
            send(olga, "freeze", books.anna.id, **said)
        books.anna.refresh_from_db()
        assert books.anna.is_open is is_open
        assert StaffAction.objects.get(action=action).reason == "asked by the police"
    html = page_of(olga, reverse("books:account", args=[books.anna.id]))
    assert html.count("asked by the police") == 2


def test_who_freezes_what_somebody_else_has_just_frozen_does_not_open_it(
    books: Books, olga: Client
) -> None:
    """His page is older; it says what he wants, and that there was nothing to do."""
    html = page_of(olga, reverse("books:freeze", args=[books.anna.id]))
    assert 'name="wanted" value="freeze"' in html
    freeze_account(account=books.anna.id, actor="meera", reason="asked", now=NOW)
    send(olga, "freeze", books.anna.id, reason="asked", wanted="freeze")
    books.anna.refresh_from_db()
    assert not books.anna.is_open
    html = page_of(olga, reverse("books:account", args=[books.anna.id]))
    assert "Nothing was changed" in html
    assert not StaffAction.objects.filter(action__in=("ledger.freeze", "ledger.open")).exists()


def test_a_reversal_needs_a_reason_and_leaves_the_entry(books: Books, olga: Client) -> None:
    entry = books.fund(books.anna, 500)
    assert send(olga, "reverse", entry.pk, reason="").status_code == 200
    assert send(olga, "reverse", entry.pk, reason="twice").status_code == 302
    assert books.available(books.anna) == [0]
    assert Entry.objects.filter(pk=entry.pk).exists()
    html = page_of(olga, reverse("books:entry", args=[entry.pk]))
    assert "Reversed by" in html
    assert send(olga, "reverse", entry.pk, reason="again", key="2").status_code == 409


def test_a_large_reversal_waits_and_the_page_says_for_whom(books: Books, olga: Client) -> None:
    entry = books.fund(books.anna, 200_000)
    send(olga, "reverse", entry.pk, reason="wrong account")
    assert ReversalRequest.objects.get().needs_second
    html = page_of(olga, reverse("books:entry", args=[entry.pk]))
    assert "olga has asked for its reversal" in html
    assert books.available(books.anna) == [200_000]


def test_an_operator_has_the_books_checked_at_once(
    books: Books, olga: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks.check_books, "delay", tasks.check_books)
    olga.post(reverse("books:check"))
    assert BooksCheck.objects.get().faults == 0
    assert StaffAction.objects.filter(action="ledger.check_books").count() == 1


# Who may


@pytest.mark.parametrize("role", [ORGANISERS, ARBITERS, SUPPORT, "player"])
def test_nobody_but_operators_looks_at_the_books_or_changes_them(
    books: Books, client: Client, role: str
) -> None:
    entry = books.fund(books.anna, 5)
    is_player = role == "player"
    user = User.objects.create_user("pia") if is_player else member("nina", role)
    client.force_login(user)
    expected = 302 if is_player else 403
    addresses = [reverse(f"books:{name}", args=parts) for name, parts in VIEWS.items()]
    addresses += [reverse("books:account", args=[books.anna.id])]
    addresses += [reverse("books:entry", args=[entry.pk])]
    assert {client.get(address).status_code for address in addresses} == {expected}
    forms = [("adjust", books.anna.id), ("freeze", books.anna.id), ("reverse", entry.pk)]
    for name, pk in forms:
        assert send(client, name, pk, reason="x").status_code == expected
    assert client.post(reverse("books:check")).status_code == expected
    assert books.available(books.anna) == [5]


def test_what_is_not_there_is_not_found(books: Books, olga: Client) -> None:
    for name, part in (("account", 999), ("entry", 999), ("proof", 999), ("asset", "XYZ")):
        assert olga.get(reverse(f"books:{name}", args=[part])).status_code == 404
