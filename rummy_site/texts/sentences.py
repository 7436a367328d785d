"""Plain English sentences in Python code that no call marks for translation.

The pure cores know no framework, so nothing marks the sentences of their refusals. They are found
by how they look: a capital or a place at the beginning, a full stop at the end. Of an f-string the
places become `%(name)s`, named after what fills them; `wording.told` reads them the same way.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_CALLS: Final = ("gettext", "ngettext", "pgettext", "npgettext")
MARKS: Final = {"_", "gettext_noop", *_CALLS, *(f"{name}_lazy" for name in _CALLS)}
"""Calls whose texts Babel finds."""
_LOGS: Final = {"debug", "info", "warning", "error", "exception", "critical"}
_LOOKS: Final = re.compile(r"(?:[A-Z]|%\(\w+\)s|')(?s:.*)\s(?s:.*)[.?!]|[A-Z][a-z]{2,}[.?!]")
_WORDS: Final = re.compile(r"[A-Za-z]{2,}")
_PLACE: Final = re.compile(r"%\(\w+\)s")


class Found(NamedTuple):
    """A sentence, its line, and whether it has places."""

    line: int
    text: str
    has_places: bool


def sentences_in(tree: ast.AST) -> Iterator[Found]:
    """Every unmarked sentence of a module, in order."""
    for node in ast.iter_child_nodes(tree):
        if _is_told_otherwise(node):
            continue
        if isinstance(node, ast.JoinedStr):
            text = pattern_text(node)
            if looks_like_sentence(text):
                yield Found(node.lineno, text, has_places=bool(_PLACE.search(text)))
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and looks_like_sentence(node.value):
                yield Found(node.lineno, node.value, has_places=False)
        else:
            yield from sentences_in(node)


def looks_like_sentence(text: str) -> bool:
    """Whether a text is one that people read: a beginning, a word or more, and an end."""
    own = _PLACE.sub(" ", text)
    return bool(_WORDS.search(own)) and _LOOKS.fullmatch(text) is not None


def _is_told_otherwise(node: ast.AST) -> bool:
    """Docstrings, lines of the log, and what is marked."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if not isinstance(node, ast.Call):
        return False
    name = _name_of(node.func)
    return name in MARKS or (name in _LOGS and isinstance(node.func, ast.Attribute))


def _name_of(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=function):
            return _name_of(function)
        case ast.Subscript(value=value):
            return _name_of(value)
        case _:
            return "value"


def pattern_text(node: ast.JoinedStr) -> str:
    """An f-string with named places; one expression has one name, two have two."""
    text, names = "", dict[str, str]()
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            shown = ast.unparse(part)
            if shown not in names:
                base = _name_of(part.value).strip("_").lower() or "value"
                taken = sum(name.rstrip("0123456789_") == base for name in names.values())
                names[shown] = f"{base}_{taken + 1}" if taken else base
            text += f"%({names[shown]})s"
        elif isinstance(part, ast.Constant):
            text += str(part.value).replace("%", "%%")
    return text
