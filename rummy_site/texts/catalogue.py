"""The file of a language's translations: brought up to date, judged, compiled.

`locale/<language>/LC_MESSAGES/django.po` is for people, `django.mo` beside it is what the site
reads. Both are kept in the repository, so that a fresh clone speaks every language at once.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings

from rummy_site.texts.collecting import Text, all_texts

WIDTH: Final = 100
_PLACE: Final = re.compile(r"%\((\w+)\)[sd]|(?<!{)\{(\w+)\}|%[sd]")


def po_path(language: str) -> Path:
    """Where the translations into a language stand."""
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.po"


def read(language: str) -> Catalog:
    """The translations as they stand; none where there is no file yet."""
    path = po_path(language)
    if not path.is_file():
        return Catalog(locale=language, header_comment=f"# {language}", fuzzy=False)
    with path.open("rb") as stored:
        return read_po(stored, locale=language)


def update(language: str) -> Catalog:
    """Rewrite both files: new texts come in untranslated, what is not used any more goes."""
    before = read(language)
    after = _empty(language, before)
    for text in all_texts(language):
        known = before.get(text.id, text.context)
        after.add(
            text.id,
            known.string if known is not None and _is_same_kind(known, text) else None,
            locations=[(text.place, 0)],
            flags=(known.flags & {"fuzzy"}) if known is not None else (),
            user_comments=known.user_comments if known is not None else (),
            context=text.context,
        )
    path = po_path(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stored:
        write_po(stored, after, width=WIDTH, sort_by_file=True, include_lineno=False)
    path.with_suffix(".mo").write_bytes(compiled(after))
    return after


def _empty(language: str, known: Catalog) -> Catalog:
    return Catalog(
        locale=language,
        header_comment=known.header_comment,
        project="Rummy tournaments",
        version="1",
        msgid_bugs_address="none",
        creation_date=known.creation_date,
        revision_date=known.creation_date,
        language_team=language,
        last_translator="the site",
        fuzzy=False,
    )


def _is_same_kind(known: Message, text: Text) -> bool:
    return isinstance(known.string, tuple | list) == isinstance(text.id, tuple)


def compiled(catalog: Catalog) -> bytes:
    """What the site reads, made from the file for people."""
    made = io.BytesIO()
    write_mo(made, catalog)
    return made.getvalue()


def faults_of(language: str) -> Iterator[str]:
    """What is wrong with the files of a language, a sentence each."""
    catalog, wanted = read(language), {(t.context, t.id): t.place for t in all_texts(language)}
    kept = {(m.context, _key(m)): m for m in catalog if m.id}
    for text, place in wanted.items():
        if text not in kept:
            yield f"{place}: {text[1]!r} is not in the file; run `manage.py texts --update`."
    for text, message in kept.items():
        if text not in wanted:
            yield f"{text[1]!r} is not used any more; run `manage.py texts --update`."
        else:
            yield from _faults(message, wanted[text])
    path = po_path(language).with_suffix(".mo")
    if not path.is_file() or path.read_bytes() != compiled(catalog):
        yield "The compiled file is older than the translations; run `manage.py texts --update`."


def _key(message: Message) -> str | tuple[str, str]:
    return message.id if isinstance(message.id, str) else (message.id[0], message.id[1])


def _faults(message: Message, place: str) -> Iterator[str]:
    forms = [message.string] if isinstance(message.string, str) else list(message.string or [""])
    if not all(forms):
        yield f"{place}: {_key(message)!r} has no translation."
    elif message.fuzzy:
        yield f"{place}: the translation of {_key(message)!r} is marked as a guess (fuzzy)."
    else:
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        allowed = set.union(*map(places, ids))
        needed = places(ids[-1]) if len(forms) == 1 else set()
        for form in forms:
            if not needed <= places(form) <= allowed:
                yield f"{place}: {_key(message)!r} and {form!r} have different places to fill."
        if len(forms) > 1 and places(forms[-1]) != places(ids[-1]):
            yield f"{place}: {_key(message)!r} and {forms[-1]!r} have different places to fill."


def places(text: str) -> set[str]:
    """What is filled in a text: `%(name)s`, `%d`, `{name}`."""
    return {found[0] for found in _PLACE.finditer(text.replace("%%", ""))}
