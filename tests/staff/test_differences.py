"""Two pictures are told apart by name, as people read it."""

from __future__ import annotations

from typing import Any

import pytest

from staff.selectors.differences import Difference, differences


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [("a", "1", "2")]),
        ({}, {"a": 0}, [("a", "", "0")]),
        ({"a": "x"}, {}, [("a", "x", "")]),
        ({"a": True}, {"a": False}, [("a", "yes", "no")]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, [("a.c", "2", "3")]),
        ({"a": ["x", "y"]}, {"a": ["y", "z"]}, [("a", "x", "z")]),
        ({"a": ["x", "y"]}, {"a": ["y", "x"]}, [("a", "x, y", "y, x")]),
        ({"a": [{"b": 1}]}, {"a": None}, [("a", "b: 1", "")]),
        ({"b": 1, "a": 1}, {"b": 2, "a": 2}, [("a", "1", "2"), ("b", "1", "2")]),
    ],
)
def test_what_differs_is_told_by_name(before: Any, after: Any, found: list[Any]) -> None:
    """In the order of the names; of lists, what came and what went."""
    assert differences(before, after) == [Difference(*one) for one in found]
