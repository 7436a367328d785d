"""The files of translations are at one with the code, and their check sees what is wrong."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po, write_po
from django.core.management import CommandError, call_command

from rummy_site.texts import catalogue
from rummy_site.texts.collecting import Text
from rummy_site.texts.sentences import sentences_in

TEXTS = [
    Text("You are in.", None, "a.py"),
    Text(("%(n)d table", "%(n)d tables"), None, "a.py"),
    Text("%(name)s is full.", "sentence", "b.py"),
]
HINDI = {
    "You are in.": "आप शामिल हैं।",
    "%(n)d table": ("%(n)d टेबल", "%(n)d टेबलें"),
    "%(name)s is full.": "%(name)s भर गया है।",
}


def test_every_text_of_the_site_is_translated_and_compiled() -> None:
    """New texts, guesses, places that differ and an old .mo file are told in the failure."""
    assert list(catalogue.faults_of("hi")) == []


@pytest.fixture
def folder(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of a small site, complete."""
    settings.LOCALE_PATHS = [tmp_path]
    monkeypatch.setattr(catalogue, "all_texts", lambda language: iter(TEXTS))
    catalogue.update("hi")
    edit(translate)
    catalogue.update("hi")
    assert list(catalogue.faults_of("hi")) == []
    return tmp_path


def translate(messages: list[Any]) -> None:
    """Put the translations in."""
    for message in messages:
        message.string = HINDI[first(message)]


def first(message: Any) -> str:
    return str(message.id if isinstance(message.id, str) else message.id[0])


def edit(change: Any) -> None:
    """Change the file for people, as somebody with an editor does."""
    path = catalogue.po_path("hi")
    with path.open("rb") as stored:
        catalog = read_po(stored, locale="hi")
    change([message for message in catalog if message.id])
    with path.open("wb") as stored:
        write_po(stored, catalog)


def told() -> str:
    """What the check says."""
    return " ".join(catalogue.faults_of("hi"))


def test_a_new_text_is_missed_and_comes_in_untranslated(folder: Path) -> None:
    """The check asks for --update, and after it for a translation."""
    TEXTS.append(Text("You are out.", None, "c.py"))
    try:
        assert "c.py: 'You are out.' is not in the file" in told()
        catalogue.update("hi")
        assert "'You are out.' has no translation" in told()
    finally:
        TEXTS.pop()
    assert "'You are out.' is not used any more" in told()


def test_a_guess_is_no_translation(folder: Path) -> None:
    """What is marked fuzzy has not been looked at."""
    edit(lambda messages: messages[0].flags.add("fuzzy"))
    assert "marked as a guess" in told()


@pytest.mark.parametrize("wrong", ["भर गया है।", "%(nam)s भर गया है।"])
def test_places_have_to_be_those_of_the_text(folder: Path, wrong: str) -> None:
    """A place that is lost or misspelt would be lost, or break the page, for the reader."""
    edit(lambda messages: setattr(messages[-1], "string", wrong))
    assert "different places to fill" in told()


def test_both_forms_of_a_number_are_needed(folder: Path) -> None:
    """Hindi has one form for 0 and 1, and one for all others."""

    def only_one(messages: list[Any]) -> None:
        [counted] = [message for message in messages if isinstance(message.id, tuple | list)]
        counted.string = ("%(n)d टेबल", "")

    edit(only_one)
    assert "has no translation" in told()


def test_a_file_that_was_not_compiled_again_is_noticed(folder: Path) -> None:
    """By its content, as a clone has no times of its own."""
    edit(lambda messages: setattr(messages[0], "string", "आप अंदर हैं।"))
    assert "compiled file is older" in told()
    with pytest.raises(CommandError, match="hi: 1 faults"):
        call_command("texts", "--check")
    call_command("texts", "--update")
    call_command("texts", "--check")


def test_sentences_are_found_where_nothing_marks_them() -> None:
    """Those of refusals, with their places named; not docstrings, log lines, or what is marked."""
    code = """
def refuse(card, table):
    \"\"\"Refuse a card.\"\"\"
    log.info("A card was refused.")
    said = _("Marked already.")
    first = "Wait."
    second = "no sentence"
    raise Refusal(Code.X, f"{card} is not at {table.name}, but at {other.name}.", field="x y.")
"""
    found = [(one.text, one.has_places) for one in sentences_in(ast.parse(code))]
    assert found == [
        ("Wait.", False),
        ("%(card)s is not at %(name)s, but at %(name_2)s.", True),
    ]
