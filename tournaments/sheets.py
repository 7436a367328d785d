"""Reading a CSV or XLSX file that somebody uploaded, as rows of text; bounded in every direction.

Nothing in a cell is computed: a formula is the text that was typed. Knows nothing of tournaments.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, Final

from openpyxl import load_workbook

from tournaments.errors import TournamentCode, TournamentRefusal

MAX_BYTES: Final = 1_000_000
MAX_UNPACKED_BYTES: Final = 20_000_000
MAX_ROWS: Final = 2_000
"""Rows below the headings."""
LAST_ROW: Final = 10_000
"""Empty rows count here."""
MAX_COLUMNS: Final = 30
MAX_CELL: Final = 200

Row = tuple[int, tuple[str, ...]]
"""The row's number in the file, from 1, and its cells."""


def read_sheet(content: bytes) -> list[Row]:
    """The rows of a file that are not empty, the headings first.

    An XLSX file is known by its first bytes, everything else is read as CSV in UTF-8. Raises
    `TournamentRefusal(BAD_FILE)` for a file that is too large or is neither.
    """
    if len(content) > MAX_BYTES:
        raise _bad_file(f"The file is larger than {MAX_BYTES:,} bytes; split it.")
    cells = _xlsx(content) if content.startswith(b"PK\x03\x04") else _csv(content)
    rows: list[Row] = []
    for number, row in enumerate(cells, 1):
        if number > LAST_ROW:
            raise _bad_file(f"The file goes on below row {LAST_ROW:,}; take out its empty rows.")
        found = tuple(_text(value, number) for value in row)
        if not any(found):
            continue
        if len(rows) > MAX_ROWS:
            raise _bad_file(f"The file has more than {MAX_ROWS:,} rows; split it.")
        rows.append((number, found))
    if not rows:
        raise _bad_file("The file is empty.")
    return rows


def _bad_file(sentence: str) -> TournamentRefusal:
    return TournamentRefusal(TournamentCode.BAD_FILE, sentence, field="file")


def _text(value: Any, row: int) -> str:
    """A cell as a line of text: whole numbers without a point, dates as year, month and day."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, date | datetime):
        value = value.isoformat()
    # An array formula is an object that holds its text.
    # A line break in a name would write lines of its own where names are told line by line.
    text = " ".join(str(getattr(value, "text", value)).split())
    if len(text) > MAX_CELL:
        raise _bad_file(f"Row {row} has a cell of more than {MAX_CELL} characters.")
    return text


def _csv(content: bytes) -> Iterator[list[str]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _bad_file("Save the file as CSV in UTF-8, or as XLSX.") from None
    if "\0" in text:
        raise _bad_file("This is no text; save the file as CSV in UTF-8, or as XLSX.")
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
            yield _narrow(row)
    except csv.Error as fault:
        raise _bad_file(f"The file is not CSV: {fault}.") from None


def _narrow(row: list[str]) -> list[str]:
    if len(row) > MAX_COLUMNS:
        raise _bad_file(f"The file has more than {MAX_COLUMNS} columns.")
    return row


def _xlsx(content: bytes) -> Iterator[tuple[Any, ...]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            unpacked = sum(part.file_size for part in packed.infolist())
        if unpacked > MAX_UNPACKED_BYTES:
            raise _bad_file("The file unpacks to too much; save its rows as CSV.")
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=False)
        try:
            yield from book.worksheets[0].iter_rows(max_col=MAX_COLUMNS, values_only=True)
        finally:
            book.close()
    except TournamentRefusal:
        raise
    except Exception:
        # A damaged file makes its reader raise anything: bad archive, bad XML, encryption, types.
        raise _bad_file("The file cannot be read as XLSX; save it again, or as CSV.") from None
