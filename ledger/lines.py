"""What a caller asks to be posted: lines, checked for everything that needs no database.

Nothing here reads an account; `ledger.plan` judges lines against balances.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from operator import itemgetter
from typing import Final, Protocol

import msgspec

from ledger import chain
from ledger.errors import BadLine, Code, LedgerError
from ledger.terms import AMOUNT_LIMIT, LINES_LIMIT, TOTAL_LIMIT, Mode
from wording.typed import is_printable

_IN_WORDS: Final = ("reason", "note", "attachment")
# Looked up for every line; an enumeration makes its labels anew each time.
_LABELS: Final = {mode: str(mode.label) for mode in Mode}


class Held(Protocol):
    """An amount that was set aside; a `Transfer` of mode hold is one."""

    @property
    def id(self) -> int: ...
    @property
    def debit_id(self) -> int: ...
    @property
    def credit_id(self) -> int: ...
    @property
    def amount(self) -> int: ...


class Line(msgspec.Struct, frozen=True):
    """`amount` (smallest unit of the asset) from account `debit` to account `credit`.

    `hold` is the id of the transfer that a capture or release resolves. `expires_at` lets a hold
    end by itself; it is part of the content, so state a fixed moment and not "now plus something".
    """

    mode: Mode
    debit: int
    credit: int
    amount: int
    hold: int | None = None
    expires_at: datetime | None = None

    @classmethod
    def post(cls, *, debit: int, credit: int, amount: int) -> Line:
        """Move the amount for good."""
        return cls(Mode.POST, debit, credit, amount)

    @classmethod
    def set_aside(
        cls, *, debit: int, credit: int, amount: int, expires_at: datetime | None = None
    ) -> Line:
        """Hold the amount: it is no longer available, and not yet with the other."""
        return cls(Mode.HOLD, debit, credit, amount, None, expires_at)

    @classmethod
    def capture(cls, held: Held, *, amount: int | None = None) -> Line:
        """Settle a hold, all of it or a part; the rest is available again."""
        taken = held.amount if amount is None else amount
        return cls(Mode.CAPTURE, held.debit_id, held.credit_id, taken, held.id)

    @classmethod
    def release(cls, held: Held) -> Line:
        """Give a hold back, all of it."""
        return cls(Mode.RELEASE, held.debit_id, held.credit_id, held.amount, held.id)

    def content(self) -> tuple[object, ...]:
        """The line as it is hashed: mode, debit, credit, amount, hold, expiry."""
        expiry = None if self.expires_at is None else chain.moment(self.expires_at)
        return (_LABELS[self.mode], self.debit, self.credit, self.amount, self.hold, expiry)


class Posting(msgspec.Struct, frozen=True):
    """One checked request. `lines` are in the order in which they apply; `numbers` are what they
    are called (a reversal keeps the original's, and applies them from the last to the first).
    `content` is what is hashed of each line, its number first, by number.
    """

    journal: str
    kind: str
    key: str
    lines: tuple[Line, ...]
    numbers: tuple[int, ...]
    content: tuple[tuple[object, ...], ...]
    actor: str
    reference: str
    reason: str
    now: datetime
    reverses: int | None
    fingerprint: bytes


def draft(
    *,
    journal: str,
    kind: str,
    key: str,
    lines: Sequence[Line],
    actor: str,
    reference: str,
    reason: str,
    now: datetime,
    reverses: int | None = None,
    numbers: Sequence[int] | None = None,
) -> Posting:
    """Check a request and take its fingerprint.

    Who asks and when are no part of the fingerprint: a retry may come from somebody else, later.
    Raises `BadLine`, or `LedgerError` with BAD_TEXT or BAD_TIME.
    """
    for field, value, longest in (
        ("journal", journal, 64),
        ("kind", kind, 40),
        ("key", key, 200),
        ("actor", actor, 120),
    ):
        checked_text(field, value, longest)
    checked_text("reference", reference, 120, blank=True)
    checked_text("reason", reason, 500, blank=True)
    checked_moment("now", now)
    if not 1 <= len(lines) <= LINES_LIMIT:
        raise BadLine(
            Code.BAD_LINE,
            f"An entry has 1 to {LINES_LIMIT} lines, not {len(lines)}.",
            field="lines",
        )
    for number, line in enumerate(lines):
        _check_line(number, line)
    numbered = tuple(range(len(lines)) if numbers is None else numbers)
    pairs = zip(numbered, lines, strict=True)
    content = sorted([(number, *line.content()) for number, line in pairs], key=itemgetter(0))
    unnumbered = [line[1:] for line in content]
    request = [journal, kind, key, reference, reason, reverses, unnumbered]
    return Posting(
        journal=journal,
        kind=kind,
        key=key,
        lines=tuple(lines),
        numbers=numbered,
        content=tuple(content),
        actor=actor,
        reference=reference,
        reason=reason,
        now=now.astimezone(UTC),
        reverses=reverses,
        fingerprint=chain.fingerprint(request),
    )


def _check_line(number: int, line: Line) -> None:
    """Refuse a line that is wrong in itself; `True` and 1.0 are no amounts."""
    field = f"lines.{number}"
    if type(line.amount) is not int or not 0 < line.amount < AMOUNT_LIMIT:
        raise BadLine(
            Code.BAD_AMOUNT,
            f"An amount is a whole number from 1 to {AMOUNT_LIMIT - 1} of the smallest unit.",
            field=f"{field}.amount",
        )
    if not (_is_id(line.debit) and _is_id(line.credit)):
        raise BadLine(Code.BAD_LINE, "Name both accounts by their ids.", field=field)
    if line.debit == line.credit:
        raise BadLine(Code.BAD_LINE, "A line joins two different accounts.", field=field)
    if type(line.mode) is not Mode:
        raise BadLine(Code.BAD_LINE, "A line posts, holds, captures or releases.", field=field)
    resolves = line.mode in (Mode.CAPTURE, Mode.RELEASE)
    if not (_is_id(line.hold) if resolves else line.hold is None):
        raise BadLine(
            Code.BAD_LINE, "A capture or release names its hold, other lines do not.", field=field
        )
    if line.expires_at is not None:
        if line.mode is not Mode.HOLD:
            raise BadLine(Code.BAD_LINE, "Only a hold expires.", field=field)
        checked_moment(field, line.expires_at)


def _is_id(value: object) -> bool:
    """A key of a row: an id beyond 64 bits would fail in the database and not be looked up."""
    return type(value) is int and 0 < value < TOTAL_LIMIT


def checked_text(field: str, value: object, longest: int, *, blank: bool = False) -> str:
    """The text itself; raises `LedgerError(BAD_TEXT)` for blank, over-long or unprintable text.

    What people write in words may have joiners in it; no name and no key has one.
    """
    if type(value) is not str or len(value) > longest or not (value or blank):
        raise LedgerError(Code.BAD_TEXT, f"Give 1 to {longest} characters of text.", field=field)
    if not (is_printable(value) if field in _IN_WORDS else value.isprintable()):
        raise LedgerError(
            Code.BAD_TEXT, "Use printable characters only, without line breaks.", field=field
        )
    return value


def checked_moment(field: str, value: object) -> datetime:
    """The moment itself; raises `LedgerError(BAD_TIME)` for one without a zone or beyond UTC."""
    if not isinstance(value, datetime) or value.utcoffset() is None:
        raise LedgerError(Code.BAD_TIME, "Give a date and time with a time zone.", field=field)
    try:
        value.astimezone(UTC)
    except OverflowError:
        raise LedgerError(
            Code.BAD_TIME, "In UTC that is before the year 1 or after 9999.", field=field
        ) from None
    return value


def same_person(one: str, other: str) -> bool:
    """Whether two names are one person's, however they are written: `Anna`, ` anna`, `ａnna`."""
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()
