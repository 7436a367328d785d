"""What has to be translated: texts of our code and templates, and of the libraries' that are shown.

A text of a library is ours to translate where the library has no words for it in that language.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from babel.messages.extract import extract
from babel.messages.mofile import read_mo
from django.conf import settings
from django.utils.translation import templatize

from rummy_site.texts.sentences import sentences_in
from wording.retelling import SENTENCE

PACKAGES: Final = ("rummy_site", "tables", "tournaments", "ledger", "players", "staff", "wording")
_PLURAL: Final[Any] = (1, 2)
_NAMED: Final[Any] = ((1, "c"), 2)
_NAMED_PLURAL: Final[Any] = ((1, "c"), 2, 3)
CALLS: Final[dict[str, Any]] = {
    "_": None,
    **dict.fromkeys(("gettext", "gettext_lazy", "gettext_noop")),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), _PLURAL),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), _NAMED),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), _NAMED_PLURAL),
}
"""The calls that mark a text, and which of their arguments it is."""

_UNREAD: Final = {"migrations", "guards", "texts"}
"""Folders without a text for readers."""
_PLAIN: Final = {"management", "audit", "settings"}
"""Folders whose unmarked sentences are for operators' consoles, in English."""
_PLAIN_FILES: Final = ("rules/codec.py", "rules/evolve.py", "rules/scoring_lines.py", "/faults.py")

_ACCOUNT: Final = ("account", "mfa", "usersessions")
LIBRARIES: Final[dict[str, tuple[str, ...]]] = {
    "allauth": (
        *(f"{part}/**/*.py" for part in _ACCOUNT),
        *(f"templates/{part}/**/*.*" for part in _ACCOUNT),
    ),
    "django": (
        "forms/f*.py",
        "forms/models.py",
        "core/validators.py",
        "utils/dates.py",
        "utils/timesince.py",
    ),
    "django.contrib.auth": ("password_validation.py", "validators.py"),
    "django.contrib.admin": (
        *("filters.py", "options.py", "sites.py", "templatetags/admin_list.py", "views/main.py"),
        *("templates/admin/*.html", "templates/admin/widgets/*.html"),
    ),
    "unfold": (
        *("admin.py", "forms.py", "templatetags/unfold_list.py"),
        *("templates/admin/**/*.html", "templates/unfold/widgets/*.html"),
        *("templates/unfold/helpers/**/*.html", "contrib/filters/templates/**/*.html"),
    ),
    "rest_framework": ("exceptions.py", "authentication.py", "fields.py", "serializers.py"),
}
"""Whose texts our pages and our API show, and in which files they stand."""
_SAID_BETTER: Final = ("django",)
"""Libraries whose own words in Hindi are no plain Hindi; ours go before them."""
_UNUSED: Final = (
    *("webauthn", "trust", "phone", "management", "formsets.py"),
    *("account/admin.py", "mfa/admin.py", "usersessions/admin.py"),
    *("invalid_setup", "popup_response", "color_theme", "helpers/command", "display_header"),
    *("filters_numeric", "admin/500", "field_readonly_value_file", "edit_inline", "tab_items"),
)
"""Parts of libraries that are not switched on."""


class Text(NamedTuple):
    """A text to translate; a tuple of two for a number's sake. `place` is where it stands."""

    id: str | tuple[str, str]
    context: str | None
    place: str


def all_texts(language: str) -> Iterator[Text]:
    """Every text to be translated into a language; the same one may come more than once."""
    root = Path(settings.BASE_DIR)
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            if not _UNREAD.intersection(path.relative_to(root).parts):
                yield from _of_code(path, path.relative_to(root).as_posix())
    for path in sorted((root / "templates").rglob("*.*")):
        yield from _of_template(path, path.relative_to(root).as_posix())
    for name, patterns in LIBRARIES.items():
        yield from _of_library(name, patterns, language)


def _of_code(path: Path, place: str) -> Iterator[Text]:
    source = path.read_bytes()
    yield from _marked(source, place)
    if _PLAIN.intersection(path.parts) or place.endswith(_PLAIN_FILES):
        return
    for found in sentences_in(ast.parse(source)):
        yield Text(found.text, SENTENCE if found.has_places else None, place)


def _of_template(path: Path, place: str) -> Iterator[Text]:
    """A template as Django turns it into Python; only the calls are looked at, not its lines."""
    code = templatize(path.read_text("utf-8"), origin=str(path))
    yield from _marked("\n".join(map(str.strip, code.splitlines())).encode(), place)


def _marked(source: bytes, place: str) -> Iterator[Text]:
    for _line, found, _comments, context in extract("python", io.BytesIO(source), CALLS):
        text = found if isinstance(found, str) else (found[0], found[1])
        if text:
            yield Text(text, context, place)


def _of_library(name: str, patterns: tuple[str, ...], language: str) -> Iterator[Text]:
    folder = Path(str(import_module(name).__file__)).parent
    known = set() if name in _SAID_BETTER else _known(folder, language)
    for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
        place = f"{name}/{path.relative_to(folder).as_posix()}"
        if not path.is_file() or any(part in place for part in _UNUSED):
            continue
        is_code = path.suffix == ".py"
        for text in _marked(path.read_bytes(), place) if is_code else _of_template(path, place):
            first = text.id if isinstance(text.id, str) else text.id[0]
            if (text.context, first) not in known:
                yield text


def _known(folder: Path, language: str) -> set[tuple[str | None, str]]:
    """What a library has words for itself."""
    path = folder / "locale" / language / "LC_MESSAGES" / "django.mo"
    if not path.is_file():
        return set()
    with path.open("rb") as compiled:
        return {
            (message.context, message.id if isinstance(message.id, str) else message.id[0])
            for message in read_mo(compiled)
            if message.id and message.string
        }
