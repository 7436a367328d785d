"""`manage.py ledger_export statement|journal|totals`: write a report as CSV, XLSX or JSON."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.dateparse import parse_datetime

from ledger import sheets
from ledger.errors import LedgerError
from ledger.selectors import journal_sheet, statement, statement_sheet, totals_sheet


class Command(BaseCommand):
    """Reads only. XLSX needs `--output`."""

    help = "Export an account's statement, the journal of a reference, or totals by reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What, about whom, from when to when, and in which form."""
        parser.add_argument("report", choices=["statement", "journal", "totals"])
        parser.add_argument("--account", type=int, help="account id, for a statement")
        parser.add_argument("--reference", default="", help="what a journal is about")
        parser.add_argument("--since", type=_moment, help="2026-05-01T00:00:00+00:00")
        parser.add_argument("--until", type=_moment, help="not included")
        parser.add_argument("--format", choices=["csv", "xlsx", "json"], default="csv")
        parser.add_argument("--output", type=Path, help="a file (default: standard output)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the sheet, then the file."""
        try:
            sheet = _sheet(options)
        except LedgerError as error:
            raise CommandError(str(error)) from error
        if options["format"] == "xlsx":
            if options["output"] is None:
                raise CommandError("--output: name the file of an XLSX export.")
            options["output"].write_bytes(sheets.to_xlsx(sheet))
            return
        text = sheets.to_csv(sheet)
        if options["format"] == "json":
            text = sheets.to_json(sheet).decode() + "\n"
        if options["output"] is None:
            self.stdout.write(text, ending="")
        else:
            options["output"].write_text(text, encoding="utf-8", newline="")


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
