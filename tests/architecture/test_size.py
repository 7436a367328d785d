"""Nothing grows too large to be read at one go."""

from __future__ import annotations

from tests.architecture.sources import python_sources

FILE_LINES = 400
FUNCTION_LINES = 70


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    lengths = {s.path: len(s.text.splitlines()) for s in python_sources() if not s.is_migration}
    assert lengths
    assert {path: n for path, n in lengths.items() if n > FILE_LINES} == {}


def test_no_function_is_longer_than_seventy_lines() -> None:
    lengths = {
        f"{s.path}:{f.lineno} {f.name}": (f.end_lineno or f.lineno) - f.lineno + 1
        for s in python_sources()
        if not s.is_migration
        for f in s.functions()
    }
    assert lengths
    assert {name: n for name, n in lengths.items() if n > FUNCTION_LINES} == {}
