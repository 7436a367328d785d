"""An operator who would rather not be looked at by a second pair of eyes."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from ledger.audit import Code as Finding
from ledger.errors import BadLine, Code, KeyReused, LedgerError
from ledger.models import Account, CashDecision, CashRequest, Entry
from ledger.selectors import balance_of
from ledger.services import AssetKind, CashKind, Line, ensure_asset, open_journal, refuse_cash
from tests.ledger.books import NOW, Books, is_open
from tests.ledger.by_nobody import approve_cash, freeze_account, reopen_account, request_cash
from tests.ledger.test_books import tamper
from tests.ledger.test_storms import Work, storm

LARGE = 500_000
WORDS: dict[str, Any] = {"actor": "operator:1", "reason": "paid at the desk", "now": NOW}


def wallet_of(books: Books) -> Account:
    """A wallet with 1,000,000 rupees' worth of paise, paid in by two."""
    ensure_asset(code="INR", kind=AssetKind.CURRENCY)
    wallet = books.account("player:1", asset="INR")
    asked = ask(CashKind.DEPOSIT, wallet, 2 * LARGE, "first")
    approve_cash(request=asked.id, actor="operator:2", now=NOW)
    return wallet


def ask(kind: CashKind, account: Account, amount: int, key: str, **words: Any) -> CashRequest:
    return request_cash(kind=kind, account=account.id, amount=amount, key=key, **WORDS | words)


@pytest.mark.parametrize(
    "name", ["operator:1", "Operator:1", " operator:1", "operator:1  ", "ｏｐｅｒａｔｏｒ:1"]
)
def test_one_person_is_one_however_the_name_is_written(books: Books, name: str) -> None:
    wallet = wallet_of(books)
    asked = ask(CashKind.DEPOSIT, wallet, LARGE, "second")
    with pytest.raises(LedgerError) as caught:
        approve_cash(request=asked.id, actor=name, now=NOW)
    assert caught.value.code == Code.NEEDS_APPROVAL
    assert balance_of(wallet.id).posted == 2 * LARGE


@pytest.mark.parametrize("name", ["operator:1", "OPERATOR:1", " operator:1 "])
def test_the_database_knows_the_person_too(books: Books, name: str) -> None:
    wallet = wallet_of(books)
    asked = ask(CashKind.DEPOSIT, wallet, LARGE, "second")
    entry = Entry.objects.order_by("-id")[0]
    with pytest.raises(IntegrityError, match="four_eyes"), transaction.atomic():
        CashDecision.objects.create(request=asked, decided_by=name, decided_at=NOW, entry=entry)


def test_an_amount_is_not_changed_after_the_asking(books: Books) -> None:
    """Neither in the row nor by asking again under the same key."""
    wallet = wallet_of(books)
    asked = ask(CashKind.DEPOSIT, wallet, LARGE, "second")
    with pytest.raises(KeyReused):
        ask(CashKind.DEPOSIT, wallet, 2 * LARGE, "second")
    with pytest.raises(IntegrityError, match="append_only"), transaction.atomic():
        CashRequest.objects.filter(id=asked.id).update(amount=2 * LARGE)
    asked.amount = 2 * LARGE
    approve_cash(request=asked.id, actor="operator:2", now=NOW)
    assert balance_of(wallet.id).posted == 3 * LARGE


def test_a_hold_under_the_same_reference_is_not_taken_for_the_requests(books: Books) -> None:
    """Somebody sets aside one paisa of another wallet as if it were for the withdrawal."""
    wallet = wallet_of(books)
    other = books.account("player:2", asset="INR")
    ask(CashKind.DEPOSIT, other, 100, "small")
    number = ask(CashKind.DEPOSIT, wallet, 1, "probe").id + 1
    line = Line.set_aside(debit=other.id, credit=wallet.id, amount=1)
    bait = books.post(line, reference=f"cash:{number}").transfers.get()
    asked = ask(CashKind.WITHDRAWAL, wallet, LARGE, "out")
    assert asked.id == number
    approve_cash(request=asked.id, actor="operator:2", now=NOW)
    assert balance_of(wallet.id).posted == LARGE + 1
    assert balance_of(wallet.id).held == 0
    assert is_open(bait)


