"""A simulation in a process that is killed at random moments and started again until it is done.

SIGKILL leaves a process no time for anything, so what comes after goes on from the database alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Final, NamedTuple

from tournaments.play.bots import Chance

READY: Final = "going on"
"""The line by which a child says that it has begun, not counting how long Python takes for it."""
_FIRST_MS: Final = 300
"""The first child lives at most this long; each one longer than the one before."""
_LONGER: Final = 1.25


class Lived(NamedTuple):
    """What the last child printed, whether it was well, and how many were killed before it."""

    output: str
    is_well: bool
    killed: int


def live_through(arguments: Sequence[str], *, chance: Chance, most: int) -> Lived:
    """Run `simulate_tournament` with these arguments until a child ends by itself.

    At most `most` children are killed; the one after that is left alone. Each has to print `READY`
    when it begins, and ends by itself when it is done.
    """
    for killed in range(most + 1):
        child = _child(arguments)
        milliseconds = chance.below(int(_FIRST_MS * _LONGER**killed), "life", str(killed))
        try:
            output, _ = child.communicate(timeout=milliseconds / 1000 if killed < most else None)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            continue
        return Lived(output, child.returncode == 0, killed)
    raise AssertionError("The last child is waited for.")


def _child(arguments: Sequence[str]) -> subprocess.Popen[str]:
    """A child that has begun."""
    child = subprocess.Popen(  # noqa: S603 - this program, with arguments it has checked
        [sys.executable, "-m", "django", "simulate_tournament", *arguments],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        text=True,
    )
    if child.stdout is not None and child.stdout.readline().strip() != READY:
        child.communicate()
    return child
