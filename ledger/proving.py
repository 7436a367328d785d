"""Proving that a transfer is what was posted: from its lines to a sealed root, step by step.

1. The entry's own content, hashed with the hash before it, gives the hash that is stored.
2. From there each entry of the journal follows the one before it, up to the head that the first
   checkpoint afterwards has seen.
3. That head is a leaf of the checkpoint's tree; its neighbours lead to the root.
4. The seal over the root was made with the site's key.

Every step is computed here from the rows and compared; nothing is taken on trust but the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from ledger import chain, merkle, sealing
from ledger.errors import LedgerError
from ledger.models import Checkpoint, Entry, Transfer
from ledger.services import prove_journal
from ledger.terms import Mode

LONGEST: Final = 5_000
"""Entries between a transfer and its checkpoint that are hashed again for a page."""
CHECKPOINTS: Final = 200
"""Checkpoints looked through for the first that has seen the entry."""


class Link(NamedTuple):
    """An entry of the chain: its number, the hash computed, and whether it is the stored one."""

    number: int
    hash: str
    is_right: bool


class TreeStep(NamedTuple):
    """A step up the tree: the neighbour's side and hash, and the hash of both together."""

    side: str
    neighbour: str
    hash: str


class Proof(NamedTuple):
    """All steps of one transfer."""

    transfer: Transfer
    entry: Entry
    content: str
    """The canonical text that is hashed."""
    own: Link
    links: tuple[Link, ...]
    """The entries after it up to the checkpoint's head."""
    is_cut: bool
    """Too many entries lie between to hash them for a page; `check_books` hashes all."""
    checkpoint: Checkpoint | None
    head: str
    steps: tuple[TreeStep, ...]
    root: str
    """As it follows from the steps; empty without a checkpoint."""
    is_sealed: bool

    @property
    def is_chained(self) -> bool:
        """Whether every hash from the transfer's entry on is right, up to the checkpoint's head."""
        links = (self.own, *self.links)
        ends_at = self.checkpoint is None or links[-1].hash == self.head
        return all(link.is_right for link in links) and ends_at and not self.is_cut

    @property
    def is_proven(self) -> bool:
        """Whether all four steps hold."""
        checkpoint = self.checkpoint
        return (
            checkpoint is not None
            and self.is_chained
            and self.root == checkpoint.root
            and self.is_sealed
        )


def proof_of(transfer_id: int) -> Proof | None:
    """The proof of a transfer (its id), None where there is none. At most seven queries."""
    transfer = Transfer.objects.select_related("entry__journal").filter(pk=transfer_id).first()
    if transfer is None:
        return None
    entry = transfer.entry
    checkpoint, seen = _first_that_saw(entry)
    last = seen[1] if seen else entry.journal.head_seq
    is_cut = last - entry.seq > LONGEST
    entries = _entries(entry, entry.seq if is_cut else last)
    links = tuple(_links(entries))
    steps, root = _tree(checkpoint, entry.journal.code)
    return Proof(
        transfer=transfer,
        entry=entry,
        content=chain.canonical(_content(entries[0])).decode(),
        own=links[0],
        links=links[1:],
        is_cut=is_cut,
        checkpoint=checkpoint,
        head=seen[2] if seen else "",
        steps=steps,
        root=root,
        is_sealed=checkpoint is not None and _is_sealed(checkpoint),
    )


def _first_that_saw(entry: Entry) -> tuple[Checkpoint | None, tuple[str, int, str] | None]:
    """The first checkpoint that has seen the entry, and what it says of its journal."""
    found = Checkpoint.objects.select_related("previous").filter(taken_at__gte=entry.at)
    for checkpoint in found.order_by("pk")[:CHECKPOINTS]:
        for leaf in msgspec.json.decode(checkpoint.tree, type=list[tuple[str, int, str]]):
            if leaf[0] == entry.journal.code and leaf[1] >= entry.seq:
                return checkpoint, leaf
    return None, None


def _entries(entry: Entry, last: int) -> list[Entry]:
    found = Entry.objects.filter(journal=entry.journal_id, seq__gte=entry.seq, seq__lte=last)
    rows = found.select_related("journal").prefetch_related("transfers__debit", "transfers__credit")
    return list(rows.order_by("seq"))


def _links(entries: Sequence[Entry]) -> list[Link]:
    links: list[Link] = []
    before = bytes(entries[0].prev_hash)
    for entry in entries:
        computed = chain.entry_hash(before, _content(entry))
        follows = bytes(entry.prev_hash) == before
        links.append(Link(entry.seq, computed.hex(), follows and computed == bytes(entry.hash)))
        before = computed
    return links


def _content(entry: Entry) -> tuple[object, ...]:
    transfers = sorted(entry.transfers.all(), key=lambda line: line.line)
    accounts = {a.pk: a for line in transfers for a in (line.debit, line.credit)}
    return chain.entry_content(
        journal=entry.journal.code,
        seq=entry.seq,
        kind=entry.kind,
        key=entry.key,
        actor=entry.actor,
        reference=entry.reference,
        reason=entry.reason,
        at=entry.at,
        reverses=entry.reverses_id,
        lines=[_line(line) for line in transfers],
        parties=[
            (pk, a.asset_id, a.owner, a.purpose, a.rule) for pk, a in sorted(accounts.items())
        ],
    )


def _line(line: Transfer) -> tuple[object, ...]:
    expiry = None if line.expires_at is None else chain.moment(line.expires_at)
    sides = (line.debit_id, line.credit_id, line.amount, line.hold_id)
    return (line.line, Mode(line.mode).label, *sides, expiry)


def _tree(checkpoint: Checkpoint | None, journal: str) -> tuple[tuple[TreeStep, ...], str]:
    if checkpoint is None:
        return (), ""
    try:
        proven = prove_journal(checkpoint=checkpoint, journal=journal)
    except LedgerError:
        return (), ""
    leaf = chain.canonical([proven["journal"], proven["entries"], proven["head"]])
    wanted: Sequence[merkle.Step] = proven["steps"]  # type: ignore[assignment]
    walked = merkle.walk(leaf, wanted)
    steps = [TreeStep(side, near, up) for (side, near), up in zip(wanted, walked[1:], strict=True)]
    return tuple(steps), walked[-1]


def _is_sealed(checkpoint: Checkpoint) -> bool:
    return sealing.is_sealed(
        taken_at=checkpoint.taken_at,
        occasion=checkpoint.occasion,
        root=checkpoint.root,
        previous="" if checkpoint.previous is None else checkpoint.previous.seal,
        seal=checkpoint.seal,
    )
