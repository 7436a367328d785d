"""Walking every journal from its first entry: chain, numbering, content, and the fold of balances.

One pass over entries and one over transfers, side by side, both in the order of entry ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from ledger import chain
from ledger.audit.findings import Code, Findings
from ledger.audit.reading import aware, rows
from ledger.terms import GENESIS, SEQ_BITS, Mode

NEVER: Final = datetime.min.replace(tzinfo=UTC)
# Plain numbers, which compare quicker than members of an enumeration.
_POST: Final = int(Mode.POST)
_RESOLVING: Final = frozenset({int(Mode.CAPTURE), int(Mode.RELEASE)})
_LABELS: Final = {int(mode): mode.label for mode in Mode}
_ENTRIES: Final = (
    "SELECT id, journal_id, seq, kind, key, fingerprint, line_count, actor, reference, reason, at,"
    " reverses_id, prev_hash, hash FROM ledger_entry ORDER BY id"
)
_TRANSFERS: Final = (
    "SELECT entry_id, line, mode, debit_id, credit_id, amount, hold_id, expires_at, id"
    " FROM ledger_transfer ORDER BY entry_id, line"
)
_HOLDS: Final = (
    "SELECT id, debit_id, credit_id, amount, expires_at FROM ledger_transfer WHERE mode = 2"
)
_ACCOUNTS: Final = "SELECT id, asset_id, owner, purpose, rule FROM ledger_account"
_JOURNALS: Final = "SELECT id, code, head_seq, head_hash FROM ledger_journal"


class Fold(msgspec.Struct):
    """What the transfers of an account add up to."""

    debits: int = 0
    credits: int = 0
    debits_held: int = 0
    credits_held: int = 0
    last_transfer: int = 0


class Walk:
    """The state of one walk; `folds` and `open_holds` are complete when `run` has returned."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.accounts = {row[0]: row for row in rows(_ACCOUNTS)}
        self.open_holds = {row[0]: (*row[1:4], aware(row[4])) for row in rows(_HOLDS)}
        self.resolved: dict[int, int] = {}
        self.folds: dict[int, Fold] = {account: Fold() for account in self.accounts}

    def run(self) -> None:
        """Walk all journals and compare each with its head."""
        journals = {row[0]: (row[1], row[2], bytes(row[3])) for row in rows(_JOURNALS)}
        heads: dict[int, tuple[int, bytes]] = {}
        groups = _groups()
        group = next(groups, None)
        for entry in rows(_ENTRIES):
            while group is not None and group[0] < entry[0]:
                self._orphans(group)
                group = next(groups, None)
            lines: list[tuple[Any, ...]] = []
            if group is not None and group[0] == entry[0]:
                lines = group[1]
                group = next(groups, None)
            self._entry(entry, lines, journals, heads)
        while group is not None:
            self._orphans(group)
            group = next(groups, None)
        for journal_id, (code, seq, head) in journals.items():
            if heads.get(journal_id, (0, GENESIS)) != (seq, head):
                self.findings.add(
                    Code.HEAD_DIFFERS, f"journal {code}", "The head is not the newest entry."
                )
        self.findings.journals = len(journals)
        self.findings.accounts = len(self.accounts)

    def _orphans(self, group: tuple[int, list[tuple[Any, ...]]]) -> None:
        self.findings.add(
            Code.ORPHAN_TRANSFER, f"entry {group[0]}", "Transfers name an entry that is not there."
        )
        for line in group[1]:
            self._line(line, None)

    def _entry(
        self,
        entry: tuple[Any, ...],
        lines: list[tuple[Any, ...]],
        journals: dict[int, tuple[str, int, bytes]],
        heads: dict[int, tuple[int, bytes]],
    ) -> None:
        entry_id, journal_id, seq = entry[:3]
        at = aware(entry[10]) or NEVER
        stored_prev, stored_hash = bytes(entry[12]), bytes(entry[13])
        code = journals[journal_id][0] if journal_id in journals else f"#{journal_id}"
        head_seq, head = heads.get(journal_id, (0, GENESIS))
        faults: list[tuple[Code, str]] = []
        if seq != head_seq + 1 or entry_id != (journal_id << SEQ_BITS) + seq:
            faults.append((Code.SEQUENCE_GAP, f"Number {head_seq + 1} should be here."))
        if stored_prev != head:
            faults.append((Code.CHAIN_BROKEN, "It does not follow the entry before it."))
        if len(lines) != entry[6]:
            sentence = f"{len(lines)} lines are there, {entry[6]} were posted."
            faults.append((Code.LINES_MISSING, sentence))
        contents = [self._line(line, at) for line in lines]
        content, request = self._contents(entry, code, at, contents)
        if (
            chain.entry_hash(stored_prev, content) != stored_hash
            or chain.fingerprint(request) != bytes(entry[5])
            or not _in_order([line[8] for line in lines], is_reversal=entry[11] is not None)
        ):
            faults.append((Code.CONTENT_CHANGED, "It is not what was posted."))
        for fault, sentence in faults:
            where = f"entry {entry_id} (journal {code}, number {seq})"
            self.findings.add(fault, where, sentence)
        heads[journal_id] = (seq, stored_hash)
        self.findings.entries += 1

    def _contents(
        self, entry: tuple[Any, ...], code: str, at: datetime, lines: list[tuple[Any, ...]]
    ) -> tuple[tuple[object, ...], list[object]]:
        kind, key, actor, reference, reason = entry[3], entry[4], entry[7], entry[8], entry[9]
        named = sorted({side for line in lines for side in (line[2], line[3])})
        content = chain.entry_content(
            journal=code,
            seq=entry[2],
            kind=kind,
            key=key,
            actor=actor,
            reference=reference,
            reason=reason,
            at=at,
            reverses=entry[11],
            lines=lines,
            parties=[self.accounts.get(account, (account,)) for account in named],
        )
        request = [code, kind, key, reference, reason, entry[11], [line[1:] for line in lines]]
        return content, request

    def _line(self, row: tuple[Any, ...], at: datetime | None) -> tuple[Any, ...]:
        """Fold one transfer into its balances; its content as it was hashed."""
        _, number, mode, debit_id, credit_id, amount, hold_id, expires_at, transfer_id = row
        posted, held = (amount, 0) if mode == _POST else (0, amount)
        if mode in _RESOLVING:
            posted = amount if mode == Mode.CAPTURE else 0
            held = -self._resolve(row, f"transfer {transfer_id}", at)
        debit, credit = self.folds.get(debit_id), self.folds.get(credit_id)
        if debit is None or credit is None or amount <= 0 or debit is credit:
            where = f"transfer {transfer_id}"
            self.findings.add(Code.BAD_TRANSFER, where, "Its amount or accounts cannot be.")
        elif self.accounts[debit_id][1] != self.accounts[credit_id][1]:
            where = f"transfer {transfer_id}"
            self.findings.add(Code.ASSET_MISMATCH, where, "It joins two assets.")
        if debit is not None:
            debit.debits += posted
            debit.debits_held += held
            debit.last_transfer = max(debit.last_transfer, transfer_id)
        if credit is not None:
            credit.credits += posted
            credit.credits_held += held
            credit.last_transfer = max(credit.last_transfer, transfer_id)
        self.findings.transfers += 1
        expiry = None if expires_at is None else aware(expires_at)
        return (
            number,
            _LABELS.get(mode, mode),
            debit_id,
            credit_id,
            amount,
            hold_id,
            None if expiry is None else chain.moment(expiry),
        )

    def _resolve(self, row: tuple[Any, ...], where: str, at: datetime | None) -> int:
        """Take the hold off the open ones; the amount that was held."""
        _, _, mode, debit_id, credit_id, amount, hold_id, *_ = row
        hold = self.open_holds.pop(hold_id, None)
        if hold is None:
            twice = hold_id in self.resolved
            code = Code.HOLD_RESOLVED_TWICE if twice else Code.HOLD_DIFFERS
            self.findings.add(
                code, where, f"Hold {hold_id} {'was resolved before' if twice else 'is not there'}."
            )
            return self.resolved.get(hold_id, 0)
        *sides, held, expires_at = hold
        self.resolved[hold_id] = held
        if sides != [debit_id, credit_id] or amount > held or (mode == 4 and amount != held):
            self.findings.add(Code.HOLD_DIFFERS, where, f"It does not fit hold {hold_id}.")
        if mode == Mode.CAPTURE and expires_at is not None and at is not None and at >= expires_at:
            self.findings.add(
                Code.CAPTURED_LATE, where, f"Hold {hold_id} had expired when it was captured."
            )
        return int(held)


def _in_order(transfers: list[int], *, is_reversal: bool) -> bool:
    """Whether the ids follow the lines: a reversal applies its lines from the last to the first."""
    return transfers == sorted(transfers, reverse=is_reversal)


def _groups() -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """Transfers by their entry."""
    current: int | None = None
    lines: list[tuple[Any, ...]] = []
    for row in rows(_TRANSFERS):
        if row[0] != current:
            if current is not None:
                yield current, lines
            current, lines = row[0], []
        lines.append(row)
    if current is not None:
        yield current, lines
