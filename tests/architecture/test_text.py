"""No file ties the project to the machine it was written on."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture.sources import ROOT, python_sources, texts

# Written with one-letter classes, so that the pattern is not an example of itself.
MACHINE_PATH = re.compile(r"(?<![\w.])/(w[o]rk|f[a]rm|r[o]ot)/")
INDEX_OPTION = re.compile(r"--(?:extra-)?index-[u]rl|--find-[l]inks|--trusted-[h]ost|https?://")


def test_no_file_names_a_path_of_a_machine() -> None:
    found = {
        f"{path}:{number}"
        for path, text in texts().items()
        for number, line in enumerate(text.splitlines(), 1)
        if MACHINE_PATH.search(line)
    }
    assert found == set()


def test_the_pattern_for_paths_would_find_one() -> None:
    for folder in ("work", "farm", "root"):
        assert MACHINE_PATH.search(f"see /{folder}/notes")
    assert not MACHINE_PATH.search("a.b/work/notes and home/work/notes")


@pytest.mark.parametrize("name", ["base", "dev"])
def test_requirements_are_pinned_by_hash_and_name_no_address(name: str) -> None:
    text = (ROOT / f"requirements/{name}.txt").read_text()
    assert INDEX_OPTION.findall(text) == []
    pins = re.findall(r"^[a-z0-9][^\n]*(?:\n    [^\n]*)*", text, re.MULTILINE)
    assert len(pins) > 40
    assert [pin.split()[0] for pin in pins if "==" not in pin or "--hash=sha256:" not in pin] == []


def test_every_version_of_base_is_the_version_of_dev() -> None:
    def pins(name: str) -> set[str]:
        text = (ROOT / f"requirements/{name}.txt").read_text()
        return set(re.findall(r"^[a-z0-9][^ \n]*==[^ \n]*", text, re.MULTILINE))

    assert pins("base") < pins("dev")


def test_there_is_no_lock_file_with_addresses() -> None:
    assert {"uv.lock", "poetry.lock", "Pipfile.lock", "package-lock.json"} & set(texts()) == set()


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        source.path
        for source in python_sources()
        if source.tree.body and not source.is_migration and not ast.get_docstring(source.tree)
    ]
    assert silent == []
