"""Posting: all or nothing, one key one entry, never past an account's rule."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from ledger import chain
from ledger.errors import (
    AccountClosed,
    AssetMismatch,
    BadLine,
    Code,
    InsufficientFunds,
    KeyReused,
    LedgerError,
)
from ledger.models import Account, Entry, Journal, Transfer
from ledger.selectors import balance_of, journal_of, trial_balance
from ledger.services import (
    AssetKind,
    Line,
    Mode,
    Rule,
    ensure_asset,
    open_account,
    open_journal,
    post,
)
from ledger.terms import AMOUNT_LIMIT, LINES_LIMIT
from tests.ledger.books import NOW, Books


def test_a_transfer_moves_an_amount_from_one_account_to_the_other(books: Books) -> None:
    books.fund(books.anna, 500)
    books.pay(books.anna, books.ben, 120)
    assert books.available(books.issuer, books.anna, books.ben) == [-500, 380, 120]
    assert books.faults() == []


def test_an_entry_with_many_lines_posts_all_of_them(books: Books) -> None:
    books.fund(books.anna, 500)
    entry = books.post(
        Line.post(debit=books.anna.id, credit=books.escrow.id, amount=450),
        Line.post(debit=books.anna.id, credit=books.ben.id, amount=50),
    )
    assert entry.line_count == entry.transfers.count() == 2
    assert books.available(books.anna, books.escrow, books.ben) == [0, 450, 50]


def test_one_line_that_does_not_fit_keeps_all_from_being_posted(books: Books) -> None:
    books.fund(books.anna, 500)
    with pytest.raises(InsufficientFunds):
        books.post(
            Line.post(debit=books.anna.id, credit=books.escrow.id, amount=450),
            Line.post(debit=books.anna.id, credit=books.ben.id, amount=51),
        )
    assert books.available(books.anna, books.escrow, books.ben) == [500, 0, 0]
    assert Entry.objects.count() == 1


def test_a_refusal_names_the_account_and_what_lacks(books: Books) -> None:
    books.fund(books.anna, 500)
    with pytest.raises(InsufficientFunds) as caught:
        books.pay(books.anna, books.ben, 620)
    assert (caught.value.account, caught.value.missing) == (books.anna.id, 120)
    assert caught.value.code == Code.INSUFFICIENT_FUNDS


def test_an_account_has_to_have_an_amount_before_it_passes_it_on(books: Books) -> None:
    """The order of lines counts, so both databases refuse the same entries."""
    books.fund(books.anna, 100)
    into = Line.post(debit=books.anna.id, credit=books.escrow.id, amount=100)
    onward = Line.post(debit=books.escrow.id, credit=books.ben.id, amount=100)
    with pytest.raises(InsufficientFunds):
        books.post(onward, into)
    books.post(into, onward)
    assert books.available(books.anna, books.escrow, books.ben) == [0, 0, 100]


def test_an_account_that_is_never_positive_cannot_be_credited_past_zero(books: Books) -> None:
    bank = open_account(asset="PLAY", owner="bank", purpose="bank", rule=Rule.NEVER_POSITIVE)
    books.pay(bank, books.anna, 100)
    books.fund(books.anna, 10)
    with pytest.raises(InsufficientFunds) as caught:
        books.pay(books.anna, bank, 110)
    assert (caught.value.account, caught.value.missing) == (bank.id, 10)


def test_the_same_key_and_content_gives_the_first_entry_again(books: Books) -> None:
    books.fund(books.anna, 500)
    first = books.pay(books.anna, books.ben, 120, key="fee:1")
    again = books.pay(
        books.anna, books.ben, 120, key="fee:1", now=NOW + timedelta(days=1), actor="a sweep"
    )
    assert (first.replayed, again.replayed, again.id) == (False, True, first.id)
    assert books.available(books.anna) == [380]


@pytest.mark.parametrize(
    "change",
    [
        {"amount": 121},
        {"kind": "other"},
        {"reference": "tournament:8"},
        {"reason": "another reason"},
        {"journal": "cashier"},
    ],
)
def test_a_key_that_was_used_for_something_else_is_refused(
    books: Books, change: dict[str, Any]
) -> None:
    open_journal(code="cashier")
    books.fund(books.anna, 500)
    books.pay(books.anna, books.ben, 120, key="fee:1")
    amount = change.pop("amount", 120)
    with pytest.raises(KeyReused) as caught:
        books.pay(books.anna, books.ben, amount, key="fee:1", **change)
    assert (caught.value.code, caught.value.field) == (Code.KEY_REUSED, "key")
    assert books.available(books.anna) == [380]


def test_a_replay_succeeds_even_when_the_money_has_gone_since(books: Books) -> None:
    books.fund(books.anna, 120)
    books.pay(books.anna, books.ben, 120, key="fee:1")
    assert books.pay(books.anna, books.ben, 120, key="fee:1").replayed


def test_a_refused_key_may_be_tried_again(books: Books) -> None:
    with pytest.raises(InsufficientFunds):
        books.pay(books.anna, books.ben, 120, key="fee:1")
    books.fund(books.anna, 120)
    assert not books.pay(books.anna, books.ben, 120, key="fee:1").replayed


def test_refusals_inside_a_callers_transaction_leave_it_usable(books: Books) -> None:
    with transaction.atomic():
        books.fund(books.anna, 100)
        with pytest.raises(InsufficientFunds):
            books.pay(books.anna, books.ben, 101)
        with pytest.raises(KeyReused):
            books.pay(books.anna, books.ben, 1, key="auto:1")
        books.pay(books.anna, books.ben, 60)
    assert books.available(books.anna, books.ben) == [40, 60]


def test_a_callers_rollback_takes_the_posting_with_it(books: Books) -> None:
    with transaction.atomic():
        books.fund(books.anna, 100)
        transaction.set_rollback(True)
    assert Entry.objects.count() == Transfer.objects.count() == 0
    assert balance_of(books.anna.id).posted == 0
    assert Journal.objects.get(code="house").head_seq == 0


def test_entries_are_numbered_without_gaps_and_chained(books: Books) -> None:
    entries = [books.fund(books.anna, amount) for amount in (1, 2, 3)]
    with pytest.raises(InsufficientFunds):
        books.pay(books.anna, books.ben, 7)
    entries.append(books.pay(books.anna, books.ben, 6))
    assert [entry.seq for entry in entries] == [1, 2, 3, 4]
    assert [entry.prev_hash for entry in entries[1:]] == [entry.hash for entry in entries[:-1]]
    assert bytes(Journal.objects.get(code="house").head_hash) == entries[-1].hash


@pytest.mark.parametrize(
    "amount", [0, -5, True, 1.0, 1.9, "5", None, AMOUNT_LIMIT, float("nan"), 10**30]
)
def test_an_amount_is_a_whole_number_within_53_bits(books: Books, amount: Any) -> None:
    with pytest.raises(BadLine) as caught:
        books.pay(books.issuer, books.anna, amount)
    assert (caught.value.code, caught.value.field) == (Code.BAD_AMOUNT, "lines.0.amount")


def test_the_largest_amount_is_kept_to_the_unit(books: Books) -> None:
    books.fund(books.anna, AMOUNT_LIMIT - 1)
    assert books.available(books.anna) == [AMOUNT_LIMIT - 1]


def test_a_total_beyond_64_bits_is_refused(books: Books) -> None:
    largest = Line.post(debit=books.issuer.id, credit=books.anna.id, amount=AMOUNT_LIMIT - 1)
    with pytest.raises(LedgerError) as caught:
        books.post(*[largest] * 1025)
    assert caught.value.code == Code.OVERFLOW
    books.post(*[largest] * 1024)
    assert books.available(books.anna) == [1024 * (AMOUNT_LIMIT - 1)]
    assert books.faults() == []


def test_a_line_joins_two_different_accounts(books: Books) -> None:
    with pytest.raises(BadLine):
        books.pay(books.anna, books.anna, 5)


def test_a_line_never_joins_two_assets(books: Books) -> None:
    """So practice chips cannot become play points, and neither can become money."""
    ensure_asset(code="PRACTICE", kind=AssetKind.PRACTICE)
    practice = books.account("player:1", asset="PRACTICE")
    with pytest.raises(AssetMismatch):
        books.pay(books.issuer, practice, 5)


def test_an_unknown_account_is_named(books: Books) -> None:
    with pytest.raises(BadLine) as caught:
        books.post(Line.post(debit=books.anna.id, credit=999_999, amount=5))
    assert caught.value.code == Code.UNKNOWN_ACCOUNT
    assert "999999" in str(caught.value)


def test_an_unknown_journal_is_refused(books: Books) -> None:
    with pytest.raises(LedgerError) as caught:
        books.pay(books.issuer, books.anna, 5, journal="nowhere")
    assert (caught.value.code, caught.value.field) == (Code.UNKNOWN_JOURNAL, "journal")


def test_a_frozen_account_neither_gives_nor_takes(books: Books) -> None:
    books.fund(books.anna, 100)
    Account.objects.filter(id=books.anna.id).update(is_open=False)
    for debit, credit in ((books.anna, books.ben), (books.issuer, books.anna)):
        with pytest.raises(AccountClosed) as caught:
            books.pay(debit, credit, 5)
        assert caught.value.account == books.anna.id


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ({"key": ""}, "key"),
        ({"key": "k" * 201}, "key"),
        ({"kind": "a\nb"}, "kind"),
        ({"actor": ""}, "actor"),
        ({"reference": "x" * 121}, "reference"),
        ({"reason": "null \0 byte"}, "reason"),
        ({"reason": None}, "reason"),
        ({"now": datetime(2026, 5, 1)}, "now"),  # noqa: DTZ001
        ({"now": "2026-05-01"}, "now"),
    ],
)
def test_bad_words_are_refused_by_field(books: Books, words: dict[str, Any], field: str) -> None:
    request: dict[str, Any] = {"journal": "house", "kind": "test", "key": "k", "actor": "tester"}
    request |= {"now": NOW} | words
    line = Line.post(debit=books.issuer.id, credit=books.anna.id, amount=5)
    with pytest.raises(LedgerError) as caught:
        post(lines=[line], **request)
    assert caught.value.field == field


def test_an_entry_has_at_least_one_line_and_a_bounded_number(books: Books) -> None:
    line = Line.post(debit=books.issuer.id, credit=books.anna.id, amount=1)
    for lines in ([], [line] * (LINES_LIMIT + 1)):
        with pytest.raises(BadLine):
            books.post(*lines)
    assert books.post(*[line] * LINES_LIMIT).line_count == LINES_LIMIT


@pytest.mark.parametrize(
    "line",
    [
        Line(Mode.POST, 1, 2, 5, 3),
        Line(Mode.CAPTURE, 1, 2, 5),
        Line(Mode.RELEASE, 1, 2, 5),
        Line(Mode.POST, 1, 2, 5, None, NOW),
        Line("post", 1, 2, 5),  # type: ignore[arg-type]
        Line(Mode.POST, "1", 2, 5),  # type: ignore[arg-type]
    ],
)
def test_a_line_that_contradicts_itself_is_refused(books: Books, line: Line) -> None:
    with pytest.raises(BadLine):
        books.post(line)


def test_everything_about_a_reference_can_be_listed(books: Books) -> None:
    books.fund(books.anna, 100)
    books.pay(books.anna, books.escrow, 60, reference="tournament:7")
    books.pay(books.escrow, books.ben, 60, reference="tournament:7", now=NOW + timedelta(hours=1))
    found = journal_of("tournament:7")
    assert [entry.transfers.all()[0].amount for entry in found] == [60, 60]
    assert [entry.at - NOW for entry in found] == [timedelta(0), timedelta(hours=1)]


def test_the_trial_balance_is_zero_per_asset(books: Books) -> None:
    ensure_asset(code="INR", kind=AssetKind.CURRENCY)
    bank = open_account(asset="INR", owner="bank", purpose="bank", rule=Rule.NEVER_POSITIVE)
    books.pay(bank, books.account("player:1", asset="INR"), 1850)
    books.fund(books.anna, 500)
    books.hold(books.anna, books.escrow, 200)
    inr, play = trial_balance()
    assert (inr.asset, inr.debits, inr.credits) == ("INR", 1850, 1850)
    assert (play.asset, play.debits_held, play.credits_held) == ("PLAY", 200, 200)
    assert inr.is_balanced
    assert play.is_balanced


def test_an_unknown_account_has_no_balance(db: None) -> None:
    with pytest.raises(LedgerError) as caught:
        balance_of(5)
    assert caught.value.code == Code.UNKNOWN_ACCOUNT


@given(st.text(st.characters(codec="utf-8"), max_size=40), st.integers(-(2**63), 2**63 - 1))
def test_the_canonical_form_is_plain_compact_json(text: str, number: int) -> None:
    """An auditor can rebuild every hash with any JSON library."""
    value = [text, number, None, [[text, number]]]
    plain = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    assert json.loads(chain.canonical(value)) == value
    assert chain.canonical(value) == plain or "\x7f" in text or any(c < " " for c in text)
