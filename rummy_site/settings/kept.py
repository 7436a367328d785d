"""The name that kept parts of pages go under."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_MAKES_PARTS: Final = ("*.html", "*.mo")


def version_of(folders: Iterable[Path]) -> str:
    """A name for the templates and translations below these folders; a new text is a new name.

    It goes before every key, so that no release shows parts that another one made, and two
    releases can run beside each other.
    """
    digest = hashlib.sha256()
    for folder in folders:
        for pattern in _MAKES_PARTS:
            for path in sorted(folder.rglob(pattern)):
                digest.update(path.relative_to(folder).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
