"""The tracked files of this repository, read once, for the checks beside this module."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
PRODUCT: Final = ("rummy_site", "tables", "tournaments", "ledger", "players", "staff", "wording")
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Source(NamedTuple):
    """One Python file: its path from the root, its text and its syntax tree."""

    path: str
    text: str
    tree: ast.Module

    @property
    def is_migration(self) -> bool:
        """Migrations are written by Django and kept as they are."""
        return "/migrations/" in self.path

    def functions(self) -> Iterator[Function]:
        """Every function and method, nested ones too."""
        return (node for node in ast.walk(self.tree) if isinstance(node, Function))


@cache
def tracked() -> tuple[str, ...]:
    """Paths of all tracked files that are there."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return tuple(path for path in listed.split("\0") if path and (ROOT / path).is_file())


@cache
def texts() -> dict[str, str]:
    """Path → text of all tracked text files."""
    found = {}
    for path in tracked():
        try:
            found[path] = (ROOT / path).read_text("utf-8")
        except UnicodeDecodeError:
            continue
    return found


@cache
def python_sources() -> tuple[Source, ...]:
    """All tracked Python files."""
    return tuple(
        Source(path, text, ast.parse(text, path))
        for path, text in texts().items()
        if path.endswith(".py")
    )


def product_sources() -> tuple[Source, ...]:
    """The Python files of the four packages that make the product."""
    return tuple(s for s in python_sources() if s.path.split("/")[0] in PRODUCT)
