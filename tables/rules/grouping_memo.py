"""A bounded memo that costs one dictionary look-up to read.

Answers live in a young and an old generation. When the young one is full it becomes the old one,
and what nobody asked for meanwhile is forgotten: that costs time, never an answer. Unlike a
least-recently-used cache, reading moves nothing about in memory, which tells where many small
answers are read for every question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Memo(dict[int, T]):
    """`memo[key]` is the answer to a whole number, worked out if it is not known.

    At most `size` answers are kept.
    """

    __slots__ = ("_answer", "_half", "_old")

    def __init__(self, answer: Callable[[int], T], size: int) -> None:
        super().__init__()
        self._answer, self._half = answer, size // 2
        self._old: dict[int, T] = {}

    def __missing__(self, key: int) -> T:
        """Look among the old answers, else work it out; keep it."""
        found = self._old.pop(key, None)
        answer = self._answer(key) if found is None else found
        if len(self) >= self._half:
            self._old = dict(self)
            self.clear()
        self[key] = answer
        return answer
