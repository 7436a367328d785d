"""The exported books are judged by `bean-check`, a program that knows nothing of ours."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from ledger.errors import LedgerError
from ledger.lines import Line
from ledger.selectors import balance_of
from ledger.services import AssetKind, Rule, ensure_asset, open_account, reverse
from tests.ledger.books import NOW, Books


def complaints(text: str, folder: Path) -> str:
    """What bean-check has to say about the text; empty when it agrees."""
    file = folder / "books.beancount"
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "beancount.scripts.check", "--no-cache", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode == 0) == (done.stderr == ""), done.stderr
    return done.stderr


def exported() -> str:
    """The books as the command prints them."""
    out = io.StringIO()
    call_command("ledger_export", "--format", "beancount", stdout=out)
    return out.getvalue()


@pytest.fixture
def eventful(books: Books) -> Books:
    """Two assets that need another name, money with decimals, all modes, a reversal, odd text."""
    for code in ("CHIPS:7", "CHIPS_7"):
        ensure_asset(code=code, kind=AssetKind.CHIPS)
        rule = Rule.UNBOUNDED
        maker = open_account(asset=code, owner="tournament:7", purpose="issuance", rule=rule)
        books.pay(maker, books.account("player:1", "stack", asset=code), 1_500)
    ensure_asset(code="INR", kind=AssetKind.CURRENCY)
    bank = open_account(asset="INR", owner="bank", purpose="bank", rule=Rule.NEVER_POSITIVE)
    wallet = books.account("player:1", asset="INR")
    books.pay(bank, wallet, 100_050, reason='a "quoted" \\ ₹ name', now=NOW - timedelta(days=3))
    books.account("nobody", "incoming")
    books.fund(books.anna, 500)
    held = [books.hold(books.anna, books.escrow, amount) for amount in (100, 90, 80)]
    books.post(Line.capture(held[0], amount=60))
    books.post(Line.release(held[1]))
    books.fund(books.ben, 70)
    reverse(entry=books.pay(books.ben, books.anna, 7).id, key="undo", actor="o", reason="", now=NOW)
    return books


def test_bean_check_agrees_with_the_books(eventful: Books, tmp_path: Path) -> None:
    text = exported()
    assert complaints(text, tmp_path) == ""
    view = balance_of(eventful.anna.id)
    wallet = f"A{eventful.anna.id}"
    assert f"balance Liabilities:Wallet:{wallet} -{view.posted} ~ 0 PLAY" in text
    assert f"balance Equity:Outgoing:{wallet} {view.held} ~ 0 PLAY" in text
    assert "-1000.50 ~ 0 INR" in text


def test_bean_check_agrees_with_books_of_many_random_entries(books: Books, tmp_path: Path) -> None:
    chance = Random(13)
    accounts = [books.anna, books.ben, books.chitra, books.escrow]
    for account in accounts:
        books.fund(account, 600)
    posted = 0
    for number in range(150):
        debit, credit = chance.sample(accounts, 2)
        way = Line.post if number % 3 else Line.set_aside
        try:
            entry = books.post(way(debit=debit.id, credit=credit.id, amount=chance.randint(1, 150)))
            if number % 6 == 0:
                books.post(Line.capture(entry.transfers.get(), amount=1))
        except LedgerError:
            continue
        posted += 1
    assert posted > 75
    assert complaints(exported(), tmp_path) == ""


@pytest.mark.parametrize(
    ("pattern", "change"),
    [
        (r"balance Liabilities:Wallet:\S+ -", "99"),
        (r"balance Equity:Outgoing:\S+ ", "99"),
        (r"  Liabilities:Wallet:\S+  ", "99"),
        (r"  Equity:Incoming:\S+  -", "99"),
    ],
)
def test_bean_check_sees_a_figure_that_was_changed(
    eventful: Books, tmp_path: Path, pattern: str, change: str
) -> None:
    """So that its agreement says something."""
    forged = re.sub(rf"({pattern})\d+", rf"\g<1>{change}", exported(), count=1)
    assert forged != exported()
    assert complaints(forged, tmp_path) != ""


def test_empty_books_are_exported_too(db: None, tmp_path: Path) -> None:
    assert complaints(exported(), tmp_path) == ""


def test_the_books_go_into_a_file_and_only_as_beancount(eventful: Books, tmp_path: Path) -> None:
    target = tmp_path / "out.beancount"
    call_command("ledger_export", "books", output=target)
    assert target.read_text(encoding="utf-8") == exported()
    for refused in (["books", "--format", "csv"], ["totals", "--format", "beancount"]):
        with pytest.raises(CommandError, match="--format"):
            call_command("ledger_export", *refused)