@pytest.mark.parametrize("kind", list(CashKind))
def test_the_houses_own_side_is_not_paid_by_itself(books: Books, kind: CashKind) -> None:
    """Refused for what it is, and not as if the accounts were busy."""
    wallet = wallet_of(books)
    ask(CashKind.ADJUSTMENT, wallet, 1, "makes the account for adjustments")
    purpose = "adjustments" if kind is CashKind.ADJUSTMENT else "bank"
    own = Account.objects.get(asset="INR", owner="house", purpose=purpose)
    with pytest.raises(BadLine) as caught:
        ask(kind, own, 10, "own")
    assert caught.value.field == "account"


def test_an_unknown_kind_of_cash_is_refused(books: Books) -> None:
    with pytest.raises(LedgerError) as caught:
        ask("gift", books.anna, 10, "x")  # type: ignore[arg-type]
    assert caught.value.field == "kind"


def test_what_is_held_for_a_withdrawal_goes_back_and_not_out_while_the_account_is_frozen(
    books: Books,
) -> None:
    wallet = wallet_of(books)
    first, second = (
        ask(CashKind.WITHDRAWAL, wallet, LARGE, key) for key in ("to go out", "to go back")
    )
    freeze_account(account=wallet.id, **WORDS)
    with pytest.raises(LedgerError) as caught:
        approve_cash(request=first.id, actor="operator:2", now=NOW)
    assert caught.value.code == Code.ACCOUNT_CLOSED
    refuse_cash(request=second.id, actor="operator:2", note="frozen", now=NOW)
    assert balance_of(wallet.id).held == LARGE
    reopen_account(account=wallet.id, **WORDS)
    approve_cash(request=first.id, actor="operator:2", now=NOW)
    assert (balance_of(wallet.id).posted, balance_of(wallet.id).held) == (LARGE, 0)
    assert books.faults() == []


@pytest.mark.parametrize("kind", [CashKind.DEPOSIT, CashKind.WITHDRAWAL])
def test_approved_and_refused_at_once_by_many_a_request_is_decided_once(
    committed_books: Books, kind: CashKind
) -> None:
    books = committed_books
    open_journal(code="cashier")
    wallet = wallet_of(books)
    asked = ask(kind, wallet, LARGE, "contested")

    def decide(number: int) -> Work:
        words: dict[str, Any] = {"request": asked.id, "actor": f"operator:{number + 2}", "now": NOW}

        def work() -> Entry:
            if number % 2:
                refuse_cash(note="no", **words)
            else:
                approve_cash(**words)
            return Entry.objects.order_by("-id")[0]

        return work

    storm([[decide(number)] for number in range(8)])
    decision = CashDecision.objects.get(request=asked)
    moved = LARGE if kind is CashKind.DEPOSIT else -LARGE
    wanted = 2 * LARGE + (moved if decision.entry_id else 0)
    assert (balance_of(wallet.id).posted, balance_of(wallet.id).held) == (wanted, 0)
    assert Entry.objects.filter(reference=f"cash:{asked.id}", kind=kind).count() == (
        1 if decision.entry_id else 0
    )
    assert books.faults() == []


@pytest.mark.parametrize(
    "change",
    [
        "cashrequest SET amount = amount + 1",
        "cashrequest SET debit_id = (SELECT min(id) FROM ledger_account)",
        "cashrequest SET asked_by = 'operator:2'",
        "cashdecision SET decided_by = 'OPERATOR:1 '",
        "cashdecision SET entry_id = (SELECT min(id) FROM ledger_entry)",
    ],
)
def test_the_audit_finds_a_request_made_to_fit(books: Books, change: str) -> None:
    """As the owner of the database can: an approval of one's own, or of something else."""
    books.fund(books.anna, 1)
    wallet_of(books)
    assert books.faults() == []
    tamper(f"UPDATE ledger_{change}")
    assert books.faults() == [Finding.CASH_DIFFERS]
