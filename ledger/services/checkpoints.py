"""Checkpoints: from time to time all journal heads are written down and sealed.

Whoever owns the database can rewrite a journal from its first entry so that every hash fits again.
He cannot rewrite a seal. The root is what a site prints on reports, so others hold a copy too.
"""

from __future__ import annotations

from datetime import datetime

import msgspec
from django.db import IntegrityError

from ledger import chain, merkle, sealing
from ledger.errors import Code, LedgerError
from ledger.lines import checked_moment, checked_text
from ledger.models import Checkpoint, Journal
from ledger.services import _transactions


def take_checkpoint(*, occasion: str, now: datetime) -> Checkpoint:
    """Seal the heads of all journals as they are now; `occasion` says why (`hourly`, a close).

    Raises `LedgerError`: BAD_TEXT, BAD_TIME.
    """
    checked_text("occasion", occasion, 120)
    checked_moment("now", now)
    return _transactions.run(lambda: _take(occasion, now), in_steps=True)


def _take(occasion: str, now: datetime) -> Checkpoint:
    previous = Checkpoint.objects.order_by("id").last()
    heads = Journal.objects.order_by("code").values_list("code", "head_seq", "head_hash")
    leaves = [[code, seq, bytes(head).hex()] for code, seq, head in heads]
    root = merkle.root([chain.canonical(leaf) for leaf in leaves])
    checkpoint = Checkpoint(
        taken_at=now,
        occasion=occasion,
        tree=chain.canonical(leaves).decode(),
        root=root,
        previous=previous,
        seal=sealing.seal(
            taken_at=now,
            occasion=occasion,
            root=root,
            previous="" if previous is None else previous.seal,
        ),
    )
    try:
        checkpoint.save(force_insert=True)
    except IntegrityError as error:
        # Another was taken at the same time and follows the same one.
        raise _transactions.SameKey from error
    return checkpoint


def prove_journal(*, checkpoint: Checkpoint, journal: str) -> dict[str, object]:
    """The journal's leaf in the checkpoint and the steps from it to the root.

    Enough for somebody who holds the root to check the journal's head without any other journal.
    Raises `LedgerError(UNKNOWN_JOURNAL)`.
    """
    leaves = msgspec.json.decode(checkpoint.tree, type=list[tuple[str, int, str]])
    for index, leaf in enumerate(leaves):
        if leaf[0] == journal:
            texts = [chain.canonical(each) for each in leaves]
            return {
                "journal": leaf[0],
                "entries": leaf[1],
                "head": leaf[2],
                "steps": merkle.proof(texts, index),
                "root": checkpoint.root,
            }
    raise LedgerError(
        Code.UNKNOWN_JOURNAL, f"The checkpoint does not know journal '{journal}'.", field="journal"
    )
