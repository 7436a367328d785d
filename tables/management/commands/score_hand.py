"""`manage.py score_hand [FILE] [--text]`: points and groups of hands, one JSON object a line.

Reads a file or standard input and answers every line with a line, so that it can stand in a pipe;
`--text` prints for somebody at a table instead. What a line may say is in
`tables.rules.scoring_lines`. Nothing is looked up or kept in the database.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.rules.scoring_lines import MAX_LINE, answer_line, as_json, as_text


class Command(BaseCommand):
    """Answer line by line; a bad line is answered too and stops nothing, a blank one is passed."""

    help = "Scores hands: the best grouping of 13 cards, or declared groups, one JSON line each."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to read, and how to print."""
        parser.add_argument("file", nargs="?", default="-", help="JSON lines; - is standard input")
        parser.add_argument("--text", action="store_true", help="print readably, not as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, answer and print every line as it comes."""
        with _opened(options["file"]) as stream:
            for number, line in enumerate(_lines(stream), 1):
                if line.strip():
                    answer = answer_line(line)
                    self.stdout.write(
                        as_text(answer, number) if options["text"] else as_json(answer)
                    )
                    self.stdout.flush()


def _opened(name: str) -> AbstractContextManager[TextIO]:
    if name == "-":
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        return nullcontext(sys.stdin)
    try:
        return Path(name).open(encoding="utf-8", errors="replace")
    except OSError as wrong:
        raise CommandError(f"{name} cannot be read: {wrong.strerror}.") from wrong


def _lines(stream: TextIO) -> Iterator[str]:
    """The lines; of one that is too long only as much as shows it."""
    while line := stream.readline(MAX_LINE + 1):
        rest = line
        while len(rest) > MAX_LINE and not rest.endswith("\n"):
            rest = stream.readline(MAX_LINE + 1)
        yield line.rstrip("\n")
