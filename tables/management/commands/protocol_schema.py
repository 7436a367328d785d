"""`manage.py protocol_schema`: the JSON schema of a table's socket, from the types themselves."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from django.core.management.base import BaseCommand

from tables.frames import InFrame, OutFrame


def schema() -> dict[str, Any]:
    """Every frame a client may send (`in`) and the server sends (`out`), with their parts."""
    (incoming, outgoing), parts = msgspec.json.schema_components(
        [InFrame, OutFrame], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Frames of /ws/tables/<public id>/",
        "in": incoming,
        "out": outgoing,
        "$defs": parts,
    }


class Command(BaseCommand):
    """Prints the schema; docs/protocol.schema.json is a copy that a test keeps up to date."""

    help = "Print the JSON schema of the frames of a table's socket."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print it."""
        self.stdout.write(json.dumps(schema(), indent=2, sort_keys=True))
