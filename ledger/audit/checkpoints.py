"""Comparing the journals with every checkpoint that was ever sealed."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from ledger import chain, merkle, sealing
from ledger.audit.findings import Code, Findings
from ledger.audit.reading import aware, rows
from ledger.terms import GENESIS

_CHECKPOINTS: Final = (
    "SELECT id, taken_at, occasion, tree, root, seal, previous_id"
    " FROM ledger_checkpoint ORDER BY id"
)
_ENTRIES: Final = (
    "SELECT j.code, e.seq, e.hash FROM ledger_entry e JOIN ledger_journal j ON j.id = e.journal_id"
)

Leaf = tuple[str, int, str]


def check_checkpoints(findings: Findings) -> None:
    """Find seals that are not ours, checkpoints taken out, and heads that have changed since."""
    wanted: dict[tuple[str, int], list[tuple[int, str]]] = {}
    previous: tuple[int | None, str] = (None, "")
    for row in rows(_CHECKPOINTS):
        leaves = _leaves(row[3])
        if leaves is None or not _is_genuine(row, leaves, previous):
            findings.add(
                Code.CHECKPOINT_DIFFERS,
                f"checkpoint {row[0]}",
                "It is not as it was sealed, or the one before it is missing.",
            )
        for code, seq, head in leaves or []:
            wanted.setdefault((code, seq), []).append((row[0], head))
        previous = (row[0], row[5])
        findings.checkpoints += 1
    _compare(findings, wanted)


def _leaves(tree: str) -> list[Leaf] | None:
    try:
        return msgspec.json.decode(tree, type=list[Leaf])
    except msgspec.DecodeError:
        return None


def _is_genuine(row: tuple[Any, ...], leaves: list[Leaf], previous: tuple[int | None, str]) -> bool:
    _, taken_at, occasion, _, root, seal, previous_id = row
    moment = aware(taken_at)
    return (
        moment is not None
        and previous_id == previous[0]
        and merkle.root([chain.canonical(leaf) for leaf in leaves]) == root
        and sealing.is_sealed(
            taken_at=moment, occasion=occasion, root=root, previous=previous[1], seal=seal
        )
    )


def _compare(findings: Findings, wanted: dict[tuple[str, int], list[tuple[int, str]]]) -> None:
    """Every head that was ever sealed is still an entry of its journal with the same hash."""
    found: dict[tuple[str, int], str] = {}
    if wanted:
        for code, seq, entry_hash in rows(_ENTRIES):
            if (code, seq) in wanted:
                found[code, seq] = bytes(entry_hash).hex()
    for (code, seq), sealed in wanted.items():
        actual = GENESIS.hex() if seq == 0 else found.get((code, seq))
        for checkpoint, head in sealed:
            if actual != head:
                findings.add(
                    Code.CHECKPOINT_DIFFERS,
                    f"journal {code}, number {seq}",
                    f"Checkpoint {checkpoint} saw another entry here.",
                )
