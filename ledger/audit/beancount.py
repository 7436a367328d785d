"""The whole ledger as beancount text, for a second opinion by a program that is not ours.

Every account is opened, every entry is a transaction, and every stored balance is asserted at the
end: `bean-check` then adds up by itself and says whether the balances are what was posted.

In beancount an amount on the debit side is positive, so a wallet shows as a negative liability. It
knows no holds: what is held stands on the memorandum accounts `Equity:Outgoing` and
`Equity:Incoming` of the two sides until the hold is captured or released. Accounts are named by
their purpose and id; owners, keys and times are metadata. Reads only.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any, Final

import msgspec

from ledger.audit.reading import aware, one_moment, rows
from ledger.chain import moment
from ledger.sheets import decimal_of
from ledger.terms import Mode

_ROOTS: Final = {"never_negative": "Liabilities", "never_positive": "Assets"}
_COMMODITY: Final = re.compile(r"[A-Z][A-Z0-9._-]{0,22}[A-Z0-9]")
_EMPTY_BOOKS: Final = date(1970, 1, 1)

_ASSETS: Final = "SELECT code, kind, scale FROM ledger_asset ORDER BY code"
_ACCOUNTS: Final = "SELECT id, asset_id, owner, purpose, rule FROM ledger_account ORDER BY id"
_PERIOD: Final = 'SELECT min("at"), max("at") FROM ledger_entry'
_BALANCES: Final = (
    "SELECT account_id, debits - credits, debits_held, credits_held"
    " FROM ledger_balance ORDER BY account_id"
)
_LINES: Final = (
    "SELECT e.id, j.code, e.seq, e.kind, e.key, e.actor, e.reference, e.reason, e.at,"
    " e.reverses_id, t.mode, t.debit_id, t.credit_id, t.amount, h.amount"
    " FROM ledger_entry e JOIN ledger_journal j ON j.id = e.journal_id"
    " JOIN ledger_transfer t ON t.entry_id = e.id LEFT JOIN ledger_transfer h ON h.id = t.hold_id"
    " ORDER BY e.id, t.line"
)


class _Place(msgspec.Struct, frozen=True):
    """Where an account's amounts stand in beancount: posted, held to go out, held to come in."""

    name: str
    outgoing: str
    incoming: str
    commodity: str
    scale: int

    def amount(self, units: int) -> str:
        """Smallest units as a decimal with the commodity."""
        return f"{decimal_of(units, self.scale):f} {self.commodity}"


def beancount_lines() -> Iterator[str]:
    """The ledger as of one moment, line by line, each ending in a line feed."""
    with one_moment():
        ((first, last),) = rows(_PERIOD)
        begun, ended = _day(first), _day(last)
        assets = {code: (kind, scale) for code, kind, scale in rows(_ASSETS)}
        names = _commodities(assets)
        yield 'option "title" "Ledger"\n\n'
        for code, (kind, scale) in assets.items():
            yield f"{begun} commodity {names[code]}\n"
            yield _metadata({"code": code, "kind": kind, "decimals": str(scale)})
        places: dict[int, _Place] = {}
        for account, asset, owner, purpose, rule in rows(_ACCOUNTS):
            place = _place(account, purpose, rule, names[asset], assets[asset][1])
            places[account] = place
            yield f"\n{begun} open {place.name} {place.commodity}\n"
            yield _metadata({"owner": owner, "purpose": purpose, "rule": rule})
            yield f"{begun} open {place.outgoing} {place.commodity}\n"
            yield f"{begun} open {place.incoming} {place.commodity}\n"
        yield from _transactions(places)
        # An assertion holds at the beginning of its day.
        yield from _assertions(places, ended + timedelta(days=1))


def _day(value: Any) -> date:
    """The day in UTC; SQLite gives text where it computes."""
    found = datetime.fromisoformat(value) if isinstance(value, str) else value
    at = aware(found)
    return _EMPTY_BOOKS if at is None else date.fromisoformat(moment(at)[:10])


def _commodities(codes: Iterable[str]) -> dict[str, str]:
    """A name that beancount takes for each asset; the code itself where it can be one."""
    names = {code: code for code in codes if _COMMODITY.fullmatch(code)}
    taken = set(names.values())
    for code in codes:
        if code not in names:
            stem = re.sub(r"[^A-Z0-9]", "-", code)[:14].strip("-")
            tries = itertools.chain([stem], (f"{stem}-X{number}" for number in itertools.count(1)))
            names[code] = next(
                name for name in tries if name not in taken and _COMMODITY.fullmatch(name)
            )
            taken.add(names[code])
    return names


def _place(account: int, purpose: str, rule: str, commodity: str, scale: int) -> _Place:
    root = _ROOTS.get(rule, "Equity")
    # "X" keeps a purpose of somebody's own apart from the two names for what is held.
    kind = "".join(word.capitalize() for word in purpose.split("_"))
    kind = f"X{kind}" if kind in ("Outgoing", "Incoming") else kind
    return _Place(
        name=f"{root}:{kind}:A{account}",
        outgoing=f"Equity:Outgoing:A{account}",
        incoming=f"Equity:Incoming:A{account}",
        commodity=commodity,
        scale=scale,
    )


def _transactions(places: dict[int, _Place]) -> Iterator[str]:
    current: int | None = None
    for row in rows(_LINES):
        if row[0] != current:
            current = row[0]
            yield _header(row)
        mode, debit, credit, amount, held = row[10:]
        here, there = places[debit], places[credit]
        if mode in (Mode.POST, Mode.CAPTURE):
            yield _posting(here.name, here.amount(amount))
            yield _posting(there.name, there.amount(-amount))
        if mode != Mode.POST:
            set_aside = amount if mode == Mode.HOLD else -held
            yield _posting(here.outgoing, here.amount(set_aside))
            yield _posting(there.incoming, there.amount(-set_aside))


def _header(row: tuple[Any, ...]) -> str:
    entry, journal, seq, kind, key, actor, reference, reason, at, reverses = row[:10]
    facts = {
        "entry": str(entry),
        "journal": journal,
        "number": str(seq),
        "key": key,
        "actor": actor,
        "reference": reference,
        "time": moment(aware(at) or at),
        "reverses": "" if reverses is None else str(reverses),
    }
    return f"\n{_day(at)} * {_text(kind)} {_text(reason)}\n" + _metadata(facts)


def _assertions(places: dict[int, _Place], day: date) -> Iterator[str]:
    """What the ledger itself stored as balances, to the last unit."""
    yield "\n"
    for account, posted, outgoing, incoming in rows(_BALANCES):
        place = places[account]
        for name, units in (
            (place.name, posted),
            (place.outgoing, outgoing),
            (place.incoming, -incoming),
        ):
            number, _, commodity = place.amount(units).partition(" ")
            yield f"{day} balance {name} {number} ~ 0 {commodity}\n"


def _posting(name: str, amount: str) -> str:
    return f"  {name}  {amount}\n"


def _metadata(facts: dict[str, str]) -> str:
    return "".join(f"  {name}: {_text(value)}\n" for name, value in facts.items() if value)


def _text(value: str) -> str:
    """A string of beancount."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
