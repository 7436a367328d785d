"""`manage.py score_hand`: reading and printing; what lines mean is tested beside the core."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

HAND = ["5H", "6H", "7H", "8S", "JK", "TS", "JS", "2D", "2S", "2H", "9S", "9D", "9H"]
GOOD = json.dumps({"id": 1, "profile": "octro", "wild": "K", "hand": HAND})


def run(*arguments: str) -> list[str]:
    out = io.StringIO()
    call_command("score_hand", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_a_file_is_answered_line_by_line_and_bad_lines_stop_nothing(tmp_path: Path) -> None:
    lines = [GOOD, "no json", "", GOOD.replace("octro", "whist"), GOOD.replace(": 1", ": 2")]
    (tmp_path / "hands.jsonl").write_text("\n".join(lines))
    answers = [json.loads(line) for line in run(str(tmp_path / "hands.jsonl"))]
    assert [answer["id"] for answer in answers] == [1, None, 1, 2]
    assert [answer["points"] for answer in answers] == [0, None, None, 0]
    named = [[error["field"] for error in answer["errors"]] for answer in answers]
    assert named == [[], ["line"], ["profile"], []]


def test_standard_input_is_read_without_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(GOOD + "\n"))
    assert json.loads(run()[0])["complete"]


def test_bytes_that_are_no_text_are_a_bad_line(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO(b"\xff\xfe\n" + GOOD.encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(raw, encoding="utf-8"))
    answers = [json.loads(line) for line in run("-")]
    assert [answer["points"] for answer in answers] == [None, 0]


def test_an_endless_line_is_answered_once_and_the_next_is_read(tmp_path: Path) -> None:
    (tmp_path / "hands.jsonl").write_text("[" * 100_000 + "\n" + GOOD + "\n")
    answers = [json.loads(line) for line in run(str(tmp_path / "hands.jsonl"))]
    assert [answer["points"] for answer in answers] == [None, 0]


def test_text_is_printed_for_people_and_counts_blank_lines(tmp_path: Path) -> None:
    (tmp_path / "hands.jsonl").write_text(f"{GOOD}\n\nno json\n")
    printed = run(str(tmp_path / "hands.jsonl"), "--text")
    assert printed[0] == "1: 0 points, complete"
    assert printed[-1] == "line 3: line: A line is one JSON object."


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(CommandError, match=r"no-such-file\.jsonl cannot be read"):
        run("no-such-file.jsonl")
