"""Statements, journals of a reference, totals; and what they become in a spreadsheet."""

from __future__ import annotations

import csv
import io
import itertools
import json
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from ledger import sheets
from ledger.errors import Code, LedgerError
from ledger.lines import Line
from ledger.models import Account
from ledger.selectors import (
    balance_of,
    journal_sheet,
    statement,
    statement_sheet,
    totals_by_kind,
    totals_sheet,
)
from ledger.services import AssetKind, Rule, ensure_asset, open_account, take_checkpoint
from tests.ledger.books import NOW, Books

HOUR = timedelta(hours=1)


@pytest.fixture
def rupees(books: Books) -> Account:
    """Anna's wallet in rupees: 100.00 in, 18.50 held, 12.50 of it captured, 1 paid on."""
    ensure_asset(code="INR", kind=AssetKind.CURRENCY)
    bank = open_account(asset="INR", owner="bank", purpose="bank", rule=Rule.NEVER_POSITIVE)
    anna, pool = books.account("player:1", asset="INR"), books.account("pool", asset="INR")
    books.pay(bank, anna, 10_000, kind="deposit")
    hold = books.post(
        Line.set_aside(debit=anna.id, credit=pool.id, amount=1_850), kind="entry", now=NOW + HOUR
    ).transfers.get()
    words: dict[str, Any] = {"kind": "start", "reference": "tournament:7", "now": NOW + 2 * HOUR}
    books.post(Line.capture(hold, amount=1_250), **words)
    books.pay(anna, pool, 1, kind="entry", reason='=HYPERLINK("x")', now=NOW + 3 * HOUR)
    return anna


def test_a_statement_runs_from_opening_to_closing(rupees: Account) -> None:
    found = statement(account=rupees.id)
    assert [line.amount for line in found.lines] == [10_000, 0, -1_250, -1]
    assert [line.held for line in found.lines] == [0, 1_850, -1_850, 0]
    assert [line.balance for line in found.lines] == [10_000, 10_000, 8_750, 8_749]
    assert [line.balance_held for line in found.lines] == [0, 1_850, 0, 0]
    assert (found.opening, found.closing, found.closing_held) == (0, 8_749, 0)
    assert found.closing == balance_of(rupees.id).posted


def test_a_period_is_half_open_and_carries_its_opening_balance(rupees: Account) -> None:
    found = statement(account=rupees.id, since=NOW + 2 * HOUR, until=NOW + 3 * HOUR)
    assert [line.kind for line in found.lines] == ["start"]
    assert (found.opening, found.opening_held) == (10_000, 1_850)
    assert (found.closing, found.closing_held) == (8_750, 0)


def test_periods_that_follow_one_another_close_where_the_next_opens(rupees: Account) -> None:
    edges = [NOW + number * HOUR for number in range(-1, 6)]
    parts = [
        statement(account=rupees.id, since=since, until=until)
        for since, until in itertools.pairwise(edges)
    ]
    for earlier, later in itertools.pairwise(parts):
        assert (earlier.closing, earlier.closing_held) == (later.opening, later.opening_held)
    assert sum(len(part.lines) for part in parts) == 4


def test_a_statement_of_nobody_or_of_no_time_is_refused(rupees: Account) -> None:
    with pytest.raises(LedgerError) as caught:
        statement(account=0)
    assert caught.value.code == Code.UNKNOWN_ACCOUNT
    with pytest.raises(LedgerError) as caught:
        statement(account=rupees.id, since=NOW, until=NOW - HOUR)
    assert (caught.value.code, caught.value.field) == (Code.BAD_TIME, "until")


def test_totals_tell_what_moved_per_reason(rupees: Account) -> None:
    inr = [(total.kind, total.transfers, total.amount) for total in totals_by_kind()]
    assert inr == [("deposit", 1, 10_000), ("entry", 1, 1), ("start", 1, 1_250)]
    assert [total.kind for total in totals_by_kind(since=NOW + 3 * HOUR)] == ["entry"]


def test_csv_has_facts_then_rows_and_no_formulas(rupees: Account) -> None:
    text = sheets.to_csv(statement_sheet(statement(account=rupees.id)))
    rows = list(csv.reader(io.StringIO(text)))
    facts = dict(row for row in rows[: rows.index([])])
    table = [dict(zip(rows[12], row, strict=True)) for row in rows[13:]]
    assert (facts["asset"], facts["opening"], facts["closing"]) == ("INR", "0.00", "87.49")
    assert [row["amount"] for row in table] == ["100.00", "0.00", "-12.50", "-0.01"]
    assert table[3]["reason"] == """'=HYPERLINK("x")"""


