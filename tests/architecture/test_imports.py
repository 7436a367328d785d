"""The pure cores stay pure, beyond what the import contracts can see."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.sources import Source, product_sources

PURE = ("tables/rules/", "tournaments/structure/", "ledger/money.py")
FRAMEWORKS = {"django", "rest_framework", "celery", "kombu", "channels", "asgiref", "rummy_site"}
CHANCE_AND_TIME = {"random", "secrets", "time", "uuid", "os"}
CLOCK_CALLS = {"now", "utcnow", "today"}

CORES = [source for source in product_sources() if source.path.startswith(PURE)]


def imported(source: Source) -> Iterator[str]:
    """Top-level names of everything a module imports, anywhere in it."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


@pytest.mark.parametrize("forbidden", [FRAMEWORKS, CHANCE_AND_TIME], ids=["frameworks", "chance"])
def test_pure_cores_import_nothing_of_the_outer_world(forbidden: set[str]) -> None:
    assert CORES
    found = {s.path: hit for s in CORES if (hit := forbidden.intersection(imported(s)))}
    assert found == {}


def test_pure_cores_never_ask_for_the_time() -> None:
    calls = [
        f"{source.path}:{node.lineno}"
        for source in CORES
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in CLOCK_CALLS
    ]
    assert calls == []


def test_no_task_is_sent_ahead_to_a_moment() -> None:
    """What is due is found by a sweep: a broker loses or doubles what waits in it for hours."""
    sent = [
        f"{source.path}:{node.lineno}"
        for source in product_sources()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and {"eta", "countdown"} & {word.arg for word in node.keywords}
    ]
    assert sent == []


def test_nothing_is_left_for_later() -> None:
    marks = ("TO" + "DO", "FIX" + "ME", "X" * 3, "NotImplemented" + "Error")
    found = [
        f"{source.path}: {mark}"
        for source in product_sources()
        for mark in marks
        if mark in source.text
    ]
    assert found == []
