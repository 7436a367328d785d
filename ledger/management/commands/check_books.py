"""`manage.py check_books [--json]`: recompute the books; exits 1 when anything is wrong."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import BaseCommand
from django.utils import timezone

from ledger.audit import Findings, check_books


class Command(BaseCommand):
    """Prints what is wrong and where."""

    help = "Recompute every balance and hash of the ledger; exits 1 when anything is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One option: the form of the report."""
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Audit, report, and exit by the result."""
        findings = check_books(now=timezone.now())
        self.stdout.write(_as_json(findings) if options["json"] else _as_text(findings))
        if not findings.is_sound:
            sys.exit(1)


def _as_json(findings: Findings) -> str:
    report = {"sound": findings.is_sound, **msgspec.to_builtins(findings)}
    return msgspec.json.format(msgspec.json.encode(report)).decode()


def _as_text(findings: Findings) -> str:
    lines = [
        f"{findings.entries} entries, {findings.transfers} transfers, {findings.accounts} accounts,"
        f" {findings.journals} journals, {findings.checkpoints} checkpoints"
    ]
    lines += [
        f"{totals.asset}: debits {totals.debits}, credits {totals.credits},"
        f" held {totals.debits_held} / {totals.credits_held}"
        for totals in findings.assets
    ]
    lines += [f"{fault.code} at {fault.where}: {fault.sentence}" for fault in findings.found]
    if findings.faults > len(findings.found):
        lines.append(f"… and {findings.faults - len(findings.found)} more")
    lines.append("The books are in order." if findings.is_sound else f"{findings.faults} faults.")
    return "\n".join(lines)