def test_xlsx_keeps_numbers_as_numbers_and_text_as_text(rupees: Account) -> None:
    data = sheets.to_xlsx(statement_sheet(statement(account=rupees.id)))
    page = load_workbook(io.BytesIO(data)).active
    assert page is not None
    rows = list(page.iter_rows())
    last = rows[-1]
    assert (last[6].value, last[6].data_type, last[6].number_format) == (-0.01, "n", "0.00")
    assert (last[4].value, last[4].data_type) == ("""'=HYPERLINK("x")""", "s")


def test_json_gives_amounts_as_exact_decimals(rupees: Account) -> None:
    report = json.loads(sheets.to_json(statement_sheet(statement(account=rupees.id))))
    assert report["closing"] == "87.49"
    assert [row["amount"] for row in report["rows"]] == ["100.00", "0.00", "-12.50", "-0.01"]
    assert report["rows"][3]["reason"] == '=HYPERLINK("x")'


def test_the_journal_of_a_reference_has_every_line_of_it(rupees: Account) -> None:
    take_checkpoint(occasion="close", now=NOW)
    report = json.loads(sheets.to_json(journal_sheet("tournament:7")))
    (row,) = report["rows"]
    assert (row["from"], row["to"]) == ("player:1 wallet", "pool wallet")
    assert (row["amount"], row["mode"], row["asset"]) == ("12.50", "capture", "INR")
    assert len(report["checkpoint_root"]) == 64


def test_totals_are_a_sheet_too(rupees: Account) -> None:
    rows = totals_sheet(since=None, until=None).rows
    assert list(rows) == [
        ("INR", "deposit", 1, Decimal("100.00")),
        ("INR", "entry", 1, Decimal("0.01")),
        ("INR", "start", 1, Decimal("12.50")),
    ]


def test_exports_are_written_by_a_command(rupees: Account, tmp_path: Path) -> None:
    target = tmp_path / "statement.csv"
    call_command("ledger_export", "statement", account=rupees.id, output=target)
    assert "87.49" in target.read_text(encoding="utf-8")
    out = io.StringIO()
    call_command("ledger_export", "totals", "--format", "json", stdout=out)
    assert json.loads(out.getvalue())["title"] == "totals"
    book = tmp_path / "journal.xlsx"
    call_command("ledger_export", "journal", reference="tournament:7", format="xlsx", output=book)
    assert load_workbook(book).sheetnames == ["journal"]
    for refused in (["statement"], ["statement", "--account", "0"], ["totals", "--format", "xlsx"]):
        with pytest.raises(CommandError):
            call_command("ledger_export", *refused)


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "＝", " ="])
def test_a_formula_sign_before_text_is_neutralised(sign: str) -> None:
    assert sheets.harmless(f"{sign}1+1") == f"'{sign}1+1"


@given(st.text(max_size=12))
def test_harmless_text_is_left_alone(text: str) -> None:
    whole = text.replace(";", ",")
    assert sheets.harmless(whole) in (whole, f"'{whole}")
    assert sheets.harmless(f"a{whole}") == f"a{whole}"


CELLS = st.text(st.sampled_from("=+-@＝;,' \"\ta1"), max_size=8)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=3), st.sampled_from(",;"))
def test_no_cell_is_a_formula_whichever_way_a_spreadsheet_cuts_the_lines(
    rows: list[list[str]], delimiter: str
) -> None:
    """Where lists are written with semicolons a program may cut our lines there."""
    sheet = sheets.Sheet(title="t", facts={}, columns=("a", "b"), rows=rows)
    for row in csv.reader(io.StringIO(sheets.to_csv(sheet), newline=""), delimiter=delimiter):
        for cell in row:
            assert not cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "＝")), row


@given(st.integers(-(2**62), 2**62), st.integers(0, 6))
def test_amounts_are_exact_in_every_format(amount: int, scale: int) -> None:
    value = sheets.decimal_of(amount, scale)
    sheet = sheets.Sheet(title="t", facts={}, columns=("amount",), rows=[(value,)])
    text = sheets.to_csv(sheet).splitlines()[-1]
    assert int(Decimal(text).scaleb(scale)) == amount
    assert json.loads(sheets.to_json(sheet))["rows"] == [{"amount": text}]


def test_a_number_too_long_for_a_spreadsheet_is_written_as_text() -> None:
    rows = [(10**15 - 1,), (10**15,)]
    sheet = sheets.Sheet(title="t", facts={}, columns=("amount",), rows=rows)
    page = load_workbook(io.BytesIO(sheets.to_xlsx(sheet))).active
    assert page is not None
    kinds = [row[0].data_type for row in list(page.iter_rows())[-2:]]
    assert kinds == ["n", "s"]
