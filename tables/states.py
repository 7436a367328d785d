"""The states that a process remembers, so that it need not replay a deal's whole log for each move.

Only committed states are kept. One may be older than the deal's row, as others move too; it is
brought up to date by the events since. Nothing here reads the database.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

from tables.rules.state import DealState

_CACHED_DEALS: Final = 4096


class StateCache:
    """The last committed states of this process's deals, least recently used dropped first."""

    def __init__(self, size: int = _CACHED_DEALS) -> None:
        self._size = size
        self._states: OrderedDict[str, DealState] = OrderedDict()
        self._lock = Lock()

    def get(self, public_id: str, version: int) -> DealState | None:
        """The state kept of a deal, of this version or an older one; None if there is none."""
        with self._lock:
            state = self._states.get(public_id)
            if state is None or state.version > version:
                return None
            self._states.move_to_end(public_id)
            return state

    def put(self, public_id: str, state: DealState) -> None:
        """Keep a committed state; a deal that is over is let go."""
        with self._lock:
            if state.is_over:
                self._states.pop(public_id, None)
                return
            self._states[public_id] = state
            self._states.move_to_end(public_id)
            if len(self._states) > self._size:
                self._states.popitem(last=False)
