"""Tables for people's spreadsheets: CSV, XLSX and JSON from the same rows.

Text that a spreadsheet would run as a formula is made harmless by an apostrophe before it. Numbers
are left as they are: a negative amount stays a number. Amounts are decimals of the asset's scale,
exact in every format.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, TypeGuard

import msgspec
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell

Cell = str | int | Decimal | datetime | None

MEDIA: Final = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""The forms of a file, with their media types."""

_FORMULA: Final = re.compile(r"(^|;)([ \"]*[=+\-@\t\r\n＝＋－＠])")
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML has no way to write."""
_EXACT: Final = 10**15
"""Spreadsheets keep 15 digits of a number; more are written as text."""


class Sheet(msgspec.Struct, frozen=True):
    """Rows under column names. `facts` say what the rows are about; they head CSV and XLSX."""

    title: str
    facts: dict[str, Cell]
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]


def decimal_of(amount: int, scale: int) -> Decimal:
    """An amount of smallest units as an exact decimal: 1850 with scale 2 is 18.50."""
    return Decimal(amount).scaleb(-scale)


def harmless(text: str) -> str:
    """The text, which no spreadsheet takes for a formula.

    Where lists are written with semicolons a cell of our CSV may be cut at one: what follows it
    then begins a cell too.
    """
    return _FORMULA.sub(r"\1'\2", text)


def written(sheet: Sheet, form: str) -> bytes:
    """The sheet in one of the forms of `MEDIA`."""
    if form == "csv":
        return to_csv(sheet).encode()
    return to_xlsx(sheet) if form == "xlsx" else to_json(sheet)


def to_csv(sheet: Sheet) -> str:
    """Facts as two columns, an empty line, then the table; lines end in CR LF as RFC 4180 says."""
    out = io.StringIO()
    writer = csv.writer(out)
    for row in _all_rows(sheet):
        writer.writerow([_plain(cell) for cell in row])
    return out.getvalue()


def to_xlsx(sheet: Sheet) -> bytes:
    """The same rows as a workbook of one sheet; numbers are numbers, text is never a formula."""
    book = Workbook(write_only=True)
    page = book.create_sheet(sheet.title[:31])
    for row in _all_rows(sheet):
        cells = []
        for value in row:
            cell = WriteOnlyCell(page, value=None)
            if _is_number(value):
                cell.value = value
                cell.number_format = _number_format(value)
            elif value is not None:
                cell.value = _UNWRITABLE.sub("\ufffd", _plain(value))
                cell.data_type = "s"
            cells.append(cell)
        page.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def to_json(sheet: Sheet) -> bytes:
    """The facts, and the rows as objects; amounts as decimal text, so that none is rounded."""
    rows = [dict(zip(sheet.columns, map(_json, row), strict=True)) for row in sheet.rows]
    facts = {name: _json(value) for name, value in sheet.facts.items()}
    return msgspec.json.encode({"title": sheet.title, **facts, "rows": rows})


def _moment(value: datetime) -> str:
    """A moment in UTC with microseconds, always 32 characters long."""
    return value.astimezone(UTC).isoformat(timespec="microseconds")


def _all_rows(sheet: Sheet) -> Iterable[Sequence[Cell]]:
    yield from sheet.facts.items()
    yield ()
    yield sheet.columns
    yield from sheet.rows


def _plain(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return harmless(cell)
    if isinstance(cell, datetime):
        return _moment(cell)
    return f"{cell:f}" if isinstance(cell, Decimal) else str(cell)


def _json(cell: Cell) -> str | int | None:
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    return _moment(cell) if isinstance(cell, datetime) else cell


def _is_number(cell: Cell) -> TypeGuard[int | Decimal]:
    return isinstance(cell, int | Decimal) and -_EXACT < cell < _EXACT


def _number_format(value: int | Decimal) -> str:
    """As many decimals as the number itself has."""
    _, _, decimals = f"{value:f}".partition(".") if isinstance(value, Decimal) else ("", "", "")
    return f"0.{'0' * len(decimals)}" if decimals else "0"
