"""A hash tree over a list of texts: one root for all, and a short proof for each.

As in RFC 6962: leaves and inner nodes are hashed with different prefixes, so that none can be taken
for the other. Needs no database.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

Step = tuple[str, str]
"""One step of a proof: on which side the neighbour stands ("left" or "right"), and its hash."""


def root(leaves: Sequence[bytes]) -> str:
    """The root in hexadecimal; of no leaves, the hash of nothing."""
    return _root([_leaf(leaf) for leaf in leaves]).hex()


def proof(leaves: Sequence[bytes], index: int) -> list[Step]:
    """The steps from leaf `index` up to the root; raises `IndexError`."""
    return _proof([_leaf(leaf) for leaf in leaves], range(len(leaves))[index])


def is_proven(leaf: bytes, steps: Sequence[Step], wanted: str) -> bool:
    """Whether the steps lead from the leaf to the root `wanted`."""
    return walk(leaf, steps)[-1] == wanted


def walk(leaf: bytes, steps: Sequence[Step]) -> list[str]:
    """The hashes from the leaf up, in hexadecimal: the leaf's own, and one after each step."""
    hashes = [_leaf(leaf)]
    for side, neighbour in steps:
        other, current = bytes.fromhex(neighbour), hashes[-1]
        hashes.append(_node(other, current) if side == "left" else _node(current, other))
    return [each.hex() for each in hashes]


def _leaf(leaf: bytes) -> bytes:
    return sha256(b"\x00" + leaf).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def _middle(count: int) -> int:
    """The largest power of two below `count`: where a tree is cut."""
    return 1 << ((count - 1).bit_length() - 1)


def _root(hashes: Sequence[bytes]) -> bytes:
    if not hashes:
        return sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    cut = _middle(len(hashes))
    return _node(_root(hashes[:cut]), _root(hashes[cut:]))


def _proof(hashes: Sequence[bytes], index: int) -> list[Step]:
    if len(hashes) == 1:
        return []
    cut = _middle(len(hashes))
    if index < cut:
        return [*_proof(hashes[:cut], index), ("right", _root(hashes[cut:]).hex())]
    return [*_proof(hashes[cut:], index - cut), ("left", _root(hashes[:cut]).hex())]
