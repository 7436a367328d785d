"""A test that cannot fail proves nothing: each asserts, and none is put aside."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tests.architecture.sources import Function, python_sources

# Calls that fail by themselves when the thing is not so.
ASSERTING = {"raises", "warns", "fail"}
EXPECTING = ("to_be_", "to_have_", "to_contain_", "not_to_")  # of a browser
RUNNERS = {"run_state_machine_as_test"}
PUT_ASIDE = {"skip", "skipif", "xfail", "importorskip"}

TESTS = [source for source in python_sources() if source.path.startswith("tests/")]


def called(function: ast.AST) -> Iterable[str]:
    """Last names of everything a function calls."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.func.attr
            elif isinstance(node.func, ast.Name):
                yield node.func.id


def asserts_itself(function: ast.AST) -> bool:
    """Whether a function holds an assertion of its own."""
    if any(isinstance(node, ast.Assert) for node in ast.walk(function)):
        return True
    return any(
        name.startswith(("assert", *EXPECTING)) or name in ASSERTING or name in RUNNERS
        for name in called(function)
    )


def asserting_helpers(functions: list[Function]) -> set[str]:
    """Names of functions that assert, by themselves or through one another."""
    names = {f.name for f in functions if asserts_itself(f)}
    while True:
        more = {f.name for f in functions if f.name not in names and names.intersection(called(f))}
        if not more:
            return names
        names |= more


def test_every_test_asserts_something() -> None:
    functions = [f for source in TESTS for f in source.functions()]
    asserting = asserting_helpers(functions)
    tests = [
        (source.path, f)
        for source in TESTS
        for f in source.functions()
        if f.name.startswith("test_")
    ]
    assert tests
    idle = [
        f"{path}:{f.lineno} {f.name}"
        for path, f in tests
        if not asserts_itself(f) and not asserting.intersection(called(f))
    ]
    assert idle == []


def test_no_test_is_put_aside() -> None:
    found = [
        f"{source.path}:{node.lineno}"
        for source in TESTS
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute)
        and node.attr in PUT_ASIDE
        and ast.unparse(node.value) in {"pytest", "pytest.mark", "unittest"}
    ]
    assert found == []


def test_an_idle_test_would_be_noticed() -> None:
    idle, busy = ast.parse("def test_a(): f(1)\ndef test_b(): g()\ndef g(): assert 1").body[:2]
    assert not asserts_itself(idle)
    helpers = asserting_helpers([*ast.parse("def g():\n    assert 1").body])  # type: ignore[list-item]
    assert helpers.intersection(called(busy)) == {"g"}
