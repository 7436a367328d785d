"""docs/protocol.md and the schema say what the code does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from tables.frames import OutFrame, read_frame, write_frame
from tables.management.commands.protocol_schema import schema

DOCS = Path(__file__).resolve().parents[2] / "docs"
TEXT = (DOCS / "protocol.md").read_text()
SHOWN = re.findall(
    r"^```json\n(.*?)^```", TEXT.split("## What you are sent")[1], re.DOTALL | re.MULTILINE
)
SENT = re.findall(r"^\{\"type\".*\}$", TEXT.split("## What you are sent")[0], re.MULTILINE)


def test_the_schema_file_is_the_one_the_code_makes() -> None:
    written = json.loads((DOCS / "protocol.schema.json").read_text())
    assert written == json.loads(json.dumps(schema()))


def test_an_example_of_every_frame_a_client_may_send_is_shown() -> None:
    kinds = {json.loads(line)["type"] for line in SENT}
    refs = schema()["in"]["anyOf"]
    names = {ref["$ref"].rsplit("/", 1)[-1] for ref in refs}
    tags = {schema()["$defs"][name]["properties"]["type"]["enum"][0] for name in names}
    assert kinds == tags


@pytest.mark.parametrize("line", SENT)
def test_each_example_can_be_read(line: str) -> None:
    assert read_frame(line).__struct_config__.tag == json.loads(line)["type"]


def test_every_frame_a_client_may_get_is_in_the_table() -> None:
    for kind in OutFrame.__args__:
        assert f"| `{kind.__struct_config__.tag}` |" in TEXT


def _shown() -> Iterator[dict[str, Any]]:
    """The examples of what the server sends."""
    for block in SHOWN:
        text = block.strip()
        while text:
            frame, end = json.JSONDecoder().raw_decode(text)
            yield frame
            text = text[end:].strip()


def test_an_example_of_every_frame_a_client_may_get_is_shown_as_the_code_writes_it() -> None:
    shown = list(_shown())
    tags = {kind.__struct_config__.tag for kind in get_args(OutFrame)}
    assert {frame["type"] for frame in shown} == tags
    for frame in shown:
        read: Any = msgspec.convert(frame, OutFrame)
        assert json.loads(write_frame(read)) == frame
