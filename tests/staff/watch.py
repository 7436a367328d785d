"""Watches what staff send in every test: whatever a staff-only page writes has its audit line.

`tests/conftest.py` switches it on for the whole suite, so that an edge is watched wherever a test
presses it, with whatever that test sends. What was undone by a refusal does not count as written,
nor what met no row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

from django.core.handlers.base import BaseHandler
from django.db import connection
from django.http import HttpRequest
from django.test.client import ClientHandler
from django.urls import Resolver404, resolve, reverse

SAFE: Final = ("GET", "HEAD", "OPTIONS")
LINES: Final = "staff_staffaction"
BESIDE: Final = frozenset(
    {"django_session", "usersessions_usersession", "django_admin_log", "django_content_type"}
)
"""Tables that tell of a visit, not of a deed."""
OUTSIDE_THE_ADMIN: Final = frozenset({"tables:sheet", "tournaments:go-on", "api-desk-approvals"})
"""Staff-only addresses that do not stand under the admin's."""

_WRITES: Final = re.compile(r'\s*(INSERT INTO|REPLACE INTO|UPDATE|DELETE FROM)\s+"?(\w+)')
_COUNTED: Final = ("UPDATE", "DELETE FROM")
"""Of these the cursor knows at once how many rows they met."""
_ASIDE: Final = re.compile(
    r'UPDATE "?tournaments_tournament"? SET "?(?:changes|is_due)"? = [^,]*? WHERE'
)
"""Taking the lock, and noting that the sweep has looked: neither is a deed."""
_SAVEPOINT: Final = re.compile(r"(SAVEPOINT|ROLLBACK TO SAVEPOINT) (\S+)")


class UntoldDeed(AssertionError):
    """Staff have changed something, and no audit line says so."""


def is_staff_only(path: str) -> bool:
    """Whether an address is for staff alone."""
    if path.startswith(reverse("admin:index")):
        return True
    try:
        return resolve(path).view_name in OUTSIDE_THE_ADMIN
    except Resolver404:
        return False


class Written:
    """The tables of which rows were written, but for what was rolled back."""

    def __init__(self) -> None:
        self.tables: list[str] = []
        self._marks: dict[str, int] = {}

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        """Take note of one statement."""
        point = _SAVEPOINT.match(sql)
        if point and point[1] == "SAVEPOINT":
            self._marks[point[2]] = len(self.tables)
        elif point:
            del self.tables[self._marks.get(point[2], 0) :]
        done = execute(sql, params, many, context)
        found = _WRITES.match(sql)
        met_none = found and found[1] in _COUNTED and context["cursor"].rowcount == 0
        if found and not _ASIDE.match(sql) and not met_none:
            self.tables.append(found[2])
        return done


@contextmanager
def watched() -> Iterator[None]:
    """Fail the request of a member of the staff that writes something and no line."""
    answer = BaseHandler.get_response

    def watching(self: ClientHandler, request: HttpRequest) -> Any:
        if request.method in SAFE or not is_staff_only(request.path_info):
            return answer(self, request)
        if not connection.in_atomic_block:
            return answer(self, request)  # what is rolled back there cannot be seen
        written = Written()
        with connection.execute_wrapper(written):
            response = answer(self, request)
        is_staff = getattr(getattr(request, "user", None), "is_staff", False)
        changed = set(written.tables) - BESIDE
        if is_staff and response.status_code < 400 and changed and LINES not in changed:
            raise UntoldDeed(f"{request.method} {request.path} changed {sorted(changed)}.")
        return response

    with mock.patch.object(ClientHandler, "get_response", watching, create=True):
        yield
