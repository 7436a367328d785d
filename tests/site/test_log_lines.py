"""A log line is one line, and its labels can be searched for."""

from __future__ import annotations

import logging
import sys

from rummy_site.log_lines import LabelledFormatter


def line(message: str, **labels: object) -> str:
    record = logging.makeLogRecord(
        {
            "name": "tables.services",
            "levelname": "INFO",
            "msg": message,
            "created": 0.5,
            "msecs": 500,
        }
        | labels
    )
    return LabelledFormatter().format(record)


def test_a_line_has_its_labels_in_a_fixed_order() -> None:
    assert line("deal closed", deal=17) == (
        'at=1970-01-01T00:00:00.500Z level=INFO from=tables.services said="deal closed" deal=17'
    )


def test_a_line_break_cannot_forge_a_second_line() -> None:
    assert "\n" not in line("one\nat=now level=INFO", name_given="two\nlines")


def test_a_label_with_a_space_is_quoted() -> None:
    assert line("joined", player="Asha Rao").endswith('player="Asha Rao"')


def test_a_traceback_follows_the_line() -> None:
    try:
        raise ValueError("lost card")
    except ValueError:
        record = logging.makeLogRecord({"msg": "fault", "exc_info": sys.exc_info()})
    first, *rest = LabelledFormatter().format(record).splitlines()
    assert first.endswith('said="fault"')
    assert rest[-1] == "ValueError: lost card"
