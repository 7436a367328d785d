"""Log lines made of labels, one event a line, so that `grep deal=17` tells a whole story.

    at=2030-01-31T18:05:00.120Z level=INFO from=tables.services said="deal closed" deal=17

The labels after `said` are whatever the caller gave as `extra`. Text is quoted as in JSON: a line
break inside a message cannot forge a second line. A traceback follows on lines of its own.
"""

from __future__ import annotations

import json
import logging
import time
from typing import Final

_OWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}
# What Django and uvicorn attach for their own formatters.
_FOREIGN: Final = frozenset({"request", "server_time", "status_code", "color_message", "taskName"})


class LabelledFormatter(logging.Formatter):
    """Writes a record as `label=value` pairs; times are UTC with milliseconds."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """The line itself, without the traceback."""
        said = json.dumps(record.getMessage(), ensure_ascii=False)
        line = (
            f"at={self.formatTime(record)} level={record.levelname} from={record.name} said={said}"
        )
        labels = (
            f" {name}={_plain(value)}"
            for name, value in vars(record).items()
            if name not in _OWN and name not in _FOREIGN
        )
        return line + "".join(labels)


def _plain(value: object) -> str:
    text = str(value)
    return text if text.isprintable() and " " not in text else json.dumps(text, ensure_ascii=False)
