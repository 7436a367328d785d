"""Kept parts of pages: named by what made them, and no page falls with Redis."""

from __future__ import annotations

from pathlib import Path

from rummy_site.kept import PagesInRedis
from rummy_site.settings.kept import version_of

NOBODY = "redis://127.0.0.1:1/0"


def test_a_changed_template_or_translation_names_other_parts(tmp_path: Path) -> None:
    page = tmp_path / "a" / "page.html"
    page.parent.mkdir()
    page.write_text("one", encoding="utf-8")
    first = version_of([tmp_path])
    assert version_of([tmp_path]) == first
    (tmp_path / "notes.txt").write_text("nothing to do with pages", encoding="utf-8")
    assert version_of([tmp_path]) == first
    page.write_text("two", encoding="utf-8")
    second = version_of([tmp_path])
    (tmp_path / "words.mo").write_bytes(b"x")
    assert len({first, second, version_of([tmp_path])}) == 3


def test_without_redis_nothing_is_kept_and_nothing_fails() -> None:
    pages = PagesInRedis(NOBODY, {})
    pages.set("part", "<p>", 60)
    assert pages.get("part") is None
    assert pages.get("part", "other") == "other"
    assert pages.get_many(["part", "another"]) == {}
