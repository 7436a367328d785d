"""A text to be translated stands where it can be collected."""

from __future__ import annotations

import ast
from pathlib import Path

from django.conf import settings

from rummy_site.texts.collecting import CALLS, PACKAGES


def _hidden(source: str) -> list[int]:
    """Lines on which a text is marked inside an f-string, where nobody finds it."""
    return [
        call.lineno
        for text in ast.walk(ast.parse(source))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in CALLS
    ]


def test_no_text_is_marked_inside_an_f_string() -> None:
    root = Path(settings.BASE_DIR)
    found = {
        path.relative_to(root).as_posix(): lines
        for package in PACKAGES
        for path in (root / package).rglob("*.py")
        if (lines := _hidden(path.read_text("utf-8")))
    }
    assert found == {}


def test_one_that_is_would_be_seen() -> None:
    assert _hidden("a = 1\nb = f'{name}: {_(\"copy\")}'") == [2]
    assert _hidden("b = _('%(name)s: copy') % {'name': name}") == []
