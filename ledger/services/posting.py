"""Posting entries: the one path by which anything in the ledger moves.

The order is fixed: refuse what is wrong in itself, lock the journal, lock the balances by id, judge
the lines, insert the transfers (a trigger applies them), insert the header last (a trigger chains
it). Nothing is written before everything is known to fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import IntegrityError

from ledger import chain, store
from ledger.errors import BadLine, Code, KeyReused, LedgerError
from ledger.lines import Line, Posting, draft
from ledger.models import Entry, Journal
from ledger.plan import AccountState, try_lines
from ledger.services import _transactions
from ledger.store import Head


def post(
    *,
    journal: str,
    kind: str,
    key: str,
    lines: Sequence[Line],
    actor: str,
    reference: str = "",
    reason: str = "",
    now: datetime,
) -> Entry:
    """Post all lines as one entry of the journal, or none.

    `kind` is the reason code, `reference` what it is about (`tournament:7`), `reason` free text.
    The same `key` with the same content gives the first entry again, with `replayed` true.
    Raises `LedgerError`: `KeyReused`, `InsufficientFunds`, `AccountClosed`, `AssetMismatch`,
    `BadLine`, `HoldResolved`, a plain one, `LedgerBusy` or `StorageFailed`. Inside a caller's
    transaction these may be caught and the transaction goes on, except for the last two named.
    """
    posting = draft(
        journal=journal,
        kind=kind,
        key=key,
        lines=lines,
        actor=actor,
        reference=reference,
        reason=reason,
        now=now,
    )
    return post_draft(posting)


def post_draft(posting: Posting) -> Entry:
    """Post a checked request; see `post`."""
    return _transactions.run(lambda: _post_locked(posting))


def _post_locked(posting: Posting) -> Entry:
    locked = store.lock(posting)
    if locked.head is None:
        raise _nowhere(posting)
    if locked.taken is not None:
        return _replay(posting, locked.taken)
    if posting.reverses is not None and Entry.objects.filter(reverses=posting.reverses).exists():
        raise LedgerError(Code.ALREADY_REVERSED, "The entry was reversed before.", field="entry")
    try_lines(posting.lines, locked.accounts, locked.holds, posting.now)
    return _write(posting, locked.head, locked.accounts)


def _nowhere(posting: Posting) -> LedgerError:
    if Journal.objects.filter(code=posting.journal).exists():
        return BadLine(
            Code.UNKNOWN_ACCOUNT, "There are no such accounts; open them first.", field="lines"
        )
    return LedgerError(
        Code.UNKNOWN_JOURNAL, f"There is no journal '{posting.journal}'.", field="journal"
    )


def _replay(posting: Posting, entry_id: int) -> Entry:
    entry = Entry.objects.get(id=entry_id)
    if bytes(entry.fingerprint) != posting.fingerprint:
        raise KeyReused(posting.key)
    entry.replayed = True
    return entry


def _write(posting: Posting, head: Head, accounts: Mapping[int, AccountState]) -> Entry:
    seq = head.seq + 1
    parties = [accounts[account].identity() for account in sorted(accounts)]
    content = chain.entry_content(
        journal=posting.journal,
        seq=seq,
        kind=posting.kind,
        key=posting.key,
        actor=posting.actor,
        reference=posting.reference,
        reason=posting.reason,
        at=posting.now,
        reverses=posting.reverses,
        lines=posting.content,
        parties=parties,
    )
    values = {
        "id": store.entry_id(head.journal_id, seq),
        "journal_id": head.journal_id,
        "seq": seq,
        "kind": posting.kind,
        "key": posting.key,
        "fingerprint": posting.fingerprint,
        "line_count": len(posting.lines),
        "actor": posting.actor,
        "reference": posting.reference,
        "reason": posting.reason,
        "at": posting.now,
        "reverses_id": posting.reverses,
        "prev_hash": head.hash,
        "hash": chain.entry_hash(head.hash, content),
    }
    try:
        return store.write(posting, values)
    except IntegrityError as error:
        # The same key in another journal: not serialised by our journal's lock.
        if "ledger_entry_key_once" in str(error) or "ledger:taken" in str(error):
            raise _transactions.SameKey from error
        raise
