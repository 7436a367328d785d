"""What the documents name is there: pages and headings, settings, and targets of make."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from tests.architecture.sources import ROOT, texts

LINK = re.compile(r"\]\(([^)#\s:]*)(?:#([^)\s]+))?\)")
READ_FROM_ENVIRONMENT = re.compile(r'(?:env\.\w+|_required)\(\s*"([A-Z_]+)"')
REFUSED_WHEREVER_SET = {"RUMMY_DEBUG", "DJANGO_DEBUG", "DEBUG"}


def documents() -> dict[str, str]:
    """Path → text of everything people read."""
    return {path: text for path, text in texts().items() if path.endswith(".md")}


def headings(text: str) -> set[str]:
    """The anchors of a document, as its readers' programs make them."""
    found = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in found}


def dead_links(path: str, text: str) -> list[str]:
    """Links of one document that lead nowhere."""
    folder, dead = PurePosixPath(path).parent, []
    for target, anchor in LINK.findall(text):
        file = ROOT / folder / target if target else ROOT / path
        if not file.exists() or (anchor and anchor not in headings(file.read_text())):
            dead.append(f"{path}: {target}#{anchor}")
    return dead


def test_every_link_of_a_document_leads_to_a_file_and_a_heading_that_are_there() -> None:
    assert [dead for path, text in documents().items() for dead in dead_links(path, text)] == []


def test_a_link_that_leads_nowhere_would_be_found() -> None:
    assert dead_links("docs/api.md", "[a](nowhere.md) [b](ledger.md#nowhere)") == [
        "docs/api.md: nowhere.md#",
        "docs/api.md: ledger.md#nowhere",
    ]
    assert dead_links("docs/api.md", "[a](ledger.md#how-fast) [b](https://e.example/)") == []


def test_every_setting_read_from_the_environment_is_explained_to_operators() -> None:
    read = {
        name
        for path, text in texts().items()
        if path.startswith("rummy_site/settings/") and not path.endswith("/test.py")
        for name in READ_FROM_ENVIRONMENT.findall(text)
    }
    assert len(read) > 10
    explained = set(re.findall(r"`([A-Z_]+)`", documents()["docs/operations.md"]))
    assert read - explained - REFUSED_WHEREVER_SET == set()


def test_every_target_of_make_that_a_document_names_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", texts()["Makefile"], re.MULTILINE))
    named = {
        f"{path}: make {target}"
        for path, text in documents().items()
        for target in re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE)
        if target not in targets
    }
    assert named == set()
