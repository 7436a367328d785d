"""Write the recordings anew: `python -m tests.rules.goldens.regenerate`.

Do so only when the engine is meant to play differently, and read the difference before it is kept.
"""

from __future__ import annotations

import sys

from tests.rules.goldens.recording import GOLDENS, record


def main() -> None:
    """Record every deal, and name the files that have changed."""
    for golden in GOLDENS:
        text = record(golden)
        if not golden.path.exists() or golden.path.read_text() != text:
            golden.path.write_text(text)
            sys.stdout.write(f"{golden.path.name}: {len(text.splitlines())} lines\n")


if __name__ == "__main__":
    main()
