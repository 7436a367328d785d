"""The players' pages with many entrants, beside a view that says hello, in the same run.

Through Django's test client, so with the whole stack of middleware and templates and without a
network. Each page is asked for in turns with hello: first as a visitor who finds it kept, then
after a change that makes it stale (`fresh`). Time is in microseconds; the ratios are the claims.

Run: python -m benchmarks.pages [--json] [--entrants 500] [--repeats 60]
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path

from benchmarks.common import in_own_process, report


def main() -> None:
    """Measure in a process and a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--entrants", type=int, default=500)
    parser.add_argument("--repeats", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        job = {
            "name": str(Path(folder) / "pages.sqlite3"),
            "entrants": options.entrants,
            "repeats": options.repeats,
        }
        found = in_own_process("benchmarks.page_parts.inside", job, database_url="")
    report({"load": os.getloadavg(), **json.loads(json.dumps(found))}, as_json=options.json)


if __name__ == "__main__":
    main()
