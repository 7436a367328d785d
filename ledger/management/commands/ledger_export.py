"""`manage.py ledger_export statement|journal|totals|books`: write a report to a file.

A statement, a journal and totals are written as CSV, XLSX or JSON; the whole books, which is what
is meant when no report is named, as beancount text.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.dateparse import parse_datetime

from ledger import sheets
from ledger.audit import beancount_lines
from ledger.errors import LedgerError
from ledger.selectors import journal_sheet, statement, statement_sheet, totals_sheet


class Command(BaseCommand):
    """Reads only. XLSX needs `--output`."""

    help = "Export an account's statement, the journal of a reference, totals by reason, or all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What, about whom, from when to when, and in which form."""
        reports = ["statement", "journal", "totals", "books"]
        parser.add_argument("report", choices=reports, nargs="?", default="books")
        parser.add_argument("--account", type=int, help="account id, for a statement")
        parser.add_argument("--reference", default="", help="what a journal is about")
        parser.add_argument("--since", type=_moment, help="2026-05-01T00:00:00+00:00")
        parser.add_argument("--until", type=_moment, help="not included")
        parser.add_argument("--format", choices=["csv", "xlsx", "json", "beancount"])
        parser.add_argument("--output", type=Path, help="a file (default: standard output)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the sheet or the text, then the file."""
        is_books = options["report"] == "books"
        form = options["format"] or ("beancount" if is_books else "csv")
        if is_books != (form == "beancount"):
            raise CommandError("--format: the books are beancount text, and nothing else is.")
        if is_books:
            self._write(beancount_lines(), options["output"])
            return
        try:
            sheet = _sheet(options)
        except LedgerError as error:
            raise CommandError(str(error)) from error
        if form == "xlsx":
            if options["output"] is None:
                raise CommandError("--output: name the file of an XLSX export.")
            options["output"].write_bytes(sheets.to_xlsx(sheet))
            return
        text = sheets.to_csv(sheet)
        if form == "json":
            text = sheets.to_json(sheet).decode() + "\n"
        self._write([text], options["output"])

    def _write(self, parts: Iterable[str], output: Path | None) -> None:
        if output is None:
            for part in parts:
                self.stdout.write(part, ending="")
            return
        with output.open("w", encoding="utf-8", newline="") as file:
            file.writelines(parts)


def _sheet(options: dict[str, Any]) -> sheets.Sheet:
    period = {"since": options["since"], "until": options["until"]}
    if options["report"] == "statement":
        if options["account"] is None:
            raise CommandError("--account: a statement is of one account.")
        return statement_sheet(statement(account=options["account"], **period))
    if options["report"] == "journal":
        return journal_sheet(options["reference"])
    return totals_sheet(**period)


def _moment(text: str) -> datetime:
    value = parse_datetime(text)
    if value is None or value.tzinfo is None:
        raise ValueError(text)
    return value
